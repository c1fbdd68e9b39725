/* Finds out by id whether a state waits (search/book.py): so strategies need not be told that one is gone, but see it when
 * they meet it.
 *
 * Ids of one batch are consecutive, and so are its bytes in the chunk, which are read where they are.  Python keeps the
 * batches alive, in the same order. */
#include <stdlib.h>
#include <string.h>

#include "book.h"

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

struct entry { u64 first; const u8 *waiting; u64 size; };

struct book {
    struct entry *entries; /* by first id */
    u64 used, room;
};

struct book *cinq_book_new(void)
{
    struct book *b = calloc(1, sizeof *b);
    if (!b) abort();
    return b;
}

void cinq_book_free(struct book *b)
{
    free(b->entries);
    free(b);
}

/* The number of entries that begin at this id or before. */
static u64 place_of(const struct book *b, u64 id)
{
    u64 low = 0, high = b->used;
    while (low < high) {
        u64 middle = (low + high) / 2;
        if (b->entries[middle].first <= id) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* States with ids from `first` on.  Gives the place of the entry. */
u64 cinq_book_add(struct book *b, u64 first, u64 size, const u8 *waiting)
{
    if (b->used == b->room) {
        b->room = b->room ? 2 * b->room : 256;
        b->entries = realloc(b->entries, b->room * sizeof *b->entries);
        if (!b->entries) abort();
    }
    u64 at = b->used && b->entries[b->used - 1].first > first ? place_of(b, first) : b->used;
    memmove(b->entries + at + 1, b->entries + at, (b->used++ - at) * sizeof *b->entries);
    b->entries[at] = (struct entry){first, waiting, size};
    return at;
}

int cinq_book_pending(const struct book *b, u64 id)
{
    u64 at = place_of(b, id);
    if (!at) return 0;
    const struct entry *e = &b->entries[at - 1];
    return id - e->first < e->size && e->waiting[id - e->first] == 1;
}

/* Forgets entries of which nothing waits.  `kept` gets the places of the others; how many there are. */
u64 cinq_book_sweep(struct book *b, u32 *kept)
{
    u64 left = 0;
    for (u64 i = 0; i < b->used; i++) {
        if (!memchr(b->entries[i].waiting, 1, b->entries[i].size)) continue;
        kept[left] = i;
        b->entries[left++] = b->entries[i];
    }
    return b->used = left;
}
