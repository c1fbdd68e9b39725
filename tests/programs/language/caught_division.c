/* A program that waits for the trap of a division by zero. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static sigjmp_buf back;
static volatile int zero;

static void caught(int number)
{
    siglongjmp(back, number);
}

int main(void)
{
    signal(SIGFPE, caught);
    if (sigsetjmp(back, 1) == 0) printf("%d\n", 5 / zero);
    if (sigsetjmp(back, 1) == 0) printf("%d\n", 5 % zero);
    puts("after");
    return 0;
}
