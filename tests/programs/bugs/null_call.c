// EXPECT: null-pointer 10 - A table of functions has a hole.
#include <klee/klee.h>
static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*const table[8])(void) = {one, two, one, two, one, 0, one, two};
int main(void)
{
    unsigned n;
    klee_make_symbolic(&n, sizeof n, "n");
    return table[n * 2654435761u >> 29]();
}
