/* Pinning: table reads over older input bytes become constants.
 *
 * In a table-driven automaton the state is a table read over all bytes so far;
 * left symbolic, every later condition depends on the whole input.  Where an
 * index or a condition depends on several bytes, each table read in it that
 * does not reach the newest byte is fixed to its value in this run.  So is one
 * that is a chain of reads from reads, such as following links: each further one
 * would hold all before it.  The pin is an event, so the other values are
 * explored as alternatives of their own.
 */
#include "runtime.h"

#define DONE ((u32 *)PINNED_BASE)
#define RESULT ((u32 *)REBUILT_BASE)
#define DEEP (4 * FLAG_NEST)

/* What was rebuilt is remembered by node (DONE, RESULT) while the run, the newest byte and the muting stay the same.  The
 * first two decide the result.  The third decides what the pins' events are worth: one made inside output formatting is
 * muted, so outside the same read has to be pinned anew, with an event that counts. */
static u32 stamp;       /* of the memo */
static u32 stamp_run;   /* what it is for */
static u32 stamp_high;
static u32 stamp_muted;

static u32 pin_read(u32 site, u32 id) {
    u128 v = node_value(id);
    if (!is_settled(id) && event_fix(id)) event_add(EVENT_PIN, site, id, 0, 0, (u64)v);
    return node_const(width_of(id), v);
}

/* A melded program chooses between values where the original has one: what it reads from tables of such values
 * are choices too, not the states of an automaton. */
static int is_pinned(const struct cinq_node *n) {
    if (n->op != OP_TREAD || n->width > 64) return 0;
    if ((CONTROL->flags & CINQ_FLAG_PIN_FIXED) && TABLES[n->imm].ids) return 0;
    return n->hi < stamp_high || (n->flags & FLAGS_NEST) >= DEEP;
}

static u32 rebuild(u32 site, u32 id) {
    const struct cinq_node *n = &NODES[id];
    if (!(n->flags & FLAG_TREAD)) return id;
    if (is_pinned(n)) return pin_read(site, id);
    if (DONE[id] == stamp) return RESULT[id];
    u32 a = n->a ? rebuild(site, n->a) : 0, b = n->b ? rebuild(site, n->b) : 0, c = n->c ? rebuild(site, n->c) : 0;
    u32 r = a == n->a && b == n->b && c == n->c ? id : node_make(n->op, n->width, a, b, c, n->imm);
    DONE[id] = stamp;
    RESULT[id] = r;
    return r;
}

/* A number for what an expression says, whatever the ids of its parts; memoised, since parts are shared.  Operands
 * of most operations stand in the order of their ids: here they count as a set. */
#define SHAPES 0x4000
static struct { u64 shape; u32 id; } shapes[SHAPES];

static u64 scramble(u64 x, u64 y) {
    u128 m = (u128)(x ^ 0x9e3779b97f4a7c15ull) * (y ^ 0xd1b54a32d192ed03ull);
    return (u64)m ^ (u64)(m >> 64);
}

static u64 shape_of(u32 id) {
    if (!id || shapes[id % SHAPES].id == id) return id ? shapes[id % SHAPES].shape : 0;
    const struct cinq_node *n = &NODES[id];
    const struct cinq_table *t = n->op == OP_TREAD ? &TABLES[n->imm] : 0;
    u64 own = t ? (t->ids ? t->count : t->hash) : n->imm; /* the hash of a table of expressions is one of ids */
    u64 shape = scramble(own, (u64)n->op << 16 | n->width) + scramble(shape_of(n->a), 1) + scramble(shape_of(n->b), 1);
    shape = scramble(shape, shape_of(n->c));
    shapes[id % SHAPES].shape = shape;
    shapes[id % SHAPES].id = id;
    return shape;
}

void pins_forget(void) { raw_fill(shapes, 0, sizeof shapes); }

/* Ids differ from epoch to epoch and values from run to run: the order of events must depend on neither. */
static int comes_before(const struct cinq_event *x, const struct cinq_event *y) {
    const struct cinq_node *a = &NODES[x->expr], *b = &NODES[y->expr];
    if (a->hi != b->hi) return a->hi < b->hi;
    if (a->lo != b->lo) return a->lo < b->lo;
    if (a->width != b->width) return a->width < b->width;
    return shape_of(x->expr) < shape_of(y->expr);
}

static void sort_pins(u64 first) {
    for (u64 i = first + 1; i < event_count; i++)
        for (u64 k = i; k > first && comes_before(&EVENTS[k], &EVENTS[k - 1]); k--) {
            u32 expr = EVENTS[k].expr;
            u64 value = EVENTS[k].value;
            EVENTS[k].expr = EVENTS[k - 1].expr;
            EVENTS[k].value = EVENTS[k - 1].value;
            EVENTS[k - 1].expr = expr;
            EVENTS[k - 1].value = value;
        }
}

static void renew_memo(u32 high, u32 muted) {
    if (stamp_run == run_serial && stamp_high == high && stamp_muted == muted) return;
    if (!++stamp) { /* all numbers are used up: those of old must not be met again, and 0 stands for none */
        clear_memory(PINNED_BASE, PINNED_BASE + node_count * 4);
        stamp = 1;
    }
    stamp_run = run_serial;
    stamp_high = high;
    stamp_muted = muted;
}

u32 pin(u32 site, u32 root) {
    const struct cinq_node *n = &NODES[root];
    if (!(n->flags & FLAG_TREAD) || n->lo >= n->hi || (CONTROL->flags & CINQ_FLAG_NO_PIN)) return root;
    renew_memo(n->hi, (u32)is_muted());
    u64 first = event_count;
    u32 result = rebuild(site, root);
    sort_pins(first);
    return result;
}
