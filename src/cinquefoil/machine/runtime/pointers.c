/* Free symbolic pointers: made of input alone, so that they may point anywhere.
 *
 * Where one is used, a switch is recorded over what it may point to: each live
 * object, the null page, everywhere else.  Inside an object the pointer is a sum
 * from the object's base, as any other pointer into it.  The null page and
 * everywhere else are one error each, whatever the address.  Of very many
 * objects the first ones of a fixed order are tried (the stack's, innermost
 * frame first, the heap's, newest first, then globals); that there are more is
 * an event of its own.
 */
#include "rules.h"

#define MOST 256 /* objects, or functions, that a pointer is tried with */
#define NULL_PAGE 4096
#define PARTS 64 /* of an expression that are looked at */

enum { ELSEWHERE, NULLS, FIRST }; /* groups of the switch; from FIRST on, one for each target */

static struct span targets[MOST];
static struct { u32 s, alts; u64 key; } made[256]; /* switches made in this epoch, the last one of each slot */

static int of_input(u32 s, u32 *left) {
    const struct cinq_node *n = &NODES[s];
    if (!*left || n->op == OP_TREAD || n->op == OP_ITE) return 0;
    --*left;
    return (!n->a || of_input(n->a, left)) && (!n->b || of_input(n->b, left)) && (!n->c || of_input(n->c, left));
}

int pointer_is_free(u32 s) {
    u32 left = PARTS;
    return !is_const(s) && width_of(s) == 64 && !is_settled(s) && of_input(s, &left);
}

void pointers_forget(void) { raw_fill(made, 0, sizeof made); }

static u32 within(u32 s, struct span t) {
    if (t.size <= 1) return node_binary(OP_EQ, 64, s, node_const(64, t.base));
    return node_binary(OP_ULE, 64, node_binary(OP_SUB, 64, s, node_const(64, t.base)), node_const(64, t.size - 1));
}

static u32 build(u32 s, u32 count, struct span nulls) {
    u32 alts = switch_room(count + FIRST), *conditions = ALTS + alts + 1, any;
    any = conditions[NULLS] = within(s, nulls);
    for (u32 i = 0; i < count; i++)
        any = node_binary(OP_OR, 1, any, conditions[FIRST + i] = within(s, targets[i]));
    conditions[ELSEWHERE] = node_not(any);
    return alts;
}

static u64 key_of(u32 count, struct span nulls) {
    u64 key = count + nulls.size;
    for (u32 i = 0; i < count; i++) {
        key = (key ^ targets[i].base ^ targets[i].size << 32) * 0x9fb21c651e98df25ull;
        key ^= key >> 29;
    }
    return key;
}

static u32 switch_over(u32 s, u32 count, struct span nulls) {
    u64 key = key_of(count, nulls);
    u32 at = (u32)(key ^ s) % 256;
    if (!made[at].alts || made[at].s != s || made[at].key != key) {
        made[at].alts = build(s, count, nulls);
        made[at].s = s;
        made[at].key = key;
    }
    return made[at].alts;
}

/* Records which of the first `total` targets a pointer means; the group. */
static u32 choose(u32 site, u32 s, u32 total, struct span nulls) {
    u64 value = (u64)node_value(s);
    u32 count = total < MOST ? total : MOST, taken = value - nulls.base < nulls.size ? NULLS : ELSEWHERE;
    for (u32 i = 0; i < count && taken == ELSEWHERE; i++)
        if (value - targets[i].base < targets[i].size) taken = FIRST + i;
    switch_take(site, s, value, switch_over(s, count, nulls), taken, total > MOST);
    return taken;
}

static struct span span_of(u64 base, u64 size) {
    struct span t;
    t.base = base;
    t.size = size;
    return t;
}

u32 pointer_root(u32 site, u32 s) {
    u32 group = choose(site, s, objects_list(targets, MOST), span_of(0, NULL_PAGE));
    if (group < FIRST) return s;
    u32 base = node_const(64, targets[group - FIRST].base);
    return node_binary(OP_PTRADD, 64, base, node_binary(OP_SUB, 64, s, base));
}

int is_rooted(u32 s) { return is_const(s) || (NODES[s].op == OP_PTRADD && is_const(NODES[s].a)); }

/* ---- What is asked for exactly: blocks to be freed, functions to be called ----------- */
static void fix(u32 site, u32 s, u64 value, u32 group, int found, u32 reason) {
    if (group == ELSEWHERE && found) concretize(site, s, value, reason); /* one of those that are too many */
}

void pointer_to_block(u32 site, u32 s, u64 value) {
    struct object o;
    if (!s || !pointer_is_free(s)) return concretize(site, s, value, REASON_ADDRESS);
    u32 group = choose(site, s, heap_list(targets, MOST), span_of(0, 1));
    fix(site, s, value, group, object_find(value, &o) && o.region == REGION_HEAP && o.base == value, REASON_ADDRESS);
}

void pointer_to_function(u32 site, u32 s, u64 value) {
    if (!s || !pointer_is_free(s)) return concretize(site, s, value, REASON_FUNCTION);
    u32 group = choose(site, s, functions_list(targets, MOST), span_of(0, NULL_PAGE));
    fix(site, s, value, group, is_function(value), REASON_FUNCTION);
}
