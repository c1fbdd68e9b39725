/* What Empc does with every state of a run (empc/wanted.py, waiting.py): most lead nowhere, and are let go here.
 *
 * Where an untaken branch leads depends on its context and target alone, and what is not wanted there now never will be: paths are
 * only ever taken, blocks visited.  So contexts with targets that were found unwanted are kept in a set. */
#include "common/decision.h"
#include "common/map.h"
#include "common/random.h"
#include "search/state_index.h"
#include "search/walk.h"

#define NONE 0xFFFFFFFFu

/* By key_of. */
struct sieve {
    struct keys unwanted;
};

struct sieve *cinq_sieve_new(void)
{
    struct sieve *s = zeros(1, sizeof *s);
    s->unwanted = keys_new(4096);
    return s;
}

void cinq_sieve_free(struct sieve *s)
{
    keys_free(&s->unwanted);
    free(s);
}

static u64 key_of(i32 context, u32 target) { return ((u64)(u32)(context + 2) << 32) | target; }

void cinq_sieve_drop(struct sieve *s, i32 context, u32 target) { keys_add(&s->unwanted, key_of(context, target)); }

/* Those of the rows from `row` on that may be wanted; how many. */
static u64 sift(const struct sieve *s, const struct columns *r, u64 row, u64 n, const i32 *contexts, struct maybe *out)
{
    u64 found = 0;
    for (u64 i = 0; i < n; i++) {
        u32 kind = r->kind[row + i], target = forks(kind) ? r->target[row + i] : 0;
        if (kind == EVENT_CHECK || keys_has(&s->unwanted, key_of(contexts[i], target))) continue;
        out[found++] = (struct maybe){i, contexts[i], kind, target, r->site[row + i]};
    }
    return found;
}

void cinq_group_states(struct groups *at, struct groups *to, const struct columns *r, u64 row, u64 n, u64 first,
                       const u32 *trace, u64 size, const u8 *visited, u32 *touched, u64 blocks, u64 most)
{
    u32 now = ++touched[0];
    for (u64 i = 0; i < n; i++) {
        if (!forks(r->kind[row + i])) continue;
        u64 id = first + i, stop = r->trace[row + i], target = r->target[row + i];
        u64 source = stop && stop <= size ? trace[stop - 1] : 0;
        cinq_groups_add(at, &source, &id, 1);
        if (source && source < blocks) touched[source] = now;
        if (target >= blocks || visited[target]) continue;
        touched[target] = now;
        u32 group = cinq_groups_find(to, target);
        if (group == NONE || cinq_groups_size(to, group) < most) cinq_groups_add(to, &target, &id, 1);
    }
}

/* Goes to where state number `id` (CINQ_NOBODY: none) left its path, if that is known, and not beyond `most` blocks; how many of the
 * run's blocks lie before. */
static u64 start_of(const struct seeing *s, u64 id, u64 most)
{
    if (walker_is_full(s->walker)) {
        index_forget_positions(s->index);
        walker_restart(s->walker);
    }
    const struct entry *e = id == CINQ_NOBODY ? 0 : index_find(s->index, id);
    u64 passed = e && e->positions ? e->columns->trace[e->row + (id - e->first)] : 0;
    if (passed > most) passed = 0;
    cinq_walker_go(s->walker, passed ? e->positions[id - e->first] : 0);
    return passed;
}

i64 cinq_see(const struct seeing *s, u64 id, const struct columns *r, u64 row, u64 n, u64 first, const u32 *trace,
             u64 size, u64 start, i32 *contexts, struct maybe *out)
{
    const u32 *stops = r->trace + row;
    u64 last = stops[n - 1], end = s->whole || last > size ? size : last;
    if (!start) start = start_of(s, id, stops[0] < end ? stops[0] : end);
    u32 *positions = index_positions(s->index, first, n);
    u64 followed = cinq_walk(s->walker, trace, end, start, stops, n, contexts, positions);
    if (followed < end) return -1 - (i64)followed;
    if (s->at)
        cinq_group_states(s->at, s->to, r, row, n, first, trace, size, s->visited, s->touched, s->blocks, s->most);
    return (i64)sift(s->sieve, r, row, n, contexts, out);
}

/* Any id of a key's group that waits, taken out together with those met that do not; CINQ_NOBODY if none does. */
static u64 drawn_from(struct groups *c, const struct state_index *index, u64 key, u64 *seed)
{
    u32 group = cinq_groups_find(c, key);
    u64 size;
    while (group != NONE && (size = cinq_groups_size(c, group))) {
        u64 id = cinq_groups_take(c, group, below(seed, size));
        if (cinq_index_pending(index, id)) return id;
    }
    return CINQ_NOBODY;
}

u64 cinq_first_waiting(struct groups *a, struct groups *b, const struct state_index *index, const u64 *keys, u64 n,
                       u64 *seed)
{
    u64 found = CINQ_NOBODY;
    for (u64 i = 0; i < n && found == CINQ_NOBODY; i++) {
        if (a) found = drawn_from(a, index, keys[i], seed);
        if (found == CINQ_NOBODY) found = drawn_from(b, index, keys[i], seed);
    }
    return found;
}
