// EXPECT: read-only 11 - A write through a table of pointers, one of them to a constant.
#include <klee/klee.h>
static int a[2], b[2];
static const int c[2] = {1, 2};
static int *const places[4] = {a, b, a, (int *)c};
int main(void)
{
    unsigned x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x % 1000 != 999) return 0;
    places[x / 1000 % 4][x & 1] = 1;
    return 1;
}
