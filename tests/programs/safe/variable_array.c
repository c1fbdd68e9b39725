// SAFE: An array of variable length, written one beyond for one value of many.
#include <klee/klee.h>
int main(void)
{
    unsigned char n, at;
    klee_make_symbolic(&n, 1, "n");
    klee_make_symbolic(&at, 1, "at");
    if (n < 3 || n > 60) return 0;
    char cells[n];
    for (int i = 0; i < n; i++) cells[i] = 0;
    if (at > n - 1) return 1;
    cells[at] = 1;
    return cells[0];
}
