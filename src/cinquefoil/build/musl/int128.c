/* 128-bit operations that x86-64 code generation leaves to a library. */
#include <stdint.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

#define HIGH(x) ((uint64_t)((x) >> 64))

static u128 divide(u128 n, u128 d, u128 *rest)
{
    if (!HIGH(n) && !HIGH(d)) {
        *rest = (uint64_t)n % (uint64_t)d;
        return (uint64_t)n / (uint64_t)d;
    }
    u128 quotient = 0, remainder = 0;
    for (int bit = 127; bit >= 0; bit--) {
        int carry = (int)(remainder >> 127);
        remainder = remainder << 1 | (n >> bit & 1);
        if (carry || remainder >= d) {
            remainder -= d;
            quotient |= (u128)1 << bit;
        }
    }
    *rest = remainder;
    return quotient;
}

static u128 magnitude(i128 x) { return x < 0 ? -(u128)x : (u128)x; }

u128 __udivti3(u128 a, u128 b) { u128 rest; return divide(a, b, &rest); }
u128 __umodti3(u128 a, u128 b) { u128 rest; divide(a, b, &rest); return rest; }

i128 __divti3(i128 a, i128 b)
{
    u128 rest, quotient = divide(magnitude(a), magnitude(b), &rest);
    return (a < 0) != (b < 0) ? -quotient : quotient;
}

i128 __modti3(i128 a, i128 b)
{
    u128 rest;
    divide(magnitude(a), magnitude(b), &rest);
    return a < 0 ? -rest : rest;
}

i128 __muloti4(i128 a, i128 b, int *overflow)
{
    u128 x = magnitude(a), y = magnitude(b), product = x * y, rest;
    int negative = (a < 0) != (b < 0);
    u128 limit = ((u128)1 << 127) - !negative;
    *overflow = x && (divide(product, x, &rest) != y || product > limit);
    return negative ? -product : product;
}

/* To floating point: shift until the value fits 64 bits, keeping a sticky bit for correct rounding. */
static uint64_t compress(u128 x, int *shift)
{
    int n = HIGH(x) ? 64 - __builtin_clzll(HIGH(x)) : 0;
    uint64_t top = (uint64_t)(x >> n);
    *shift = n;
    return top | (n && (x & (((u128)1 << n) - 1)) != 0);
}

static long double power_of_two(int n)
{
    union { struct { uint64_t fraction; uint16_t exponent; } bits; long double value; } u = {{0}};
    u.bits.fraction = (uint64_t)1 << 63;
    u.bits.exponent = 16383 + n;
    return u.value;
}

#define TO_FLOAT(SIGNED, UNSIGNED, T) \
    T UNSIGNED(u128 x) { int shift; uint64_t top = compress(x, &shift); return (T)top * (T)power_of_two(shift); } \
    T SIGNED(i128 x) { return x < 0 ? -UNSIGNED(-(u128)x) : UNSIGNED(x); }
TO_FLOAT(__floattisf, __floatuntisf, float)
TO_FLOAT(__floattidf, __floatuntidf, double)

/* The extended format holds 64 bits, so the sticky bit has no room: round to even by hand. */
long double __floatuntixf(u128 x)
{
    int n = HIGH(x) ? 64 - __builtin_clzll(HIGH(x)) : 0;
    if (!n) return (long double)(uint64_t)x;
    u128 lost = x & (((u128)1 << n) - 1), half = (u128)1 << (n - 1);
    u128 top = x >> n;
    if (lost > half || (lost == half && (top & 1))) top++;
    if (HIGH(top)) top >>= 1, n++;
    return (long double)(uint64_t)top * power_of_two(n);
}
long double __floattixf(i128 x) { return x < 0 ? -__floatuntixf(-(u128)x) : __floatuntixf(x); }

/* From floating point: the high and the low 64 bits are exact on their own. */
#define FROM_FLOAT(SIGNED, UNSIGNED, T) \
    u128 UNSIGNED(T x) \
    { \
        if (!(x > 0)) return 0; \
        if (x >= (T)power_of_two(127) * 2) return ~(u128)0; \
        uint64_t high = (uint64_t)(x / (T)power_of_two(64)); \
        return (u128)high << 64 | (uint64_t)(x - (T)high * (T)power_of_two(64)); \
    } \
    i128 SIGNED(T x) { return x < 0 ? -(i128)UNSIGNED(-x) : (i128)UNSIGNED(x); }
FROM_FLOAT(__fixsfti, __fixunssfti, float)
FROM_FLOAT(__fixdfti, __fixunsdfti, double)
FROM_FLOAT(__fixxfti, __fixunsxfti, long double)
