// SAFE: A pointer to a variable of a block that was left.
#include <klee/klee.h>
int main(void)
{
    unsigned short x;
    int outer = 1, *p = &outer;
    klee_make_symbolic(&x, sizeof x, "x");
    if ((unsigned)x * x == 54321u * 54321u) {
        int inner = 2;
        p = &outer;
        *p += 1;
    }
    return *p;
}
