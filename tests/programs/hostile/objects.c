/* Input objects made in different orders, sizes and numbers. */
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    unsigned char a, b[3], c[5]; int d;
    klee_make_symbolic(&a, 1, "a");
    if (a & 1) klee_make_symbolic(b, 3, "b"); else klee_make_symbolic(c, 5, "c");
    for (int i = 0; i < (a >> 4); i++) { klee_make_symbolic(&d, sizeof d, "d"); if (d == i + 100) printf("d%d ", i); }
    if (a & 2) { if (a & 1) klee_make_symbolic(c, 5, "c"); else klee_make_symbolic(b, 3, "b"); }
    if ((a & 1 || a & 2) && b[1] == 'b') printf("b ");
    if ((!(a & 1) || a & 2) && c[4] == 'c') printf("c ");
    unsigned n = klee_int("n"); int r = klee_range(0, 4, "r"); printf("%u %d\n", n, r);
    if (a & 4) { char *big = malloc(65536); klee_make_symbolic(big, 65536, "big"); long s = 0; for (int i = 0; i < 65536; i++) s += big[i] == 'z'; if (s == 3) printf("three\n"); }
    return 0;
}
