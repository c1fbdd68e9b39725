/* Which input bytes a node depends on: interned sets of index ranges, memoised per node.
 *
 * Unions are memoised too, so a long chain of operations over the same bytes costs one look-up per node.  A set
 * of very many ranges is widened to its hull: slices may then be larger than needed, never smaller.
 */
#include "solver/core.h"

#define EMPTY 1         /* set 0 means "not computed" */
#define MAX_RANGES 512

static u32 hash_ranges(const struct range *r, u32 n)
{
    u64 h = n;
    for (u32 i = 0; i < n; i++) h = mix(h ^ ((u64)r[i].lo << 32 | r[i].hi));
    return (u32)h;
}

static void reindex(struct solver *s)
{
    s->set_index_size = s->set_index_size ? s->set_index_size * 2 : 4096;
    s->set_index = resized(s->set_index, s->set_index_size, sizeof(u32));
    memset(s->set_index, 0, s->set_index_size * sizeof(u32));
    for (u32 i = EMPTY; i < s->set_count; i++) {
        u32 at = hash_ranges(s->ranges + s->sets[i].first, s->sets[i].count);
        while (s->set_index[at &= s->set_index_size - 1]) at++;
        s->set_index[at] = i;
    }
}

static u32 intern(struct solver *s, const struct range *r, u32 n)
{
    if (2 * s->set_count >= s->set_index_size) reindex(s);
    u32 at = hash_ranges(r, n), found;
    for (; (found = s->set_index[at &= s->set_index_size - 1]); at++)
        if (s->sets[found].count == n && !memcmp(s->ranges + s->sets[found].first, r, n * sizeof *r)) return found;
    s->sets = grown(s->sets, &s->set_room, s->set_count + 1, sizeof *s->sets);
    s->ranges = grown(s->ranges, &s->range_room, s->range_count + n, sizeof *s->ranges);
    if (n) memcpy(s->ranges + s->range_count, r, n * sizeof *r);
    s->sets[s->set_count] = (struct set){s->range_count, n};
    s->range_count += n;
    return s->set_index[at] = s->set_count++;
}

static u32 merge(const struct range *a, u32 na, const struct range *b, u32 nb, struct range *out)
{
    u32 n = 0, i = 0, j = 0;
    while (i < na || j < nb) {
        struct range next = j == nb || (i < na && a[i].lo < b[j].lo) ? a[i++] : b[j++];
        if (n && next.lo <= out[n - 1].hi + 1) {
            if (next.hi > out[n - 1].hi) out[n - 1].hi = next.hi;
        } else out[n++] = next;
    }
    return n;
}

static u32 set_union(struct solver *s, u32 a, u32 b)
{
    if (a == b || b == EMPTY) return a;
    if (a == EMPTY) return b;
    if (a > b) {
        u32 t = a;
        a = b;
        b = t;
    }
    struct union_memo *m = &s->unions[mix((u64)a << 32 | b) & (MEMO - 1)];
    if (m->a == a && m->b == b) return m->result;
    struct range out[2 * MAX_RANGES];
    struct set x = s->sets[a], y = s->sets[b];
    u32 n = merge(s->ranges + x.first, x.count, s->ranges + y.first, y.count, out);
    if (n > MAX_RANGES) {
        out[0].hi = out[n - 1].hi;
        n = 1;
    }
    *m = (struct union_memo){a, b, intern(s, out, n)};
    return m->result;
}

static const u32 *entries_of(const struct solver *s, const struct cinq_node *n, u32 *count)
{
    const struct cinq_table *t = n->op == OP_TREAD ? &s->tables[n->imm] : 0;
    *count = t && t->ids ? t->count : 0;
    return *count ? (const u32 *)(s->pool + t->ids) : 0;
}

static void push(struct solver *s, u32 *depth, u32 node)
{
    if (!node || s->support[node]) return;
    s->stack = grown(s->stack, &s->stack_room, *depth + 1, sizeof(u32));
    s->stack[(*depth)++] = node;
}

/* Joins the operands' sets, or, if some are missing, pushes those and gives 0. */
static u32 joined(struct solver *s, u32 node, u32 *depth)
{
    const struct cinq_node *n = &s->nodes[node];
    u32 before = *depth, operands[3] = {n->a, n->b, n->c}, entries = 0;
    const u32 *ids = entries_of(s, n, &entries);
    for (int i = 0; i < 3; i++) push(s, depth, operands[i]);
    for (u32 i = 0; i < entries; i++) push(s, depth, ids[i]);
    if (*depth > before) return 0;
    u32 set = EMPTY;
    if (n->op == OP_INPUT) set = intern(s, &(struct range){(u32)n->imm, (u32)n->imm}, 1);
    for (int i = 0; i < 3; i++)
        if (operands[i]) set = set_union(s, set, s->support[operands[i]]);
    for (u32 i = 0; i < entries; i++)
        if (ids[i]) set = set_union(s, set, s->support[ids[i]]);
    return set;
}

u32 support_of(struct solver *s, u32 node)
{
    u32 depth = 0;
    push(s, &depth, node);
    while (depth) {
        u32 top = s->stack[depth - 1];
        if (s->support[top] || (s->support[top] = joined(s, top, &depth))) depth--;
    }
    return s->support[node];
}

void support_init(struct solver *s)
{
    s->support = zeros(s->count, sizeof(u32));
    s->unions = zeros(MEMO, sizeof *s->unions);
    s->set_count = EMPTY;
    s->sets = grown(s->sets, &s->set_room, 2, sizeof *s->sets);
    s->ranges = grown(s->ranges, &s->range_room, 1, sizeof *s->ranges);
    reindex(s);
    intern(s, 0, 0);
}

void support_free(struct solver *s)
{
    free(s->support);
    free(s->unions);
    free(s->sets);
    free(s->ranges);
    free(s->set_index);
    free(s->stack);
}
