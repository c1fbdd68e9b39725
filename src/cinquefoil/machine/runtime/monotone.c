/* Comparisons of numbers that were computed from one integer, as comparisons of that integer.
 *
 * strtod reads digits into an integer, converts it to long double and divides it by a power of ten; what a
 * program then asks (x < 0.5) would be long division of 64-bit significands to an SMT solver.  But conversion,
 * and adding, multiplying or dividing by a constant, never change direction, rounding included: the larger
 * integer never gives the smaller result (or never the larger one, if a factor is negative).  So a comparison
 * with a constant holds for all integers up to some bound, or from it on, and the bound is found by bisection,
 * with the operations' own evaluation.
 */
#include "rules.h"

#define DEEPEST 12
struct chain { u32 steps[DEEPEST], count, base, is_signed; }; /* from the result down to the integer */

static int is_finite(u32 width, u128 v) {
    long double x = cinq_widen(width, v);
    return x - x == 0;
}

static int is_factor(u32 id) { return is_const(id) && is_finite(width_of(id), const_value(id)) && cinq_widen(width_of(id), const_value(id)) != 0; }
static int is_term(u32 id) { return is_const(id) && is_finite(width_of(id), const_value(id)); }

/* The operand on which this step depends, if the result follows it in one direction; else 0. */
static u32 follows(node n) {
    switch (n->op) {
    case OP_FCVT: return n->a;
    case OP_FADD:
    case OP_FSUB: return is_term(n->b) ? n->a : is_term(n->a) ? n->b : 0;
    case OP_FMUL: return is_factor(n->b) ? n->a : is_factor(n->a) ? n->b : 0;
    case OP_FDIV: return is_factor(n->b) ? n->a : 0;
    default: return 0;
    }
}

static int find_chain(u32 id, struct chain *c) {
    for (c->count = 0; c->count < DEEPEST;) {
        node n = at(id);
        c->steps[c->count++] = id;
        if ((n->op == OP_SI2F || n->op == OP_UI2F) && width_of(n->a) <= 64) {
            c->base = n->a;
            c->is_signed = n->op == OP_SI2F;
            return 1;
        }
        if (!(id = follows(n))) return 0;
    }
    return 0;
}

static u128 chain_value(const struct chain *c, u128 x) {
    for (u32 i = c->count; i-- > 0;) {
        node n = at(c->steps[i]);
        u128 a = n->a && is_const(n->a) ? const_value(n->a) : x, b = n->b && is_const(n->b) ? const_value(n->b) : x;
        x = eval_op(n->op, n->width, width_of(n->a), n->imm, a, b, 0);
    }
    return x;
}

/* The k-th integer in the base's own order. */
static u128 ordered(const struct chain *c, u128 k) { return c->is_signed ? k ^ (u128)1 << (width_of(c->base) - 1) : k; }

static int holds(const struct chain *c, u32 op, u32 w, u128 k, u128 bound, int left) {
    u128 v = chain_value(c, ordered(c, k));
    return (int)(left ? eval_op(op, 1, w, 0, bound, v, 0) : eval_op(op, 1, w, 0, v, bound, 0));
}

/* `left`: the constant is on the left. */
static u32 chain_compare(const struct chain *c, u32 op, u32 w, u128 bound, int left) {
    u32 width = width_of(c->base);
    u128 low = 0, high = cinq_mask(width);
    int first = holds(c, op, w, low, bound, left);
    if (holds(c, op, w, high, bound, left) == first) return bit((u32)first);
    while (high - low > 1) { /* as first at low, otherwise at high */
        u128 middle = low + (high - low) / 2;
        if (holds(c, op, w, middle, bound, left) == first) low = middle;
        else high = middle;
    }
    u32 below = node_binary(c->is_signed ? OP_SLT : OP_ULT, width, c->base, node_const(width, ordered(c, high)));
    return first ? below : node_not(below);
}

u32 rule_float(u32 op, u32 w, u32 a, u32 b) {
    struct chain c;
    int left = is_const(a);
    u32 k = left ? a : b;
    if (!is_const(k) || cinq_fp_compare(OP_FUNO, w, const_value(k), const_value(k))) return 0;
    if (!find_chain(left ? b : a, &c)) return 0;
    u128 bound = const_value(k);
    if (op == OP_FUNO) return bit(0); /* integers and finite constants give no NaN */
    if (op != OP_FOEQ) return chain_compare(&c, op, w, bound, left);
    u32 above = chain_compare(&c, OP_FOLE, w, bound, 1);
    return node_binary(OP_AND, 1, above, chain_compare(&c, OP_FOLE, w, bound, 0));
}
