/* Comparisons: narrowing, ranges, one canonical form.
 *
 * Against constants only EQ and the strict orders remain, in the narrowest
 * width that can tell; what the operands' ranges decide becomes a constant, so
 * that bounds checks on masked indices leave no event.
 */
#include "rules.h"

/* ---- Ranges ------------------------------------------------------------------------ */
/* An upper bound on the value, as far as a few levels show. */
static u128 capped(u32 w, u128 value, int overflow) { return overflow || value > cinq_mask(w) ? cinq_mask(w) : value; }

static u128 maximum_binary(node n, u32 depth) {
    u128 x = rule_maximum(n->a, depth), y = rule_maximum(n->b, depth);
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

u128 rule_maximum(u32 id, u32 depth) {
    node n = at(id);
    if (is_const(id)) return const_value(id);
    if (depth == 0) return cinq_mask(n->width);
    if (n->op == OP_ZEXT) return rule_maximum(n->a, depth - 1);
    if (n->op == OP_ITE) {
        u128 x = rule_maximum(n->b, depth - 1), y = rule_maximum(n->c, depth - 1);
        return x > y ? x : y;
    }
    return n->b ? maximum_binary(n, depth - 1) : cinq_mask(n->width);
}

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

u32 rule_equal(u32 w, u32 a, u32 b) {
    if (a == b) return bit(1);
    if (is_const(b)) {
        u128 k = const_value(b);
        if (w == 1) return k ? a : node_not(a);
        return eq_const(w, a, k);
    }
    if (same_extension(a, b)) return node_binary(OP_EQ, width_of(at(a)->a), at(a)->a, at(b)->a);
    u128 ka, kb;
    u32 ra = rule_split_sum(a, &ka), rb = rule_split_sum(b, &kb);
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
        u128 most = rule_maximum(a, 4), k = const_value(b);
        return strict ? most < k : most <= k;
    }
    return 0;
}

static u32 never_range(u32 op, u32 a, u32 b) {
    if (!is_const(a)) return 0;
    u128 most = rule_maximum(b, 4), k = const_value(a);
    return op == OP_ULT ? most <= k : most < k;
}

u32 rule_order(u32 op, u32 w, u32 a, u32 b) {
    u32 r;
    if (a == b) return bit(op == OP_ULE || op == OP_SLE);
    if ((op == OP_ULT || op == OP_ULE) && order_range(op, a, b)) return bit(1);
    if ((op == OP_ULT || op == OP_ULE) && never_range(op, a, b)) return bit(0);
    if ((r = order_extension(op, w, a, b))) return r;
    return is_const(a) || is_const(b) ? order_const(op, w, a, b) : 0;
}
