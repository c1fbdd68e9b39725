/* Aborts if its output cannot be written. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    printf("%d\n", 42);
    if (fflush(stdout) || ferror(stdout)) abort();
    return 0;
}
