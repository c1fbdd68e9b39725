// EXPECT: out-of-bounds 12 - A 32-bit size, any of four thousand million, is too small for what is written.
#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    unsigned size, tag;
    klee_make_symbolic(&size, sizeof size, "size");
    klee_make_symbolic(&tag, sizeof tag, "tag");
    if (size % 1000 != 3 || size > 5000) return 0;
    char *block = malloc(size);
    if (!block) return 1;
    if (tag == 0xfeedf00du) block[800] = 1;
    free(block);
    return 2;
}
