/* As many paths as turns, and no end of them. */
#include <klee/klee.h>
int main(void)
{
    unsigned long n;
    unsigned long i = 0;
    klee_make_symbolic(&n, sizeof n, "n");
    while (i < n) i++;
    return 0;
}
