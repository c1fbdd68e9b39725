/* A bandit: several arms that choose, of which those that pay get more time (search/bandit.py). */
#include "common/memory.h"
#include "common/random.h"
#include "search/search.h"

#define MEMORY 0.995 /* of an arm's selections, per further one of its own */
#define FLOOR 0.3    /* of an equal share */
#define EVERY 16     /* selections between looks at what pays: shares change slowly */
#define START 2.0    /* selections that every arm is taken to have made, each of which brought and cost 1 */

struct arms {
    u64 count, noted, seed;
    struct arm {
        double gain, cost, selections, chance;
    } of[CINQ_MOST_ARMS];
    u8 likely[CINQ_MOST_ARMS]; /* the likeliest first */
};

/* Shares of time; room for as many as there are arms.  When nothing has paid for so long that what did is forgotten, the
 * shares are equal. */
void cinq_arms_shares(const struct arms *a, double *out)
{
    double total = 0;
    for (u64 i = 0; i < a->count; i++) total += out[i] = a->of[i].gain / a->of[i].cost;
    for (u64 i = 0; i < a->count; i++) {
        double paid = total > 0 ? out[i] / total : 1.0 / a->count;
        out[i] = FLOOR / a->count + (1 - FLOOR) * paid;
    }
}

/* How the next selection is drawn: so that its expected cost is as the shares are. */
void cinq_arms_chances(const struct arms *a, double *out)
{
    double total = 0;
    cinq_arms_shares(a, out);
    for (u64 i = 0; i < a->count; i++) total += out[i] *= a->of[i].selections / a->of[i].cost;
    for (u64 i = 0; i < a->count; i++) out[i] /= total;
}

static void look(struct arms *a)
{
    double chances[CINQ_MOST_ARMS];
    cinq_arms_chances(a, chances);
    for (u64 i = 0; i < a->count; i++) {
        u64 at = i;
        a->of[i].chance = chances[i];
        for (; at && chances[a->likely[at - 1]] < chances[i]; at--) a->likely[at] = a->likely[at - 1];
        a->likely[at] = i;
    }
}

struct arms *cinq_arms_new(u64 count, u64 seed)
{
    struct arms *a = zeros(1, sizeof *a);
    if (count > CINQ_MOST_ARMS) abort();
    a->count = count;
    a->seed = seed;
    for (u64 i = 0; i < count; i++) a->of[i] = (struct arm){START, START, START, 0};
    look(a);
    return a;
}

void cinq_arms_free(struct arms *a) { free(a); }

u64 cinq_arms_draw(struct arms *a, u8 *order)
{
    double left = (drawn(&a->seed) >> 11) * 0x1p-53;
    u64 first = 0, used = 1;
    while (first + 1 < a->count && left >= a->of[first].chance) left -= a->of[first++].chance;
    order[0] = first;
    for (u64 i = 0; i < a->count; i++)
        if (a->likely[i] != first) order[used++] = a->likely[i];
    return used;
}

void cinq_arms_note(struct arms *a, u64 arm, u64 gain, u64 cost)
{
    struct arm *of = &a->of[arm];
    of->gain = of->gain * MEMORY + gain * 1e-6;
    of->cost = of->cost * MEMORY + cost * 1e-6;
    of->selections = of->selections * MEMORY + 1;
    if (++a->noted % EVERY == 0) look(a);
}
