/* Assembly without instructions hides values from an optimiser, several at a time. */
#include <stdio.h>
static int table[4] = {1, 2, 3, 4};

int main(void)
{
    int a = 5, b = 6, *p = table;
    long wide = 70;
    double d = 2.5;
    __asm__("" : "+r"(a), "+r"(wide) : "r"(b), "r"(&table) : "memory");
    __asm__ volatile("# nothing\n\t" : "+r"(p) : "r"(a));
    __asm__("" : "+x"(d), "+m"(b), "=m"(table[2]) : "m"(table[1]));
    __asm__ __volatile__("" ::: "memory");
    printf("%d %d %ld %.1f %d\n", a, b, wide, d, p[1]);
    return 0;
}
