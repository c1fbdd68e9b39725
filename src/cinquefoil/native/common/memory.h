/* Memory that grows.  Who has none left cannot go on: the process is aborted. */
#ifndef CINQ_MEMORY_H
#define CINQ_MEMORY_H
#include <stdlib.h>
#include <string.h>

#include "common/types.h"

/* Room for at least `wanted` items; doubled, so that appending one by one takes constant time each. */
static inline void *grown(void *memory, u64 *room, u64 wanted, size_t item)
{
    if (wanted <= *room) return memory;
    if (!*room) *room = 64;
    while (*room < wanted) *room *= 2;
    memory = realloc(memory, *room * item);
    if (!memory) abort();
    return memory;
}

/* The same; what is added is zero. */
static inline void *grown_with_zeros(void *memory, u64 *room, u64 wanted, size_t item)
{
    u64 before = *room;
    memory = grown(memory, room, wanted, item);
    if (*room > before) memset((char *)memory + before * item, 0, (*room - before) * item);
    return memory;
}

/* Exactly that much. */
static inline void *resized(void *memory, u64 count, size_t item)
{
    memory = realloc(memory, count * item + !count);
    if (!memory) abort();
    return memory;
}

static inline void *zeros(u64 count, size_t item)
{
    void *memory = calloc(count + !count, item);
    if (!memory) abort();
    return memory;
}

#endif
