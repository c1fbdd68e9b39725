// EXPECT: use-after-return 18 - longjmp into a function that has returned, for one error code.
#include <klee/klee.h>
#include <setjmp.h>
static jmp_buf place;
static int volatile depth;
static void arm(int i)
{
    depth = i;
    if (setjmp(place)) depth = 2;
}
int main(void)
{
    unsigned code;
    klee_make_symbolic(&code, sizeof code, "code");
    if (setjmp(place)) return 3;
    if ((code * 0x9e3779b1u ^ code >> 3) == 0x3103fe95u) arm(1);
    if (code % 3 == 1) return 1;
    if (depth) longjmp(place, 1);
    return 0;
}
