// SAFE: The least integer divided by minus one.
#include <klee/klee.h>
int main(void)
{
    int a, b;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    if (b == 0) return 0;
    if (b == -1) return 1;
    return a / b;
}
