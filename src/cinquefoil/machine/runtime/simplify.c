/* Making nodes: constant folding and local identities.
 *
 * Each rule looks at an operand or two and answers with a smaller or more
 * regular node; 0 means "no rule".  The aims: conditions that are plain
 * comparisons of few bytes, values that come back from memory as what they
 * were, and constants wherever the value is fixed.  Rules must hold for all
 * inputs; the randomised driver in the tests compares them with eval.h.
 */
#include "rules.h"

static u32 add_const(u32 w, u32 a, u128 k) { return node_binary(OP_ADD, w, a, node_const(w, k)); }

static u32 significant(u32 id, u32 depth) { return cinq_bit_length(rule_maximum(id, depth)); }

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
u32 rule_split_sum(u32 x, u128 *k) {
    *k = 0;
    if (op_of(x) == OP_ADD && is_const(at(x)->b)) *k = const_value(at(x)->b);
    else if (op_of(x) == OP_PTRADD && is_const(at(x)->a)) {
        u32 rest = rule_split_sum(at(x)->b, k);
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
    u32 ra = rule_split_sum(a, &ka), rb = rule_split_sum(b, &kb);
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
    case OP_EQ: return rule_equal(w, a, b);
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE: return rule_order(op, w, a, b);
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

static u32 make_binary(u32 op, u32 w, u32 a, u32 b) {
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

/* Runs repeat each other, and so the same operations on the same nodes: what was made of them is remembered, the last
 * one of each slot.  Nodes never change while an epoch lasts, so neither does what is made of them. */
#define RECENT_BITS 14
static struct { u64 operands; u32 operation, result; } recent[1 << RECENT_BITS];

void rules_forget(void) { raw_fill(recent, 0, sizeof recent); }

HOT u32 node_binary(u32 op, u32 w, u32 a, u32 b) {
    u64 operands = (u64)a << 32 | b, mixed = operands * 0x9e3779b97f4a7c15ull ^ (w << 8 | op) * 0xd1b54a32d192ed03ull;
    u32 operation = w << 8 | op, slot = (u32)(mixed >> (64 - RECENT_BITS));
    if (likely(recent[slot].operands == operands && recent[slot].operation == operation)) {
        node_hits++;
        return recent[slot].result;
    }
    u32 r = make_binary(op, w, a, b);
    recent[slot].operands = operands;
    recent[slot].operation = operation;
    recent[slot].result = r;
    return r;
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
