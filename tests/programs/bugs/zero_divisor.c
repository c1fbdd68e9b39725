// EXPECT: division-by-zero 11 - The divisor is a difference of products.
#include <klee/klee.h>
int main(void)
{
    unsigned short a, b;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    if (a < 300 || b < 300 || a == b) return 0;
    unsigned area = (unsigned)a * b - 371 * 967;

    return 1000000 / area;
}
