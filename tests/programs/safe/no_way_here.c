// SAFE: A switch that claims to be complete.
#include <klee/klee.h>
static int kind_of(unsigned x)
{
    switch (x % 5) {
    case 0: return 7;
    case 1: return 5;
    case 2: return 3;
    case 3: return 1;
    case 4: return 9;
    default: __builtin_unreachable();
    }
}
int main(void)
{
    unsigned x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x / 1000 != 3141592) return 0;
    return kind_of(x);
}
