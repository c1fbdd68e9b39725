/* Empc's turns (empc/turns.py): which way to choose is drawn, that way chooses, and when a state is settled all are told.
 * Each is one call: both happen once for every path.
 *
 * Ways by number: wanted states, which Python holds; goals (if there are any); then the least travelled subpaths, the
 * fewest decisions and random paths, of which the last has a state as long as one waits. */
#include "common/memory.h"
#include "common/random.h"
#include "search/search.h"

#define NO_LENGTH (-1) /* sgs.py */
#define VAIN 4 /* turns of wanted states that may bring nothing before they have to compete */
#define EVENTS 200 /* of a run, that cost as much as all the rest of a turn */
#define UNIT 1000000

enum way { WANTED, GOAL, SUBPATH, FEWEST, PATH };

/* `own`: which length chose it. */
struct turn {
    u64 id;
    i32 way, own;
};

struct turns {
    struct ways ways;
    u64 which, vain;
    struct turn *open; /* states selected, not settled */
    u64 used, room;
};

struct turns *cinq_turns_new(const struct ways *ways)
{
    struct turns *t = zeros(1, sizeof *t);
    t->ways = *ways;
    return t;
}

void cinq_turns_free(struct turns *t)
{
    free(t->open);
    free(t);
}

static void begin(struct turns *t, struct turn turn)
{
    t->open = grown(t->open, &t->room, t->used + 1, sizeof *t->open);
    t->open[t->used++] = turn;
}

static struct turn end(struct turns *t, u64 id)
{
    for (u64 i = t->used; i-- > 0;) {
        if (t->open[i].id != id) continue;
        struct turn found = t->open[i];
        t->open[i] = t->open[--t->used];
        return found;
    }
    return (struct turn){id, -1, NO_LENGTH};
}

void cinq_turns_begin(struct turns *t, u64 id) { begin(t, (struct turn){id, WANTED, NO_LENGTH}); }

static enum way way_of(const struct turns *t, u8 number) { return number && !t->ways.goals ? number + 1 : number; }

cinq_numbers cinq_turns_select(i64 *out, struct turns *t, u64 wanted)
{
    struct ways *w = &t->ways;
    u8 order[CINQ_MOST_ARMS];
    if (wanted && t->vain < VAIN) return -1;
    u64 count = cinq_arms_draw(w->arms, order);
    for (u64 i = 0; i < count; i++) {
        enum way way = way_of(t, order[i]);
        struct turn turn = {CINQ_NOBODY, order[i], NO_LENGTH};
        if (way == WANTED && wanted) return -1;
        if (way == GOAL) turn.id = cinq_goals_select(w->goals, drawn(&w->seed));
        if (way == SUBPATH) {
            turn.own = t->which;
            t->which = (t->which + 1) % w->lengths;
            turn.id = cinq_subpaths_draw(w->subpaths, turn.own, drawn(&w->seed));
        }
        if (way == FEWEST) turn.id = cinq_fewest_select(w->fewest);
        if (way == PATH) turn.id = cinq_paths_select(w->paths, drawn(&w->seed));
        if (turn.id == CINQ_NOBODY) continue;
        begin(t, turn);
        int numbers = cinq_book_row(out, w->book, turn.id);
        if (way == GOAL) out[numbers++] = 0;
        return numbers;
    }
    return 0;
}

void cinq_turns_settle(struct turns *t, u64 id, const struct cinq_event *events, u64 n, u64 first, u64 gain)
{
    struct turn turn = end(t, id);
    cinq_subpaths_pass(t->ways.subpaths, events, n, first, turn.own);
    if (id != CINQ_NOBODY) cinq_paths_settle(t->ways.paths, id);
    if (turn.way < 0) return;
    cinq_arms_note(t->ways.arms, turn.way, gain, UNIT + n * UNIT / EVENTS);
    t->vain = gain ? 0 : t->vain + (turn.way == WANTED);
}

i64 cinq_turns_see(struct turns *t, u64 id, const struct cinq_event *events, u64 n, u64 first, const struct columns *r,
                   u64 row, u64 count, u64 first_id, const u32 *trace, u64 size, i32 *contexts, struct maybe *out)
{
    cinq_turns_settle(t, id, events, n, first, 0);
    return cinq_see(t->ways.seeing, id, r, row, count, first_id, trace, size, 0, contexts, out);
}
