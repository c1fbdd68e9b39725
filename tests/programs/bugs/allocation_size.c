// EXPECT: out-of-bounds 11 - The block is as large as the input says; a small one does not hold the header.
#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    unsigned short size;
    klee_make_symbolic(&size, sizeof size, "size");
    if (size > 300) return 0;

    char *block = malloc(size);
    block[19] = 1;
    free(block);
    return 1;
}
