/* Columns: what an expression over one input byte comes to for each of the byte's 256 values.
 *
 * A column is kept for every node on the way, so that conditions which share a growing expression each cost the nodes
 * that are new in them.  When there is no room left, all columns are dropped at once.  The work for one request is
 * bounded by an allowance of lane operations; what was computed until then stays for the next request.
 */
#include "eval.h"
#include "solver/lanes.h"

#define SLOTS 12288 /* of 2 KiB each; nodes of more than 64 bits take two */

struct byte_columns {
    u64 *slot;  /* per node: generation << 16 | slot */
    u64 generation, deadline; /* deadline: as s->lane_work */
    u32 used;
    u32 *pending;
    u64 pending_room;
    u64 input[LANES];
    u64 values[SLOTS][LANES]; /* low halves; the next slot has the high ones */
};

static struct byte_columns *columns_of(struct solver *s)
{
    if (!s->columns) {
        struct byte_columns *k = s->columns = zeros(1, sizeof *k);
        k->slot = zeros(s->count, sizeof *k->slot);
        k->generation = 1;
        for (u32 i = 0; i < LANES; i++) k->input[i] = i;
    }
    return s->columns;
}

void columns_free(struct byte_columns *k)
{
    free(k->slot);
    free(k->pending);
    free(k);
}

void columns_allow(struct solver *s, u64 work) { columns_of(s)->deadline = s->lane_work + work; }

static int known(const struct solver *s, const struct byte_columns *k, u32 node)
{
    u32 op = s->nodes[node].op;
    return op == OP_CONST || op == OP_INPUT || k->slot[node] >> 16 == k->generation;
}

static const u64 *values_of(const struct solver *s, const struct byte_columns *k, u32 node)
{
    return s->nodes[node].op == OP_INPUT ? k->input : k->values[k->slot[node] & 0xffff];
}

/* An operand's values; constants have no column and are spread out into `room`. */
static const u64 *operand(const struct solver *s, const struct byte_columns *k, u32 node, u64 *room)
{
    const struct cinq_node *n = &s->nodes[node];
    if (n->op != OP_CONST) return values_of(s, k, node);
    for (u32 i = 0; i < LANES; i++) room[i] = n->imm;
    return room;
}

static u128 lane_of(const struct solver *s, const struct byte_columns *k, u32 node, u32 lane)
{
    const struct cinq_node *n = &s->nodes[node];
    if (!node) return 0;
    if (n->op == OP_CONST) return n->imm;
    const u64 *low = values_of(s, k, node);
    return n->width > 64 ? (u128)low[LANES + lane] << 64 | low[lane] : low[lane];
}

static u128 element(const struct solver *s, const struct byte_columns *k, const struct cinq_node *n, u32 lane)
{
    const struct cinq_table *table = &s->tables[n->imm];
    u128 index = lane_of(s, k, n->a, lane), value = 0;
    if (index >= table->count) return 0;
    u32 entry = table->ids ? ((const u32 *)(s->pool + table->ids))[(u64)index] : 0, size = table->width / 8;
    if (entry) return lane_of(s, k, entry, lane);
    memcpy(&value, s->pool + table->bytes + (u64)index * size, size);
    return value;
}

static void compute_slowly(struct solver *s, const struct byte_columns *k, const struct cinq_node *n, u64 *out)
{
    u32 from = n->a ? s->nodes[n->a].width : 0;
    for (u32 i = 0; i < LANES; i++) {
        u128 value = n->op == OP_TREAD ? element(s, k, n, i)
                                       : eval_op(n->op, n->width, from, n->imm, lane_of(s, k, n->a, i),
                                                 lane_of(s, k, n->b, i), lane_of(s, k, n->c, i));
        out[i] = (u64)value;
        if (n->width > 64) out[LANES + i] = (u64)(value >> 64);
    }
    s->lane_work += SLOW_LANE * LANES;
}

/* A table of constants, the usual case. */
static void read_table(const struct solver *s, const struct cinq_node *n, const u64 *index, u64 *out)
{
    const struct cinq_table *table = &s->tables[n->imm];
    const u8 *bytes = s->pool + table->bytes;
    u32 size = table->width / 8;
    for (u32 i = 0; i < LANES; i++) {
        out[i] = 0;
        if (index[i] < table->count) memcpy(&out[i], bytes + index[i] * size, size);
    }
}

/* The column of a node whose operands are known; 0 if there is no room. */
static int compute(struct solver *s, struct byte_columns *k, u32 node)
{
    const struct cinq_node *n = &s->nodes[node];
    u64 a[LANES], b[LANES], c[LANES];
    u32 slots = n->width > 64 ? 2 : 1;
    if (k->used + slots > SLOTS) return 0;
    u64 *out = k->values[k->used];
    if (lanes_slow(s, n) || (n->op == OP_TREAD && s->tables[n->imm].ids)) {
        compute_slowly(s, k, n, out);
    } else if (n->op == OP_TREAD) {
        read_table(s, n, operand(s, k, n->a, a), out);
        s->lane_work += LANES;
    } else {
        const u64 *x = n->a ? operand(s, k, n->a, a) : a, *y = n->b ? operand(s, k, n->b, b) : b;
        const u64 *z = n->c ? operand(s, k, n->c, c) : c;
        s->lane_work += lanes_plain(n->op, n->width, n->a ? s->nodes[n->a].width : 0, n->imm, LANES, out, x, y, z);
    }
    k->slot[node] = k->generation << 16 | k->used;
    k->used += slots;
    return 1;
}

static void want(const struct solver *s, struct byte_columns *k, u32 *depth, u32 node)
{
    if (!node || known(s, k, node)) return;
    k->pending = grown(k->pending, &k->pending_room, *depth + 1, sizeof *k->pending);
    k->pending[(*depth)++] = node;
}

static void want_operands(const struct solver *s, struct byte_columns *k, u32 *depth, u32 node)
{
    const struct cinq_node *n = &s->nodes[node];
    want(s, k, depth, n->a);
    want(s, k, depth, n->b);
    want(s, k, depth, n->c);
    if (n->op != OP_TREAD || !s->tables[n->imm].ids) return;
    const u32 *entries = (const u32 *)(s->pool + s->tables[n->imm].ids);
    for (u32 i = 0; i < s->tables[n->imm].count; i++) want(s, k, depth, entries[i]);
}

enum filling { FILLED, FULL, STOPPED, UNSUPPORTED };

static enum filling fill(struct solver *s, struct byte_columns *k, u32 root)
{
    u32 depth = 0;
    want(s, k, &depth, root);
    while (depth) {
        u32 node = k->pending[depth - 1], before = depth;
        if (known(s, k, node)) {
            depth--;
            continue;
        }
        if (!lanes_supported(&s->nodes[node])) return UNSUPPORTED;
        if (s->lane_work >= k->deadline) return STOPPED;
        want_operands(s, k, &depth, node);
        s->lane_work += 16;
        if (depth > before) continue;
        if (!compute(s, k, node)) return FULL;
        depth--;
    }
    return FILLED;
}

static void drop_all(struct byte_columns *k)
{
    k->generation++;
    k->used = 0;
}

enum found column_of(struct solver *s, u32 node, const u64 **values)
{
    struct byte_columns *k = columns_of(s);
    enum filling filling = fill(s, k, node);
    if (filling == FULL) {
        drop_all(k);
        filling = fill(s, k, node);
    }
    if (filling == FILLED) *values = s->nodes[node].op == OP_CONST ? 0 : values_of(s, k, node);
    return filling == FILLED ? HERE : filling == STOPPED ? LATER : NEVER;
}
