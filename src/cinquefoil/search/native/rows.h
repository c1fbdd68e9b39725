/* The columns of a chunk of states (search/batch.py). */
#ifndef CINQ_ROWS_H
#define CINQ_ROWS_H
#include <stdint.h>

/* Chunk.table: those that are read most. */
struct rows {
    const uint32_t *depth, *site;
    const uint8_t *kind;
    const int32_t *alternative;
    const uint32_t *target, *trace;
};

/* All of them; explore/native fills them. */
struct columns {
    uint32_t *index, *site, *target, *depth, *steps, *trace;
    int32_t *alternative, *fresh;
    uint64_t *value;
    uint8_t *kind;
};

/* One row's numbers; how many. */
int cinq_row(int64_t *out, const struct columns *c, uint64_t row);

#endif
