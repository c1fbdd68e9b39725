/* Which untaken branches of a path cannot be taken, as far as one pass along the path tells.
 *
 * Going along the path, the values left to each input byte are kept: what the constraints over that byte alone
 * allow.  A branch is refuted if its goal is over one byte and allows none of the values left, or if an earlier
 * constraint fixes the goal's expression to another value, or if it completes a known core (cores.c).  What is refuted has no solution; what is not may still
 * have none.
 */
#include "solver/cores.h"
#include "solver/lanes.h"

/* Direct-mapped: an expression the path has fixed. */
struct watch {
    u32 node, stamp;
    u64 value;
};
#define WATCHES 65536
#define WORK_OF_A_RUN 6000000 /* lane operations */

struct refuter {
    struct domain *left; /* per input byte */
    u32 *seen;           /* per input byte: the pass that last looked at it */
    u32 stamp;
    u64 room;
    struct watch watches[WATCHES];
};

static struct refuter *refuter_of(struct solver *s)
{
    if (!s->refuter) s->refuter = zeros(1, sizeof *s->refuter);
    return s->refuter;
}

void refuter_free(struct refuter *r)
{
    free(r->left);
    free(r->seen);
    free(r);
}

static struct domain *left_to(struct refuter *r, u32 byte)
{
    u64 old = r->room;
    r->left = grown(r->left, &r->room, byte + 1, sizeof *r->left);
    if (r->room != old) {
        r->seen = resized(r->seen, r->room, sizeof *r->seen);
        memset(r->seen + old, 0, (r->room - old) * sizeof *r->seen);
    }
    if (r->seen[byte] != r->stamp) {
        r->seen[byte] = r->stamp;
        memset(&r->left[byte], 0xff, sizeof *r->left);
    }
    return &r->left[byte];
}

static struct watch *watch_of(struct refuter *r, u32 node) { return &r->watches[mix(node) & (WATCHES - 1)]; }

static int meets(const struct domain *a, const struct domain *b)
{
    u64 common = 0;
    for (int w = 0; w < 4; w++) common |= a->bits[w] & b->bits[w];
    return common != 0;
}

static int fixed(const struct domain *d)
{ /* at most one value is left */
    u64 any = 0;
    for (int w = 0; w < 4; w++) {
        if (d->bits[w] & (d->bits[w] - 1) || (any && d->bits[w])) return 0;
        any |= d->bits[w];
    }
    return 1;
}

static int on_path(struct solver *s, const void *path, const struct constraint *c)
{
    const struct watch *w = watch_of((struct refuter *)path, c->node);
    (void)s;
    return w->stamp == ((const struct refuter *)path)->stamp && w->node == c->node && holds(c, w->value);
}

/* The path's own input does not meet the goal, so a byte that has only that input's value left cannot either. */
static int refuted(struct solver *s, struct refuter *r, const struct constraint *goal)
{
    const struct watch *w = watch_of(r, goal->node);
    if (w->stamp == r->stamp && w->node == goal->node && !holds(goal, w->value)) return 1;
    u32 byte;
    if (!single_byte(s, goal->node, &byte)) return core_refutes(s, goal, on_path, r);
    struct domain allowed, *left = left_to(r, byte);
    return fixed(left) || (single_byte_domain(s, *goal, &allowed) && !meets(left, &allowed));
}

static void pass(struct solver *s, struct refuter *r, u32 node, u64 value)
{
    *watch_of(r, node) = (struct watch){node, r->stamp, value};
    u32 byte;
    if (!single_byte(s, node, &byte)) return;
    struct domain allowed, *left = left_to(r, byte);
    if (fixed(left) || !single_byte_domain(s, (struct constraint){node, 1, value}, &allowed)) return;
    for (int w = 0; w < 4; w++) left->bits[w] &= allowed.bits[w];
}

static u32 group(const struct event_path *p, const struct cinq_event *e, u64 direction)
{
    u64 at = (u64)e->alts + 1 + direction;
    return at < p->alt_count ? p->alts[at] : 0;
}

static struct constraint constraint_of(const struct event_path *p, u32 i)
{
    const struct cinq_event *e = &p->events[i];
    switch (e->kind) {
    case EVENT_UNSUPPORTED: return (struct constraint){0};
    case EVENT_SWITCH: return (struct constraint){group(p, e, e->taken), 1, 1};
    case EVENT_PIN:
    case EVENT_CONCRETIZE: return (struct constraint){e->expr, 1, e->value};
    case EVENT_ASSUME: return (struct constraint){e->expr, 1, i != p->failed};
    default: return (struct constraint){e->expr, 1, e->taken};
    }
}

static struct constraint goal_of(const struct event_path *p, u32 i, i64 direction)
{
    const struct cinq_event *e = &p->events[i];
    if (direction < 0) return (struct constraint){e->expr, 0, e->value};
    if (e->kind == EVENT_SWITCH) return (struct constraint){group(p, e, (u64)direction), 1, 1};
    return (struct constraint){e->expr, 1, (u64)direction};
}

u32 cinq_refute(struct solver *s, const struct event_path *p, const u32 *at, const i32 *directions, u32 count, u8 *out)
{
    struct refuter *r = refuter_of(s);
    u32 event = 0, total = 0;
    r->stamp++;
    columns_allow(s, WORK_OF_A_RUN);
    for (u32 i = 0; i < count; i++) {
        for (; event < at[i]; event++) {
            struct constraint c = constraint_of(p, event);
            if (c.node) pass(s, r, c.node, c.value);
        }
        struct constraint goal = goal_of(p, at[i], directions[i]);
        total += out[i] = goal.node && refuted(s, r, &goal);
    }
    return total;
}
