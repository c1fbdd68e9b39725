/* A run that was made for a state, in one go: does it take the state's turn, and if so what does it leave? */
#include "path.h"

#define HISTORY 64 /* search.state.HISTORY: decisions kept from before a run's new part */

/* Buffers and tables that serve run after run. */
struct reader {
    const struct directions *directions;
    const u32 *alts;
    u64 alt_count;
    const u64 *factors;
    u64 *hashes;
    u32 *depths;
    u64 *decisions;
};

/* The run, the turn it should take (`before` is the hash of the path up to it), the first event that leaves turns, and
 * what it covered first; then where to put what its witness keeps, and what that was. */
struct following {
    const struct cinq_event *events;
    u64 count, failed;
    const u32 *trace;
    u64 trace_count;
    u64 index, before, site, kind;
    i64 way;
    u64 first;
    struct news news;
    u64 *kept;
    u64 decided, decisions;
};

static int takes_turn(const struct following *f, const u64 *hashes)
{
    if (f->index >= f->count || hashes[f->index] != f->before) return 0;
    const struct cinq_event *e = &f->events[f->index];
    if (e->site != f->site || e->kind != f->kind) return 0;
    return f->way == OTHER || outcome_of(e, f->index, f->failed) == (u64)f->way;
}

/* The hashes from the turn on, then the decisions from number `decided` on. */
static void keep(struct following *f, const struct reader *r, u32 decided)
{
    u64 before = r->depths[f->index] - 1, *to = f->kept;
    f->decided = before > HISTORY ? before - HISTORY : 0;
    f->decisions = decided - f->decided;
    for (u64 i = f->index; i <= f->count; i++) *to++ = r->hashes[i];
    for (u64 i = f->decided; i < decided; i++) *to++ = r->decisions[i];
}

/* Returns how many turns are left, of which as many as there is room for are in `out`; -1 if the run went elsewhere.
 * Whether a turn to any other value led to one that was not seen is for the caller to see. */
i64 cinq_follow(struct following *f, const struct reader *r, const struct columns *out)
{
    u32 decided = cinq_path(f->events, f->count, f->failed, r->factors, r->hashes, r->depths, r->decisions);
    if (!takes_turn(f, r->hashes)) return -1;
    keep(f, r, decided);
    struct surroundings around = {r->alts, r->alt_count, f->trace, f->trace_count};
    return cinq_turns(f->events, f->first, f->count, f->failed, r->directions, &around, &f->news, r->depths, out);
}
