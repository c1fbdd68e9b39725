/* Which states wait, by id (book.c). */
#ifndef CINQ_BOOK_H
#define CINQ_BOOK_H
#include <stdint.h>

struct book;

/* Does the state still wait?  No if the book does not know it (any more). */
int cinq_book_pending(const struct book *b, uint64_t id);

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
