/* LLVM's intrinsics, spelt with the operations there are. */
#include "runtime.h"
#include "eval.h"

struct operands { u32 w, a, b, c; };
typedef const struct operands *ops;

static u32 bin(ops o, u32 op, u32 a, u32 b) { return node_binary(op, o->w, a, b); }
static u32 k(ops o, u128 v) { return node_const(o->w, v); }
static u32 negative(ops o, u32 x) { return node_extract(x, o->w - 1, 1); }
static u32 choose(ops o, u32 op) { return node_ite(bin(o, op, o->a, o->b), o->a, o->b); }

static u32 absolute(ops o) { return node_ite(negative(o, o->a), bin(o, OP_SUB, k(o, 0), o->a), o->a); }

static u32 byte_swap(ops o) {
    u32 r = node_extract(o->a, 0, 8);
    for (u32 low = 8; low < o->w; low += 8) r = node_concat(r, node_extract(o->a, low, 8));
    return r;
}

static u32 bit_reverse(ops o) {
    u32 r = node_extract(o->a, 0, 1);
    for (u32 low = 1; low < o->w; low++) r = node_concat(r, node_extract(o->a, low, 1));
    return r;
}

/* The widest value is 128 bits, so a funnel shift cannot simply be a shift of CONCAT. */
static u32 funnel(ops o, int left) {
    u32 n = bin(o, OP_UREM, o->c, k(o, o->w)), rest = bin(o, OP_SUB, k(o, o->w), n);
    if (left) return bin(o, OP_OR, bin(o, OP_SHL, o->a, n), bin(o, OP_LSHR, o->b, rest));
    return bin(o, OP_OR, bin(o, OP_SHL, o->a, rest), bin(o, OP_LSHR, o->b, n));
}

/* ---- Overflow: signs for sums, a wider or a divided product ---------------------------- */
static u32 sum_overflows(ops o, int subtract) {
    u32 r = bin(o, subtract ? OP_SUB : OP_ADD, o->a, o->b), sa = negative(o, o->a), sb = negative(o, o->b);
    u32 same = node_binary(OP_EQ, 1, sa, sb), moved = node_not(node_binary(OP_EQ, 1, sa, negative(o, r)));
    return node_binary(OP_AND, 1, subtract ? node_not(same) : same, moved);
}

static u32 product_overflows_wide(ops o, u32 extend) {
    u32 w = o->w * 2;
    u32 p = node_binary(OP_MUL, w, node_extend(extend, o->a, w), node_extend(extend, o->b, w));
    return node_not(node_binary(OP_EQ, w, p, node_extend(extend, node_extract(p, 0, o->w), w)));
}

static u32 product_overflows(ops o, int is_signed) {
    if (o->w <= 64) return product_overflows_wide(o, is_signed ? OP_SEXT : OP_ZEXT);
    u32 p = bin(o, OP_MUL, o->a, o->b), zero = bin(o, OP_EQ, o->b, k(o, 0));
    u32 back = bin(o, is_signed ? OP_SDIV : OP_UDIV, p, o->b), wrong = node_not(bin(o, OP_EQ, back, o->a));
    u32 least = k(o, (u128)1 << (o->w - 1)), minus = k(o, ~(u128)0);
    u32 corner = node_binary(OP_AND, 1, bin(o, OP_EQ, o->b, minus), bin(o, OP_EQ, o->a, least));
    if (is_signed) wrong = node_binary(OP_OR, 1, wrong, corner);
    return node_binary(OP_AND, 1, node_not(zero), wrong);
}

static u32 overflows(ops o, u32 code) {
    switch (code) {
    case IN_SADD_OVER: return sum_overflows(o, 0);
    case IN_SSUB_OVER: return sum_overflows(o, 1);
    case IN_UADD_OVER: return bin(o, OP_ULT, bin(o, OP_ADD, o->a, o->b), o->a);
    case IN_USUB_OVER: return bin(o, OP_ULT, o->a, o->b);
    case IN_SMUL_OVER: return product_overflows(o, 1);
    default: return product_overflows(o, 0);
    }
}

/* ---- Saturation --------------------------------------------------------------------------- */
static u32 extreme(ops o) { /* the signed bound on a's side */
    u128 least = (u128)1 << (o->w - 1);
    return node_ite(negative(o, o->a), k(o, least), k(o, least - 1));
}

static u32 shift_saturated(ops o, int is_signed) {
    u32 r = bin(o, OP_SHL, o->a, o->b), back = bin(o, is_signed ? OP_ASHR : OP_LSHR, r, o->b);
    return node_ite(bin(o, OP_EQ, back, o->a), r, is_signed ? extreme(o) : k(o, ~(u128)0));
}

static u32 saturated(ops o, u32 code) {
    switch (code) {
    case IN_SADD_SAT: return node_ite(sum_overflows(o, 0), extreme(o), bin(o, OP_ADD, o->a, o->b));
    case IN_SSUB_SAT: return node_ite(sum_overflows(o, 1), extreme(o), bin(o, OP_SUB, o->a, o->b));
    case IN_UADD_SAT: return node_ite(overflows(o, IN_UADD_OVER), k(o, ~(u128)0), bin(o, OP_ADD, o->a, o->b));
    case IN_USUB_SAT: return node_ite(bin(o, OP_ULT, o->a, o->b), k(o, 0), bin(o, OP_SUB, o->a, o->b));
    default: return shift_saturated(o, code == IN_SSHL_SAT);
    }
}

/* ---- Floating point -------------------------------------------------------------------------- */
static u32 with_sign(ops o, u32 sign) { return node_concat(sign, node_extract(o->a, 0, o->w - 1)); }

/* A NaN loses against a number; of equal values the second is taken, as SSE does. */
static u32 number_of(ops o, int greater) {
    u32 better = greater ? bin(o, OP_FOLT, o->b, o->a) : bin(o, OP_FOLT, o->a, o->b);
    u32 take_a = node_binary(OP_OR, 1, better, bin(o, OP_FUNO, o->b, o->b));
    return node_ite(take_a, o->a, o->b);
}

static u32 float_of(ops o, u32 code) {
    switch (code) {
    case IN_FABS: return with_sign(o, node_const(1, 0));
    case IN_FNEG: return with_sign(o, node_not(negative(o, o->a)));
    case IN_COPYSIGN: return with_sign(o, negative(o, o->b));
    case IN_MINNUM: return number_of(o, 0);
    case IN_MAXNUM: return number_of(o, 1);
    case IN_FSQRT: return node_unary(OP_FSQRT, o->w, o->a, 0);
    case IN_FLOOR: return node_unary(OP_FRINT, o->w, o->a, ROUND_DOWN);
    case IN_CEIL: return node_unary(OP_FRINT, o->w, o->a, ROUND_UP);
    case IN_TRUNC: return node_unary(OP_FRINT, o->w, o->a, ROUND_ZERO);
    case IN_ROUND: return node_unary(OP_FRINT, o->w, o->a, ROUND_AWAY);
    default: return node_unary(OP_FRINT, o->w, o->a, ROUND_EVEN); /* rint, roundeven */
    }
}

static u32 integer_of(ops o, u32 code) {
    switch (code) {
    case IN_ABS: return absolute(o);
    case IN_SMIN: return choose(o, OP_SLT);
    case IN_SMAX: return node_ite(bin(o, OP_SLT, o->b, o->a), o->a, o->b);
    case IN_UMIN: return choose(o, OP_ULT);
    case IN_UMAX: return node_ite(bin(o, OP_ULT, o->b, o->a), o->a, o->b);
    case IN_BSWAP: return byte_swap(o);
    case IN_BITREVERSE: return bit_reverse(o);
    case IN_CTPOP: return node_unary(OP_CTPOP, o->w, o->a, 0);
    case IN_CTLZ: return node_unary(OP_CTLZ, o->w, o->a, 0);
    case IN_CTTZ: return node_unary(OP_CTTZ, o->w, o->a, 0);
    case IN_FSHL: return funnel(o, 1);
    default: return funnel(o, 0);
    }
}

/* No exact software FMA is at hand: the operands are fixed instead. */
static u32 fused(u32 sa, u32 sb, u32 sc) {
    u32 site = call_site();
    u32 s[3] = {sa, sb, sc};
    for (u32 i = 0; i < 3; i++)
        if (s[i]) concretize(site, s[i], (u64)node_value(s[i]), REASON_OPERATION);
    return 0;
}

SLOW u32 cinq_intrinsic(u32 codew, u32 sa, u32 sb, u32 sc, u64 va, u64 vb, u64 vc) {
    u32 code = codew & 0xff, w = codew >> 8;
    if (!(sa | sb | sc)) return 0;
    if (code == IN_FMA) return fused(sa, sb, sc);
    struct operands o = {w, operand(sa, w, va), 0, 0};
    o.b = operand(sb, w, vb);
    o.c = operand(sc, w, vc);
    if (code <= IN_FSHR) return shadow_of(integer_of(&o, code));
    if (code <= IN_USHL_SAT) return shadow_of(saturated(&o, code));
    if (code <= IN_UMUL_OVER) return shadow_of(overflows(&o, code));
    return shadow_of(float_of(&o, code));
}
