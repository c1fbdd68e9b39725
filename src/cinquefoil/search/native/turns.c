/* Empc's turns (empc/turns.py): which way to choose is drawn, that way chooses, and when a state is settled all are told.
 * Each is one call: both happen once for every path.
 *
 * Ways by number: wanted states, which Python holds; goals (if there are any); then the least travelled subpaths, the
 * fewest decisions and random paths, of which the last has a state as long as one waits. */
#include <stdint.h>
#include <stdlib.h>

#include "arms.h"
#include "book.h"

typedef uint8_t u8;
typedef int32_t i32;
typedef uint64_t u64;

#define NOBODY (~(u64)0)
#define NO_LENGTH (-1) /* sgs.py */
#define VAIN 4         /* turns of wanted states that may bring nothing before they have to compete */
#define EVENTS 200     /* of a run, that cost as much as all the rest of a turn */
#define UNIT 1000000

struct drawing;
struct fewest;
struct paths;
struct goals;
struct cinq_event;
struct seeing;
struct rows;
struct maybe;
u64 cinq_subpaths_draw(struct drawing *d, u64 which, u64 seed);
void cinq_subpaths_pass(const struct drawing *d, const struct cinq_event *events, u64 n, u64 first, i32 own);
u64 cinq_fewest_select(struct fewest *f);
u64 cinq_paths_select(struct paths *p, u64 seed);
void cinq_paths_settle(struct paths *p, u64 id);
u64 cinq_goals_select(struct goals *g, u64 seed);
int64_t cinq_see(const struct seeing *s, u64 id, const struct rows *r, u64 row, u64 n, u64 first, const uint32_t *trace, u64 size,
                 u64 start, i32 *contexts, struct maybe *out);
int cinq_book_row(int64_t *out, const struct book *b, u64 id);

enum way { WANTED, GOAL, SUBPATH, FEWEST, PATH };

/* Made by Python.  `goals` may be 0; `lengths`: of subpaths, that take turns. */
struct ways {
    struct arms *arms;
    const struct book *book;
    struct goals *goals;
    struct drawing *subpaths;
    u64 lengths;
    struct fewest *fewest;
    struct paths *paths;
    const struct seeing *seeing;
    u64 seed;
};

struct turn { u64 id; i32 way, own; }; /* `own`: which length chose it */

struct turns {
    struct ways ways;
    u64 which, vain;
    struct turn *open; /* states selected, not settled */
    u64 used, room;
};

struct turns *cinq_turns_new(const struct ways *ways)
{
    struct turns *t = calloc(1, sizeof *t);
    if (!t) abort();
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
    if (t->used == t->room) {
        t->room = t->room ? 2 * t->room : 16;
        t->open = realloc(t->open, t->room * sizeof *t->open);
        if (!t->open) abort();
    }
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

/* A wanted state was selected. */
void cinq_turns_begin(struct turns *t, u64 id) { begin(t, (struct turn){id, WANTED, NO_LENGTH}); }

static enum way way_of(const struct turns *t, u8 number) { return number && !t->ways.goals ? number + 1 : number; }

/* The row of a state (book.c), one number more if its goal is to be weighed.  -1 if Python is to give out a wanted state;
 * `wanted`: it may have one. */
int cinq_turns_select(int64_t *out, struct turns *t, u64 wanted)
{
    struct ways *w = &t->ways;
    u8 order[MOST_ARMS];
    if (wanted && t->vain < VAIN) return -1;
    u64 count = cinq_arms_draw(w->arms, order);
    for (u64 i = 0; i < count; i++) {
        enum way way = way_of(t, order[i]);
        struct turn turn = {NOBODY, order[i], NO_LENGTH};
        if (way == WANTED && wanted) return -1;
        if (way == GOAL) turn.id = cinq_goals_select(w->goals, drawn(&w->seed));
        if (way == SUBPATH) {
            turn.own = t->which;
            t->which = (t->which + 1) % w->lengths;
            turn.id = cinq_subpaths_draw(w->subpaths, turn.own, drawn(&w->seed));
        }
        if (way == FEWEST) turn.id = cinq_fewest_select(w->fewest);
        if (way == PATH) turn.id = cinq_paths_select(w->paths, drawn(&w->seed));
        if (turn.id == NOBODY) continue;
        begin(t, turn);
        int numbers = cinq_book_row(out, w->book, turn.id);
        if (way == GOAL) out[numbers++] = 0;
        return numbers;
    }
    return 0;
}

/* State number `id` (NOBODY: none) led to a run of n events (0: to none), new from `first` on; `gain`: what was covered
 * first, in millionths. */
void cinq_turns_settle(struct turns *t, u64 id, const struct cinq_event *events, u64 n, u64 first, u64 gain)
{
    struct turn turn = end(t, id);
    cinq_subpaths_pass(t->ways.subpaths, events, n, first, turn.own);
    if (id != NOBODY) cinq_paths_settle(t->ways.paths, id);
    if (turn.way < 0) return;
    cinq_arms_note(t->ways.arms, turn.way, gain, UNIT + n * UNIT / EVENTS);
    t->vain = gain ? 0 : t->vain + (turn.way == WANTED);
}

/* The same for a run that covered nothing first, which is then seen (sift.c) with the `count` states that it left. */
int64_t cinq_turns_see(struct turns *t, u64 id, const struct cinq_event *events, u64 n, u64 first, const struct rows *r, u64 row,
                       u64 count, u64 first_id, const uint32_t *trace, u64 size, i32 *contexts, struct maybe *out)
{
    cinq_turns_settle(t, id, events, n, first, 0);
    return cinq_see(t->ways.seeing, id, r, row, count, first_id, trace, size, 0, contexts, out);
}
