/* Which state Empc runs next (empc/arms.py): an arm is drawn, that arm chooses, and when a state is settled all arms are
 * told.  Each is one call, because both happen once for every path.
 *
 * Arms by number: wanted states, which Python holds; goals (if there are any); then the least travelled subpaths, the
 * fewest decisions and random paths, of which the last has a state as long as one waits. */
#include "common/memory.h"
#include "common/random.h"
#include "search/search.h"

#define NO_LENGTH (-1) /* sgs.py */
#define VAIN 4 /* selections of wanted states that may bring nothing before they have to compete */
#define EVENTS 200 /* of a run, that cost as much as all the rest of a selection */
#define UNIT 1000000

enum empc_arm { WANTED, GOAL, SUBPATH, FEWEST, PATH };

/* `arm` is the number of the arm that chose the state, -1 if none did; `own`: which length of subpaths chose it. */
struct selection {
    u64 id;
    i32 arm, own;
};

struct selector {
    struct empc_arms arms;
    u64 which, vain;
    struct selection *open; /* states selected, not settled */
    u64 used, room;
};

struct selector *cinq_selector_new(const struct empc_arms *arms)
{
    struct selector *s = zeros(1, sizeof *s);
    s->arms = *arms;
    return s;
}

void cinq_selector_free(struct selector *s)
{
    free(s->open);
    free(s);
}

static void begin(struct selector *s, struct selection selection)
{
    s->open = grown(s->open, &s->room, s->used + 1, sizeof *s->open);
    s->open[s->used++] = selection;
}

static struct selection end(struct selector *s, u64 id)
{
    for (u64 i = s->used; i-- > 0;) {
        if (s->open[i].id != id) continue;
        struct selection found = s->open[i];
        s->open[i] = s->open[--s->used];
        return found;
    }
    return (struct selection){id, -1, NO_LENGTH};
}

void cinq_selector_begin(struct selector *s, u64 id) { begin(s, (struct selection){id, WANTED, NO_LENGTH}); }

static enum empc_arm arm_of(const struct selector *s, u8 number)
{
    return number && !s->arms.goals ? number + 1 : number;
}

cinq_numbers cinq_selector_select(i64 *out, struct selector *s, u64 wanted)
{
    struct empc_arms *a = &s->arms;
    u8 order[CINQ_MOST_ARMS];
    if (wanted && s->vain < VAIN) return -1;
    u64 count = cinq_arms_draw(a->bandit, order);
    for (u64 i = 0; i < count; i++) {
        enum empc_arm arm = arm_of(s, order[i]);
        struct selection selection = {CINQ_NOBODY, order[i], NO_LENGTH};
        if (arm == WANTED && wanted) return -1;
        if (arm == GOAL) selection.id = cinq_goals_select(a->goals, drawn(&a->seed));
        if (arm == SUBPATH) {
            selection.own = s->which;
            s->which = (s->which + 1) % a->lengths;
            selection.id = cinq_subpaths_draw(a->subpaths, selection.own, drawn(&a->seed));
        }
        if (arm == FEWEST) selection.id = cinq_fewest_select(a->fewest);
        if (arm == PATH) selection.id = cinq_paths_select(a->paths, drawn(&a->seed));
        if (selection.id == CINQ_NOBODY) continue;
        begin(s, selection);
        int numbers = cinq_index_row(out, a->index, selection.id);
        if (arm == GOAL) out[numbers++] = 0;
        return numbers;
    }
    return 0;
}

void cinq_selector_settle(struct selector *s, u64 id, const struct cinq_event *events, u64 n, u64 first, u64 gain)
{
    struct selection selection = end(s, id);
    cinq_subpaths_pass(s->arms.subpaths, events, n, first, selection.own);
    if (id != CINQ_NOBODY) cinq_paths_settle(s->arms.paths, id);
    if (selection.arm < 0) return;
    cinq_arms_note(s->arms.bandit, selection.arm, gain, UNIT + n * UNIT / EVENTS);
    s->vain = gain ? 0 : s->vain + (selection.arm == WANTED);
}

i64 cinq_selector_see(struct selector *s, u64 id, const struct cinq_event *events, u64 n, u64 first,
                      const struct columns *c, u64 row, u64 count, u64 first_id, const u32 *trace, u64 size,
                      i32 *contexts, struct maybe *out)
{
    cinq_selector_settle(s, id, events, n, first, 0);
    return cinq_see(s->arms.seeing, id, c, row, count, first_id, trace, size, 0, contexts, out);
}
