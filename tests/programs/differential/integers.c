#include "input.h"
#define ALL(T, U) do { \
    T a = IN(T), b = IN(T); U ua = a, ub = b; unsigned s = in_take(1) & (sizeof(T) * 8 - 1); \
    mix(a + b); mix(a - b); mix(a * b); mix(a & b); mix(a | b); mix(a ^ b); mix(~a); mix(-a); mix(!a); \
    if (b != 0 && b != -1) { mix(a / b); mix(a % b); } \
    if (ub != 0) { mix(ua / ub); mix(ua % ub); } \
    mix(a / 7); mix(a % 7); mix(ua / 10); mix(ua % 10); mix(a / -3); mix(a % 16); mix(a / 8); mix(ua / 16); \
    mix((T)(ua << s)); mix(a >> s); mix(ua >> s); mix((T)(ua << 3)); mix(a >> 5); mix(ua >> 7); \
    mix(a == b); mix(a != b); mix(a < b); mix(a <= b); mix(a > b); mix(a >= b); \
    mix(ua < ub); mix(ua <= ub); mix(ua > ub); mix(ua >= ub); mix(a ? b : 3); mix(a && b); mix(a || b); \
    if (a < b) mix(11); else mix(12); if (ua > ub) mix(13); if (a == 5) mix(14); \
    show(#T); } while (0)
int main(void)
{
    in_start();
    ALL(signed char, unsigned char); ALL(short, unsigned short); ALL(int, unsigned); ALL(long, unsigned long);
    ALL(signed char, unsigned char); ALL(short, unsigned short); ALL(int, unsigned);
    return getenv("QUIET") ? 0 : hash & 63;
}
