/* The last decisions of states and runs as keys (states.state.subpath_key), for several lengths at once: each length has
 * a grouping of its own (groups.c), and every state and every run concerns them all. */

#include "common/decision.h"
#include "search/state_index.h"
#include "search/groups.h"

/* Keys that are looked up together; `id`: of a state to be added, or PASSED. */
#define TOGETHER 64
#define PASSED (~(u64)0)
struct wave {
    u64 count;
    struct {
        struct groups *groups;
        u64 key, id;
    } of[TOGETHER];
};

static void flush(struct wave *w)
{
    for (u64 i = 0; i < w->count; i++) groups_approach(w->of[i].groups, w->of[i].key);
    for (u64 i = 0; i < w->count; i++) {
        if (w->of[i].id == PASSED) groups_pass(w->of[i].groups, w->of[i].key);
        else cinq_groups_add(w->of[i].groups, &w->of[i].key, &w->of[i].id, 1);
    }
    w->count = 0;
}

static void put(struct wave *w, struct groups *groups, u64 key, u64 id)
{
    groups_expect(groups, key);
    w->of[w->count].groups = groups;
    w->of[w->count].key = key;
    w->of[w->count].id = id;
    if (++w->count == TOGETHER) flush(w);
}

static u64 joined(u64 value, u64 decision)
{
    value = (value ^ decision) * GOLDEN + 1;
    return value ^ value >> 29;
}

/* The last `length` decisions, `taken` being the last; before it there are `end` decisions that are known. */
static u64 subpath(const u64 *decisions, u64 end, u64 taken, u64 length)
{
    u64 value = 0;
    for (u64 at = end + 1 > length ? end + 1 - length : 0; at < end; at++) value = joined(value, decisions[at]);
    return joined(value, taken);
}

void cinq_subpaths(const u64 *decisions, u64 decided, const u32 *depth, const u32 *site, const u8 *kind,
                   const i32 *alternative, u64 rows, u64 length, u64 *out)
{
    for (u64 i = 0; i < rows; i++) {
        u64 taken = decision_key(site[i], kind[i], (u64)(i64)alternative[i]);
        out[i] = subpath(decisions, depth[i] - 1 - decided, taken, length);
    }
}

/* Adds what is new in the index to the groupings of all lengths. */
static void catch_up(struct drawing *d)
{
    struct wave wave;
    wave.count = 0;
    for (u64 at = index_since(d->index, d->seen); at < d->index->used; at++) {
        const struct entry *e = &d->index->entries[at];
        const struct columns *c = e->columns;
        for (u64 i = 0; e->serial > d->seen && i < e->size; i++) {
            if (e->waiting[i] != 1) continue;
            u64 at = e->row + i, id = e->first + i;
            u64 taken = decision_key(c->site[at], c->kind[at], (u64)(i64)c->alternative[at]);
            for (u64 k = 0; k < d->count; k++) {
                u64 key = subpath(e->decisions, c->depth[at] - 1 - e->decided, taken, d->lengths[k]);
                put(&wave, d->groupings[k], key, id);
            }
        }
    }
    flush(&wave);
    d->seen = d->index->serial;
}

u64 cinq_subpaths_draw(struct drawing *d, u64 which, u64 seed)
{
    catch_up(d);
    return groups_draw(d->groupings[which], seed);
}

void cinq_subpaths_pass(const struct drawing *d, const struct cinq_event *events, u64 n, u64 first, i32 own)
{
    u64 last[HISTORY], decided = 0;
    struct wave wave;
    wave.count = 0;
    for (u64 i = 0; i < n; i++) {
        if (!decides(events[i].kind)) continue;
        u64 taken = decision_key(events[i].site, events[i].kind, outcome_of(&events[i], i, i + 1));
        last[decided++ % HISTORY] = taken;
        for (u64 k = 0; i >= first && k < d->count; k++) {
            if (i == first && (i32)k == own) continue;
            u64 value = 0;
            for (u64 at = decided > d->lengths[k] ? decided - d->lengths[k] : 0; at < decided; at++)
                value = joined(value, last[at % HISTORY]);
            put(&wave, d->groupings[k], value, PASSED);
        }
    }
    flush(&wave);
}
