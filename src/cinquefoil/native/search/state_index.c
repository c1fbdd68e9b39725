/* All states of a strategy, by id (states/index.py).
 *
 * Those who choose among them look here for what came since they last looked, and whether a state still waits: they need
 * not be told of every run, nor when a state is gone.  Ids of one batch are consecutive, and its rows are read where they
 * are; Python keeps the batches alive, in the same order. */
#include "search/state_index.h"

#include <assert.h>

#include "common/memory.h"

#define HINTED 32 /* ids: they are nearly dense, so that few entries begin among so many */
#define MOST (1u << 28) /* ids above have no hints, which would take more than 32 MB */

struct state_index *cinq_index_new(void)
{
    struct state_index *b = zeros(1, sizeof *b);
    b->ordered = 1;
    return b;
}

void cinq_index_free(struct state_index *b)
{
    index_forget_positions(b);
    free(b->entries);
    free(b->hints);
    free(b);
}

/* The entry at this index, the last so far, begins at `first`. */
static void hint(struct state_index *b, u64 at, u64 first)
{
    u64 wanted = first / HINTED + 1;
    if (first > MOST) return;
    b->hints = grown(b->hints, &b->hint_room, wanted, sizeof *b->hints);
    while (b->hinted < wanted) b->hints[b->hinted++] = at;
}

/* The number of entries that begin at this id or before. */
static u64 entries_until(const struct state_index *b, u64 id)
{
    u64 low = 0, high = b->used, block = id / HINTED;
    if (b->ordered && b->hinted) {
        low = b->hints[block < b->hinted ? block : b->hinted - 1];
        if (block + 1 < b->hinted) high = b->hints[block + 1];
    }
    while (low < high) {
        u64 middle = (low + high) / 2;
        if (b->entries[middle].first <= id) low = middle + 1;
        else high = middle;
    }
    return low;
}

u64 cinq_index_add(struct state_index *b, u64 first, u64 size, u64 parent, const struct columns *columns, u64 row,
                   const u8 *waiting, const u8 *unsettled, const u64 *decisions, u64 decided)
{
    b->entries = grown(b->entries, &b->room, b->used + 1, sizeof *b->entries);
    u64 at = b->used;
    if (at && b->entries[at - 1].first > first) {
        b->ordered = 0;
        at = entries_until(b, first);
        memmove(b->entries + at + 1, b->entries + at, (b->used - at) * sizeof *b->entries);
    }
    if (b->ordered) hint(b, at, first);
    b->used++;
    assert(!at || b->entries[at - 1].first + b->entries[at - 1].size <= first);
    b->entries[at] =
        (struct entry){first, size, row, parent, decided, ++b->serial, columns, waiting, unsettled, decisions, 0};
    return at;
}

const struct entry *index_find(const struct state_index *b, u64 id)
{
    u64 at = entries_until(b, id);
    return at && id - b->entries[at - 1].first < b->entries[at - 1].size ? &b->entries[at - 1] : 0;
}

int cinq_index_pending(const struct state_index *b, u64 id)
{
    const struct entry *e = index_find(b, id);
    return e && e->waiting[id - e->first] == 1;
}

cinq_numbers cinq_index_row(i64 *out, const struct state_index *b, u64 id)
{
    const struct entry *e = index_find(b, id);
    if (!e) return -1;
    int count = cinq_row(out, e->columns, e->row + (id - e->first));
    out[0] = e - b->entries;
    return count;
}

u32 *index_positions(struct state_index *b, u64 first, u64 n)
{
    struct entry *e = (struct entry *)index_find(b, first);
    if (!e || e->first != first || e->size != n) return 0;
    if (!e->positions) e->positions = zeros(n, sizeof *e->positions);
    return e->positions;
}

void index_forget_positions(struct state_index *b)
{
    for (u64 i = 0; i < b->used; i++) {
        free(b->entries[i].positions);
        b->entries[i].positions = 0;
    }
}

u64 index_since(const struct state_index *b, u64 serial)
{
    u64 at = b->used;
    if (!b->ordered) return 0;
    while (at && b->entries[at - 1].serial > serial) at--;
    return at;
}

u64 cinq_index_sweep(struct state_index *b, u32 *kept)
{
    u64 left = 0;
    b->hinted = 0;
    for (u64 i = 0; i < b->used; i++) {
        if (!memchr(b->entries[i].waiting, 1, b->entries[i].size)) {
            free(b->entries[i].positions);
            continue;
        }
        kept[left] = i;
        if (b->ordered) hint(b, left, b->entries[i].first);
        b->entries[left++] = b->entries[i];
    }
    return b->used = left;
}
