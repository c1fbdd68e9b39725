/* Inline functions of which no external definition exists, but which are always expanded. */
#include <stdarg.h>
#include <stdio.h>
static int calls;

inline __attribute__((always_inline)) int next(va_list list)
{
    calls++;
    return va_arg(list, int) * 2;
}

extern inline __attribute__((always_inline, gnu_inline)) int twice(int n)
{
    return n + n;
}

static int sum(int count, ...)
{
    va_list list;
    int total = 0;
    va_start(list, count);
    while (count--) total += next(list);
    va_end(list);
    return total;
}

int main(void)
{
    printf("%d %d", sum(3, 1, 2, 3), twice(21));
    printf(" %d\n", calls);
    return 0;
}
