/* One operation over many lanes.  Values are kept masked to their width; loops are simple enough to vectorise. */
#include "eval.h"
#include "solver/lanes.h"

static inline i64 sign(u64 value, u32 width) { return (i64)(value << (64 - width)) >> (64 - width); }

static u64 sdiv(u64 x, u64 y, u32 width)
{
    i64 a = sign(x, width), b = sign(y, width);
    if (b == 0) return a < 0 ? 1 : ~0ull;
    return b == -1 ? 0 - (u64)a : (u64)(a / b);
}

static u64 srem(u64 x, u64 y, u32 width)
{
    i64 a = sign(x, width), b = sign(y, width);
    if (b == 0) return (u64)a;
    return b == -1 ? 0 : (u64)(a % b);
}

static u64 shift(u32 op, u64 x, u64 by, u32 width)
{
    if (op == OP_ASHR) return (u64)(sign(x, width) >> (by < width ? by : width - 1));
    if (by >= width) return 0;
    return op == OP_SHL ? x << by : x >> by;
}

static u128 lane_of(const struct program *, const struct step *, u32 operand, u32 lane);

static u128 element(const struct solver *s, const struct step *t, u128 index, u32 lane)
{
    const struct cinq_table *table = &s->tables[t->imm];
    if (index >= table->count) return 0;
    u32 entry = table->ids ? ((const u32 *)(s->pool + table->ids))[index] : 0;
    if (entry) return lane_of(s->program, t, step_index_of(s->program, entry), lane);
    u128 value = 0;
    u32 size = table->width / 8;
    memcpy(&value, s->pool + table->bytes + (u64)index * size, size);
    return value;
}

/* One lane of an operand, at any width. */
static u128 lane_of(const struct program *p, const struct step *t, u32 operand, u32 lane)
{
    const struct step *o = &p->steps[operand];
    u32 at = o->level == t->level ? lane : o->level == FIXED ? 0 : p->levels[o->level].choice;
    return o->width > 64 ? (u128)o->lanes[LANES + at] << 64 | o->lanes[at] : o->lanes[at];
}

/* Wide values and floating point: one by one, by the definitions the worker itself uses. */
static void compute_slowly(struct solver *s, struct step *t, u32 count)
{
    const struct program *p = s->program;
    for (u32 i = 0; i < count; i++) {
        u128 a = lane_of(p, t, t->a, i), b = lane_of(p, t, t->b, i), c = lane_of(p, t, t->c, i);
        u128 value = t->op == OP_TREAD ? element(s, t, a, i) : eval_op(t->op, t->width, t->from, t->imm, a, b, c);
        t->lanes[i] = (u64)value;
        if (t->width > 64) t->lanes[LANES + i] = (u64)(value >> 64);
    }
    s->lane_work += SLOW_LANE * count;
}

int lanes_slow(const struct solver *s, const struct cinq_node *n)
{
    return n->width > 64 || (n->a && s->nodes[n->a].width > 64) || (n->b && s->nodes[n->b].width > 64) ||
           n->op >= OP_FADD;
}

int lanes_supported(const struct cinq_node *n) { return n->op < OP_COUNT && n->op != OP_FMA; }

#define EACH(value) \
    for (u32 i = 0; i < count; i++) out[i] = (value)

u64 lanes_plain(u32 op, u32 width, u32 from, u64 imm, u32 count, u64 *restrict out, const u64 *restrict a,
                const u64 *restrict b, const u64 *restrict c)
{
    u64 mask = mask_of(width);
    switch (op) {
    case OP_CONST: EACH(imm); break;
    case OP_ADD:
    case OP_PTRADD: EACH((a[i] + b[i]) & mask); break;
    case OP_SUB: EACH((a[i] - b[i]) & mask); break;
    case OP_MUL: EACH((a[i] * b[i]) & mask); break;
    case OP_UDIV: EACH(b[i] ? a[i] / b[i] : mask); break;
    case OP_UREM: EACH(b[i] ? a[i] % b[i] : a[i]); break;
    case OP_SDIV: EACH(sdiv(a[i], b[i], width) & mask); break;
    case OP_SREM: EACH(srem(a[i], b[i], width) & mask); break;
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR: EACH(shift(op, a[i], b[i], width) & mask); break;
    case OP_AND: EACH(a[i] & b[i]); break;
    case OP_OR: EACH(a[i] | b[i]); break;
    case OP_XOR: EACH(a[i] ^ b[i]); break;
    case OP_EQ: EACH(a[i] == b[i]); break;
    case OP_ULT: EACH(a[i] < b[i]); break;
    case OP_ULE: EACH(a[i] <= b[i]); break;
    case OP_SLT: EACH(sign(a[i], from) < sign(b[i], from)); break;
    case OP_SLE: EACH(sign(a[i], from) <= sign(b[i], from)); break;
    case OP_ITE: EACH(a[i] ? b[i] : c[i]); break;
    case OP_EXTRACT: EACH((a[i] >> imm) & mask); break;
    case OP_CONCAT: EACH(a[i] << (width - from) | b[i]); break;
    case OP_ZEXT: EACH(a[i]); break;
    case OP_SEXT: EACH((u64)sign(a[i], from) & mask); break;
    case OP_CTPOP: EACH((u64)__builtin_popcountll(a[i])); break;
    case OP_CTLZ: EACH(a[i] ? (u64)__builtin_clzll(a[i]) - (64 - from) : from); break;
    case OP_CTTZ: EACH(a[i] ? (u64)__builtin_ctzll(a[i]) : from); break;
    }
    return count + 16;
}

void lanes_compute(struct solver *s, struct step *t, u32 count, const u64 *restrict a, const u64 *restrict b,
                   const u64 *restrict c)
{
    if (t->slow) {
        compute_slowly(s, t, count);
    } else if (t->op == OP_TREAD) {
        for (u32 i = 0; i < count; i++) t->lanes[i] = (u64)element(s, t, a[i], i);
        s->lane_work += count + 16;
    } else {
        s->lane_work += lanes_plain(t->op, t->width, t->from, t->imm, count, t->lanes, a, b, c);
    }
}
