/* Calls of variadic functions without a prototype, directly and through pointers. */
#include <stdarg.h>
int printf();
int sprintf();

static int sum(int count, ...)
{
    va_list list;
    int total = 0;
    va_start(list, count);
    while (count--) total += va_arg(list, int);
    va_end(list);
    return total;
}

static double mean(double first, int count, ...)
{
    va_list list;
    va_start(list, count);
    for (int n = 0; n < count; n++) first += va_arg(list, double);
    va_end(list);
    return first / (count + 1);
}

static int plain(a, b) int a; double b; { return a * 100 + (int)b; }

int main(void)
{
    char text[50];
    int (*any)() = (int (*)())sum;
    double (*other)() = (double (*)())mean;
    int (*fixed)(const char *, int) = (int (*)(const char *, int))printf;
    printf("%d %s %.1f %c\n", 5, "abc", 2.5, 'x');
    printf("%d %d %d %d %d %d %d %.1f\n", 1, 2, 3, 4, 5, 6, 7, 8.0);
    printf("%d %.3f\n", any(3, 10, 20, 30), other(1.0, 2, 2.0, 6.0));
    any = plain;
    printf("%d\n", any(3, 4.0));
    fixed("%x\n", 255);
    return sprintf(text, "%d-%d", 12, 34) != 5;
}
