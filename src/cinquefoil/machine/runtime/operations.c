/* The operations instrumented code calls: shadows in, shadow out. */
#include "runtime.h"
#include "eval.h"

SLOW u32 cinq_const(u32 width, u64 lo, u64 hi) { return node_const(width, (u128)hi << 64 | lo); }

static u32 binary_of(u32 op, u32 w, u32 a, u32 b) {
    switch (op) {
    case OP_NE: return node_not(node_binary(OP_EQ, w, a, b));
    case OP_UGT: return node_binary(OP_ULT, w, b, a);
    case OP_UGE: return node_binary(OP_ULE, w, b, a);
    case OP_SGT: return node_binary(OP_SLT, w, b, a);
    case OP_SGE: return node_binary(OP_SLE, w, b, a);
    default: return node_binary(op, w, a, b);
    }
}

SLOW u32 cinq_binary(u32 opw, u32 sa, u32 sb, u64 va, u64 vb) {
    u32 w = opw >> 8;
    if (!(sa | sb)) return 0;
    return shadow_of(binary_of(opw & 0xff, w, operand(sa, w, va), operand(sb, w, vb)));
}

/* LLVM's predicates: bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered. */
static u32 fcmp_of(u32 predicate, u32 w, u32 a, u32 b) {
    switch (predicate) {
    case 0: return node_const(1, 0);
    case 1: return node_binary(OP_FOEQ, w, a, b);
    case 2: return node_binary(OP_FOLT, w, b, a);
    case 3: return node_binary(OP_FOLE, w, b, a);
    case 4: return node_binary(OP_FOLT, w, a, b);
    case 5: return node_binary(OP_FOLE, w, a, b);
    case 6: return node_binary(OP_OR, 1, node_binary(OP_FOLT, w, a, b), node_binary(OP_FOLT, w, b, a));
    case 7: return node_not(node_binary(OP_FUNO, w, a, b));
    default: return node_not(fcmp_of(15 - predicate, w, a, b));
    }
}

SLOW u32 cinq_fcmp(u32 predicate, u32 w, u32 sa, u32 sb, u64 va, u64 vb) {
    if (!(sa | sb)) return 0;
    return shadow_of(fcmp_of(predicate & 15, w, operand(sa, w, va), operand(sb, w, vb)));
}

SLOW u32 cinq_cast(u32 op, u32 from, u32 to, u32 s) {
    if (!s) return 0;
    s = fitted(s, from, 0);
    if (op == OP_EXTRACT) return shadow_of(node_extract(s, 0, to));
    if (op == OP_ZEXT || op == OP_SEXT) return shadow_of(node_extend(op, s, to));
    return shadow_of(node_unary(op, to, s, 0));
}

SLOW u32 cinq_ite(u32 w, u32 sc, u32 sa, u32 sb, u64 c, u64 va, u64 vb) {
    if (!sc) return c & 1 ? sa : sb;
    return shadow_of(node_ite(fitted(sc, 1, c), operand(sa, w, va), operand(sb, w, vb)));
}

SLOW u32 cinq_extract(u32 s, u32 low, u32 width) {
    if (!s) return 0;
    if (unlikely(low + width > width_of(s))) s = node_fit(s, low + width, 0);
    return shadow_of(node_extract(s, low, width));
}

SLOW u32 cinq_concat(u32 high_width, u32 low_width, u32 sh, u32 sl, u64 vh, u64 vl) {
    if (!(sh | sl)) return 0;
    return shadow_of(node_concat(operand(sh, high_width, vh), operand(sl, low_width, vl)));
}

SLOW u32 cinq_gep(u64 base, u32 sbase, u64 index, u32 sindex, u32 index_width, i64 scale, i64 offset) {
    if (!(sbase | sindex)) return 0;
    u32 i = node_extend(OP_SEXT, operand(sindex, index_width, index), 64);
    u32 step = node_binary(OP_MUL, 64, i, node_const(64, (u64)scale));
    u32 sum = node_binary(OP_ADD, 64, step, node_const(64, (u64)offset));
    return shadow_of(node_binary(OP_PTRADD, 64, operand(sbase, 64, base), sum));
}

SLOW void cinq_check(u32 site, u32 s, u64 lo, u64 hi, u32 width) {
    if (!s) return;
    u128 v = ((u128)hi << 64 | lo) & cinq_mask(width);
    if (width_of(s) == width && node_value(s) == v) return;
    if (!CONTROL->check_failures++) {
        CONTROL->error.site = site;
        CONTROL->error.address = s;
        CONTROL->error.size = width_of(s);
    }
}
