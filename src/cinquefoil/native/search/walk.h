/* Following the traces of runs (walk.c): what the other files of search use beside search.h. */
#ifndef CINQ_WALK_H
#define CINQ_WALK_H
#include "search/search.h"

/* Are there so many positions that they should be forgotten?  Numbers of positions mean nothing after a restart. */
int walker_is_full(const struct walker *w);
void walker_restart(struct walker *w);

#endif
