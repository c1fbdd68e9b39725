/* States by key (groups.c): what the other files of search use beside search.h. */
#ifndef CINQ_CROWD_H
#define CINQ_CROWD_H
#include "search/search.h"

/* A subpath was passed: travelled once more.  It rises when met; a run passes hundreds. */
void groups_pass(struct groups *c, u64 key);
/* Draws from the groups of the lowest frequency: any of their ids that wait, with equal chance (or the newest), whose
 * group is then travelled once more.  CINQ_NOBODY if nobody waits. */
u64 groups_draw(struct groups *c, u64 seed);
/* The same key is about to be asked for: brings what is looked at first nearer, and then what is looked at next.  Several
 * keys are looked up in the time of one if all of them are announced before. */
void groups_expect(const struct groups *c, u64 key);
void groups_approach(const struct groups *c, u64 key);

#endif
