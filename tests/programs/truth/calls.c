#include <klee/klee.h>
#include <stdarg.h>
struct pair { unsigned char a, b; };
static int one(struct pair p) { return p.a > p.b; }
static int two(struct pair p) { return p.a + p.b > 300; }
static int (*const table[2])(struct pair) = {one, two};
static int total(int count, ...)
{
    va_list list;
    int sum = 0;
    va_start(list, count);
    while (count--) sum += va_arg(list, int);
    va_end(list);
    return sum;
}
int main(void)
{
    struct pair p;
    klee_make_symbolic(&p, sizeof p, "p");
    if (table[p.a & 1](p)) return 1;
    if (total(3, p.a, p.b, 5) == 100) return 2;
    return p.a == p.b && p.b == 17 ? 3 : 4;
}
