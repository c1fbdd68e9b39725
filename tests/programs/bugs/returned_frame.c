// EXPECT: use-after-return 16 - The address of a local escapes for one number among all that strtol reads.
#include <klee/klee.h>
#include <stdlib.h>
static int fallback;
static int *pick(long n)
{
    int local[2] = {1, 2};
    int *p = local;
    return n == 471 ? p : &fallback;
}
int main(void)
{
    char text[5];
    klee_make_symbolic(text, sizeof text, "text");
    text[4] = 0;
    return *pick(strtol(text, 0, 10));
}
