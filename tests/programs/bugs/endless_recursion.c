// EXPECT: stack-overflow 4 - Links in the input form a cycle, which is followed by recursion.
#include <klee/klee.h>
static unsigned char parent[3];
static int depth(unsigned char n, int left)
{
    volatile int note[200];
    if (n > 2) return 0;
    note[0] = left;
    return parent[n] == n ? 0 : note[0] + depth(parent[n], left - 1);
}
int main(void)
{
    klee_make_symbolic(parent, sizeof parent, "parent");
    for (int i = 0; i < 3; i++)
        if (parent[i] > 2) return 0;
    return depth(0, 3);
}
