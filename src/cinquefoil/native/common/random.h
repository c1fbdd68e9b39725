/* Random numbers: one sequence per seed (splitmix64). */
#ifndef CINQ_RANDOM_H
#define CINQ_RANDOM_H
#include "common/hash.h"

/* The next number of a sequence. */
static inline u64 drawn(u64 *seed) { return scattered(*seed += GOLDEN); }

/* One below n. */
static inline u64 below(u64 *seed, u64 n) { return (u64)((u128)drawn(seed) * n >> 64); }

#endif
