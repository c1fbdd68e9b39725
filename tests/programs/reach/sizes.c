/* Sizes from the input: blocks, copies, arrays. */
#include "points.h"
#include <stdlib.h>
#include <string.h>
int main(void)
{
    unsigned size;
    unsigned char used;
    char from[16] = "abcdefghijklmno", to[16] = "";
    klee_make_symbolic(&size, sizeof size, "size");
    klee_make_symbolic(&used, 1, "used");
    if (used > 15) return 0;
    if (size > 20 && size < 0xf0000000u) return 0;
    char *block = malloc(size);
    if (!block && size < 100) NEVER(no_memory_for_little);
    if (!block) {
        REACHED(no_memory);
        return 0;
    }
    free(block);
    if (size > 100) NEVER(memory_for_all);
    memcpy(to, from, used);
    if (strlen(to) != used) NEVER(another_length);
    if (used == 15 && to[14] == 'o') REACHED(all_of_it);
    if (used && to[used - 1] == 'h' && size == used) REACHED(eight);
    if (to[used]) NEVER(one_more);
    return 0;
}
