/* One pass over a run's events each: hashes of its prefixes, its constraints,
 * and the directions it did not take.
 *
 * A path's hash after event i is the sum over j <= i of key(j) * factor(j)
 * modulo 2^64; key mixes site, kind and outcome (splitmix64), factors are
 * fixed odd random numbers.  Two different prefixes collide with probability
 * about 2^-64. */
#include "common/decision.h"
#include "exploration/exploration.h"

u32 cinq_read_path(const struct cinq_event *events, u32 n, u32 failed, const u64 *factors, u64 *hashes, u32 *depths,
                   u64 *decisions)
{
    u64 hash = 0;
    u32 count = 0;
    for (u32 i = 0; i < n; i++) {
        const struct cinq_event *e = &events[i];
        u64 key = decision_key(e->site, e->kind, outcome_of(e, i, failed));
        hashes[i] = hash;
        hash += key * factors[i];
        depths[i] = count + 1;
        if (decides(e->kind)) decisions[count++] = key;
    }
    hashes[n] = hash;
    return count;
}

void cinq_constraints(const struct cinq_event *events, u32 n, u32 failed, const u32 *alts, u64 alt_count, u32 *nodes,
                      u64 *values)
{
    for (u32 i = 0; i < n; i++) {
        const struct cinq_event *e = &events[i];
        nodes[i] = e->kind == EVENT_UNSUPPORTED ? 0 : e->expr;
        values[i] = outcome_of(e, i, failed);
        if (e->kind == EVENT_SWITCH) {
            u64 at = (u64)e->alts + 1 + e->taken;
            nodes[i] = at < alt_count ? alts[at] : 0;
            values[i] = 1;
        }
    }
}

static u32 groups_of(const struct cinq_event *e, const struct directions *d, const struct surroundings *r)
{
    return e->alts && e->alts < r->alt_count ? r->alts[e->alts] : d->counts[e->site];
}

/* Where no block is known, the program's own that was entered last. */
static u32 target_of(const struct cinq_event *e, u32 direction, const struct directions *d,
                     const struct surroundings *r)
{
    u32 target = direction < d->counts[e->site] ? d->targets[d->first[e->site] + direction] : 0;
    return target || !e->trace || e->trace > r->trace_count ? target : r->trace[e->trace - 1];
}

static i32 fresh_at(const struct news *w, const struct cinq_event *events, u32 n, u32 i, u64 passed)
{
    i64 steps = events[i].steps, since;
    if (passed) since = steps - (i64)events[w->marks[passed - 1] < n ? w->marks[passed - 1] : n - 1].steps;
    else if (w->inherited < 0) return -1;
    else since = steps - w->left_at + w->inherited;
    return since < 0 && !passed ? 0 : since;
}

struct untaken {
    u32 index;
    i64 direction;
    u32 target, depth;
    i32 fresh;
};

static void put(const struct columns *out, u64 row, const struct cinq_event *e, struct untaken t)
{
    if (row >= out->size) return;
    out->index[row] = t.index;
    out->kind[row] = e->kind;
    out->site[row] = e->site;
    out->alternative[row] = t.direction;
    out->target[row] = t.target;
    out->depth[row] = t.depth;
    out->steps[row] = e->steps;
    out->trace[row] = e->trace;
    out->fresh[row] = t.fresh;
    out->value[row] = e->value;
}

u64 cinq_turns(const struct cinq_event *events, u32 start, u32 n, u32 failed, const struct directions *d,
               const struct surroundings *r, const struct news *w, const u32 *depths, const struct columns *out)
{
    u64 row = out->used, passed = 0;
    for (u32 i = start; i < n; i++) {
        const struct cinq_event *e = &events[i];
        if (e->site >= d->sites) continue; /* the worker may be out of its mind */
        while (passed < w->mark_count && w->marks[passed] <= i) passed++;
        struct untaken t = {.index = i, .depth = depths[i], .fresh = fresh_at(w, events, n, i, passed)};
        if (e->kind == EVENT_BRANCH || e->kind == EVENT_CHECK) {
            t.direction = !e->taken;
            t.target = target_of(e, t.direction, d, r);
            put(out, row++, e, t);
        } else if (e->kind == EVENT_SWITCH) {
            for (u32 direction = 0, groups = groups_of(e, d, r); direction < groups; direction++)
                if (direction != e->taken) {
                    t.direction = direction;
                    t.target = target_of(e, direction, d, r);
                    put(out, row++, e, t);
                }
        } else if (by_value(e->kind) || (e->kind == EVENT_ASSUME && i == failed)) {
            t.direction = by_value(e->kind) ? OTHER : 1;
            t.target = target_of(e, 0, d, r);
            put(out, row++, e, t);
        }
    }
    return row - out->used;
}

u64 cinq_drop(const struct columns *c, const u8 *refuted, u64 count, u64 *gone)
{
    u64 to = c->used;
    for (u64 from = c->used; from < c->used + count; from++) {
        if (refuted[from - c->used]) {
            *gone++ = (u64)c->site[from] << 32 | (u64)c->kind[from] << 24 | (c->alternative[from] & 0xFFFFFF);
            continue;
        }
        c->index[to] = c->index[from];
        c->site[to] = c->site[from];
        c->target[to] = c->target[from];
        c->depth[to] = c->depth[from];
        c->steps[to] = c->steps[from];
        c->trace[to] = c->trace[from];
        c->alternative[to] = c->alternative[from];
        c->fresh[to] = c->fresh[from];
        c->value[to] = c->value[from];
        c->kind[to] = c->kind[from];
        to++;
    }
    return to - c->used;
}
