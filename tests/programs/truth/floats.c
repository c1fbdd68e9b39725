#include <klee/klee.h>
int main(void)
{
    unsigned char x, y;
    klee_make_symbolic(&x, 1, "x");
    klee_make_symbolic(&y, 1, "y");
    double a = x / 4.0, b = y * 0.5;
    if (a + b == 10.25) return 1;
    if (a > b * 3.0) return 2;
    if ((int)(a * b) == 30) return 3;
    return (float)x / (y + 1) > 7.5f ? 4 : 5;
}
