/* The last decisions of states and runs as keys (search.state.subpath_key), for several lengths at once: each length has
 * a crowd of its own (crowd.c), and every state and every run concerns them all. */
#include <stdint.h>

#include "layout.h"
#include "rows.h"

typedef uint8_t u8;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;

#define GOLDEN 0x9E3779B97F4A7C15u
#define HISTORY 64 /* search.state.HISTORY */

struct crowd;
void cinq_crowd_add(struct crowd *c, const u64 *keys, const u64 *ids, u64 n);
void cinq_crowd_drop(struct crowd *c, const u64 *keys, u64 n);
u32 cinq_crowd_find(struct crowd *c, u64 key);
void cinq_crowd_pass(struct crowd *c, u64 key);
int cinq_crowd_untidy(const struct crowd *c, u32 number);

static u64 decision_key(u32 site, u32 kind, u64 outcome)
{
    u64 x = ((u64)site << 8 | kind) * GOLDEN + outcome;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static u64 mix(u64 value, u64 decision)
{
    value = (value ^ decision) * GOLDEN + 1;
    return value ^ value >> 29;
}

/* The last `length` decisions, `turn` being the last; before it there are `end` decisions that are known. */
static u64 subpath(const u64 *decisions, u64 end, u64 turn, u64 length)
{
    u64 value = 0;
    for (u64 at = end + 1 > length ? end + 1 - length : 0; at < end; at++) value = mix(value, decisions[at]);
    return mix(value, turn);
}

/* The keys of rows, of whose decisions the run's own start at `decided`. */
void cinq_subpaths(const u64 *decisions, u64 decided, const u32 *depth, const u32 *site, const u8 *kind,
                   const i32 *alternative, u64 rows, u64 length, u64 *out)
{
    for (u64 i = 0; i < rows; i++) {
        u64 turn = decision_key(site[i], kind[i], (u64)(int64_t)alternative[i]);
        out[i] = subpath(decisions, depth[i] - 1 - decided, turn, length);
    }
}

/* Adds n rows from `row` on, their ids from `first` on, to the crowds of all lengths. */
void cinq_subpaths_add(struct crowd **crowds, const u64 *lengths, u64 count, const u64 *decisions, u64 decided,
                       const struct rows *r, u64 row, u64 n, u64 first)
{
    for (u64 i = 0; i < n; i++) {
        u64 at = row + i, id = first + i, turn = decision_key(r->site[at], r->kind[at], (u64)(int64_t)r->alternative[at]);
        for (u64 k = 0; k < count; k++) {
            u64 key = subpath(decisions, r->depth[at] - 1 - decided, turn, lengths[k]);
            cinq_crowd_add(crowds[k], &key, &id, 1);
        }
    }
}

/* A state no longer waits; the crowd number `but` knows already.  Gives bits: the crowds whose groups are untidy. */
u64 cinq_subpaths_gone(struct crowd **crowds, const u64 *lengths, u64 count, const u64 *decisions, u64 decided, u32 depth,
                       u32 site, u32 kind, i32 alternative, i32 but)
{
    u64 turn = decision_key(site, kind, (u64)(int64_t)alternative), untidy = 0;
    for (u64 k = 0; k < count; k++) {
        if ((i32)k == but) continue;
        u64 key = subpath(decisions, depth - 1 - decided, turn, lengths[k]);
        cinq_crowd_drop(crowds[k], &key, 1);
        if (cinq_crowd_untidy(crowds[k], cinq_crowd_find(crowds[k], key))) untidy |= (u64)1 << k;
    }
    return untidy;
}

/* The same for rows that were pruned together, `gone` counted from `row` on, in all crowds.  Gives pairs, crowd and key,
 * of what that left untidy, as often as it was met (room for n * count of them); how many. */
u64 cinq_subpaths_drop(struct crowd **crowds, const u64 *lengths, u64 count, const u64 *decisions, u64 decided,
                       const struct rows *r, u64 row, const u64 *gone, u64 n, u64 *untidy)
{
    u64 found = 0;
    for (u64 i = 0; i < n; i++) {
        u64 at = row + gone[i], turn = decision_key(r->site[at], r->kind[at], (u64)(int64_t)r->alternative[at]);
        for (u64 k = 0; k < count; k++) {
            u64 key = subpath(decisions, r->depth[at] - 1 - decided, turn, lengths[k]);
            cinq_crowd_drop(crowds[k], &key, 1);
            if (!cinq_crowd_untidy(crowds[k], cinq_crowd_find(crowds[k], key))) continue;
            untidy[2 * found] = k;
            untidy[2 * found++ + 1] = key;
        }
    }
    return found;
}

static int decides(u32 kind)
{
    return kind == EVENT_BRANCH || kind == EVENT_SWITCH || kind == EVENT_PIN || kind == EVENT_CONCRETIZE;
}

static u64 outcome_of(const struct cinq_event *e)
{
    return e->kind == EVENT_PIN || e->kind == EVENT_CONCRETIZE ? e->value : e->taken;
}

/* All subpaths of a run that end at its event `first` or later are travelled once more; but the first of them not for
 * crowd number `own`, whose choice it was. */
void cinq_subpaths_pass(struct crowd **crowds, const u64 *lengths, u64 count, const struct cinq_event *events, u64 n,
                        u64 first, i32 own)
{
    u64 last[HISTORY], decided = 0;
    for (u64 i = 0; i < n; i++) {
        if (!decides(events[i].kind)) continue;
        u64 turn = decision_key(events[i].site, events[i].kind, outcome_of(&events[i]));
        last[decided++ % HISTORY] = turn;
        for (u64 k = 0; i >= first && k < count; k++) {
            if (i == first && (i32)k == own) continue;
            u64 value = 0;
            for (u64 at = decided > lengths[k] ? decided - lengths[k] : 0; at < decided; at++)
                value = mix(value, last[at % HISTORY]);
            cinq_crowd_pass(crowds[k], value);
        }
    }
}
