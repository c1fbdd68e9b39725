/* The last decisions of states and runs as keys (search.state.subpath_key), for several lengths at once: each length has
 * a crowd of its own (crowd.c), and every state and every run concerns them all. */
#include <stdint.h>

#include "book.h"
#include "layout.h"

typedef uint8_t u8;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;

#define GOLDEN 0x9E3779B97F4A7C15u
#define HISTORY 64 /* search.state.HISTORY */

struct crowd;
void cinq_crowd_add(struct crowd *c, const u64 *keys, const u64 *ids, u64 n);
void cinq_crowd_pass(struct crowd *c, u64 key);
u64 cinq_crowd_draw(struct crowd *c, u64 seed);
void cinq_crowd_expect(const struct crowd *c, u64 key);
void cinq_crowd_approach(const struct crowd *c, u64 key);

/* Keys that are looked up together; `id`: of a state to be added, or PASSED. */
#define TOGETHER 64
#define PASSED (~(u64)0)
struct wave { u64 count; struct { struct crowd *crowd; u64 key, id; } of[TOGETHER]; };

static void flush(struct wave *w)
{
    for (u64 i = 0; i < w->count; i++) cinq_crowd_approach(w->of[i].crowd, w->of[i].key);
    for (u64 i = 0; i < w->count; i++) {
        if (w->of[i].id == PASSED) cinq_crowd_pass(w->of[i].crowd, w->of[i].key);
        else cinq_crowd_add(w->of[i].crowd, &w->of[i].key, &w->of[i].id, 1);
    }
    w->count = 0;
}

static void put(struct wave *w, struct crowd *crowd, u64 key, u64 id)
{
    cinq_crowd_expect(crowd, key);
    w->of[w->count].crowd = crowd;
    w->of[w->count].key = key;
    w->of[w->count].id = id;
    if (++w->count == TOGETHER) flush(w);
}

static u64 decision_key(u32 site, u32 kind, u64 outcome)
{
    u64 x = ((u64)site << 8 | kind) * GOLDEN + outcome;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static u64 mix(u64 value, u64 decision)
{
    value = (value ^ decision) * GOLDEN + 1;
    return value ^ value >> 29;
}

/* The last `length` decisions, `turn` being the last; before it there are `end` decisions that are known. */
static u64 subpath(const u64 *decisions, u64 end, u64 turn, u64 length)
{
    u64 value = 0;
    for (u64 at = end + 1 > length ? end + 1 - length : 0; at < end; at++) value = mix(value, decisions[at]);
    return mix(value, turn);
}

/* The keys of rows, of whose decisions the run's own start at `decided`. */
void cinq_subpaths(const u64 *decisions, u64 decided, const u32 *depth, const u32 *site, const u8 *kind,
                   const i32 *alternative, u64 rows, u64 length, u64 *out)
{
    for (u64 i = 0; i < rows; i++) {
        u64 turn = decision_key(site[i], kind[i], (u64)(int64_t)alternative[i]);
        out[i] = subpath(decisions, depth[i] - 1 - decided, turn, length);
    }
}

/* Who draws; SubpathGuided makes it: a crowd for each length.  `seen`: up to which entry the book is known. */
struct drawing { struct crowd **crowds; const u64 *lengths; u64 count; const struct book *book; u64 seen; };

/* Adds what is new in the book to the crowds of all lengths. */
static void catch_up(struct drawing *d)
{
    struct wave wave;
    wave.count = 0;
    for (u64 place = cinq_book_since(d->book, d->seen); place < d->book->used; place++) {
        const struct entry *e = &d->book->entries[place];
        const struct columns *c = e->columns;
        for (u64 i = 0; e->serial > d->seen && i < e->size; i++) {
            if (e->waiting[i] != 1) continue;
            u64 at = e->row + i, id = e->first + i;
            u64 turn = decision_key(c->site[at], c->kind[at], (u64)(int64_t)c->alternative[at]);
            for (u64 k = 0; k < d->count; k++) {
                u64 key = subpath(e->decisions, c->depth[at] - 1 - e->decided, turn, d->lengths[k]);
                put(&wave, d->crowds[k], key, id);
            }
        }
    }
    flush(&wave);
    d->seen = d->book->serial;
}

/* A state of the least travelled subpaths, of length number `which`, once all that is new is known. */
u64 cinq_subpaths_draw(struct drawing *d, u64 which, u64 seed)
{
    catch_up(d);
    return cinq_crowd_draw(d->crowds[which], seed);
}

static int decides(u32 kind)
{
    return kind == EVENT_BRANCH || kind == EVENT_SWITCH || kind == EVENT_PIN || kind == EVENT_CONCRETIZE;
}

static u64 outcome_of(const struct cinq_event *e)
{
    return e->kind == EVENT_PIN || e->kind == EVENT_CONCRETIZE ? e->value : e->taken;
}

/* All subpaths of a run that end at its event `first` or later are travelled once more; but the first of them not for
 * crowd number `own`, whose choice it was. */
void cinq_subpaths_pass(const struct drawing *d, const struct cinq_event *events, u64 n, u64 first, i32 own)
{
    u64 last[HISTORY], decided = 0;
    struct wave wave;
    wave.count = 0;
    for (u64 i = 0; i < n; i++) {
        if (!decides(events[i].kind)) continue;
        u64 turn = decision_key(events[i].site, events[i].kind, outcome_of(&events[i]));
        last[decided++ % HISTORY] = turn;
        for (u64 k = 0; i >= first && k < d->count; k++) {
            if (i == first && (i32)k == own) continue;
            u64 value = 0;
            for (u64 at = decided > d->lengths[k] ? decided - d->lengths[k] : 0; at < decided; at++)
                value = mix(value, last[at % HISTORY]);
            put(&wave, d->crowds[k], value, PASSED);
        }
    }
    flush(&wave);
}
