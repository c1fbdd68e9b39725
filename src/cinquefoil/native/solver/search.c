/* Complete search over the values of a slice's bytes, within a budget of lane operations.
 *
 * Bytes are ordered so that constraints can be checked as early as possible.  All candidate values of a byte are
 * tested in one sweep over lanes; a dead end jumps back to the deepest byte that had a part in it
 * (conflict-directed backjumping, Prosser 1993).  Two bytes are always decided: at most 256 sweeps.
 */
#include "solver/lanes.h"

static u32 unordered(const struct solver *s, u32 set, const u8 *done)
{
    u32 n = 0;
    for (u32 i = 0; i < s->sets[set].count; i++) {
        struct range r = s->ranges[s->sets[set].first + i];
        for (u32 byte = r.lo; byte <= r.hi; byte++) n += !done[position_of(s, byte)];
    }
    return n;
}

static u32 size_of(const struct domain *d)
{
    u32 n = 0;
    for (int w = 0; w < 4; w++) n += (u32)__builtin_popcountll(d->bits[w]);
    return n;
}

static void append_byte(struct solver *s, u32 position, u8 *done)
{
    struct level *v = &s->program->levels[s->program->level_count++];
    const struct domain *d = &s->domains[position];
    done[position] = 1;
    v->byte = position;
    v->count = 0;
    v->preferred = LANES;
    for (u32 value = 0; value < 256; value++) {
        if (!(d->bits[value >> 6] >> (value & 63) & 1)) continue;
        if (value == s->model[position]) v->preferred = v->count;
        v->values[v->count++] = (u8)value;
    }
}

/* The set's bytes, smallest domain first. */
static void append_set(struct solver *s, u32 set, u8 *done)
{
    for (;;) {
        u32 best = s->byte_count, least = 257;
        for (u32 i = 0; i < s->sets[set].count; i++) {
            struct range r = s->ranges[s->sets[set].first + i];
            for (u32 byte = r.lo; byte <= r.hi; byte++) {
                u32 at = position_of(s, byte), size = size_of(&s->domains[at]);
                if (!done[at] && size < least) {
                    best = at;
                    least = size;
                }
            }
        }
        if (best == s->byte_count) return;
        append_byte(s, best, done);
    }
}

#define MAX_SETS 256

/* The distinct sets of bytes that constraints are over; more than MAX_SETS only make the order less good. */
static u32 distinct_sets(struct solver *s, u32 *sets)
{
    u32 n = 0;
    u64 stamp = ++s->stamp;
    for (u32 i = 0; i < s->slice_count && n < MAX_SETS; i++) {
        u32 set = s->support[s->slice[i].node];
        if (s->set_stamp[set] == stamp) continue;
        s->set_stamp[set] = stamp;
        sets[n++] = set;
    }
    return n;
}

/* Greedy: always the constraint that needs the fewest further bytes. */
static void order_bytes(struct solver *s)
{
    u8 done[MAX_LEVELS + 1] = {0};
    u32 sets[MAX_SETS], count = distinct_sets(s, sets);
    s->program->level_count = 0;
    for (;;) {
        u32 best = 0, least = ~0u;
        for (u32 i = 0; i < count; i++) {
            u32 n = unordered(s, sets[i], done);
            if (n && n < least) {
                best = sets[i];
                least = n;
            }
        }
        if (least == ~0u) break;
        append_set(s, best, done);
    }
    for (u32 i = 0; i < s->byte_count; i++)
        if (!done[i]) append_byte(s, i, done);
}

/* Per level: the levels its checks look at. */
static void level_masks(const struct solver *s, u32 *masks)
{
    const struct program *p = s->program;
    for (int l = 0; l < p->level_count; l++) {
        masks[l] = 0;
        for (u32 k = 0; k < p->levels[l].check_count; k++) {
            const struct set *set = &s->sets[s->support[p->checks[p->levels[l].checks + k].constraint.node]];
            for (u32 i = 0; i < set->count; i++) {
                struct range r = s->ranges[set->first + i];
                for (u32 byte = r.lo; byte <= r.hi; byte++) masks[l] |= 1u << p->level_of[position_of(s, byte)];
            }
        }
        masks[l] &= (1u << l) - 1;
    }
}

/* The next lane to try: the witness's value first, then ascending; -1 when none is left. */
static int take(struct domain *alive, struct level *v)
{
    u32 lane = v->preferred;
    if (lane == LANES || !(alive->bits[lane >> 6] >> (lane & 63) & 1)) {
        u32 word = 0;
        while (word < 4 && !alive->bits[word]) word++;
        if (word == 4) return -1;
        lane = 64 * word + (u32)__builtin_ctzll(alive->bits[word]);
    }
    alive->bits[lane >> 6] &= ~(1ull << (lane & 63));
    return (int)(v->choice = lane);
}

static int descend(struct solver *s, const u32 *masks, u64 limit)
{
    struct program *p = s->program;
    struct domain alive[MAX_LEVELS];
    u32 blame[MAX_LEVELS];
    int l = 0, last = p->level_count - 1, bounded = p->level_count > 2;
    alive[0] = program_filter(s, 0);
    blame[0] = 0;
    for (;;) {
        if (take(&alive[l], &p->levels[l]) < 0) {
            if (!blame[l]) return UNSAT;
            int target = 31 - __builtin_clz(blame[l]);
            blame[target] |= blame[l] & ~(1u << target);
            l = target;
        } else if (l == last) {
            return SAT;
        } else {
            if (s->lane_work > limit) return UNKNOWN;
            if (bounded && !bounds_below(s, l)) { /* any of the choices so far may be to blame */
                blame[l] |= (1u << l) - 1;
                continue;
            }
            program_enter(s, ++l);
            alive[l] = program_filter(s, l);
            blame[l] = masks[l];
        }
    }
}

static int arranged(struct solver *s)
{
    if (s->byte_count > MAX_LEVELS || !program_load_slice(s)) return 0;
    order_bytes(s);
    return program_arrange(s);
}

int cinq_bounds(struct solver *s)
{
    if (!arranged(s)) return UNKNOWN;
    return program_fixed_hold(s) && bounds_start(s) && bounds_below(s, FIXED) ? UNKNOWN : UNSAT;
}

int cinq_search(struct solver *s, u64 budget)
{
    u32 masks[MAX_LEVELS];
    if (!arranged(s)) return UNKNOWN;
    if (!program_fixed_hold(s) || !bounds_start(s)) return UNSAT;
    if (!s->byte_count) return SAT;
    level_masks(s, masks);
    int verdict = descend(s, masks, s->lane_work + budget);
    for (int l = 0; verdict == SAT && l < s->program->level_count; l++) {
        const struct level *v = &s->program->levels[l];
        s->model[v->byte] = v->values[v->choice];
    }
    return verdict;
}
