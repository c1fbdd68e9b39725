/* Products of 16-bit words that rarely are what they are compared with, so that an SMT solver has to find each. */
#include <klee/klee.h>
int main(void)
{
    unsigned short x[8], y;
    int met = 0;
    klee_make_symbolic(x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    for (int i = 0; i < 8; i++)
        if ((unsigned short)(x[i] * y * 31) == 4711 + 2 * i) met++;
    return met;
}
