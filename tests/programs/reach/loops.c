/* Loops whose number of turns depends on the input. */
#include "points.h"
static unsigned gcd(unsigned a, unsigned b)
{
    while (b) {
        unsigned r = a % b;
        a = b;
        b = r;
    }
    return a;
}
int main(void)
{
    unsigned char a, b;
    unsigned steps = 0;
    klee_make_symbolic(&a, 1, "a");
    klee_make_symbolic(&b, 1, "b");
    if (a >= 32 || b >= 32 || !a || !b) return 0;
    unsigned g = gcd(a, b);
    if (a % g || b % g) NEVER(no_divisor);
    if (g == 15) REACHED(fifteen);
    if (g == 15 && a != 15 && b != 15) NEVER(only_with_itself_below_32_when_not_30);
    if (g == 7 && a == 21) REACHED(seven);
    for (unsigned n = a; n != 1; n = n % 2 ? 3 * n + 1 : n / 2) steps++;
    if (steps == 111) REACHED(collatz_of_27);
    if (steps > 111) NEVER(longer_than_27);
    if (steps == 23) REACHED(collatz_of_25);
    return 0;
}
