/* Where the columns of a chunk of pending states are (states/batch.py, Chunk): explore fills them, search reads them. */
#ifndef CINQ_COLUMNS_H
#define CINQ_COLUMNS_H
#include "common/types.h"

/* Rows are free from `used` to `size`. */
struct columns {
    u32 *index, *site, *target, *depth, *steps, *trace;
    i32 *alternative, *fresh;
    u64 *value;
    u8 *kind;
    u64 used, size;
};

#endif
