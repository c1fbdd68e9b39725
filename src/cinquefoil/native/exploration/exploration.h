/* Exploration: what a run's events say, one pass over them each.  All that Python calls. */
#ifndef CINQ_EXPLORE_H
#define CINQ_EXPLORE_H
#include "common/columns.h"
#include "layout.h"

/* Site s's direction d leads to block targets[first[s] + d], if it is one of the counts[s] that are known: the
 * library's are not. */
struct directions {
    const u32 *first, *counts, *targets;
    u64 sites;
};

/* What belongs to the run beside its events. */
struct surroundings {
    const u32 *alts;
    u64 alt_count;
    const u32 *trace;
    u64 trace_count;
};

/* What a run covered first happened before events `marks`; the path that it left covered something new
 * `inherited` steps before it was left at `left_at` steps, -1 for never. */
struct news {
    const i64 *marks;
    u64 mark_count;
    i64 left_at, inherited;
};

/* Buffers and tables that serve run after run: `room` events fit the first three, `kept_size` numbers what witnesses
 * keep, of which `kept_used` are taken. */
struct reader {
    const struct directions *directions;
    const u32 *alts;
    u64 alt_count;
    const u64 *factors;
    u64 *hashes;
    u32 *depths;
    u64 *decisions;
    u64 room;
    u64 *kept;
    u64 kept_size, kept_used;
    const struct columns *out;
};

/* ---- path.c ---- */

/* hashes[i] stands for the path before event i (n + 1 of them), depths[i] is the number of decisions up to event i if it
 * is left there, decisions their keys.  `failed` is the index of an assumption that ended the run, or beyond.  Returns the
 * number of decisions. */
u32 cinq_read_path(const struct cinq_event *events, u32 n, u32 failed, const u64 *factors, u64 *hashes, u32 *depths,
                   u64 *decisions);
/* nodes[i] equals values[i] under the run's input; node 0 says nothing. */
void cinq_constraints(const struct cinq_event *events, u32 n, u32 failed, const u32 *alts, u64 alt_count, u32 *nodes,
                      u64 *values);
/* The directions not taken at events start .. n-1, as rows.  Returns how many there are; if there is no room for all, the
 * caller makes some and asks again. */
u64 cinq_turns(const struct cinq_event *events, u32 start, u32 n, u32 failed, const struct directions *d,
               const struct surroundings *r, const struct news *w, const u32 *depths, const struct columns *out);
/* Of the `count` rows from `used` on, those not refuted move to the front; the others' branches are put into `gone`, each
 * as one number: site, kind, direction.  Returns how many stay. */
u64 cinq_drop(const struct columns *c, const u8 *refuted, u64 count, u64 *gone);

/* ---- follow.c ---- */

/* A run that was made for a state, in one go.  Gives how many untaken branches are left, of which as many as there is room
 * for, from row `used` on, are in the reader's columns; where the hashes and the decisions that the witness keeps end; and
 * the number of the first of these.  None if the run went elsewhere, nothing if there is no room for it.  The branch itself
 * is its witness's to explore further.  Whether a branch to any other value led to one that was not seen is for the caller
 * to see. */
cinq_numbers cinq_follow(i64 *out, struct reader *r, const struct cinq_event *events, u64 count, int assumed,
                         const u32 *trace, u64 trace_count, u64 index, u64 site, u64 kind, i64 direction, i64 left_at,
                         i64 inherited, const u64 *hashes, u64 start, const i64 *marks, u64 mark_count, u64 used);

/* ---- scan.c ---- */

/* Bit 0: an event inside output formatting; bit 1: something that is not modelled. */
u32 cinq_scan(const struct cinq_event *events, u64 count);
/* Is any of these sites, numbers of `width` bytes, not among the `size` ones of which some were seen? */
u32 cinq_any_new(const u8 *seen, u64 size, const void *sites, u64 width, u64 count);

/* ---- watch.c ---- */

/* Which phase runs, and how long each has run. */
struct watch {
    double seconds[16]; /* by phase */
    double since; /* when the running phase began */
    double extra, spent; /* what a look costs more than one at WALL, and all looks together did */
    u32 phase, clock;
    u64 looks;
};

double cinq_watch_now(struct watch *w);
void cinq_watch_begin(struct watch *w, u32 phase);
void cinq_watch_start(struct watch *w, u32 clock);

#endif
