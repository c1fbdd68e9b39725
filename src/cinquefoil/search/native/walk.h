/* Following the traces of runs (walk.c). */
#ifndef CINQ_WALK_H
#define CINQ_WALK_H
#include <stdint.h>

struct walker;

/* Goes to a place, 0: before all blocks. */
void cinq_walker_go(struct walker *w, uint32_t place);

/* Goes on from trace[start].  contexts[k] is the context after the first stops[k] blocks, -1 before all; places[k] the
 * place there, if anybody asks.  Stops ascend (one that does not gets any context of the trace); those before `start` are
 * left out.  Gives the index of the first block it could not follow, or n. */
uint64_t cinq_walk(struct walker *w, const uint32_t *trace, uint64_t n, uint64_t start, const uint32_t *stops, uint64_t count,
                   int32_t *contexts, uint32_t *places);

/* Are there so many places that they should be forgotten?  Numbers of places mean nothing after a restart. */
int cinq_walker_crowded(const struct walker *w);
void cinq_walker_restart(struct walker *w);

#endif
