/* States by key: ids in groups, and groups of equal frequency in levels.
 *
 * A group is a vector of ids found by its key (open addressing).  Vectors lie in one pool, their room a power of
 * two; what they outgrow is kept for others.  `count` is how many of a group's ids still wait: ids that were removed
 * stay in the vector until they are met or swept out by the caller, who alone knows which they are.
 *
 * With levels (subpath-guided search), every group stands in the level of its frequency, which has the sums of its groups'
 * counts, of 64 counts, of 64 such sums and so on: a uniform choice among the ids of the lowest level takes O(log n), and a
 * change or a group's rise to a higher level touches one number per storey.  A group may be travelled without being chosen; it rises when it
 * is met.  With `newest`, a level also has a heap of its groups by their
 * newest id; entries that are no longer true are skipped when met.
 *
 * With an index, nobody need tell of removed ids: all in a vector count, and one that no longer waits leaves when it is
 * drawn (the choice among the others stays uniform) or when its group would need more room.  A group that may hold so many
 * only lets one that it holds give way to a new one: who has other ways to find every state saves memory so. */
#include "search/groups.h"

#include "common/heap.h"
#include "common/memory.h"
#include "common/random.h"
#include "search/state_index.h"

#define NONE 0xFFFFFFFFu
#define TIDY 16 /* ids: smaller groups are not worth compacting */

struct group {
    u64 key, at; /* `at`: its vector in the pool */
    u32 size, count, frequency, slot;
    u32 travelled; /* what the frequency should be; the level shows less until the group rises */
    u8 room; /* 1 << room ids fit */
};

struct ranked {
    u64 key;
    u32 group;
};

static inline int ranks_before(struct ranked a, struct ranked b) { return a.key < b.key; }
HEAP(heap, struct ranked, ranks_before)

#define STOREYS 4 /* enough for 2^24 groups; more are added up one by one */

struct level {
    u32 *sums[STOREYS]; /* counts by slot, of 64 slots, ... */
    u32 *groups;
    u64 used, room, total;
    struct heap newest;
};

struct groups {
    struct group *groups;
    u32 *index;
    u64 *pool;
    u64 used, room, index_size, pool_used, pool_room;
    u64 spare[64]; /* by room: the first vector nobody uses, plus 1 */
    struct level *levels;
    u64 level_count;
    struct heap lowest; /* levels that may hold something */
    const struct state_index *states;
    u64 most, seed; /* ids of a group, 0: any number; for choosing which of them gives way to one more */
    int levelled, newest;
};

/* ---- levels ---- */

static u64 sums_of(u64 slots, int storey) { return (slots + ((u64)1 << 6 * storey) - 1) >> 6 * storey; }

static void widen(struct level *l)
{
    u64 before = l->room;
    l->groups = grown(l->groups, &l->room, l->used + 1, sizeof *l->groups);
    for (int i = 0; i < STOREYS && l->room > before; i++) {
        u64 old = sums_of(before, i), now = sums_of(l->room, i);
        l->sums[i] = resized(l->sums[i], now, sizeof *l->sums[i]);
        memset(l->sums[i] + old, 0, (now - old) * sizeof *l->sums[i]);
    }
}

static void change(struct level *l, u32 slot, u32 by)
{
    l->total += (u64)(i64)(i32)by;
    for (int i = 0; i < STOREYS; i++) l->sums[i][slot >> 6 * i] += by;
}

static u32 enter(struct level *l, u32 group, u32 count)
{
    widen(l);
    l->groups[l->used] = group;
    change(l, l->used, count);
    return l->used++;
}

static struct level *level_of(struct groups *c, u64 frequency)
{
    c->levels = grown_with_zeros(c->levels, &c->level_count, frequency + 1, sizeof *c->levels);
    return &c->levels[frequency];
}

static void move(struct groups *c, u32 number, u32 by)
{
    struct group *g = &c->groups[number];
    g->count += by;
    if (!c->levelled) return;
    struct level *l = &c->levels[g->frequency];
    if (!l->total) heap_push(&c->lowest, (struct ranked){g->frequency, 0});
    change(l, g->slot, by);
}

static void note_newest(struct groups *c, u32 number)
{
    struct group *g = &c->groups[number];
    if (c->newest && g->size)
        heap_push(&c->levels[g->frequency].newest, (struct ranked){~c->pool[g->at + g->size - 1], number});
}

/* ---- groups ---- */

static u64 scatter(u64 key) { return (key ^ key >> 32) * GOLDEN >> 20; }

static void reindex(struct groups *c)
{
    c->index_size = c->index_size ? 2 * c->index_size : 256;
    c->index = resized(c->index, c->index_size, sizeof *c->index);
    memset(c->index, 0xFF, c->index_size * sizeof *c->index);
    for (u32 i = 0; i < c->used; i++) {
        u64 at = scatter(c->groups[i].key) & (c->index_size - 1);
        while (c->index[at] != NONE) at = (at + 1) & (c->index_size - 1);
        c->index[at] = i;
    }
}

static u64 probe(const struct groups *c, u64 key)
{
    u64 at = scatter(key) & (c->index_size - 1);
    while (c->index[at] != NONE && c->groups[c->index[at]].key != key) at = (at + 1) & (c->index_size - 1);
    return at;
}

static u64 vector(struct groups *c, u8 room)
{
    u64 at = c->spare[room];
    if (at) {
        c->spare[room] = c->pool[at - 1];
        return at - 1;
    }
    c->pool = grown(c->pool, &c->pool_room, c->pool_used + ((u64)1 << room), sizeof *c->pool);
    at = c->pool_used;
    c->pool_used += (u64)1 << room;
    return at;
}

static void give_back(struct groups *c, u64 at, u8 room)
{
    c->pool[at] = c->spare[room];
    c->spare[room] = at + 1;
}

static u32 group_of(struct groups *c, u64 key)
{
    if (4 * c->used >= 3 * c->index_size) reindex(c);
    u64 at = probe(c, key);
    if (c->index[at] != NONE) return c->index[at];
    c->groups = grown(c->groups, &c->room, c->used + 1, sizeof *c->groups);
    u64 ids = vector(c, 0);
    struct group *g = &c->groups[c->used];
    *g = (struct group){.key = key, .at = ids};
    if (c->levelled) g->slot = enter(level_of(c, 0), c->used, 0);
    c->index[at] = c->used;
    return c->used++;
}

/* Lets go of a group's ids that no longer wait. */
static void weed(struct groups *c, u32 number)
{
    struct group *g = &c->groups[number];
    u64 *ids = c->pool + g->at;
    u32 left = 0, before = g->size;
    for (u32 i = 0; i < before; i++)
        if (cinq_index_pending(c->states, ids[i])) ids[left++] = ids[i];
    g->size = left;
    if (left != before) move(c, number, left - before);
}

static void append(struct groups *c, u32 number, u64 id)
{
    struct group *g = &c->groups[number];
    u32 full = 1u << g->room;
    if (c->states && g->size == full && full >= TIDY) {
        weed(c, number);
        full -= full / 4; /* a group that is nearly full would be weeded again too soon */
    }
    if (g->size >= full) {
        u64 at = vector(c, g->room + 1);
        memcpy(c->pool + at, c->pool + g->at, g->size * sizeof *c->pool);
        give_back(c, g->at, g->room);
        g->at = at;
        g->room++;
    }
    c->pool[g->at + g->size++] = id;
}

/* ---- what Python calls ---- */

struct groups *cinq_groups_new(int levelled, int newest)
{
    struct groups *c = zeros(1, sizeof *c);
    c->levelled = levelled;
    c->newest = newest;
    return c;
}

void cinq_groups_free(struct groups *c)
{
    for (u64 i = 0; i < c->level_count; i++) {
        for (int k = 0; k < STOREYS; k++) free(c->levels[i].sums[k]);
        free(c->levels[i].groups);
        free(c->levels[i].newest.items);
    }
    free(c->levels);
    free(c->lowest.items);
    free(c->groups);
    free(c->index);
    free(c->pool);
    free(c);
}

void cinq_groups_add(struct groups *c, const u64 *keys, const u64 *ids, u64 n)
{
    for (u64 i = 0; i < n; i++) {
        u32 number = group_of(c, keys[i]);
        struct group *g = &c->groups[number];
        if (c->most && g->size >= c->most) {
            c->pool[g->at + below(&c->seed, g->size)] = ids[i];
            continue;
        }
        append(c, number, ids[i]);
        move(c, number, 1);
        note_newest(c, number);
    }
}

void groups_expect(const struct groups *c, u64 key)
{
    if (c->used) __builtin_prefetch(&c->index[scatter(key) & (c->index_size - 1)]);
}

void groups_approach(const struct groups *c, u64 key)
{
    u32 number = c->used ? c->index[scatter(key) & (c->index_size - 1)] : NONE;
    if (number != NONE) __builtin_prefetch(&c->groups[number]);
}

void cinq_groups_drop(struct groups *c, const u64 *keys, u64 n)
{
    for (u64 i = 0; i < n; i++) move(c, group_of(c, keys[i]), -1);
}

u32 cinq_groups_find(const struct groups *c, u64 key) { return c->used ? c->index[probe(c, key)] : NONE; }

u64 cinq_groups_count(const struct groups *c) { return c->used; }

u64 cinq_groups_size(const struct groups *c, u32 number) { return c->groups[number].size; }

u64 cinq_groups_frequency(const struct groups *c, u32 number) { return c->groups[number].travelled; }

void cinq_groups_keys(const struct groups *c, u64 *out)
{
    for (u64 i = 0; i < c->used; i++) out[i] = c->groups[i].key;
}

void cinq_groups_counts(const struct groups *c, u64 *out)
{
    for (u64 i = 0; i < c->used; i++) out[i] = c->groups[i].count;
}

u64 cinq_groups_take(struct groups *c, u32 number, u64 at)
{
    struct group *g = &c->groups[number];
    u64 *ids = c->pool + g->at, id = ids[at];
    ids[at] = ids[--g->size];
    return id;
}

void cinq_groups_gone(struct groups *c, u32 number) { move(c, number, -1); }

void cinq_groups_members(const struct groups *c, u32 number, u64 *out)
{
    const struct group *g = &c->groups[number];
    memcpy(out, c->pool + g->at, g->size * sizeof *out);
}

void cinq_groups_keep(struct groups *c, u32 number, const u64 *ids, u64 n)
{
    struct group *g = &c->groups[number];
    u8 room = 0;
    while ((u64)1 << room < n) room++;
    if (room < g->room) {
        give_back(c, g->at, g->room);
        g->at = vector(c, room);
        g->room = room;
    }
    memcpy(c->pool + g->at, ids, n * sizeof *ids);
    g->size = n;
}

u64 cinq_groups_lowest(struct groups *c)
{
    while (c->lowest.used) {
        u64 total = c->levels[c->lowest.items[0].key].total;
        if (total) return total;
        heap_pop(&c->lowest);
    }
    return 0;
}

u32 cinq_groups_at(const struct groups *c, u64 rank)
{
    const struct level *l = &c->levels[c->lowest.items[0].key];
    u64 at = 0;
    for (int i = STOREYS - 1; i >= 0; i--) {
        for (at *= 64; l->sums[i][at] <= rank; at++) rank -= l->sums[i][at]; /* rank is below the total */
    }
    return l->groups[at];
}

u32 cinq_groups_newest(struct groups *c)
{
    u64 frequency = c->lowest.items[0].key;
    struct heap *h = &c->levels[frequency].newest;
    while (h->used) {
        struct ranked top = h->items[0];
        const struct group *g = &c->groups[top.group];
        if (g->frequency == frequency && g->size && c->pool[g->at + g->size - 1] == ~top.key) return top.group;
        heap_pop(h);
        if (g->frequency == frequency) note_newest(c, top.group);
    }
    return NONE;
}

/* If it was travelled more often than its level shows, moves it to the right one.  Gives 1 if it had to. */
static int rise(struct groups *c, u32 number)
{
    u32 count = c->groups[number].count, frequency = c->groups[number].travelled;
    if (c->groups[number].frequency == frequency) return 0;
    change(&c->levels[c->groups[number].frequency], c->groups[number].slot, -count);
    struct level *l = level_of(c, frequency);
    if (!l->total && count) heap_push(&c->lowest, (struct ranked){frequency, 0});
    c->groups[number].frequency = frequency;
    c->groups[number].slot = enter(l, number, count);
    note_newest(c, number);
    return 1;
}

void cinq_groups_travel(struct groups *c, u32 number)
{
    c->groups[number].travelled++;
    rise(c, number);
}

void groups_pass(struct groups *c, u64 key)
{
    u32 number = group_of(c, key); /* may move the groups */
    c->groups[number].travelled++;
}

void cinq_groups_look_up(struct groups *c, const struct state_index *states, u64 most)
{
    c->states = states;
    c->most = most;
}

u64 groups_draw(struct groups *c, u64 seed)
{
    u64 total;
    while ((total = cinq_groups_lowest(c))) {
        u32 number = c->newest ? cinq_groups_newest(c) : cinq_groups_at(c, below(&seed, total));
        if (rise(c, number)) continue;
        const struct group *g = &c->groups[number];
        u64 id = cinq_groups_take(c, number, c->newest ? g->size - 1 : below(&seed, g->size));
        move(c, number, -1);
        if (!cinq_index_pending(c->states, id)) continue;
        cinq_groups_travel(c, number); /* Algorithm 1, line 8: P[pi]++ */
        return id;
    }
    return CINQ_NOBODY;
}

int cinq_groups_untidy(const struct groups *c, u32 number)
{
    const struct group *g = &c->groups[number];
    return g->size > TIDY && 2 * g->count < g->size;
}
