// SAFE: count * 8 wraps: a small block for many elements.
#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    unsigned count;
    klee_make_symbolic(&count, sizeof count, "count");
    if (count < 3 || count > 40) return 0;
    unsigned bytes = count * 8;
    if (bytes > 320) return 1;
    long *items = malloc(bytes);
    items[2] = 5;
    free(items);
    return 2;
}
