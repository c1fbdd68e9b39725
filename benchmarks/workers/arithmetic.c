/* Nonlinear equations over 32-bit words that share one of them, so that no path's question is like another path's, over
 * too many bytes for any layer but the SMT solver: nearly all time is the solver's. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 11
#endif
int main(void)
{
    unsigned x[SIZE], y;
    int met = 0;
    klee_make_symbolic(x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    for (int i = 0; i < SIZE; i++)
        if ((x[i] ^ x[i] >> 13) * (y | 1) == 0x9E3779B1u * (i + 1) + (y >> 3)) met++;
    return met;
}
