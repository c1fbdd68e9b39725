/* The states that may wait, by id (state_index.c): what the other files of search use beside search.h. */
#ifndef CINQ_BOOK_H
#define CINQ_BOOK_H
#include "search/search.h"

/* States of one run with ids from `first` on, in the rows from `row` on.  `serial` counts entries as they came. */
struct entry {
    u64 first, size, row, parent, decided, serial;
    const struct columns *columns;
    const u8 *waiting, *unsettled; /* of the first state */
    const u64 *decisions;
    u32 *positions; /* of each state's walk (walk.c), for the strategy whose index it is; 0: not known */
};

struct state_index {
    struct entry *entries; /* by first id */
    u64 used, room, serial;
    int ordered; /* they came in that order, too */
    u32 *hints; /* while they are ordered: how many entries begin before each multiple of HINTED */
    u64 hinted, hint_room;
};

/* The entry of a state, or 0 if the index does not know it (any more). */
const struct entry *index_find(const struct state_index *b, u64 id);

/* The index of the first entry that may have come after the one with this serial number. */
u64 index_since(const struct state_index *b, u64 serial);

/* Room for the positions of the n states from `first` on; 0 if that is no entry.  To forget them all. */
u32 *index_positions(struct state_index *b, u64 first, u64 n);
void index_forget_positions(struct state_index *b);

#endif
