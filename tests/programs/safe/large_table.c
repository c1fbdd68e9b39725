// SAFE: A table of four megabytes: the index one beyond, and one entry that leads elsewhere.
#include <klee/klee.h>
static int big[1 << 20];
int main(void)
{
    unsigned i;
    klee_make_symbolic(&i, sizeof i, "i");
    if (i > (1 << 20) - 1) return 0;
    big[771234] = 5;
    if (big[i] == 5) return 3;
    return 1;
}
