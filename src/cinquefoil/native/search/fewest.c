/* The state with the fewest decisions, the oldest of them (search/order.py: bfs).
 *
 * A run's states are in path order, so a heap has one entry per run: its first state that may wait.  What is gone is
 * skipped when it is on top; new runs are looked for in the index before each choice. */
#include "common/heap.h"
#include "search/state_index.h"

struct rank {
    u64 depth, id;
};

static int before(struct rank a, struct rank b) { return a.depth != b.depth ? a.depth < b.depth : a.id < b.id; }
HEAP(ranks, struct rank, before)

struct fewest {
    const struct state_index *index;
    u64 seen; /* of the index, by serial number */
    struct ranks heap;
    u64 sweep_at;
};

struct fewest *cinq_fewest_new(const struct state_index *index)
{
    struct fewest *f = zeros(1, sizeof *f);
    f->index = index;
    f->sweep_at = 64;
    return f;
}

void cinq_fewest_free(struct fewest *f)
{
    free(f->heap.items);
    free(f);
}

/* The first state of an entry, from number `from` on, that waits; 0 if there is none. */
static int first_of(const struct entry *e, u64 from, struct rank *rank)
{
    const u8 *found = from < e->size ? memchr(e->waiting + from, 1, e->size - from) : 0;
    if (!found) return 0;
    u64 at = found - e->waiting;
    *rank = (struct rank){e->columns->depth[e->row + at], e->first + at};
    return 1;
}

/* Forgets runs of which the index knows nothing any more. */
static void sweep(struct fewest *f)
{
    struct ranks *h = &f->heap;
    u64 count = h->used;
    h->used = 0;
    for (u64 i = 0; i < count; i++)
        if (index_find(f->index, h->items[i].id)) ranks_rise(h, h->used++, h->items[i]);
    f->sweep_at = 64 + 2 * h->used;
}

static void catch_up(struct fewest *f)
{
    const struct state_index *b = f->index;
    struct rank rank;
    for (u64 i = index_since(b, f->seen); i < b->used; i++)
        if (b->entries[i].serial > f->seen && first_of(&b->entries[i], 0, &rank)) ranks_push(&f->heap, rank);
    f->seen = b->serial;
    if (f->heap.used > f->sweep_at) sweep(f);
}

u64 cinq_fewest_select(struct fewest *f)
{
    catch_up(f);
    while (f->heap.used) {
        u64 id = f->heap.items[0].id;
        struct rank next;
        const struct entry *e = index_find(f->index, id);
        int waits = e && e->waiting[id - e->first] == 1;
        if (e && first_of(e, id - e->first + 1, &next)) ranks_sink(&f->heap, 0, next);
        else ranks_pop(&f->heap);
        if (waits) return id;
    }
    return CINQ_NOBODY;
}
