/* What the functions over a run's events share. */
#pragma once
#include "layout.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef uint8_t u8;
typedef int32_t i32;
typedef int64_t i64;

#define OTHER (-1) /* search.state.OTHER: any value not seen yet */

static inline int by_value(u32 kind) { return kind == EVENT_PIN || kind == EVENT_CONCRETIZE; }

/* `failed` is the index of an assumption that ended the run, or beyond. */
static inline u64 outcome_of(const struct cinq_event *e, u32 i, u32 failed)
{
    if (by_value(e->kind)) return e->value;
    if (e->kind == EVENT_ASSUME) return i != failed;
    return e->taken;
}

/* search.batch.Chunk: rows are free from `used` to `size`. */
struct columns {
    u32 *index, *site, *target, *depth, *steps, *trace;
    i32 *alternative, *fresh;
    u64 *value;
    u8 *kind;
    u64 used, size;
};

/* Site s's direction d leads to block targets[first[s] + d], if it is one of
 * the counts[s] that are known: the library's are not. */
struct directions { const u32 *first, *counts, *targets; u64 sites; };

/* What belongs to the run beside its events. */
struct surroundings { const u32 *alts; u64 alt_count; const u32 *trace; u64 trace_count; };

/* What a run covered first happened before events `marks`; the path it turned from covered something new
 * `inherited` steps before its turn at `turned` steps, -1 for never. */
struct news { const i64 *marks; u64 mark_count; i64 turned, inherited; };

/* path.c */
u32 cinq_path(const struct cinq_event *events, u32 n, u32 failed, const u64 *factors, u64 *hashes, u32 *depths,
              u64 *decisions);
u64 cinq_turns(const struct cinq_event *events, u32 start, u32 n, u32 failed, const struct directions *d,
               const struct surroundings *r, const struct news *w, const u32 *depths, const struct columns *out);
