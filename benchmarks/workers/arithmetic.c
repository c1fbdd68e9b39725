/* Nonlinear equations over 32-bit words that share one of them, so that no question of a path is like one of another
 * path, and too many bytes for any layer but the SMT solver: nearly all time is the solver's. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 6
#endif
int main(void)
{
    unsigned x[SIZE], y;
    int met = 0;
    klee_make_symbolic(x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    for (int i = 0; i < SIZE; i++)
        if (x[i] * (x[i] ^ y) == 0x10001u * (4711 + 2 * i)) met++;
    return met;
}
