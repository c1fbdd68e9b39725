/* The states that may wait, by id (book.c). */
#ifndef CINQ_BOOK_H
#define CINQ_BOOK_H
#include <stdint.h>

#include "rows.h"

/* States of one run with ids from `first` on, in the rows from `row` on.  `serial` counts entries as they came. */
struct entry {
    uint64_t first, size, row, parent, decided, serial;
    const struct columns *columns;
    const uint8_t *waiting, *unsettled; /* of the first state */
    const uint64_t *decisions;
    uint32_t *places; /* of each state, for the strategy whose book it is; 0: not known */
};

struct book {
    struct entry *entries; /* by first id */
    uint64_t used, room, serial;
    int ordered; /* they came in that order, too */
    uint32_t *hints; /* while they are ordered: how many entries begin before each multiple of HINTED */
    uint64_t hinted, hint_room;
};

/* The entry of a state, or 0 if the book does not know it (any more). */
const struct entry *cinq_book_find(const struct book *b, uint64_t id);

/* Does the state still wait? */
int cinq_book_pending(const struct book *b, uint64_t id);

/* The place of the first entry that may have come after the one with this serial number. */
uint64_t cinq_book_since(const struct book *b, uint64_t serial);

/* Room for the places of the n states from `first` on; 0 if that is no entry.  To forget them all. */
uint32_t *cinq_book_places(struct book *b, uint64_t first, uint64_t n);
void cinq_book_forget_places(struct book *b);

/* The next number of a sequence (splitmix64), and one below n made of it. */
static inline uint64_t drawn(uint64_t *seed)
{
    uint64_t x = *seed += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static inline uint64_t below(uint64_t *seed, uint64_t n)
{
    return (uint64_t)((unsigned __int128)drawn(seed) * n >> 64);
}

#endif
