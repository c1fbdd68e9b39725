/* Branch distance (MuSE, Table 1): how many numbers lie between what is and what is wanted.
 *
 * theta(x, y) is the number of representable numbers between x and y: a difference of integers, or of units in
 * the last place.  Table 1 gives theta for a strict comparison of equal numbers, which is 0 although it does not
 * hold; here whatever does not hold is at least 1, so 0 means satisfied.
 */
#include "eval.h"
#include "solver/objective.h"

#define FAR 1.8446744073709552e19 /* 2^64: nothing in the right direction is known */

static u64 magnitude_mask(u32 width) { return mask_of(width - 1); }

u64 ordered_of(u64 bits, u32 width)
{
    u64 sign = 1ull << (width - 1), size = bits & magnitude_mask(width);
    return bits & sign ? sign - size : sign + size;
}

u64 bits_of(u64 ordered, u32 width)
{
    u64 sign = 1ull << (width - 1);
    return ordered >= sign ? ordered - sign : sign | (sign - ordered);
}

static double between(u64 x, u64 y) { return x > y ? (double)(x - y) : (double)(y - x); }

static double theta_real(u32 width, u128 a, u128 b)
{
    if (width == 80) { /* no 80-bit integers: the distance of the nearest doubles */
        a = cinq_of_double((double)cinq_as_extended(a));
        b = cinq_of_double((double)cinq_as_extended(b));
        width = 64;
    }
    return between(ordered_of((u64)a, width), ordered_of((u64)b, width));
}

static double theta_integer(int is_signed, u32 width, u128 a, u128 b)
{
    if (width > 64) {
        u128 x = is_signed ? (u128)cinq_sign(a, width) ^ (u128)1 << 127 : a,
             y = is_signed ? (u128)cinq_sign(b, width) ^ (u128)1 << 127 : b;
        u128 gap = x > y ? x - y : y - x;
        return (double)(u64)(gap >> 64) * FAR + (double)(u64)gap;
    }
    u64 flip = is_signed ? 1ull << (width - 1) : 0;
    return between((u64)a ^ flip, (u64)b ^ flip);
}

static int is_nan_of(u32 width, u128 v)
{
    if (width == 64) return ((u64)v & magnitude_mask(64)) > 0x7ff0000000000000;
    long double x = cinq_widen(width, v);
    return x != x;
}

/* To the nearest NaN: beyond infinity. */
static double to_nan(u32 width, u128 v)
{
    u64 infinity = width == 32 ? 0x7f800000 : 0x7ff0000000000000;
    if (width == 80) v = cinq_of_double((double)cinq_as_extended(v)), width = 64;
    return (double)(infinity - ((u64)v & magnitude_mask(width))) + 1;
}

static double real_distance(u32 op, u32 wanted, u32 width, u128 a, u128 b)
{
    int unordered = is_nan_of(width, a) || is_nan_of(width, b);
    if (op == OP_FUNO) {
        if (!wanted) return FAR;
        double x = to_nan(width, a), y = to_nan(width, b);
        return x < y ? x : y;
    }
    if (unordered) return FAR; /* a comparison that must hold; one that must not would */
    return op == OP_FOEQ && !wanted ? 1 : theta_real(width, a, b);
}

static u32 compare_doubles(u32 op, u64 a, u64 b)
{
    double x = cinq_as_double(a), y = cinq_as_double(b);
    return op == OP_FOLT ? x < y : op == OP_FOLE ? x <= y : op == OP_FOEQ ? x == y : x != x || y != y;
}

static u32 compare_words(u32 op, u32 width, u64 a, u64 b)
{
    u64 flip = op == OP_SLT || op == OP_SLE ? 1ull << (width - 1) : 0;
    if (op == OP_EQ) return a == b;
    return op == OP_ULT || op == OP_SLT ? (a ^ flip) < (b ^ flip) : (a ^ flip) <= (b ^ flip);
}

static u32 outcome(u32 op, u32 width, u128 a, u128 b)
{ /* eval_op, quicker for the usual widths */
    if (width <= 64 && op <= OP_SLE) return compare_words(op, width, (u64)a, (u64)b);
    if (width == 64) return compare_doubles(op, (u64)a, (u64)b);
    return (u32)eval_op(op, 1, width, 0, a, b, 0);
}

double cinq_distance(u32 op, u32 wanted, u32 width, u64 a_low, u64 a_high, u64 b_low, u64 b_high)
{
    u128 a = (u128)a_high << 64 | a_low, b = (u128)b_high << 64 | b_low;
    if (outcome(op, width, a, b) == wanted) return 0;
    if (op == OP_EQ && !wanted) return 1;
    double found = op >= OP_FOEQ ? real_distance(op, wanted, width, a, b)
                                 : theta_integer(op == OP_SLT || op == OP_SLE, width, a, b);
    return found < 1 ? 1 : found;
}

/* log2(1 + d), linear between powers of two: distances of many constraints become comparable. */
double cinq_scaled(double distance)
{
    if (distance == 0) return 0;
    u64 bits = (u64)cinq_of_double(distance + 1);
    return (double)(bits >> 52) - 1023 + (double)(bits & 0xfffffffffffffull) / 4503599627370496.0;
}
