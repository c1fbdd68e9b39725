/* Making nodes: constant folding and local identities.
 *
 * Each rule looks at an operand or two and answers with a smaller or more
 * regular node; 0 means "no rule".  The aims: conditions that are plain
 * comparisons of few bytes, values that come back from memory as what they
 * were, and constants wherever the value is fixed.  Rules must hold for all
 * inputs; the randomised driver in the tests compares them with eval.h.
 */
#include "runtime.h"
#include "eval.h"

typedef const struct cinq_node *node;
static inline node at(u32 id) { return &NODES[id]; }
static inline u32 op_of(u32 id) { return NODES[id].op; }
static inline int is_value(u32 id, u128 v) { return is_const(id) && const_value(id) == v; }
static inline u32 bit(u32 v) { return node_const(1, v); }
static u32 add_const(u32 w, u32 a, u128 k) { return node_binary(OP_ADD, w, a, node_const(w, k)); }

/* An upper bound on the value, as far as a few levels show. */
static u128 capped(u32 w, u128 value, int overflow) { return overflow || value > cinq_mask(w) ? cinq_mask(w) : value; }

static u128 maximum(u32 id, u32 depth);

static u128 maximum_binary(node n, u32 depth) {
    u128 x = maximum(n->a, depth), y = maximum(n->b, depth);
    switch (n->op) {
    case OP_CONCAT: return x << width_of(n->b) | y;
    case OP_AND: return x < y ? x : y;
    case OP_OR:
    case OP_XOR: return cinq_mask(cinq_bit_length(x | y));
    case OP_ADD: return capped(n->width, x + y, x + y < x);
    case OP_MUL: return cinq_bit_length(x) + cinq_bit_length(y) > 127 ? cinq_mask(n->width) : capped(n->width, x * y, 0);
    case OP_UREM: return y == 0 || !is_const(n->b) ? cinq_mask(n->width) : y - 1;
    case OP_SHL:
        if (!is_const(n->b)) return cinq_mask(n->width);
        return cinq_bit_length(x) + (u32)y > n->width ? cinq_mask(n->width) : x << (u32)y;
    default: return cinq_mask(n->width);
    }
}

static u128 maximum(u32 id, u32 depth) {
    node n = at(id);
    if (is_const(id)) return const_value(id);
    if (depth == 0) return cinq_mask(n->width);
    if (n->op == OP_ZEXT) return maximum(n->a, depth - 1);
    if (n->op == OP_ITE) {
        u128 x = maximum(n->b, depth - 1), y = maximum(n->c, depth - 1);
        return x > y ? x : y;
    }
    return n->b ? maximum_binary(n, depth - 1) : cinq_mask(n->width);
}

static u32 significant(u32 id, u32 depth) { return cinq_bit_length(maximum(id, depth)); }

/* ---- Parts of values ------------------------------------------------------------- */
static u32 extract_wide(u32 a, u32 low, u32 w) { /* of CONCAT, ZEXT, SEXT */
    node n = at(a);
    u32 inner = width_of(n->op == OP_CONCAT ? n->b : n->a), x = n->a, end = low + w;
    if (n->op == OP_CONCAT) {
        u32 h = n->a, l = n->b;
        if (end <= inner) return node_extract(l, low, w);
        if (low >= inner) return node_extract(h, low - inner, w);
        return node_concat(node_extract(h, 0, end - inner), node_extract(l, low, inner - low));
    }
    if (end <= inner) return node_extract(x, low, w);
    if (low < inner) return node_extend(n->op, node_extract(x, low, inner - low), w);
    return n->op == OP_ZEXT ? node_const(w, 0) : node_extend(OP_SEXT, node_extract(x, inner - 1, 1), w);
}

static int is_extension(u32 id) { return op_of(id) == OP_ZEXT || op_of(id) == OP_SEXT || is_const(id); }

static u32 extract_arithmetic(u32 a, u32 low, u32 w) {
    u32 op = at(a)->op, x = at(a)->a, y = at(a)->b;
    if (op == OP_SHL && is_const(y)) {
        u32 k = (u32)const_value(y); /* < width, by make_shift */
        if (low >= k) return node_extract(x, low - k, w);
        if (low + w <= k) return node_const(w, 0);
        if (low == 0) return node_binary(OP_SHL, w, node_extract(x, 0, w), node_const(w, k));
        return 0;
    }
    if ((op == OP_AND || op == OP_OR || op == OP_XOR) && (is_const(y) || (is_extension(x) && is_extension(y))))
        return node_binary(op, w, node_extract(x, low, w), node_extract(y, low, w));
    if (low == 0 && (op == OP_ADD || op == OP_SUB || op == OP_MUL) && is_extension(x) && is_extension(y))
        return node_binary(op, w, node_extract(x, 0, w), node_extract(y, 0, w));
    return 0;
}

static u32 extract_rule(u32 a, u32 low, u32 w) {
    u32 c, x, y;
    switch (op_of(a)) {
    case OP_EXTRACT: return node_extract(at(a)->a, (u32)at(a)->imm + low, w);
    case OP_CONCAT:
    case OP_ZEXT:
    case OP_SEXT: return extract_wide(a, low, w);
    case OP_ITE:
        c = at(a)->a, x = at(a)->b, y = at(a)->c;
        if (!is_const(x) || !is_const(y)) return 0;
        return node_ite(c, node_extract(x, low, w), node_extract(y, low, w));
    default: return extract_arithmetic(a, low, w);
    }
}

u32 node_extract(u32 a, u32 low, u32 w) {
    u32 wa = width_of(a), r;
    if (w == wa) return a;
    if (is_const(a)) return node_const(w, const_value(a) >> low);
    if ((r = extract_rule(a, low, w))) return r;
    if (w == 8 && low % 8 == 0 && wa % 8 == 0) return node_byte(a, low / 8);
    return node_intern(OP_EXTRACT, w, a, 0, 0, low);
}

/* Two neighbouring parts of one value become one part; 0 if they are not that. */
static u32 join_parts(u32 h, u32 l) {
    if (op_of(h) != OP_EXTRACT) return 0;
    u32 x = at(h)->a, low = (u32)at(h)->imm, wl = width_of(l);
    if (op_of(l) == OP_EXTRACT && at(l)->a == x && at(l)->imm + wl == low)
        return node_extract(x, (u32)at(l)->imm, width_of(h) + wl);
    return 0;
}

static u32 concat_rule(u32 h, u32 l, u32 w) {
    u32 wl = width_of(l), joined;
    if (is_const(h) && is_const(l) && w <= 64) return node_const(w, const_value(h) << wl | const_value(l));
    if (is_value(h, 0)) return node_extend(OP_ZEXT, l, w);
    if (op_of(h) == OP_ZEXT) return node_extend(OP_ZEXT, node_concat(at(h)->a, l), w);
    if (op_of(h) == OP_CONCAT && !is_const(h)) return node_concat(at(h)->a, node_concat(at(h)->b, l));
    if ((joined = join_parts(h, l))) return joined;
    if (op_of(l) == OP_CONCAT && !is_const(l)) {
        u32 lh = at(l)->a, ll = at(l)->b;
        if ((joined = join_parts(h, lh))) return node_concat(joined, ll);
        if (is_const(h) && is_const(lh) && width_of(h) + width_of(lh) <= 64) return node_concat(node_concat(h, lh), ll);
    }
    u32 sign = op_of(h) == OP_SEXT ? at(h)->a : h; /* copies of l's sign bit */
    if (width_of(sign) == 1 && sign == node_extract(l, wl - 1, 1)) return node_extend(OP_SEXT, l, w);
    return 0;
}

u32 node_concat(u32 h, u32 l) {
    u32 w = width_of(h) + width_of(l), r;
    if (is_const(h) && is_const(l) && w > 64) return node_const(w, const_value(h) << width_of(l) | const_value(l));
    if ((r = concat_rule(h, l, w))) return r;
    return node_intern(OP_CONCAT, w, h, l, 0, 0);
}

u32 node_extend(u32 op, u32 a, u32 w) {
    u32 wa = width_of(a);
    if (w <= wa) return node_extract(a, 0, w);
    if (is_const(a)) return node_const(w, eval_op(op, w, wa, 0, const_value(a), 0, 0));
    if (op_of(a) == OP_ZEXT) return node_intern(OP_ZEXT, w, at(a)->a, 0, 0, 0);
    if (op_of(a) == OP_SEXT && op == OP_SEXT) return node_intern(OP_SEXT, w, at(a)->a, 0, 0, 0);
    return node_intern(op, w, a, 0, 0, 0);
}

/* ---- Choice ------------------------------------------------------------------------- */
static u32 ite_bit(u32 c, u32 a, u32 b) { /* of 1-bit values */
    if (is_value(a, 1) && is_value(b, 0)) return c;
    if (is_value(a, 0) && is_value(b, 1)) return node_not(c);
    if (is_value(b, 0)) return node_binary(OP_AND, 1, c, a);
    if (is_value(a, 1)) return node_binary(OP_OR, 1, c, b);
    if (is_value(a, 0)) return node_binary(OP_AND, 1, node_not(c), b);
    if (is_value(b, 1)) return node_binary(OP_OR, 1, node_not(c), a);
    return 0;
}

static int is_not(u32 id) { return op_of(id) == OP_XOR && width_of(id) == 1 && is_value(at(id)->b, 1); }

u32 node_ite(u32 c, u32 a, u32 b) {
    u32 w = width_of(a), r;
    if (is_const(c)) return const_value(c) ? a : b;
    if (a == b) return a;
    if (is_not(c)) return node_ite(at(c)->a, b, a);
    if (op_of(a) == OP_ITE && at(a)->a == c) return node_ite(c, at(a)->b, b);
    if (op_of(b) == OP_ITE && at(b)->a == c) return node_ite(c, a, at(b)->c);
    if (w == 1 && (r = ite_bit(c, a, b))) return r;
    if (w > 1 && is_value(a, 1) && is_value(b, 0)) return node_extend(OP_ZEXT, c, w);
    if (w > 1 && is_value(a, 0) && is_value(b, 1)) return node_extend(OP_ZEXT, node_not(c), w);
    return node_intern(OP_ITE, w, c, a, b, 0);
}

/* ---- Sums ----------------------------------------------------------------------------- */
/* x = rest + k, seen through ADD with a constant and PTRADD from a constant base. */
static u32 split_sum(u32 x, u128 *k) {
    *k = 0;
    if (op_of(x) == OP_ADD && is_const(at(x)->b)) *k = const_value(at(x)->b);
    else if (op_of(x) == OP_PTRADD && is_const(at(x)->a)) {
        u32 rest = split_sum(at(x)->b, k);
        *k += const_value(at(x)->a);
        return rest;
    } else return x;
    return at(x)->a;
}

static u32 add_rule(u32 w, u32 a, u32 b) {
    if (is_value(b, 0)) return a;
    if (is_const(b)) {
        u128 k = const_value(b);
        if (op_of(a) == OP_ADD && is_const(at(a)->b)) return add_const(w, at(a)->a, const_value(at(a)->b) + k);
        if (op_of(a) == OP_SUB && is_const(at(a)->a))
            return node_binary(OP_SUB, w, node_const(w, const_value(at(a)->a) + k), at(a)->b);
        return 0;
    }
    if (op_of(a) == OP_SUB && at(a)->b == b) return at(a)->a;
    if (op_of(b) == OP_SUB && at(b)->b == a) return at(b)->a;
    return 0;
}

static u32 sub_rule(u32 w, u32 a, u32 b) {
    u128 ka, kb;
    if (a == b) return node_const(w, 0);
    u32 ra = split_sum(a, &ka), rb = split_sum(b, &kb);
    if (is_const(b)) return add_const(w, ra, ka - const_value(b));
    if (is_const(a)) return rb == b ? 0 : node_binary(OP_SUB, w, node_const(w, const_value(a) - kb), rb);
    if (ra == rb) return node_const(w, ka - kb);
    if (ra != a || rb != b) return add_const(w, node_binary(OP_SUB, w, ra, rb), ka - kb);
    if ((op_of(a) == OP_ADD || op_of(a) == OP_PTRADD) && at(a)->a == b) return at(a)->b;
    if (op_of(a) == OP_ADD && at(a)->b == b) return at(a)->a;
    return 0;
}

static u32 ptradd_rule(u32 w, u32 a, u32 b) {
    if (is_value(b, 0)) return a;
    if (op_of(a) == OP_PTRADD) return node_binary(OP_PTRADD, w, at(a)->a, node_binary(OP_ADD, w, at(a)->b, b));
    return 0;
}

/* ---- Products and shifts ---------------------------------------------------------------- */
static int is_power(u128 k) { return k && !(k & (k - 1)); }

static u32 mul_rule(u32 w, u32 a, u32 b) {
    if (!is_const(b)) return 0;
    u128 k = const_value(b);
    if (k == 0) return b;
    if (k == 1) return a;
    if (is_power(k)) return node_binary(OP_SHL, w, a, node_const(w, cinq_bit_length(k) - 1));
    if (op_of(a) == OP_MUL && is_const(at(a)->b))
        return node_binary(OP_MUL, w, at(a)->a, node_const(w, const_value(at(a)->b) * k));
    return 0;
}

static u32 division_rule(u32 op, u32 w, u32 a, u32 b) {
    if (!is_const(b)) return 0;
    u128 k = const_value(b);
    if (k == 1 && w > 1) return op == OP_UDIV || op == OP_SDIV ? a : node_const(w, 0);
    if (op == OP_SDIV || op == OP_SREM || k == 0) return 0;
    if (is_power(k))
        return op == OP_UDIV ? node_binary(OP_LSHR, w, a, node_const(w, cinq_bit_length(k) - 1))
                             : node_binary(OP_AND, w, a, node_const(w, k - 1));
    if (op_of(a) == OP_ZEXT && k <= cinq_mask(width_of(at(a)->a))) {
        u32 inner = width_of(at(a)->a);
        return node_extend(OP_ZEXT, node_binary(op, inner, at(a)->a, node_const(inner, k)), w);
    }
    return 0;
}

static u32 shift_rule(u32 op, u32 w, u32 a, u32 b) {
    if (is_value(a, 0)) return a;
    if (!is_const(b)) return 0;
    u128 k = const_value(b);
    if (k == 0) return a;
    if (k >= w) {
        if (op != OP_ASHR) return node_const(w, 0);
        k = w - 1;
    }
    u32 n = (u32)k;
    if (op == OP_LSHR) return node_extend(OP_ZEXT, node_extract(a, n, w - n), w);
    if (op == OP_ASHR) return node_extend(OP_SEXT, node_extract(a, n, w - n), w);
    if (op_of(a) == OP_SHL && is_const(at(a)->b))
        return node_binary(OP_SHL, w, at(a)->a, node_const(w, const_value(at(a)->b) + n > w ? w : const_value(at(a)->b) + n));
    if (op_of(a) == OP_ZEXT && width_of(at(a)->a) + n >= w) /* fills the top */
        return node_concat(node_extract(at(a)->a, 0, w - n), node_const(n, 0));
    return 0;
}

/* ---- Bitwise ------------------------------------------------------------------------------ */
static u32 bitwise_narrow(u32 op, u32 w, u32 a, u32 b) { /* ZEXT op ZEXT, ZEXT & k */
    if (op_of(a) != OP_ZEXT) return 0;
    u32 x = at(a)->a, inner = width_of(x);
    if (is_const(b) && (op == OP_AND || const_value(b) <= cinq_mask(inner)))
        return node_extend(OP_ZEXT, node_binary(op, inner, x, node_const(inner, const_value(b))), w);
    if (op_of(b) == OP_ZEXT && width_of(at(b)->a) == inner)
        return node_extend(OP_ZEXT, node_binary(op, inner, x, at(b)->a), w);
    return 0;
}

static u32 same_op_const(u32 op, u32 w, u32 a, u128 k) { /* (x op k1) op k */
    if (op_of(a) != op || !is_const(at(a)->b)) return 0;
    return node_binary(op, w, at(a)->a, node_const(w, eval_op(op, w, w, 0, const_value(at(a)->b), k, 0)));
}

static int opposite(u32 a, u32 b) { return (is_not(a) && at(a)->a == b) || (is_not(b) && at(b)->a == a); }

static u32 and_rule(u32 w, u32 a, u32 b) {
    u32 r;
    if (a == b) return a;
    if (opposite(a, b)) return bit(0);
    if (!is_const(b)) return bitwise_narrow(OP_AND, w, a, b);
    u128 k = const_value(b);
    if (k == 0) return b;
    if (k == cinq_mask(w)) return a;
    if ((r = same_op_const(OP_AND, w, a, k))) return r;
    if (is_power(k + 1)) return node_extend(OP_ZEXT, node_extract(a, 0, cinq_bit_length(k)), w);
    return bitwise_narrow(OP_AND, w, a, b);
}

/* h in the upper bits, y only below them: the two are side by side. */
static u32 or_beside(u32 w, u32 a, u32 y) {
    u32 x = at(a)->a;
    if (op_of(a) == OP_CONCAT && !is_const(a)) {
        u32 l = at(a)->b, wl = width_of(l);
        if (significant(y, 4) <= wl) return node_concat(x, node_binary(OP_OR, wl, l, node_extract(y, 0, wl)));
    }
    if (op_of(a) == OP_SHL && is_const(at(a)->b)) {
        u32 k = (u32)const_value(at(a)->b);
        if (significant(y, 4) <= k) return node_concat(node_extract(x, 0, w - k), node_extract(y, 0, k));
    }
    return 0;
}

static u32 or_rule(u32 w, u32 a, u32 b) {
    u32 r;
    if (a == b) return a;
    if (opposite(a, b)) return bit(1);
    if (is_const(b)) {
        u128 k = const_value(b);
        if (k == 0) return a;
        if (k == cinq_mask(w)) return b;
        if ((r = same_op_const(OP_OR, w, a, k))) return r;
    }
    if ((r = bitwise_narrow(OP_OR, w, a, b))) return r;
    if ((r = or_beside(w, a, b))) return r;
    return is_const(b) ? 0 : or_beside(w, b, a);
}

static u32 negated_compare(u32 a) {
    u32 x = at(a)->a, y = at(a)->b, w = width_of(x ? x : a);
    switch (op_of(a)) {
    case OP_ULT: return node_binary(OP_ULE, w, y, x);
    case OP_ULE: return node_binary(OP_ULT, w, y, x);
    case OP_SLT: return node_binary(OP_SLE, w, y, x);
    case OP_SLE: return node_binary(OP_SLT, w, y, x);
    default: return 0;
    }
}

static u32 xor_rule(u32 w, u32 a, u32 b) {
    u32 r;
    if (a == b) return node_const(w, 0);
    if (is_const(b)) {
        u128 k = const_value(b);
        if (k == 0) return a;
        if ((r = same_op_const(OP_XOR, w, a, k))) return r;
        if (w == 1 && (r = negated_compare(a))) return r;
    }
    return bitwise_narrow(OP_XOR, w, a, b);
}

u32 node_not(u32 a) { return node_binary(OP_XOR, width_of(a), a, node_const(width_of(a), cinq_mask(width_of(a)))); }

/* ---- Equality ------------------------------------------------------------------------------ */
static u32 eq_part(u32 x, u128 k) { return node_binary(OP_EQ, width_of(x), x, node_const(width_of(x), k)); }

static u32 eq_concat(u32 a, u128 k) {
    u32 h = at(a)->a, l = at(a)->b;
    u32 first = eq_part(l, k & cinq_mask(width_of(l)));
    return node_binary(OP_AND, 1, eq_part(h, k >> width_of(l)), first);
}

static u32 eq_masked(u32 w, u32 a, u128 k) { /* x & mask, x | mask */
    u32 x = at(a)->a, y = at(a)->b;
    if (!is_const(y)) return 0;
    u128 m = const_value(y);
    if (op_of(a) == OP_OR) return (k & m) != m ? bit(0) : 0;
    if (k & ~m & cinq_mask(w)) return bit(0);
    if (!is_power(m)) return 0;
    u32 one = node_extract(x, cinq_bit_length(m) - 1, 1);
    return k ? one : node_not(one);
}

static u32 eq_const(u32 w, u32 a, u128 k) {
    u32 x = at(a)->a, y = at(a)->b, wx = x ? width_of(x) : 0;
    switch (op_of(a)) {
    case OP_ZEXT: return k >> wx ? bit(0) : eq_part(x, k);
    case OP_SEXT: return eval_op(OP_SEXT, w, wx, 0, k & cinq_mask(wx), 0, 0) != k ? bit(0) : eq_part(x, k);
    case OP_CONCAT: return eq_concat(a, k);
    case OP_ADD: return is_const(y) ? eq_part(x, k - const_value(y)) : 0;
    case OP_PTRADD: return is_const(x) ? eq_part(y, k - const_value(x)) : 0;
    case OP_SUB:
        if (is_const(x)) return eq_part(y, const_value(x) - k);
        return k == 0 ? node_binary(OP_EQ, w, x, y) : 0;
    case OP_XOR:
        if (is_const(y)) return eq_part(x, k ^ const_value(y));
        return k == 0 ? node_binary(OP_EQ, w, x, y) : 0;
    case OP_SHL: {
        if (!is_const(y)) return 0;
        u32 n = (u32)const_value(y);
        return k & cinq_mask(n) ? bit(0) : eq_part(node_extract(x, 0, w - n), k >> n);
    }
    case OP_AND:
    case OP_OR: return eq_masked(w, a, k);
    default: return 0;
    }
}

static int same_extension(u32 a, u32 b) {
    return op_of(a) == op_of(b) && (op_of(a) == OP_ZEXT || op_of(a) == OP_SEXT) && width_of(at(a)->a) == width_of(at(b)->a);
}

static u32 eq_rule(u32 w, u32 a, u32 b) {
    if (a == b) return bit(1);
    if (is_const(b)) {
        u128 k = const_value(b);
        if (w == 1) return k ? a : node_not(a);
        return eq_const(w, a, k);
    }
    if (same_extension(a, b)) return node_binary(OP_EQ, width_of(at(a)->a), at(a)->a, at(b)->a);
    u128 ka, kb;
    u32 ra = split_sum(a, &ka), rb = split_sum(b, &kb);
    if (ra == rb) return bit(((ka - kb) & cinq_mask(w)) == 0);
    return 0;
}

/* ---- Order ----------------------------------------------------------------------------------- */
/* Comparison of an extension with a constant, in the inner width.  `left`: the
 * constant is on the left.  Outside the inner range the answer is fixed. */
static u32 order_zext(u32 op, u32 x, u128 k, int left, u32 w) {
    u32 inner = width_of(x), is_signed = op == OP_SLT || op == OP_SLE;
    u32 narrow = op == OP_SLT ? OP_ULT : op == OP_SLE ? OP_ULE : op;
    if (is_signed && cinq_sign(k, w) < 0) return bit(left ? 1 : 0);
    if (k > cinq_mask(inner)) return bit(left ? 0 : 1);
    u32 c = node_const(inner, k);
    return left ? node_binary(narrow, inner, c, x) : node_binary(narrow, inner, x, c);
}

static u32 order_sext(u32 op, u32 x, u128 k, int left, u32 w) {
    u32 inner = width_of(x), c = node_const(inner, k);
    if (eval_op(OP_SEXT, w, inner, 0, k & cinq_mask(inner), 0, 0) == k)
        return left ? node_binary(op, inner, c, x) : node_binary(op, inner, x, c);
    if (op == OP_SLT || op == OP_SLE) return bit((cinq_sign(k, w) < 0) == (left != 0));
    u32 negative = node_extract(x, inner - 1, 1); /* unsigned: k lies between the two halves */
    return left ? negative : node_not(negative);
}

static u32 order_extension(u32 op, u32 w, u32 a, u32 b) {
    u32 x = is_const(b) ? a : b;
    if (same_extension(a, b)) {
        u32 inner = width_of(at(a)->a);
        u32 narrow = op_of(a) == OP_SEXT ? op : op == OP_SLT ? OP_ULT : op == OP_SLE ? OP_ULE : op;
        return node_binary(narrow, inner, at(a)->a, at(b)->a);
    }
    if (!is_const(a) && !is_const(b)) return 0;
    u128 k = const_value(is_const(b) ? b : a);
    if (op_of(x) == OP_ZEXT) return order_zext(op, at(x)->a, k, x == b, w);
    if (op_of(x) == OP_SEXT) return order_sext(op, at(x)->a, k, x == b, w);
    return 0;
}

/* With constants only the strict comparison is kept: x <= k is x < k + 1. */
static u32 order_const(u32 op, u32 w, u32 a, u32 b) {
    int is_signed = op == OP_SLT || op == OP_SLE, strict = op == OP_ULT || op == OP_SLT;
    u32 lt = is_signed ? OP_SLT : OP_ULT;
    u128 least = is_signed ? (u128)1 << (w - 1) : 0, most = ~least & cinq_mask(w);
    if (is_const(b)) {
        u128 k = const_value(b);
        if (!strict) return k == most ? bit(1) : node_binary(lt, w, a, node_const(w, k + 1));
        if (k == least) return bit(0);
        if (k == ((least + 1) & cinq_mask(w))) return eq_part(a, least);
        return k == most ? node_not(eq_part(a, most)) : 0;
    }
    u128 k = const_value(a);
    if (!strict) return k == least ? bit(1) : node_binary(lt, w, node_const(w, k - 1), b);
    if (k == most) return bit(0);
    if (k == ((most - 1) & cinq_mask(w))) return eq_part(b, most);
    return k == least ? node_not(eq_part(b, least)) : 0;
}

/* Unsigned comparisons that the operands' ranges decide. */
static u32 order_range(u32 op, u32 a, u32 b) {
    int strict = op == OP_ULT;
    if (is_const(b)) {
        u128 most = maximum(a, 4), k = const_value(b);
        return strict ? most < k : most <= k;
    }
    return 0;
}

static u32 never_range(u32 op, u32 a, u32 b) {
    if (!is_const(a)) return 0;
    u128 most = maximum(b, 4), k = const_value(a);
    return op == OP_ULT ? most <= k : most < k;
}

static u32 order_rule(u32 op, u32 w, u32 a, u32 b) {
    u32 r;
    if (a == b) return bit(op == OP_ULE || op == OP_SLE);
    if ((op == OP_ULT || op == OP_ULE) && order_range(op, a, b)) return bit(1);
    if ((op == OP_ULT || op == OP_ULE) && never_range(op, a, b)) return bit(0);
    if ((r = order_extension(op, w, a, b))) return r;
    return is_const(a) || is_const(b) ? order_const(op, w, a, b) : 0;
}

/* ---- Dispatch ----------------------------------------------------------------------------------- */
static int is_compare(u32 op) { return (op >= OP_EQ && op <= OP_SLE) || (op >= OP_FOEQ && op <= OP_FUNO); }
static int is_commutative(u32 op) { return op == OP_ADD || op == OP_MUL || (op >= OP_AND && op <= OP_EQ); }

static u32 binary_rule(u32 op, u32 w, u32 a, u32 b) {
    switch (op) {
    case OP_ADD: return add_rule(w, a, b);
    case OP_SUB: return sub_rule(w, a, b);
    case OP_PTRADD: return ptradd_rule(w, a, b);
    case OP_MUL: return mul_rule(w, a, b);
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM: return division_rule(op, w, a, b);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR: return shift_rule(op, w, a, b);
    case OP_AND: return and_rule(w, a, b);
    case OP_OR: return or_rule(w, a, b);
    case OP_XOR: return xor_rule(w, a, b);
    case OP_EQ: return eq_rule(w, a, b);
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE: return order_rule(op, w, a, b);
    default: return 0;
    }
}

/* An operation on a choice between constants is a choice between constants. */
static u32 choice_rule(u32 op, u32 w, u32 a, u32 b) {
    u32 x = is_const(b) ? a : b;
    if (op_of(x) != OP_ITE || !is_const(at(x)->b) || !is_const(at(x)->c)) return 0;
    u32 c = at(x)->a, p = at(x)->b, q = at(x)->c;
    if (x == a) return node_ite(c, node_binary(op, w, p, b), node_binary(op, w, q, b));
    return node_ite(c, node_binary(op, w, a, p), node_binary(op, w, a, q));
}

u32 node_binary(u32 op, u32 w, u32 a, u32 b) {
    u32 result = is_compare(op) ? 1 : w, r;
    int ca = is_const(a), cb = is_const(b);
    if (ca && cb) return node_const(result, eval_op(op, result, w, 0, const_value(a), const_value(b), 0));
    if (is_commutative(op) && (ca || (!cb && a > b))) {
        u32 t = a;
        a = b;
        b = t;
    }
    if ((ca || cb) && op != OP_PTRADD && (r = choice_rule(op, w, a, b))) return r;
    if ((r = binary_rule(op, w, a, b))) return r;
    return node_intern(op, result, a, b, 0, 0);
}

u32 node_unary(u32 op, u32 w, u32 a, u64 imm) {
    if (is_const(a)) return node_const(w, eval_op(op, w, width_of(a), imm, const_value(a), 0, 0));
    if (op == OP_FCVT && width_of(a) == w) return a;
    return node_intern(op, w, a, 0, 0, imm);
}

u32 node_tread(u32 table, u32 index) {
    if (is_const(index)) {
        u128 k = const_value(index);
        return table_element(table, k > 0xffffffff ? 0xffffffff : (u64)k);
    }
    return node_intern(OP_TREAD, TABLES[table].width, index, 0, 0, table);
}

u32 node_make(u32 op, u32 w, u32 a, u32 b, u32 c, u64 imm) {
    switch (op) {
    case OP_CONST: return node_const(w, imm);
    case OP_INPUT: return node_input((u32)imm);
    case OP_ITE: return node_ite(a, b, c);
    case OP_EXTRACT: return node_extract(a, (u32)imm, w);
    case OP_CONCAT: return node_concat(a, b);
    case OP_ZEXT:
    case OP_SEXT: return node_extend(op, a, w);
    case OP_TREAD: return node_tread((u32)imm, a);
    default: return b ? node_binary(op, width_of(a), a, b) : node_unary(op, w, a, imm);
    }
}
