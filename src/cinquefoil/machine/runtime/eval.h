/* The meaning of every operation, on values.
 *
 * Self-contained and freestanding: the run-time folds constants and evaluates
 * expressions with it, and the engine compiles it into its native evaluator, so
 * both agree by construction.  Values are unsigned 128-bit integers, of which
 * the low `width` bits count and the others are 0.  Semantics are SMT-LIB's, as
 * layout.h says; floating point is what x86-64 computes, rounding to nearest
 * even.  INPUT and TREAD need memory and are the caller's.
 */
#ifndef CINQ_EVAL_H
#define CINQ_EVAL_H

#include "layout.h"

typedef unsigned __int128 cinq_value;
typedef __int128 cinq_signed;

static inline cinq_value cinq_mask(uint32_t width) {
    return width >= 128 ? ~(cinq_value)0 : ((cinq_value)1 << width) - 1;
}

static inline cinq_signed cinq_sign(cinq_value v, uint32_t width) {
    uint32_t gap = 128 - width;
    return (cinq_signed)(v << gap) >> gap;
}

/* ---- Division: no compiler run-time is there to divide 128-bit numbers -------- */
static inline cinq_value cinq_divide(cinq_value a, cinq_value b, cinq_value *rest) {
    if ((a >> 64) == 0 && (b >> 64) == 0) {
        *rest = (uint64_t)a % (uint64_t)b;
        return (uint64_t)a / (uint64_t)b;
    }
    cinq_value q = 0, r = 0;
    for (int i = 127; i >= 0; i--) {
        int carry = (int)(r >> 127);
        r = r << 1 | (a >> i & 1);
        if (carry || r >= b) {
            r -= b;
            q |= (cinq_value)1 << i;
        }
    }
    *rest = r;
    return q;
}

static inline cinq_value cinq_unsigned_division(uint32_t op, cinq_value a, cinq_value b) {
    cinq_value rest, q;
    if (b == 0) return op == OP_UDIV ? ~(cinq_value)0 : a;
    q = cinq_divide(a, b, &rest);
    return op == OP_UDIV ? q : rest;
}

static inline cinq_value cinq_signed_division(uint32_t op, uint32_t w, cinq_value a, cinq_value b) {
    int na = cinq_sign(a, w) < 0, nb = cinq_sign(b, w) < 0;
    cinq_value ua = na ? (-a & cinq_mask(w)) : a, ub = nb ? (-b & cinq_mask(w)) : b;
    cinq_value r = cinq_unsigned_division(op == OP_SDIV ? OP_UDIV : OP_UREM, ua, ub) & cinq_mask(w);
    return (op == OP_SDIV ? na != nb : na) ? -r : r;
}

/* ---- Bits ------------------------------------------------------------------------ */
static inline uint32_t cinq_count_ones(cinq_value a) {
    return (uint32_t)(__builtin_popcountll((uint64_t)a) + __builtin_popcountll((uint64_t)(a >> 64)));
}

static inline uint32_t cinq_bit_length(cinq_value a) {
    uint64_t high = (uint64_t)(a >> 64), low = (uint64_t)a;
    if (high) return 128 - (uint32_t)__builtin_clzll(high);
    return low ? 64 - (uint32_t)__builtin_clzll(low) : 0;
}

static inline uint32_t cinq_trailing_zeros(cinq_value a, uint32_t width) {
    return a == 0 ? width : cinq_count_ones((a & -a) - 1);
}

/* ---- Floating point ---------------------------------------------------------------- */
static inline float cinq_as_float(cinq_value v) {
    union { uint32_t i; float f; } u = {.i = (uint32_t)v};
    return u.f;
}
static inline double cinq_as_double(cinq_value v) {
    union { uint64_t i; double f; } u = {.i = (uint64_t)v};
    return u.f;
}
static inline long double cinq_as_extended(cinq_value v) {
    union { struct { uint64_t low, high; } i; long double f; } u;
    u.i.low = (uint64_t)v;
    u.i.high = (uint64_t)(v >> 64) & 0xffff;
    return u.f;
}
static inline cinq_value cinq_of_float(float f) {
    union { uint32_t i; float f; } u = {.f = f};
    return u.i;
}
static inline cinq_value cinq_of_double(double f) {
    union { uint64_t i; double f; } u = {.f = f};
    return u.i;
}
static inline cinq_value cinq_of_extended(long double f) {
    union { struct { uint64_t low, high; } i; long double f; } u = {.i = {0, 0}};
    u.f = f;
    return (cinq_value)(u.i.high & 0xffff) << 64 | u.i.low;
}
/* Widening to the extended format is exact, signalling NaNs aside. */
static inline long double cinq_widen(uint32_t width, cinq_value v) {
    return width == 32 ? cinq_as_float(v) : width == 64 ? cinq_as_double(v) : cinq_as_extended(v);
}
static inline cinq_value cinq_narrow(uint32_t width, long double f) {
    return width == 32 ? cinq_of_float((float)f) : width == 64 ? cinq_of_double((double)f) : cinq_of_extended(f);
}

/* fmod: the result is exact and fits the operands' format. */
static inline long double cinq_fmod(long double x, long double y) {
    uint16_t status;
    do __asm__ volatile("fprem\n\tfnstsw %1" : "+t"(x), "=a"(status) : "u"(y) : "cc");
    while (status & 0x400);
    return x;
}

static inline long double cinq_round_with(long double x, uint32_t control) {
    uint16_t saved, mode;
    __asm__ volatile("fnstcw %0" : "=m"(saved));
    mode = (uint16_t)((saved & ~0xc00u) | control << 10);
    __asm__ volatile("fldcw %1\n\tfrndint\n\tfldcw %2" : "+t"(x) : "m"(mode), "m"(saved));
    return x;
}

static inline long double cinq_round(long double x, uint32_t rounding) {
    long double t, gap;
    switch (rounding) {
    case ROUND_EVEN: return cinq_round_with(x, 0);
    case ROUND_DOWN: return cinq_round_with(x, 1);
    case ROUND_UP: return cinq_round_with(x, 2);
    case ROUND_ZERO: return cinq_round_with(x, 3);
    default: break; /* ROUND_AWAY: halves away from zero */
    }
    t = cinq_round_with(x, 3);
    gap = x - t;
    if (gap >= 0.5L) return t + 1;
    return gap <= -0.5L ? t - 1 : t;
}

static inline cinq_value cinq_square_root(uint32_t width, cinq_value v) {
    float f = cinq_as_float(v);
    double d = cinq_as_double(v);
    long double x = cinq_as_extended(v);
    if (width == 32) __asm__("sqrtss %0, %0" : "+x"(f));
    else if (width == 64) __asm__("sqrtsd %0, %0" : "+x"(d));
    else __asm__("fsqrt" : "+t"(x));
    return width == 32 ? cinq_of_float(f) : width == 64 ? cinq_of_double(d) : cinq_of_extended(x);
}

#define CINQ_ARITHMETIC(type, as, of)                                                      \
    static inline cinq_value cinq_arith_##type(uint32_t op, cinq_value va, cinq_value vb) { \
        type a = as(va), b = as(vb);                                                       \
        return of(op == OP_FADD ? a + b : op == OP_FSUB ? a - b : op == OP_FMUL ? a * b : a / b); \
    }
typedef long double cinq_extended;
CINQ_ARITHMETIC(float, cinq_as_float, cinq_of_float)
CINQ_ARITHMETIC(double, cinq_as_double, cinq_of_double)
CINQ_ARITHMETIC(cinq_extended, cinq_as_extended, cinq_of_extended)

static inline cinq_value cinq_arithmetic(uint32_t op, uint32_t width, cinq_value a, cinq_value b) {
    return width == 32 ? cinq_arith_float(op, a, b) : width == 64 ? cinq_arith_double(op, a, b) : cinq_arith_cinq_extended(op, a, b);
}

static inline cinq_value cinq_fp_compare(uint32_t op, uint32_t width, cinq_value va, cinq_value vb) {
    long double a = cinq_widen(width, va), b = cinq_widen(width, vb);
    return op == OP_FOEQ ? a == b : op == OP_FOLT ? a < b : op == OP_FOLE ? a <= b : __builtin_isunordered(a, b);
}

/* ---- Conversions -------------------------------------------------------------------- */
#define CINQ_TWO64 18446744073709551616.0L

static inline cinq_value cinq_truncate_big(long double x) { /* 0 <= x < 2^128 */
    uint64_t high = (uint64_t)(x / CINQ_TWO64);
    return (cinq_value)high << 64 | (uint64_t)(x - (long double)high * CINQ_TWO64);
}

static inline long double cinq_power(uint32_t n) { /* 2^n, n <= 128 */
    long double p = 1;
    while (n--) p *= 2;
    return p;
}

static inline cinq_value cinq_to_signed(uint32_t to, long double x) {
    uint32_t w = to <= 32 ? 32 : to <= 64 ? 64 : 128; /* the register x86 converts into */
    long double bound = cinq_power(w - 1);
    if (!(x > -bound - 1 && x < bound) || (w == 64 && x < -bound)) return (cinq_value)1 << (w - 1);
    if (w == 128) return x < 0 ? -cinq_truncate_big(-x) : cinq_truncate_big(x);
    return (cinq_value)(cinq_signed)(int64_t)x;
}

static inline cinq_value cinq_to_unsigned(uint32_t to, long double x) {
    if (to <= 32) return cinq_to_signed(64, x);
    if (!(x > -1 && x < cinq_power(to <= 64 ? 64 : 128))) return to <= 64 ? (cinq_value)1 << 63 : 0;
    return x <= 0 ? 0 : to <= 64 ? (cinq_value)(uint64_t)x : cinq_truncate_big(x);
}

/* A 64-bit integer in the chosen format, rounded once. */
static inline long double cinq_from64(uint32_t width, uint64_t v) {
    return width == 32 ? (float)v : width == 64 ? (double)v : (long double)v;
}

static inline cinq_value cinq_from_magnitude(uint32_t width, cinq_value v, int negative) {
    uint32_t bits = cinq_bit_length(v), shift = bits > 64 ? bits - 64 : 0;
    cinq_value lost = v & cinq_mask(shift);
    uint64_t top = (uint64_t)(v >> shift);
    long double x;
    if (shift && width == 80) { /* 64 bits of precision: round here, half to even */
        cinq_value half = (cinq_value)1 << (shift - 1);
        int up = lost > half || (lost == half && (top & 1));
        x = (long double)top + up; /* exact: 2^64 is representable */
    } else {
        x = cinq_from64(width, top | (lost != 0)); /* sticky bit: below the precision */
    }
    x *= cinq_power(shift);
    return cinq_narrow(width, negative ? -x : x);
}

static inline cinq_value cinq_from_integer(uint32_t op, uint32_t width, uint32_t from, cinq_value v) {
    int negative = op == OP_SI2F && cinq_sign(v, from) < 0;
    return cinq_from_magnitude(width, negative ? -v & cinq_mask(from) : v, negative);
}

static inline cinq_value cinq_convert(uint32_t to, uint32_t from, cinq_value v) {
    if (from == 32) return to == 64 ? cinq_of_double(cinq_as_float(v)) : to == 80 ? cinq_of_extended(cinq_as_float(v)) : v;
    if (from == 64) return to == 32 ? cinq_of_float((float)cinq_as_double(v)) : to == 80 ? cinq_of_extended(cinq_as_double(v)) : v;
    return to == 80 ? v : cinq_narrow(to, cinq_as_extended(v));
}

/* ---- All together ---------------------------------------------------------------------
 * width: of the result; wa: of operand a (an ITE's a is its condition).  Operands
 * that the operation does not have are ignored. */
static inline cinq_value cinq_eval_raw(uint32_t op, uint32_t width, uint32_t wa, uint64_t imm, cinq_value a,
                                       cinq_value b, cinq_value c) {
    switch (op) {
    case OP_CONST: return imm;
    case OP_ADD:
    case OP_PTRADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_UDIV:
    case OP_UREM: return cinq_unsigned_division(op, a, b);
    case OP_SDIV:
    case OP_SREM: return cinq_signed_division(op, width, a, b);
    case OP_SHL: return b >= width ? 0 : a << (uint32_t)b;
    case OP_LSHR: return b >= width ? 0 : a >> (uint32_t)b;
    case OP_ASHR: return (cinq_value)(cinq_sign(a, width) >> (b >= width ? width - 1 : (uint32_t)b));
    case OP_AND: return a & b;
    case OP_OR: return a | b;
    case OP_XOR: return a ^ b;
    case OP_EQ: return a == b;
    case OP_ULT: return a < b;
    case OP_ULE: return a <= b;
    case OP_SLT: return cinq_sign(a, wa) < cinq_sign(b, wa);
    case OP_SLE: return cinq_sign(a, wa) <= cinq_sign(b, wa);
    case OP_ITE: return a ? b : c;
    case OP_EXTRACT: return a >> imm;
    case OP_CONCAT: return a << (width - wa) | b;
    case OP_ZEXT: return a;
    case OP_SEXT: return (cinq_value)cinq_sign(a, wa);
    case OP_CTPOP: return cinq_count_ones(a);
    case OP_CTLZ: return width - cinq_bit_length(a);
    case OP_CTTZ: return cinq_trailing_zeros(a, width);
    case OP_FADD:
    case OP_FSUB:
    case OP_FMUL:
    case OP_FDIV: return cinq_arithmetic(op, width, a, b);
    case OP_FREM: return cinq_narrow(width, cinq_fmod(cinq_widen(width, a), cinq_widen(width, b)));
    case OP_FSQRT: return cinq_square_root(width, a);
    case OP_FRINT: return cinq_narrow(width, cinq_round(cinq_widen(width, a), (uint32_t)imm));
    case OP_FCVT: return cinq_convert(width, wa, a);
    case OP_F2SI: return cinq_to_signed(width, cinq_widen(wa, a));
    case OP_F2UI: return cinq_to_unsigned(width, cinq_widen(wa, a));
    case OP_SI2F:
    case OP_UI2F: return cinq_from_integer(op, width, wa, a);
    case OP_FOEQ:
    case OP_FOLT:
    case OP_FOLE:
    case OP_FUNO: return cinq_fp_compare(op, wa, a, b);
    default: return 0; /* OP_FMA: no node is ever made of it (it is concretised) */
    }
}

static inline cinq_value eval_op(uint32_t op, uint32_t width, uint32_t wa, uint64_t imm, cinq_value a, cinq_value b,
                                 cinq_value c) {
    return cinq_eval_raw(op, width, wa, imm, a, b, c) & cinq_mask(width);
}

#endif
