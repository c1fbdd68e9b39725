/* What Empc does with every state of a run (empc/wanted.py, waiting.py): most lead nowhere, and are let go here.
 *
 * Where a turn leads depends on its context and target alone, and what is not wanted there now never will be: paths are
 * only ever taken, blocks visited.  So contexts with targets that were found unwanted are kept in a set. */
#include <stdint.h>
#include <stdlib.h>

#include "book.h"
#include "layout.h"
#include "walk.h"

typedef uint8_t u8;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;

struct crowd;
void cinq_crowd_add(struct crowd *c, const u64 *keys, const u64 *ids, u64 n);
u32 cinq_crowd_find(struct crowd *c, u64 key);
u64 cinq_crowd_size(const struct crowd *c, u32 number);

u64 cinq_crowd_take(struct crowd *c, u32 number, u64 place);

#define NONE 0xFFFFFFFFu
#define NOBODY (~(u64)0)

struct sieve {
    u64 *keys; /* open addressing; 0 is free */
    u64 used, room;
};

struct sieve *cinq_sieve_new(void)
{
    struct sieve *s = calloc(1, sizeof *s);
    if (!s) abort();
    s->room = 4096;
    s->keys = calloc(s->room, sizeof *s->keys);
    if (!s->keys) abort();
    return s;
}

void cinq_sieve_free(struct sieve *s)
{
    free(s->keys);
    free(s);
}

static u64 *probe(const struct sieve *s, u64 key)
{
    u64 at = (key ^ key >> 29) * 0x9E3779B97F4A7C15u >> 24;
    while (s->keys[at &= s->room - 1] && s->keys[at] != key) at++;
    return &s->keys[at];
}

static u64 key_of(i32 context, u32 target) { return ((u64)(u32)(context + 2) << 32) | target; }

/* Turns from this context to this block (0: to none of the program's) are not wanted. */
void cinq_sieve_drop(struct sieve *s, i32 context, u32 target)
{
    if (2 * ++s->used > s->room) {
        u64 *old = s->keys, count = s->room;
        s->room *= 2;
        s->keys = calloc(s->room, sizeof *s->keys);
        if (!s->keys) abort();
        for (u64 i = 0; i < count; i++) if (old[i]) *probe(s, old[i]) = old[i];
        free(old);
    }
    *probe(s, key_of(context, target)) = key_of(context, target);
}

static int forks(u32 kind) { return kind == EVENT_BRANCH || kind == EVENT_SWITCH; }

/* A state that may be wanted: its number among those of its run; `target` is 0 if it leads to no other block. */
struct maybe { i32 at, context, kind, target, site; };

/* Those of the rows from `row` on that may be wanted; how many. */
static u64 sift(const struct sieve *s, const struct rows *r, u64 row, u64 n, const i32 *contexts, struct maybe *out)
{
    u64 found = 0;
    for (u64 i = 0; i < n; i++) {
        u32 kind = r->kind[row + i], target = forks(kind) ? r->target[row + i] : 0;
        if (kind == EVENT_CHECK || *probe(s, key_of(contexts[i], target))) continue;
        out[found++] = (struct maybe){i, contexts[i], kind, target, r->site[row + i]};
    }
    return found;
}

/* Puts states, their ids from `first` on, to the block they stand at; and, `most` of them, to the block they lead to if it
 * was not visited.  `touched` says of each block when that happened last, and what time it is now in place of block 0.
 * A state may claim to stand beyond the trace's end: the program wrote both. */
void cinq_place(struct crowd *at, struct crowd *to, const struct rows *r, u64 row, u64 n, u64 first, const u32 *trace, u64 size,
                const u8 *visited, u32 *touched, u64 blocks, u64 most)
{
    u32 now = ++touched[0];
    for (u64 i = 0; i < n; i++) {
        if (!forks(r->kind[row + i])) continue;
        u64 id = first + i, stop = r->trace[row + i], target = r->target[row + i];
        u64 source = stop && stop <= size ? trace[stop - 1] : 0;
        cinq_crowd_add(at, &source, &id, 1);
        if (source && source < blocks) touched[source] = now;
        if (target >= blocks || visited[target]) continue;
        touched[target] = now;
        u32 group = cinq_crowd_find(to, target);
        if (group == NONE || cinq_crowd_size(to, group) < most) cinq_crowd_add(to, &target, &id, 1);
    }
}

/* Who sees a run; Wanted makes it.  `at` is 0 where nobody asks for places. */
struct seeing {
    struct walker *walker;
    const struct sieve *sieve;
    struct book *book;
    struct crowd *at, *to;
    const u8 *visited;
    u32 *touched;
    u64 blocks, most;
    u64 whole; /* traces are followed to their end, not to the last state only */
};

/* Goes to where state number `id` (NOBODY: none) turned, if that is known, and not beyond `most` blocks; how many of the
 * run's blocks lie before. */
static u64 start_of(const struct seeing *s, u64 id, u64 most)
{
    if (cinq_walker_crowded(s->walker)) {
        cinq_book_forget_places(s->book);
        cinq_walker_restart(s->walker);
    }
    const struct entry *e = id == NOBODY ? 0 : cinq_book_find(s->book, id);
    u64 passed = e && e->places ? e->columns->trace[e->row + (id - e->first)] : 0;
    if (passed > most) passed = 0;
    cinq_walker_go(s->walker, passed ? e->places[id - e->first] : 0);
    return passed;
}

/* All of it for a run that state number `id` led to, and the n > 0 states that it left: follows its trace, or goes on from
 * `start` on, places the states, and sifts out the rows that may be wanted.  Gives how many; -1 - i if block i could not be
 * followed. */
int64_t cinq_see(const struct seeing *s, u64 id, const struct rows *r, u64 row, u64 n, u64 first, const u32 *trace, u64 size,
                 u64 start, i32 *contexts, struct maybe *out)
{
    const u32 *stops = r->trace + row;
    u64 last = stops[n - 1], end = s->whole || last > size ? size : last;
    if (!start) start = start_of(s, id, stops[0] < end ? stops[0] : end);
    u32 *places = cinq_book_places(s->book, first, n);
    u64 followed = cinq_walk(s->walker, trace, end, start, stops, n, contexts, places);
    if (followed < end) return -1 - (int64_t)followed;
    if (s->at) cinq_place(s->at, s->to, r, row, n, first, trace, size, s->visited, s->touched, s->blocks, s->most);
    return (int64_t)sift(s->sieve, r, row, n, contexts, out);
}

/* Any id of a key's group that waits, taken out together with those met that do not; NOBODY if none does. */
static u64 drawn_from(struct crowd *c, const struct book *book, u64 key, u64 *seed)
{
    u32 group = cinq_crowd_find(c, key);
    u64 size;
    while (group != NONE && (size = cinq_crowd_size(c, group))) {
        u64 id = cinq_crowd_take(c, group, below(seed, size));
        if (cinq_book_pending(book, id)) return id;
    }
    return NOBODY;
}

/* One that waits of the first of n keys of which one of two crowds has one (the first may be 0); NOBODY. */
u64 cinq_first_waiting(struct crowd *a, struct crowd *b, const struct book *book, const u64 *keys, u64 n, u64 *seed)
{
    u64 found = NOBODY;
    for (u64 i = 0; i < n && found == NOBODY; i++) {
        if (a) found = drawn_from(a, book, keys[i], seed);
        if (found == NOBODY) found = drawn_from(b, book, keys[i], seed);
    }
    return found;
}
