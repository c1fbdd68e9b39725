/* The state with the fewest decisions, the oldest of them (search/order.py: bfs).
 *
 * A run's states are in path order, so a heap has one entry per run: its first state that may wait.  What is gone is
 * skipped when it is on top; new runs are looked for in the book before each choice. */
#include <stdlib.h>
#include <string.h>

#include "book.h"

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

struct rank { u64 depth, id; };

struct fewest {
    const struct book *book;
    u64 seen; /* of the book, by serial number */
    struct rank *heap;
    u64 used, room, sweep_at;
};

struct fewest *cinq_fewest_new(const struct book *book)
{
    struct fewest *f = calloc(1, sizeof *f);
    if (!f) abort();
    f->book = book;
    f->sweep_at = 64;
    return f;
}

void cinq_fewest_free(struct fewest *f)
{
    free(f->heap);
    free(f);
}

static int before(struct rank a, struct rank b) { return a.depth != b.depth ? a.depth < b.depth : a.id < b.id; }

static void rise(struct fewest *f, u64 at, struct rank rank)
{
    for (; at && before(rank, f->heap[(at - 1) / 2]); at = (at - 1) / 2) f->heap[at] = f->heap[(at - 1) / 2];
    f->heap[at] = rank;
}

static void sink(struct fewest *f, u64 at, struct rank rank)
{
    for (u64 child; (child = 2 * at + 1) < f->used; at = child) {
        if (child + 1 < f->used && before(f->heap[child + 1], f->heap[child])) child++;
        if (!before(f->heap[child], rank)) break;
        f->heap[at] = f->heap[child];
    }
    f->heap[at] = rank;
}

static void push(struct fewest *f, struct rank rank)
{
    if (f->used == f->room) {
        f->heap = realloc(f->heap, (f->room = 2 * f->room + 64) * sizeof *f->heap);
        if (!f->heap) abort();
    }
    rise(f, f->used++, rank);
}

static void pop(struct fewest *f)
{
    if (--f->used) sink(f, 0, f->heap[f->used]);
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

/* Forgets runs of which the book knows nothing any more. */
static void sweep(struct fewest *f)
{
    u64 count = f->used;
    f->used = 0;
    for (u64 i = 0; i < count; i++)
        if (cinq_book_find(f->book, f->heap[i].id)) rise(f, f->used++, f->heap[i]);
    f->sweep_at = 64 + 2 * f->used;
}

static void catch_up(struct fewest *f)
{
    const struct book *b = f->book;
    struct rank rank;
    for (u64 i = cinq_book_since(b, f->seen); i < b->used; i++)
        if (b->entries[i].serial > f->seen && first_of(&b->entries[i], 0, &rank)) push(f, rank);
    f->seen = b->serial;
    if (f->used > f->sweep_at) sweep(f);
}

/* The id of the state, which is given out once; ~0 if nobody waits. */
u64 cinq_fewest_select(struct fewest *f)
{
    catch_up(f);
    while (f->used) {
        u64 id = f->heap[0].id;
        struct rank next;
        const struct entry *e = cinq_book_find(f->book, id);
        int waits = e && e->waiting[id - e->first] == 1;
        if (e && first_of(e, id - e->first + 1, &next)) sink(f, 0, next);
        else pop(f);
        if (waits) return id;
    }
    return ~(u64)0;
}
