/* What the engine adds to eval.h's floating point: fixed rules for NaN, and FMA.
 *
 * NaN: an operand that x86 rejects (x86_fp80 unnormals and pseudo-NaNs) gives the
 * default NaN; otherwise the first NaN operand is the result, made quiet.  That is
 * what SSE computes; with two NaNs, compilers and x87 may choose the other one.
 */
#ifndef CINQ_EXPR_FLOAT_H
#define CINQ_EXPR_FLOAT_H

#include "eval.h"

typedef cinq_value value;

struct format {
    uint32_t precision, stored; /* significand bits, with the integer bit; stored ones */
    int32_t bias;
    uint32_t top;
};

static inline struct format format_of(uint32_t width)
{
    return width == 32   ? (struct format){24, 23, 127, 0xff}
           : width == 64 ? (struct format){53, 52, 1023, 0x7ff}
                         : (struct format){64, 64, 16383, 0x7fff};
}

static inline uint64_t integer_bit(struct format f) { return (uint64_t)1 << (f.precision - 1); }
static inline uint64_t stored_integer_bit(struct format f) { return f.stored == 64 ? integer_bit(f) : 0; }
static inline uint32_t exponent_of(struct format f, value v) { return (uint32_t)(v >> f.stored) & f.top; }
static inline uint64_t stored_of(struct format f, value v) { return (uint64_t)(v & cinq_mask(f.stored)); }

static inline value encode_infinity(uint32_t width, int negative)
{
    struct format f = format_of(width);
    return (value)negative << (width - 1) | (value)f.top << f.stored | stored_integer_bit(f);
}

static inline value quieted(uint32_t width, value v) { return v | (value)1 << (format_of(width).precision - 2); }

static inline value default_nan(uint32_t width) { return quieted(width, encode_infinity(width, 1)); }

static inline int is_rejected(uint32_t width, value v)
{
    struct format f = format_of(width);
    return width == 80 && exponent_of(f, v) && !(stored_of(f, v) & integer_bit(f));
}

static inline int is_nan(uint32_t width, value v)
{
    struct format f = format_of(width);
    return exponent_of(f, v) == f.top && stored_of(f, v) != stored_integer_bit(f);
}

static inline int is_infinite(uint32_t width, value v)
{
    struct format f = format_of(width);
    return exponent_of(f, v) == f.top && stored_of(f, v) == stored_integer_bit(f);
}

/* A NaN in another format: the sign and the highest fraction bits stay. */
static inline value convert_nan(uint32_t to, uint32_t from, value v)
{
    struct format s = format_of(from), t = format_of(to);
    uint64_t fraction = (stored_of(s, v) & (integer_bit(s) - 1)) << (64 - s.precision) >> (64 - t.precision);
    return quieted(to, encode_infinity(to, (int)(v >> (from - 1))) | fraction);
}

/* ---- FMA: exact, rounded once ---------------------------------------------------- */
typedef unsigned _BitInt(512) wide;

struct exact { /* (-1)^negative * significand * 2^exponent */
    int negative;
    int32_t exponent;
    wide significand;
};

static inline struct exact unpack(uint32_t width, value v)
{
    struct format f = format_of(width);
    uint32_t e = exponent_of(f, v);
    uint64_t significand = stored_of(f, v) | (e ? integer_bit(f) : 0);
    int32_t scale = (int32_t)(e ? e : 1) - f.bias - (int32_t)(f.precision - 1);
    return (struct exact){(int)(v >> (width - 1)) & 1, scale, significand};
}

static uint32_t wide_length(wide x)
{
    uint32_t n = 0;
    for (; x >> 64; x >>= 64) n += 64;
    return n + cinq_bit_length((value)(uint64_t)x);
}

static value round_pack(uint32_t width, struct exact x)
{
    struct format f = format_of(width);
    value sign = (value)x.negative << (width - 1);
    int32_t lowest = 1 - f.bias - (int32_t)(f.precision - 1);
    int32_t unit = x.exponent + (int32_t)wide_length(x.significand) - (int32_t)f.precision;
    if (unit < lowest) unit = lowest;
    int32_t shift = unit - x.exponent;
    value significand;
    if (shift <= 0) {
        significand = (value)(x.significand << -shift);
    } else if (shift >= 512) {
        significand = 0; /* far below half of the smallest number */
    } else {
        wide rest = x.significand & (((wide)1 << shift) - 1), half = (wide)1 << (shift - 1);
        significand = (value)(x.significand >> shift);
        significand += rest > half || (rest == half && (significand & 1));
    }
    if (significand >> f.precision) significand >>= 1, unit++;
    if (!(significand >> (f.precision - 1))) return sign | significand; /* zero or subnormal */
    int32_t exponent = unit + (int32_t)(f.precision - 1) + f.bias;
    if (exponent >= (int32_t)f.top) return encode_infinity(width, x.negative);
    return sign | (value)(uint32_t)exponent << f.stored | (significand & cinq_mask(f.stored));
}

/* Beyond this distance the smaller addend only decides between "exact" and "not". */
#define FAR 300

static struct exact add_exact(struct exact p, struct exact c)
{
    if (p.exponent < c.exponent) {
        struct exact t = p;
        p = c;
        c = t;
    }
    int32_t distance = p.exponent - c.exponent;
    if (distance > FAR) {
        distance = FAR;
        c.significand = 1;
        c.exponent = p.exponent - FAR;
    }
    p.significand <<= distance;
    if (p.negative == c.negative) return (struct exact){p.negative, c.exponent, p.significand + c.significand};
    if (p.significand == c.significand) return (struct exact){0, c.exponent, 0};
    return p.significand > c.significand ? (struct exact){p.negative, c.exponent, p.significand - c.significand}
                                         : (struct exact){c.negative, c.exponent, c.significand - p.significand};
}

/* No operand is NaN. */
static value fused(uint32_t width, value va, value vb, value vc)
{
    struct exact a = unpack(width, va), b = unpack(width, vb), c = unpack(width, vc);
    int negative = a.negative != b.negative;
    if (is_infinite(width, va) || is_infinite(width, vb)) {
        int zero = (!is_infinite(width, va) && a.significand == 0) || (!is_infinite(width, vb) && b.significand == 0);
        int clash = is_infinite(width, vc) && c.negative != negative;
        return zero || clash ? default_nan(width) : encode_infinity(width, negative);
    }
    if (is_infinite(width, vc)) return vc;
    struct exact p = {negative, a.exponent + b.exponent, a.significand * b.significand};
    if (p.significand == 0 && c.significand == 0) return (value)(negative && c.negative) << (width - 1);
    if (p.significand == 0) return round_pack(width, c);
    return round_pack(width, c.significand == 0 ? p : add_exact(p, c));
}

/* ---- The operations that yield a float, or take one ------------------------------- */
static inline int yields_float(uint32_t op) { return op >= OP_FADD && op <= OP_FCVT; }

/* eval_op with the rules above. */
static value float_op(uint32_t op, uint32_t width, uint32_t wa, uint64_t imm, value a, value b, value c)
{
    if (op >= OP_F2SI && op <= OP_FUNO) return eval_op(op, width, wa, imm, a, b, c);
    int two = op <= OP_FMA, three = op == OP_FMA;
    if (is_rejected(wa, a) || (two && is_rejected(wa, b)) || (three && is_rejected(wa, c))) return default_nan(width);
    if (op == OP_FCVT) return is_nan(wa, a) ? convert_nan(width, wa, a) : eval_op(op, width, wa, imm, a, b, c);
    if (is_nan(width, a)) return quieted(width, a);
    if (two && is_nan(width, b)) return quieted(width, b);
    if (three && is_nan(width, c)) return quieted(width, c);
    return three ? fused(width, a, b, c) : eval_op(op, width, wa, imm, a, b, c);
}

#endif
