/* Native evaluation of expressions for the engine.
 *
 * The cone of some roots is first compiled to a program: instructions in
 * topological order over dense slots.  A program then runs over many lanes at
 * once (inputs, or all values of one byte), one operation at a time, so the
 * loops over lanes vectorise.  Values up to 64 bits wide take the short path;
 * wider ones and floating point go through eval.h.
 */
#include "expr/expr.h"
#include "expr/float.h"

#define NONE 0xffffffffu
#define FLAG 0x80000000u
enum { OK = 0, STACK_FULL = -1, CODE_FULL = -2, AUX_FULL = -3 };

/* ---- Compilation ------------------------------------------------------------------- */
static const u32 *entries_of(const struct space *s, const struct cinq_node *n)
{
    const struct cinq_table *t = n->op == OP_TREAD ? &s->tables[n->imm] : 0;
    return t && t->ids ? (const u32 *)(s->pool + t->ids) : 0;
}

static int push_operands(struct space *s, const struct cinq_node *n, u32 *depth)
{
    u32 operands[3] = {n->a, n->b, n->c};
    const u32 *entries = entries_of(s, n);
    u32 count = entries ? s->tables[n->imm].count : 0;
    if (*depth + 3 + count > s->stack_capacity) return STACK_FULL;
    for (u32 i = 0; i < count; i++)
        if (entries[i] && s->stamp[entries[i]] != s->epoch) s->stack[(*depth)++] = entries[i];
    for (u32 i = 3; i-- > 0;)
        if (operands[i] && s->stamp[operands[i]] != s->epoch) s->stack[(*depth)++] = operands[i];
    return OK;
}

static int emit_entries(struct space *s, struct code *p, const struct cinq_node *n, struct instruction *to)
{
    const u32 *entries = entries_of(s, n);
    u32 count = entries ? s->tables[n->imm].count : 0;
    to->b = 0;
    if (!count) return OK;
    if (p->aux_length + count > p->aux_capacity) return AUX_FULL;
    to->b = 1 + p->aux_length;
    for (u32 i = 0; i < count; i++) p->aux[p->aux_length++] = entries[i] ? s->slot[entries[i]] : NONE;
    return OK;
}

static int emit(struct space *s, struct code *p, u32 id)
{
    const struct cinq_node *n = &s->nodes[id];
    if (p->length == p->capacity) return CODE_FULL;
    struct instruction *to = &p->code[p->length];
    u8 wa = (u8)s->nodes[n->a].width, wb = (u8)s->nodes[n->b].width, wc = (u8)s->nodes[n->c].width;
    *to = (struct instruction){n->op,
                               n->width > 64 || wa > 64 || n->op >= OP_FADD,
                               (u8)n->width,
                               wa,
                               s->slot[n->a],
                               s->slot[n->b],
                               s->slot[n->c],
                               n->imm,
                               wb,
                               wc,
                               0,
                               0,
                               id};
    s->slot[id] = p->length++;
    return n->op == OP_TREAD ? emit_entries(s, p, n, to) : OK;
}

/* Depth first: a node is emitted when it is met again below its operands. */
static int compile_root(struct space *s, struct code *p, u32 root)
{
    u32 depth = 1;
    s->stack[0] = root;
    while (depth) {
        u32 id = s->stack[--depth];
        int status = OK;
        if (id & FLAG) status = emit(s, p, id & ~FLAG);
        else if (s->stamp[id] != s->epoch) {
            s->stamp[id] = s->epoch;
            s->stack[depth++] = id | FLAG;
            status = push_operands(s, &s->nodes[id], &depth);
        }
        if (status != OK) return status;
    }
    return OK;
}

int cinq_compile(struct space *s, struct code *p, const u32 *roots, u32 count)
{
    p->length = p->aux_length = 0;
    for (u32 i = 0; i < count; i++) {
        int status = compile_root(s, p, roots[i]);
        if (status != OK) return status;
        p->root_slots[i] = s->slot[roots[i]];
    }
    return OK;
}

/* ---- Running ----------------------------------------------------------------------- */
static value lane_value(const struct lanes *v, u32 slot, u32 width, u32 l)
{
    u64 at = (u64)slot * v->count + l;
    return width > 64 ? (value)v->hi[at] << 64 | v->lo[at] : v->lo[at];
}

static void run_wide(const struct instruction *i, u32 slot, struct lanes *v)
{
    for (u32 l = 0; l < v->count; l++) {
        value a = i->wa ? lane_value(v, i->a, i->wa, l) : 0;
        value b = i->wb ? lane_value(v, i->b, i->wb, l) : 0, c = i->wc ? lane_value(v, i->c, i->wc, l) : 0;
        value r = i->op >= OP_FADD ? float_op(i->op, i->width, i->wa, i->imm, a, b, c)
                                   : eval_op(i->op, i->width, i->wa, i->imm, a, b, c);
        u64 at = (u64)slot * v->count + l;
        v->lo[at] = (u64)r;
        if (i->width > 64) v->hi[at] = (u64)(r >> 64);
    }
}

static value load_element(const u8 *from, u32 size)
{
    value r = 0;
    for (u32 k = size; k-- > 0;) r = r << 8 | from[k];
    return r;
}

static value read_element(const struct space *s, const struct code *p, const struct instruction *i,
                          const struct lanes *v, value index, u32 l)
{
    const struct cinq_table *t = &s->tables[i->imm];
    if (index >= t->count) return 0;
    u32 entry = i->b ? p->aux[i->b - 1 + (u32)index] : NONE;
    if (entry != NONE) return lane_value(v, entry, i->width, l);
    const u8 *from = s->pool + t->bytes + (u64)index * (t->width / 8);
    return t->width == 8 ? *from : load_element(from, t->width / 8);
}

static void run_read(const struct space *s, const struct code *p, const struct instruction *i, u32 slot,
                     struct lanes *v)
{
    for (u32 l = 0; l < v->count; l++) {
        value r = read_element(s, p, i, v, lane_value(v, i->a, i->wa, l), l);
        v->lo[(u64)slot * v->count + l] = (u64)r;
        if (i->width > 64) v->hi[(u64)slot * v->count + l] = (u64)(r >> 64);
    }
}

static void run_input(const struct instruction *i, u64 *r, const struct lanes *v)
{
    for (u32 l = 0; l < v->count; l++) {
        u64 byte = i->imm < v->size ? v->inputs[l * v->stride + i->imm] : 0;
        r[l] = i->imm == v->inner ? l & 255 : i->imm == v->outer ? v->outer_value : byte;
    }
}

static inline i64 sign64(u64 x, u32 width) { return (i64)(x << (64 - width)) >> (64 - width); }

#define EACH(expression)                                         \
    for (u32 l = 0; l < n; l++) r[l] = (u64)(expression) & mask; \
    return

/* Operands and result are at most 64 bits wide.  Inlined twice: for one lane the loops vanish. */
static inline __attribute__((always_inline)) void run_narrow(const struct instruction *i, u64 *restrict r, const u64 *a,
                                                             const u64 *b, const u64 *c, u32 n)
{
    const u32 w = i->width, wa = i->wa;
    const u64 mask = ~(u64)0 >> (64 - w), imm = i->imm;
    switch (i->op) {
    case OP_CONST: EACH(imm);
    case OP_ADD:
    case OP_PTRADD: EACH(a[l] + b[l]);
    case OP_SUB: EACH(a[l] - b[l]);
    case OP_MUL: EACH(a[l] * b[l]);
    case OP_SHL: EACH(b[l] < w ? a[l] << (b[l] & 63) : 0);
    case OP_LSHR: EACH(b[l] < w ? a[l] >> (b[l] & 63) : 0);
    case OP_ASHR: EACH(sign64(a[l], w) >> (b[l] < w ? b[l] : w - 1));
    case OP_AND: EACH(a[l] & b[l]);
    case OP_OR: EACH(a[l] | b[l]);
    case OP_XOR: EACH(a[l] ^ b[l]);
    case OP_EQ: EACH(a[l] == b[l]);
    case OP_ULT: EACH(a[l] < b[l]);
    case OP_ULE: EACH(a[l] <= b[l]);
    case OP_SLT: EACH(sign64(a[l], wa) < sign64(b[l], wa));
    case OP_SLE: EACH(sign64(a[l], wa) <= sign64(b[l], wa));
    case OP_ITE: EACH(a[l] ? b[l] : c[l]);
    case OP_EXTRACT: EACH(a[l] >> imm);
    case OP_CONCAT: EACH(a[l] << (w - wa) | b[l]);
    case OP_ZEXT: EACH(a[l]);
    case OP_SEXT: EACH(sign64(a[l], wa));
    default: EACH(eval_op(i->op, w, wa, imm, a[l], b[l], c[l]));
    }
}

static inline __attribute__((always_inline)) void run_one(const struct space *s, const struct code *p, u32 slot,
                                                          struct lanes *v, u64 n)
{
    const struct instruction *i = &p->code[slot];
    u64 *lo = v->lo, *r = lo + slot * n;
    if (i->op == OP_INPUT) run_input(i, r, v);
    else if (i->op == OP_TREAD) run_read(s, p, i, slot, v);
    else if (i->wide) run_wide(i, slot, v);
    else run_narrow(i, r, lo + i->a * n, lo + i->b * n, lo + i->c * n, (u32)n);
}

static void run_range(const struct space *s, const struct code *p, u32 from, u32 to, struct lanes *v)
{
    if (v->count == 1) {
        for (u32 slot = from; slot < to; slot++) run_one(s, p, slot, v, 1);
        return;
    }
    for (u32 slot = from; slot < to; slot++)
        if (!v->partial || p->code[slot].outer) run_one(s, p, slot, v, v->count);
}

void cinq_evaluate(const struct space *s, const struct code *p, struct lanes *v) { run_range(s, p, 0, p->length, v); }

void cinq_collect(const struct code *p, const struct lanes *v, u32 roots, u64 *lo, u64 *hi)
{
    for (u32 i = 0; i < roots; i++) {
        u32 slot = p->root_slots[i];
        for (u32 l = 0; l < v->count; l++) {
            value r = lane_value(v, slot, p->code[slot].width, l);
            lo[(u64)i * v->count + l] = (u64)r;
            hi[(u64)i * v->count + l] = (u64)(r >> 64);
        }
    }
}

/* ---- Constraints: root i == values[2i, 2i+1], or != where equal[i] is 0 ---------------- */
static int holds(const struct code *p, const struct lanes *v, const u64 *wanted, const u8 *equal, u32 i, u32 l)
{
    u32 slot = p->root_slots[i];
    value want = (value)wanted[2 * i + 1] << 64 | wanted[2 * i];
    return (lane_value(v, slot, p->code[slot].width, l) == want) == (equal[i] != 0);
}

i64 cinq_first_violated(const struct space *s, const struct code *p, struct lanes *v, const u64 *wanted,
                        const u8 *equal, u32 count)
{
    u32 done = 0;
    for (u32 i = 0; i < count; i++) {
        u32 until = p->root_slots[i] + 1;
        if (until > done) {
            run_range(s, p, done, until, v);
            done = until;
        }
        if (!holds(p, v, wanted, equal, i, 0)) return i;
    }
    return -1;
}

static void mark_outer(struct code *p, u32 outer)
{
    for (u32 slot = 0; slot < p->length; slot++) {
        struct instruction *i = &p->code[slot];
        const struct instruction *code = p->code;
        int deep = (i->wa && code[i->a].outer) || (i->wb && code[i->b].outer) || (i->wc && code[i->c].outer);
        /* A read of symbolic entries: just recompute it. */
        i->outer = (i->op == OP_INPUT && i->imm == outer) || (i->op == OP_TREAD ? i->b || code[i->a].outer : deep);
    }
}

static void set_row(const struct code *p, const struct lanes *v, const u64 *wanted, const u8 *equal, u32 count,
                    u64 *bits)
{
    for (u32 l = 0; l < 256; l++) {
        u64 good = 1;
        for (u32 i = 0; i < count && good; i++) good = (u64)holds(p, v, wanted, equal, i, l);
        bits[l / 64] |= good << (l % 64);
    }
}

void cinq_truth_table(const struct space *s, struct code *p, struct lanes *v, const u64 *wanted, const u8 *equal,
                      u32 count, u64 *bits)
{
    mark_outer(p, v->outer);
    for (u32 outer = 0; outer < (v->outer == NONE ? 1u : 256u); outer++) {
        v->outer_value = outer;
        v->partial = outer > 0;
        cinq_evaluate(s, p, v);
        set_row(p, v, wanted, equal, count, bits + 4 * outer);
    }
}

/* ---- Dependencies: one bit set of `words` words per slot ------------------------------- */
static void join(u64 *to, const u64 *from, u32 words)
{
    for (u32 k = 0; k < words; k++) to[k] |= from[k];
}

void cinq_dependencies(const struct space *s, const struct code *p, u64 *sets, u32 words)
{
    for (u32 slot = 0; slot < p->length; slot++) {
        const struct instruction *i = &p->code[slot];
        u64 *to = sets + (u64)slot * words;
        for (u32 k = 0; k < words; k++) to[k] = 0;
        if (i->op == OP_INPUT) to[i->imm / 64] |= (u64)1 << (i->imm % 64);
        if (i->wa) join(to, sets + (u64)i->a * words, words);
        if (i->wb) join(to, sets + (u64)i->b * words, words);
        if (i->wc) join(to, sets + (u64)i->c * words, words);
        for (u32 k = 0; i->op == OP_TREAD && i->b && k < s->tables[i->imm].count; k++)
            if (p->aux[i->b - 1 + k] != NONE) join(to, sets + (u64)p->aux[i->b - 1 + k] * words, words);
    }
}
