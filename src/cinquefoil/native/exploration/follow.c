/* A run that was made for a state, in one go: does it take the state's branch, and if so what does it leave? */
#include "common/decision.h"
#include "exploration/exploration.h"

#define NEVER 0xFFFFFFFF

/* The state's branch: another direction at event `index` of a path whose hashes from event `start` on are known. */
struct asked {
    u64 index, site, kind;
    i64 direction;
    const u64 *hashes;
    u64 start;
};

static int takes_turn(const struct asked *a, const struct cinq_event *events, u64 count, u32 failed, const u64 *hashes)
{
    if (a->index >= count || hashes[a->index] != a->hashes[a->index - a->start]) return 0;
    const struct cinq_event *e = &events[a->index];
    if (e->site != a->site || e->kind != a->kind) return 0;
    return a->direction == OTHER || outcome_of(e, a->index, failed) == (u64)a->direction;
}

/* The hashes from the branch on, then the last decisions, from number `first` on; where the former end. */
static u64 keep(struct reader *r, u64 index, u64 count, u64 first, u32 decided)
{
    u64 *to = r->kept + r->kept_used;
    for (u64 i = index; i <= count; i++) *to++ = r->hashes[i];
    for (u64 i = first; i < decided; i++) *to++ = r->decisions[i];
    return r->kept_used + count + 1 - index;
}

cinq_numbers cinq_follow(i64 *found, struct reader *r, const struct cinq_event *events, u64 count, int assumed,
                         const u32 *trace, u64 trace_count, u64 index, u64 site, u64 kind, i64 direction, i64 left_at,
                         i64 inherited, const u64 *hashes, u64 start, const i64 *marks, u64 mark_count, u64 used)
{
    if (count > r->room || r->kept_used + 2 * count + 1 > r->kept_size) return 0;
    u32 failed =
        assumed && count && events[count - 1].kind == EVENT_ASSUME && !events[count - 1].taken ? count - 1 : NEVER;
    struct asked asked = {index, site, kind, direction, hashes, start};
    u32 decided = cinq_read_path(events, count, failed, r->factors, r->hashes, r->depths, r->decisions);
    if (!takes_turn(&asked, events, count, failed, r->hashes)) return -1;
    struct surroundings around = {r->alts, r->alt_count, trace, trace_count};
    struct news news = {marks, mark_count, left_at, inherited};
    struct columns out = *r->out;
    out.used = used;
    u64 before = r->depths[index] - 1, first = before > HISTORY ? before - HISTORY : 0;
    found[0] = cinq_turns(events, index + 1, count, failed, r->directions, &around, &news, r->depths, &out);
    found[1] = keep(r, index, count, first, decided);
    found[2] = found[1] + decided - first;
    found[3] = first;
    if (used + found[0] <= out.size) r->kept_used = found[2];
    return 4;
}
