// EXPECT: assertion 12 - klee_assert behind a 64-bit mix.
#include <klee/klee.h>
int main(void)
{
    unsigned long x;
    klee_make_symbolic(&x, sizeof x, "x");
    unsigned long y = x;
    y ^= y >> 31;
    y *= 0x7fb5d329728ea185ul;
    y ^= y >> 27;

    klee_assert(y != 0x0123456789abcdeful);
    return 0;
}
