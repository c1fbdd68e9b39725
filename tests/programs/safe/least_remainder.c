// SAFE: The remainder of the least long by minus one, sum of two inputs.
#include <klee/klee.h>
int main(void)
{
    long a, b, c;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    klee_make_symbolic(&c, sizeof c, "c");
    if (c == 0 || c == -1) return 0;
    return (a ^ b) % c != 0;
}
