// EXPECT: null-pointer 12 - malloc gives nothing for a size that few inputs reach, and nobody looks.
#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    unsigned long blocks;
    klee_make_symbolic(&blocks, sizeof blocks, "blocks");
    if (blocks % 4096 != 4095) return 0;
    if (blocks < 4096 * 3 || blocks > 1ul << 39) return 1;
    if (blocks > 4096 * 8 && blocks < 1ul << 38) return 2;
    char *memory = malloc(blocks * 16);
    memory[0] = 1;
    free(memory);
    return 3;
}
