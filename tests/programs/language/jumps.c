/* setjmp and __builtin_setjmp: variables have their last values after the jump. */
#include <setjmp.h>
#include <stdio.h>
static void *small[5];
static jmp_buf large;
static int depth;

static void back(int n)
{
    if (n > 0) back(n - 1);
    depth++;
    __builtin_longjmp(small, 1);
}

static int count(int limit)
{
    int tries = 0, failures = 0;
    if (__builtin_setjmp(small)) failures++;
    tries++;
    if (tries < limit) back(tries);
    return tries * 10 + failures;
}

static int changed(void)
{
    int value = 1;
    int code = setjmp(large);
    value += 5;
    if (code < 3) longjmp(large, code + 1);
    return value * 10 + code;
}

int main(void)
{
    printf("%d", count(4));
    printf(" %d %d\n", depth, changed());
    return 0;
}
