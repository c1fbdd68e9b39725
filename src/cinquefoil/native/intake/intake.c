/* What a worker wrote, taken in: copied out of the shared memory and checked, once per run.
 *
 * The worker runs an untrusted program, so nothing in the memory it shares with the engine is believed.  Counts are
 * read once and bounded; new nodes, tables and conditions are appended to memory of the engine's own and checked there,
 * so that a worker cannot change them afterwards.  All that follows expressions (the solver's layers, the tree, Python)
 * reads the copy only, and may rely on this: operands have smaller ids than their node, widths fit the operation,
 * tables lie within the pool, and every id, index and site is in range.
 *
 * A value may still be a lie: a worker that is out of control can claim any expression for its program.  That falsifies
 * the results for that program, never the engine.
 */
#include "intake/intake.h"

#include <stddef.h>
#include <string.h>

/* ---- Nodes --------------------------------------------------------------------------------------------------- */
/* What an operation's operands and result must be.  `WIDTH`: as wide as the node; `FLOAT`: 32, 64 or 80 bits. */
enum shape {
    SHAPE_NONE = 0, /* no such operation */
    SHAPE_CONST,
    SHAPE_INPUT,
    SHAPE_BINARY,  /* a, b: WIDTH */
    SHAPE_COMPARE, /* a, b equally wide; one bit */
    SHAPE_ITE,     /* a: one bit; b, c: WIDTH */
    SHAPE_EXTRACT,
    SHAPE_CONCAT,
    SHAPE_EXTEND,  /* a: narrower */
    SHAPE_UNARY,   /* a: WIDTH */
    SHAPE_TREAD,
    SHAPE_FLOAT2,  /* a, b: WIDTH, FLOAT */
    SHAPE_FLOAT3,
    SHAPE_FLOAT1,
    SHAPE_FCVT,    /* a and the node: FLOAT */
    SHAPE_TO_INT,  /* a: FLOAT */
    SHAPE_TO_FLOAT,
    SHAPE_FCOMPARE /* a, b: FLOAT, equally wide; one bit */
};

static const u8 shapes[OP_COUNT] = {
    [OP_CONST] = SHAPE_CONST,   [OP_INPUT] = SHAPE_INPUT,     [OP_ADD] = SHAPE_BINARY,    [OP_SUB] = SHAPE_BINARY,
    [OP_MUL] = SHAPE_BINARY,    [OP_UDIV] = SHAPE_BINARY,     [OP_SDIV] = SHAPE_BINARY,   [OP_UREM] = SHAPE_BINARY,
    [OP_SREM] = SHAPE_BINARY,   [OP_SHL] = SHAPE_BINARY,      [OP_LSHR] = SHAPE_BINARY,   [OP_ASHR] = SHAPE_BINARY,
    [OP_AND] = SHAPE_BINARY,    [OP_OR] = SHAPE_BINARY,       [OP_XOR] = SHAPE_BINARY,    [OP_EQ] = SHAPE_COMPARE,
    [OP_ULT] = SHAPE_COMPARE,   [OP_ULE] = SHAPE_COMPARE,     [OP_SLT] = SHAPE_COMPARE,   [OP_SLE] = SHAPE_COMPARE,
    [OP_ITE] = SHAPE_ITE,       [OP_EXTRACT] = SHAPE_EXTRACT, [OP_CONCAT] = SHAPE_CONCAT, [OP_ZEXT] = SHAPE_EXTEND,
    [OP_SEXT] = SHAPE_EXTEND,   [OP_CTPOP] = SHAPE_UNARY,     [OP_CTLZ] = SHAPE_UNARY,    [OP_CTTZ] = SHAPE_UNARY,
    [OP_PTRADD] = SHAPE_BINARY, [OP_TREAD] = SHAPE_TREAD,     [OP_FADD] = SHAPE_FLOAT2,   [OP_FSUB] = SHAPE_FLOAT2,
    [OP_FMUL] = SHAPE_FLOAT2,   [OP_FDIV] = SHAPE_FLOAT2,     [OP_FREM] = SHAPE_FLOAT2,   [OP_FMA] = SHAPE_FLOAT3,
    [OP_FSQRT] = SHAPE_FLOAT1,  [OP_FRINT] = SHAPE_FLOAT1,    [OP_FCVT] = SHAPE_FCVT,     [OP_F2SI] = SHAPE_TO_INT,
    [OP_F2UI] = SHAPE_TO_INT,   [OP_SI2F] = SHAPE_TO_FLOAT,   [OP_UI2F] = SHAPE_TO_FLOAT, [OP_FOEQ] = SHAPE_FCOMPARE,
    [OP_FOLT] = SHAPE_FCOMPARE, [OP_FOLE] = SHAPE_FCOMPARE,   [OP_FUNO] = SHAPE_FCOMPARE,
};
static const u8 operand_count[] = {
    [SHAPE_BINARY] = 2, [SHAPE_COMPARE] = 2, [SHAPE_ITE] = 3,    [SHAPE_EXTRACT] = 1,  [SHAPE_CONCAT] = 2,
    [SHAPE_EXTEND] = 1, [SHAPE_UNARY] = 1,   [SHAPE_TREAD] = 1,  [SHAPE_FLOAT2] = 2,   [SHAPE_FLOAT3] = 3,
    [SHAPE_FLOAT1] = 1, [SHAPE_FCVT] = 1,    [SHAPE_TO_INT] = 1, [SHAPE_TO_FLOAT] = 1, [SHAPE_FCOMPARE] = 2,
};

u32 cinq_intake_knows(u32 op) { return op < OP_COUNT && shapes[op] != SHAPE_NONE; }

static int is_float(u32 width) { return width == 32 || width == 64 || width == 80; }

static int operands_are_older(const struct cinq_node *n, u32 id, u32 count)
{
    const u32 operands[3] = {n->a, n->b, n->c};
    for (u32 i = 0; i < 3; i++)
        if (i < count ? !operands[i] || operands[i] >= id : operands[i]) return 0;
    return 1;
}

static int shape_holds(const struct intake *in, const struct cinq_node *n, u32 id)
{
    u32 shape = shapes[n->op], w = n->width;
    u32 a = in->nodes[n->a].width, b = in->nodes[n->b].width, c = in->nodes[n->c].width; /* node 0 has width 0 */
    switch (shape) {
    case SHAPE_CONST: return w <= 64 && (w == 64 || !(n->imm >> w));
    case SHAPE_INPUT: return w == 8 && n->imm < CINQ_INPUT_CAPACITY;
    case SHAPE_BINARY: return a == w && b == w;
    case SHAPE_COMPARE: return w == 1 && a == b;
    case SHAPE_ITE: return a == 1 && b == w && c == w;
    case SHAPE_EXTRACT: return n->imm < a && n->imm + w <= a;
    case SHAPE_CONCAT: return a + b == w;
    case SHAPE_EXTEND: return a < w;
    case SHAPE_UNARY: return a == w;
    case SHAPE_TREAD: return n->imm < in->table_count && in->tables[n->imm].width == w && in->tops[n->imm] < id;
    case SHAPE_FLOAT2: return is_float(w) && a == w && b == w;
    case SHAPE_FLOAT3: return is_float(w) && a == w && b == w && c == w;
    case SHAPE_FLOAT1: return is_float(w) && a == w && (n->op != OP_FRINT || n->imm <= ROUND_ZERO);
    case SHAPE_FCVT: return is_float(w) && is_float(a);
    case SHAPE_TO_INT: return is_float(a);
    case SHAPE_TO_FLOAT: return is_float(w);
    case SHAPE_FCOMPARE: return w == 1 && is_float(a) && a == b;
    default: return 0;
    }
}

static int node_is_good(const struct intake *in, u32 id)
{
    const struct cinq_node *n = &in->nodes[id];
    return n->op < OP_COUNT && n->width >= 1 && n->width <= 128 && (n->lo > n->hi || n->hi < CINQ_INPUT_CAPACITY) &&
           operands_are_older(n, id, operand_count[shapes[n->op]]) && shape_holds(in, n, id);
}

static int take_nodes(struct intake *in, u64 count)
{
    u64 first = in->node_count;
    if (count < first || count > CINQ_NODE_CAPACITY) return 0;
    const struct cinq_node *from = (const struct cinq_node *)(in->shared + CINQ_SHM_NODES);
    memcpy(&in->nodes[first], &from[first], (count - first) * sizeof *from);
    for (u64 id = first ? first : 1; id < count; id++)
        if (!node_is_good(in, (u32)id)) return 0;
    if (!first && count) memset(&in->nodes[0], 0, sizeof *from);
    in->node_count = count;
    return 1;
}

/* ---- Tables: after the pool they lie in; their elements are looked at before the nodes that read them ----------- */
static int within(u64 start, u64 size, u64 end) { return start <= end && size <= end - start; }

static int top_of(struct intake *in, const struct cinq_table *t, u64 nodes, u32 *top)
{
    const u32 *ids = (const u32 *)(in->pool + t->ids);
    *top = 0;
    for (u32 i = 0; t->ids && i < t->count; i++)
        if (ids[i] > *top) *top = ids[i];
    return *top < nodes || !*top;
}

static int table_is_good(const struct cinq_table *t, u64 pool)
{
    if (!t->count || t->width % 8 || t->width < 8 || t->width > 128) return 0;
    if (!t->bytes || !within(t->bytes, (u64)t->count * (t->width / 8), pool)) return 0;
    return !t->ids || (t->ids % 4 == 0 && within(t->ids, (u64)t->count * 4, pool));
}

static int elements_fit(const struct intake *in, const struct cinq_table *t)
{
    const u32 *ids = (const u32 *)(in->pool + t->ids);
    for (u32 i = 0; t->ids && i < t->count; i++)
        if (ids[i] && in->nodes[ids[i]].width != t->width) return 0;
    return 1;
}

static int take_pool(struct intake *in, u64 size)
{
    if (size < in->pool_size || size > CINQ_POOL_CAPACITY) return 0;
    memcpy(in->pool + in->pool_size, in->shared + CINQ_SHM_POOL + in->pool_size, size - in->pool_size);
    in->pool_size = size;
    return 1;
}

static int take_tables(struct intake *in, u64 count, u64 nodes)
{
    if (count < in->table_count || count > CINQ_TABLE_CAPACITY) return 0;
    const struct cinq_table *from = (const struct cinq_table *)(in->shared + CINQ_SHM_TABLES);
    memcpy(&in->tables[in->table_count], &from[in->table_count], (count - in->table_count) * sizeof *from);
    for (; in->table_count < count; in->table_count++) {
        const struct cinq_table *t = &in->tables[in->table_count];
        if (!table_is_good(t, in->pool_size) || !top_of(in, t, nodes, &in->tops[in->table_count])) return 0;
    }
    return 1;
}

static int take_alts(struct intake *in, u64 count)
{
    if (count < in->alt_count || count > CINQ_ALTS_CAPACITY) return 0;
    const u32 *from = (const u32 *)(in->shared + CINQ_SHM_ALTS);
    memcpy(&in->alts[in->alt_count], &from[in->alt_count], (count - in->alt_count) * sizeof *from);
    in->alt_count = count;
    return 1;
}

void cinq_intake_forget(struct intake *in) { in->node_count = in->table_count = in->pool_size = in->alt_count = 0; }

/* ---- A run ------------------------------------------------------------------------------------------------------ */
static int counts_are_good(const struct cinq_control *c)
{
    return c->end <= END_DEPTH && c->events <= CINQ_EVENT_CAPACITY && c->trace <= CINQ_TRACE_CAPACITY &&
           c->made <= CINQ_OBJECT_CAPACITY && c->output <= CINQ_OUTPUT_CAPACITY && c->output <= c->output_total &&
           c->remarks <= CINQ_REMARK_CAPACITY;
}

static int take_expressions(struct intake *in, const struct cinq_control *c)
{
    u64 first = in->table_count;
    if (!take_pool(in, c->pool) || !take_tables(in, c->tables, c->nodes) || !take_nodes(in, c->nodes)) return 0;
    for (u64 t = first; t < in->table_count; t++)
        if (!elements_fit(in, &in->tables[t])) return 0;
    return take_alts(in, c->alts);
}

void cinq_intake_cover(struct intake *in)
{
    const u8 *restrict from = in->shared + CINQ_SHM_COVERAGE;
    u8 *restrict covered = in->covered;
    u64 sites = in->sites; /* a copy: for the compiler, a byte written might be the structure's */
    for (u64 i = 0; i < sites; i++) covered[i] = from[i] != 0;
}

u32 cinq_intake_reaches(const struct intake *in, const u8 *wanted, u64 count)
{
    const u8 *from = in->shared + CINQ_SHM_COVERAGE;
    u64 sites = count < in->sites ? count : in->sites;
    u8 found = 0;
    for (u64 i = 0; i < sites; i++) found |= (from[i] != 0) & wanted[i];
    return found;
}

cinq_numbers cinq_intake_take(i64 *out, struct intake *in)
{
    struct cinq_control c;
    memcpy(&c, in->shared + CINQ_SHM_CONTROL, offsetof(struct cinq_control, error));
    if (!counts_are_good(&c) || !take_expressions(in, &c)) return -1;
    cinq_intake_cover(in);
    const u64 counts[] = {c.end,         c.code,   c.events,       c.trace, c.made,        c.objects,
                          c.input_known, c.output, c.output_total, c.steps, c.nanoseconds, c.remarks};
    u32 n = sizeof counts / sizeof counts[0];
    for (u32 i = 0; i < n; i++) out[i] = (i64)counts[i];
    return (int)n;
}

static int is_condition(const struct intake *in, u32 node)
{
    return node && node < in->node_count && in->nodes[node].width == 1;
}

static int is_code(u64 code, u64 last) { return code >= 1 && code <= last; }

static int alts_are_good(const struct intake *in, u32 at, u32 taken)
{
    if (!at || at >= in->alt_count) return 0;
    u32 count = in->alts[at];
    if (taken >= count || count >= in->alt_count - at) return 0;
    for (u32 i = 1; i <= count; i++)
        if (!is_condition(in, in->alts[at + i])) return 0;
    return 1;
}

static int event_is_good(const struct intake *in, const struct cinq_event *e)
{
    if (e->site >= in->sites || e->expr >= in->node_count) return 0;
    switch (e->kind) {
    case EVENT_BRANCH:
    case EVENT_ASSUME: return e->taken <= 1 && is_condition(in, e->expr);
    case EVENT_CHECK: return e->taken <= 1 && is_condition(in, e->expr) && is_code(e->value, in->last_error);
    case EVENT_SWITCH: return e->expr && alts_are_good(in, e->alts, e->taken);
    case EVENT_PIN: return e->expr != 0;
    case EVENT_CONCRETIZE: return e->expr && is_code(e->taken, in->last_reason);
    case EVENT_UNSUPPORTED: return is_code(e->value, in->last_reason);
    default: return 0;
    }
}

static int remark_is_good(const struct intake *in, const struct cinq_remark *r)
{
    if (r->kind < REMARK_WARNING || r->kind > REMARK_PREFERENCE || r->depth > CINQ_REMARK_FRAMES) return 0;
    for (u32 i = 0; i < r->depth; i++)
        if (r->backtrace[i] >= in->sites) return 0;
    if (r->site >= in->sites || r->expr >= in->node_count) return 0;
    return r->kind != REMARK_PREFERENCE || !r->expr || is_condition(in, r->expr);
}

u32 cinq_intake_check_remarks(const struct intake *in, const struct cinq_remark *remarks, u64 count)
{
    for (u64 i = 0; i < count; i++)
        if (!remark_is_good(in, &remarks[i])) return 0;
    return 1;
}

u32 cinq_intake_check(const struct intake *in, const struct cinq_event *events, u64 count, const u32 *trace, u64 length)
{
    u32 highest = 0, reached = 0;
    for (u64 i = 0; i < length; i++) highest = trace[i] > highest ? trace[i] : highest;
    if (length && highest >= in->sites) return 0;
    for (u64 i = 0; i < count; i++) {
        if (!event_is_good(in, &events[i]) || events[i].trace < reached || events[i].trace > length) return 0;
        reached = events[i].trace;
    }
    return 1;
}
