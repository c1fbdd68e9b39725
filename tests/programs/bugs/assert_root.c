// EXPECT: assertion 9 - A double whose value plus one quarter is exactly a given number.
#include <klee/klee.h>
#include <assert.h>
int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (!(x > 100 && x < 1000)) return 0;
    assert(x + 0.25 != 123.5);
    return 1;
}
