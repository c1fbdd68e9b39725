/* Hashing of numbers. */
#ifndef CINQ_HASH_H
#define CINQ_HASH_H
#include "common/types.h"

#define GOLDEN 0x9E3779B97F4A7C15u /* 2^64 / phi */

/* All bits of the result depend on all bits of x (the finaliser of splitmix64). */
static inline u64 scattered(u64 x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/* The same by other constants. */
static inline u64 mix(u64 x)
{
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
    return x ^ x >> 32;
}

#endif
