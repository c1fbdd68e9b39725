/* Independence slicing: the constraints that share input bytes with the goal, directly or through others.
 *
 * Union-find over input bytes; every distinct set of bytes is merged once per query, so a long prefix costs a
 * table look-up and a comparison per constraint.  The slice is put into canonical form (a width-1 node is never
 * "not equal"; sorted; no duplicates), so equal slices have equal bytes.
 */
#include "solver/core.h"

static u32 find(struct solver *s, u32 byte)
{
    while (s->parent[byte] != byte) byte = s->parent[byte] = s->parent[s->parent[byte]];
    return byte;
}

static void reach(struct solver *s, u32 last)
{
    u64 old = s->parent_room;
    s->parent = grown(s->parent, &s->parent_room, last + 1, sizeof(u32));
    if (s->parent_room == old) return;
    s->parent_stamp = resized(s->parent_stamp, s->parent_room, sizeof(u64));
    memset(s->parent_stamp + old, 0, (s->parent_room - old) * sizeof(u64));
}

static void merge_new_set(struct solver *s, u32 set)
{
    s->set_stamp = grown_with_zeros(s->set_stamp, &s->set_stamp_room, set + 1, sizeof(u64));
    s->set_stamp[set] = s->stamp;
    const struct range *r = s->ranges + s->sets[set].first, *end = r + s->sets[set].count;
    if (r == end) return;
    reach(s, end[-1].hi);
    u32 head = r->lo;
    for (; r < end; r++)
        for (u32 byte = r->lo; byte <= r->hi; byte++) {
            if (s->parent_stamp[byte] != s->stamp) {
                s->parent_stamp[byte] = s->stamp;
                s->parent[byte] = byte;
            }
            if (byte != head) s->parent[find(s, byte)] = find(s, head);
        }
}

static inline void merge_set(struct solver *s, u32 set)
{
    if (set >= s->set_stamp_room || s->set_stamp[set] != s->stamp) merge_new_set(s, set);
}

static u32 first_byte(const struct solver *s, u32 set) { return s->ranges[s->sets[set].first].lo; }

static int by_key(const void *x, const void *y)
{
    const struct constraint *a = x, *b = y;
    if (a->node != b->node) return a->node < b->node ? -1 : 1;
    if (a->equal != b->equal) return a->equal > b->equal ? -1 : 1;
    return a->value < b->value ? -1 : a->value > b->value;
}

static struct constraint canonical(const struct solver *s, u32 node, u64 value, u8 equal)
{
    if (s->nodes[node].width == 1 && !equal) return (struct constraint){node, 1, value ^ 1};
    return (struct constraint){node, equal != 0, value};
}

static void keep(struct solver *s, struct constraint c)
{
    s->slice = grown(s->slice, &s->slice_room, s->slice_count + 1, sizeof c);
    s->slice[s->slice_count++] = c;
}

static int sort_and_check(struct solver *s)
{ /* 0 if two constraints contradict each other outright */
    qsort(s->slice, s->slice_count, sizeof *s->slice, by_key);
    u32 n = 0;
    for (u32 i = 0; i < s->slice_count; i++) {
        struct constraint c = s->slice[i], *last = n ? &s->slice[n - 1] : 0;
        if (last && last->node == c.node && last->equal) {
            if (c.equal ? c.value != last->value : c.value == last->value) return 0;
            continue;
        }
        if (!last || by_key(last, &c)) s->slice[n++] = c;
    }
    s->slice_count = n;
    return 1;
}

static void add_bytes(struct solver *s, u32 set, u64 stamp)
{
    if (s->set_stamp[set] == stamp) return;
    s->set_stamp[set] = stamp;
    for (u32 i = 0; i < s->sets[set].count; i++) {
        struct range r = s->ranges[s->sets[set].first + i];
        for (u32 byte = r.lo; byte <= r.hi; byte++) {
            if (s->parent_stamp[byte] == stamp) continue;
            s->parent_stamp[byte] = stamp;
            s->bytes = grown(s->bytes, &s->byte_room, s->byte_count + 1, sizeof(u32));
            s->bytes[s->byte_count++] = byte;
        }
    }
}

static int ascending(const void *x, const void *y)
{
    u32 a = *(const u32 *)x, b = *(const u32 *)y;
    return a < b ? -1 : a > b;
}

static void collect_bytes(struct solver *s, const u8 *witness, u64 size)
{
    u64 stamp = ++s->stamp;
    s->byte_count = 0;
    for (u32 i = 0; i < s->slice_count; i++) add_bytes(s, s->support[s->slice[i].node], stamp);
    qsort(s->bytes, s->byte_count, sizeof(u32), ascending);
    s->model = resized(s->model, s->byte_room + 1, 1);
    s->domains = resized(s->domains, s->byte_room + 1, sizeof *s->domains);
    memset(s->domains, 0xff, s->byte_count * sizeof *s->domains); /* all values, until a layer knows better */
    s->domains_complete = 0;
    for (u32 i = 0; i < s->byte_count; i++) s->model[i] = s->bytes[i] < size ? witness[s->bytes[i]] : 0;
}

static void load_goal(struct solver *s, const struct constraint *goal, u32 count)
{
    s->goal = grown(s->goal, &s->goal_room, count, sizeof *s->goal);
    s->goal_count = count;
    s->slice_count = 0;
    for (u32 i = 0; i < count; i++) keep(s, s->goal[i] = canonical(s, goal[i].node, goal[i].value, goal[i].equal));
}

/* The goal's constraints must hold together: makes them one component and gives a byte of it, NOWHERE if none. */
#define NOWHERE (~0u)
static u32 join_goal(struct solver *s, const struct constraint *goal, u32 count)
{
    u32 head = NOWHERE;
    for (u32 i = 0; i < count; i++) {
        u32 set = s->support[goal[i].node];
        if (!s->sets[set].count) continue;
        if (head == NOWHERE) head = first_byte(s, set);
        s->parent[find(s, first_byte(s, set))] = find(s, head);
    }
    return head == NOWHERE ? head : find(s, head);
}

int cinq_slice(struct solver *s, const u32 *nodes, const u64 *values, u32 length, const struct constraint *goal,
               u32 goals, const u8 *witness, u64 size)
{
    s->stamp++;
    s->query++;
    for (u32 i = 0; i < goals; i++) merge_set(s, known_support(s, goal[i].node));
    for (u32 i = 0; i < length; i++)
        if (nodes[i]) merge_set(s, known_support(s, nodes[i]));
    u32 head = join_goal(s, goal, goals);
    load_goal(s, goal, goals);
    for (u32 i = 0; i < length && head != NOWHERE; i++) {
        u32 set = nodes[i] ? s->support[nodes[i]] : 0;
        if (set && s->sets[set].count && find(s, first_byte(s, set)) == head)
            keep(s, canonical(s, nodes[i], values[i], 1));
    }
    if (!sort_and_check(s)) return -1;
    collect_bytes(s, witness, size);
    return (int)s->slice_count;
}

struct solver *cinq_solver_new(const struct cinq_node *nodes, const struct cinq_table *tables, const u8 *pool,
                               u32 count)
{
    struct solver *s = zeros(1, sizeof *s);
    s->nodes = nodes;
    s->tables = tables;
    s->pool = pool;
    s->count = count;
    support_init(s);
    return s;
}

void cinq_solver_free(struct solver *s)
{
    support_free(s);
    pair_tables_free(s);
    if (s->program) program_free(s->program);
    if (s->columns) columns_free(s->columns);
    if (s->cores) cores_free(s->cores);
    if (s->checker) checker_free(s->checker);
    if (s->refuter) refuter_free(s->refuter);
    if (s->descent) descent_free(s->descent);
    free(s->parent);
    free(s->parent_stamp);
    free(s->set_stamp);
    free(s->slice);
    free(s->bytes);
    free(s->model);
    free(s->domains);
    free(s->goal);
    free(s->domain_memos);
    free(s);
}

const struct constraint *cinq_slice_constraints(const struct solver *s) { return s->slice; }
const u32 *cinq_slice_bytes(const struct solver *s) { return s->bytes; }
u32 cinq_slice_byte_count(const struct solver *s) { return s->byte_count; }
u8 *cinq_slice_model(const struct solver *s) { return s->model; }
u64 cinq_work(const struct solver *s) { return s->lane_work; }
