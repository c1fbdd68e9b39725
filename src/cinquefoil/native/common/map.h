/* Maps from numbers but 0 to small numbers, and sets of them: open addressing, at most half full. */
#ifndef CINQ_MAP_H
#define CINQ_MAP_H
#include "common/hash.h"
#include "common/memory.h"

#define UNKNOWN_KEY 0xFFFFFFFFu /* instead of a value */

struct keys {
    u64 *keys; /* 0 is free */
    u64 used, room;
};

struct map {
    struct keys own;
    u32 *values; /* of the key at the same index */
};

/* `room`: a power of two. */
static inline struct keys keys_new(u64 room) { return (struct keys){zeros(room, sizeof(u64)), 0, room}; }
static inline void keys_free(struct keys *s) { free(s->keys); }

/* Where a key is, or would be. */
static inline u64 keys_index(const struct keys *s, u64 key)
{
    u64 at = (key ^ key >> 29) * GOLDEN >> 24;
    while (s->keys[at &= s->room - 1] && s->keys[at] != key) at++;
    return at;
}

static inline int keys_has(const struct keys *s, u64 key) { return s->keys[keys_index(s, key)] != 0; }

static inline void keys_add(struct keys *s, u64 key)
{
    u64 at = keys_index(s, key);
    if (s->keys[at]) return;
    s->keys[at] = key;
    if (2 * ++s->used <= s->room) return;
    struct keys old = *s;
    *s = keys_new(2 * old.room);
    s->used = old.used;
    for (u64 i = 0; i < old.room; i++)
        if (old.keys[i]) s->keys[keys_index(s, old.keys[i])] = old.keys[i];
    keys_free(&old);
}

static inline struct map map_new(u64 room) { return (struct map){keys_new(room), resized(0, room, sizeof(u32))}; }

static inline void map_free(struct map *m)
{
    keys_free(&m->own);
    free(m->values);
}

/* The value of a key, or UNKNOWN_KEY. */
static inline u32 map_get(const struct map *m, u64 key)
{
    u64 at = keys_index(&m->own, key);
    return m->own.keys[at] ? m->values[at] : UNKNOWN_KEY;
}

static inline void map_put(struct map *m, u64 key, u32 value)
{
    u64 at = keys_index(&m->own, key);
    if (!m->own.keys[at] && 2 * (m->own.used + 1) > m->own.room) {
        struct map old = *m;
        *m = map_new(2 * old.own.room);
        m->own.used = old.own.used;
        for (u64 i = 0; i < old.own.room; i++) {
            if (!old.own.keys[i]) continue;
            u64 to = keys_index(&m->own, old.own.keys[i]);
            m->own.keys[to] = old.own.keys[i];
            m->values[to] = old.values[i];
        }
        map_free(&old);
        at = keys_index(&m->own, key);
    }
    m->own.used += !m->own.keys[at];
    m->own.keys[at] = key;
    m->values[at] = value;
}

#endif
