/* Switches: one condition per group of cases with the same target.
 *
 * Runs of three and more neighbouring case values become one range test.  The
 * groups of an expression and a switch's list of cases are built once and
 * remembered in a direct-mapped cache; losing an entry only costs building it
 * again.  Lists are constants of the image, each at an address of its own.
 */
#include "runtime.h"

struct memo { u64 cases; u32 expr, alts; };
#define MEMO_SLOTS 0x40000
#define MEMO ((struct memo *)SWITCH_BASE)

static u64 alts_used = 1; /* 0 means none */

static u32 run_condition(u32 s, u32 w, u64 first, u64 last) {
    u32 x = node_binary(OP_SUB, w, s, node_const(w, first));
    return node_binary(OP_ULE, w, x, node_const(w, last - first));
}

static u64 run_end(const struct cinq_switch *sw, u32 i) {
    u32 j = i;
    while (j + 1 < sw->count && sw->cases[j + 1].group == sw->cases[i].group &&
           sw->cases[j + 1].value == sw->cases[j].value + 1) j++;
    return j;
}

static void add_to_group(u32 *conditions, u32 group, u32 cond) {
    conditions[group] = conditions[group] ? node_binary(OP_OR, 1, conditions[group], cond) : cond;
}

static void build_groups(u32 *conditions, u32 s, const struct cinq_switch *sw) {
    u32 w = sw->width;
    for (u32 i = 0; i < sw->count;) {
        u32 end = (u32)run_end(sw, i);
        if (end - i >= 2) {
            add_to_group(conditions, sw->cases[i].group, run_condition(s, w, sw->cases[i].value, sw->cases[end].value));
            i = end + 1;
            continue;
        }
        for (; i <= end; i++)
            add_to_group(conditions, sw->cases[i].group, node_binary(OP_EQ, w, s, node_const(w, sw->cases[i].value)));
    }
}

static u32 group_count(const struct cinq_switch *sw) {
    u32 n = sw->groups ? sw->groups : 1;
    for (u32 i = 0; i < sw->count; i++)
        if (sw->cases[i].group >= n) n = sw->cases[i].group + 1;
    return n;
}

u32 switch_room(u32 groups) {
    u32 first = (u32)alts_used;
    if (alts_used + groups + 1 > CINQ_ALTS_CAPACITY) end_run(END_TABLE, 0);
    ALTS[first] = groups;
    alts_used += groups + 1;
    CONTROL->alts = alts_used;
    return first;
}

static u32 build_alts(u32 s, const struct cinq_switch *sw) {
    u32 n = group_count(sw), first = switch_room(n), other = node_const(1, 0);
    u32 *conditions = ALTS + first + 1;
    raw_fill(conditions, 0, n * 4ull);
    build_groups(conditions, s, sw);
    for (u32 g = 1; g < n; g++) {
        if (!conditions[g]) conditions[g] = node_const(1, 0);
        other = node_binary(OP_OR, 1, other, conditions[g]);
    }
    /* Cases that go where the default goes count as default: nothing to subtract. */
    conditions[0] = node_not(other);
    return first;
}

static u32 groups_of(u32 s, const struct cinq_switch *sw) {
    u64 cases = (u64)sw;
    struct memo *m = &MEMO[((u32)cases * 0x9e3779b1u ^ s * 0x85ebca6bu) & (MEMO_SLOTS - 1)];
    if (m->alts && m->cases == cases && m->expr == s) return m->alts;
    u32 alts = build_alts(s, sw);
    m->cases = cases;
    m->expr = s;
    m->alts = alts;
    return alts;
}

static u32 group_taken(u64 value, const struct cinq_switch *sw) {
    u32 low = 0, high = sw->count;
    while (low < high) {
        u32 mid = (low + high) / 2;
        if (sw->cases[mid].value < value) low = mid + 1;
        else high = mid;
    }
    if (low < sw->count && sw->cases[low].value == value) return sw->cases[low].group;
    for (u32 i = 0; i < sw->count; i++) /* in case they are sorted as signed numbers */
        if (sw->cases[i].value == value) return sw->cases[i].group;
    return 0;
}

void switch_take(u32 site, u32 s, u64 value, u32 alts, u32 taken, int incomplete) {
    u32 cond = ALTS[alts + 1 + taken];
    if (is_const(cond) || !event_fix(settled_by(cond))) return;
    if (incomplete) cinq_unsupported(site, REASON_ADDRESS);
    event_add(EVENT_SWITCH, site, s, taken, alts, value);
    bytes_follow(cond, 1);
}

SLOW void cinq_switch(u32 site, u32 s, u64 value, const struct cinq_switch *sw) {
    if (!s) return;
    s = WRITTEN(site, s, "memory never written decides a switch");
    hear_if_printed(s);
    if (is_settled(s)) return;
    s = pin(site, fitted(s, sw->width, value));
    if (is_const(s)) return;
    switch_take(site, s, value, groups_of(s, sw), group_taken(value, sw), 0);
}

void switches_forget(void) {
    clear_memory(SWITCH_BASE, SWITCH_BASE + sizeof(struct memo) * MEMO_SLOTS);
    alts_used = 1;
    CONTROL->alts = 1;
    pointers_forget();
}
