// EXPECT: out-of-bounds 12 - A 32-bit magic number guards a write beyond a heap block.
#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    unsigned key, index;
    klee_make_symbolic(&key, sizeof key, "key");
    klee_make_symbolic(&index, sizeof index, "index");
    int *block = calloc(12, sizeof *block);
    if ((key ^ 0x5bd1e995u) * 2654435761u != 0xdeadbeefu) return 0;
    if (index > 12) return 1;
    block[index] = 7;
    free(block);
    return 2;
}
