#include <klee/klee.h>
int main(void)
{
    unsigned char x, y;
    klee_make_symbolic(&x, 1, "x");
    klee_make_symbolic(&y, 1, "y");
    int score = 0;
    if (x * y == 143) score += 1;
    if ((x ^ y) == 0x5a) score += 2;
    if (y != 0 && x % y == 7) score += 4;
    if ((signed char)x < (signed char)y) score += 8;
    if (((x << 3) - y) >> 2 == 100) score += 16;
    return score;
}
