#include <klee/klee.h>
int main(void)
{
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x < 10) return 1;
    if (x > 200) return 2;
    return 0;
}
