// EXPECT: assertion 12 - One cell of 4,096 is written, and one is looked at.
#include <klee/klee.h>
#include <assert.h>
static char cells[1 << 12];
int main(void)
{
    unsigned short i, j;
    klee_make_symbolic(&i, sizeof i, "i");
    klee_make_symbolic(&j, sizeof j, "j");

    cells[i % 4096] = 1;
    if (j == 3210) assert(!cells[j]);
    return 1;
}
