/* The columns of a chunk of states (search/batch.py: Chunk.table). */
#ifndef CINQ_ROWS_H
#define CINQ_ROWS_H
#include <stdint.h>

struct rows {
    const uint32_t *depth, *site;
    const uint8_t *kind;
    const int32_t *alternative;
    const uint32_t *target, *trace;
};

#endif
