// SAFE: Two indices from the input: one block is freed, another is read.
#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    unsigned char which, what;
    int *blocks[3];
    klee_make_symbolic(&which, 1, "which");
    klee_make_symbolic(&what, 1, "what");
    if (which > 2 || what > 2) return 0;
    for (int i = 0; i < 3; i++) blocks[i] = calloc(4, sizeof(int));
    free(blocks[which]);
    if (what == which) return 1;
    return blocks[what][what + 1];
}
