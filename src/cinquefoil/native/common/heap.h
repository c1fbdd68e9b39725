/* Binary heaps: the first of their items, in an order that is given, is on top.
 *
 * HEAP(name, item, before) makes `struct name` and its functions for items of one type; `before(a, b)` takes two of
 * them. */
#ifndef CINQ_HEAP_H
#define CINQ_HEAP_H
#include "common/memory.h"

#define HEAP(name, item, before)                                                                                   \
    struct name {                                                                                                  \
        item *items;                                                                                               \
        u64 used, room;                                                                                            \
    };                                                                                                             \
                                                                                                                   \
    /* Puts an item at an index or above it. */                                                                    \
    static inline void name##_rise(struct name *h, u64 at, item it)                                                \
    {                                                                                                              \
        for (; at && before(it, h->items[(at - 1) / 2]); at = (at - 1) / 2) h->items[at] = h->items[(at - 1) / 2]; \
        h->items[at] = it;                                                                                         \
    }                                                                                                              \
                                                                                                                   \
    /* Puts an item at an index or below it. */                                                                    \
    static inline void name##_sink(struct name *h, u64 at, item it)                                                \
    {                                                                                                              \
        for (u64 child; (child = 2 * at + 1) < h->used; at = child) {                                              \
            if (child + 1 < h->used && before(h->items[child + 1], h->items[child])) child++;                      \
            if (!before(h->items[child], it)) break;                                                               \
            h->items[at] = h->items[child];                                                                        \
        }                                                                                                          \
        h->items[at] = it;                                                                                         \
    }                                                                                                              \
                                                                                                                   \
    static inline void name##_push(struct name *h, item it)                                                        \
    {                                                                                                              \
        h->items = grown(h->items, &h->room, h->used + 1, sizeof(item));                                           \
        name##_rise(h, h->used++, it);                                                                             \
    }                                                                                                              \
                                                                                                                   \
    /* Takes the top off; there must be one. */                                                                    \
    static inline item name##_pop(struct name *h)                                                                  \
    {                                                                                                              \
        item top = h->items[0];                                                                                    \
        if (--h->used) name##_sink(h, 0, h->items[h->used]);                                                       \
        return top;                                                                                                \
    }

#endif
