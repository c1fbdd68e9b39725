// SAFE: Only one float squared is 2.25 and positive.
#include <klee/klee.h>
#include <assert.h>
int main(void)
{
    float x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (!(x > 0.5f && x < 2.0f)) return 0;
    float y = x + x;
    assert(y != 4.0f);
    return 1;
}
