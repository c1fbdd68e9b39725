/* Goals of Empc (empc/infeasible.py): blocks not visited yet, and the search for a state that may bring one nearer.  Most
 * goals find none most of the time, and whatever is visited wakes them all. */
#include <stdint.h>
#include <stdlib.h>

#include "book.h"

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

struct crowd;
u64 cinq_first_waiting(struct crowd *a, struct crowd *b, const struct book *book, const u64 *keys, u64 n, u64 *seed);

#define NOBODY (~(u64)0)
#define REST 256 /* selections after which resting goals are looked at again */
#define DIRECT 3 /* attempts with states that lead straight to the block */
#define ATTEMPT 1000000 /* what one counts for, of a goal that promises least */
#define AHEAD (8 * ATTEMPT) /* of attempts, that a new goal has more than the others */

/* `time`: attempts by weight; of equal ones the newest comes first.  `ancestors`: blocks that its branch depends on.
 * `rested`: since when it rests. */
struct goal { u64 time, number, block; u32 attempts, direct, rested; const u64 *ancestors; u64 count; };
struct list { struct goal *goals; u64 used, room; };

struct goals {
    struct crowd *standing, *leading; /* states at a block, and to one */
    const struct book *book;
    const u8 *visited;
    const u32 *touched; /* when a state came to each block; number 0: now */
    int rotate;
    u64 made, selections;
    struct list heap, resting;
    struct goal found; /* the goal that found a state last */
};

struct goals *cinq_goals_new(struct crowd *standing, struct crowd *leading, const struct book *book, const u8 *visited,
                             const u32 *touched, int rotate)
{
    struct goals *g = calloc(1, sizeof *g);
    if (!g) abort();
    g->standing = standing;
    g->leading = leading;
    g->book = book;
    g->visited = visited;
    g->touched = touched;
    g->rotate = rotate;
    return g;
}

void cinq_goals_free(struct goals *g)
{
    free(g->heap.goals);
    free(g->resting.goals);
    free(g);
}

/* ---- the heap ---- */

static int before(const struct goal *a, const struct goal *b)
{
    return a->time < b->time || (a->time == b->time && a->number > b->number);
}

static void append(struct list *l, struct goal goal)
{
    if (l->used == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->goals = realloc(l->goals, l->room * sizeof *l->goals);
        if (!l->goals) abort();
    }
    l->goals[l->used++] = goal;
}

static void push(struct list *h, struct goal goal)
{
    append(h, goal);
    u64 at = h->used - 1;
    for (; at && before(&goal, &h->goals[(at - 1) / 2]); at = (at - 1) / 2) h->goals[at] = h->goals[(at - 1) / 2];
    h->goals[at] = goal;
}

static struct goal pop(struct list *h)
{
    struct goal top = h->goals[0], last = h->goals[--h->used];
    u64 at = 0, child;
    while ((child = 2 * at + 1) < h->used) {
        if (child + 1 < h->used && before(&h->goals[child + 1], &h->goals[child])) child++;
        if (!before(&h->goals[child], &last)) break;
        h->goals[at] = h->goals[child];
        at = child;
    }
    h->goals[at] = last;
    return top;
}

/* ---- goals ---- */

void cinq_goals_add(struct goals *g, u64 block, const u64 *ancestors, u64 count)
{
    u64 first = g->heap.used ? g->heap.goals[0].time : 0;
    push(&g->heap, (struct goal){first > AHEAD ? first - AHEAD : 0, ++g->made, block, 0, 0, 0, ancestors, count});
}

/* Has a state come to where it looks for one since it rests? */
static int in_reach(const struct goals *g, const struct goal *goal)
{
    int found = g->touched[goal->block] > goal->rested;
    for (u64 i = 0; i < goal->count && !found; i++) found = g->touched[goal->ancestors[i]] > goal->rested;
    return found;
}

/* Those that rest and may be in reach again are looked at again. */
void cinq_goals_wake(struct goals *g)
{
    u64 left = 0;
    for (u64 i = 0; i < g->resting.used; i++) {
        struct goal goal = g->resting.goals[i];
        if (in_reach(g, &goal)) push(&g->heap, goal);
        else if (!g->visited[goal.block]) g->resting.goals[left++] = goal;
    }
    g->resting.used = left;
}

/* 0 1 0 2 0 1 0 3 ...: how often attempts + 1 can be halved. */
static u64 ruler(u64 attempts) { return __builtin_ctzll(attempts + 1); }

static u64 waiting_for(const struct goals *g, struct goal *goal, u64 *seed)
{
    u64 found = NOBODY, first = g->rotate ? ruler(goal->attempts) : 0;
    if (first > goal->count) first = goal->count;
    if (goal->direct < DIRECT) {
        goal->direct++;
        found = cinq_first_waiting(0, g->leading, g->book, &goal->block, 1, seed);
    }
    const u64 *rest = goal->ancestors + first;
    if (found == NOBODY) found = cinq_first_waiting(g->standing, g->leading, g->book, rest, goal->count - first, seed);
    if (found == NOBODY) found = cinq_first_waiting(g->standing, g->leading, g->book, goal->ancestors, first, seed);
    return found;
}

/* A state for the first goal that finds one, NOBODY if none does; the goal itself is out until `cinq_goals_again`. */
u64 cinq_goals_select(struct goals *g, u64 seed)
{
    if (++g->selections % REST == 0) cinq_goals_wake(g);
    while (g->heap.used) {
        struct goal goal = pop(&g->heap);
        if (g->visited[goal.block]) continue;
        u64 id = waiting_for(g, &goal, &seed);
        if (id != NOBODY) {
            g->found = goal;
            return id;
        }
        goal.rested = g->touched[0];
        append(&g->resting, goal);
    }
    return NOBODY;
}

u64 cinq_goals_block(const struct goals *g) { return g->found.block; }

/* The goal that found a state has had one more attempt, which counts for so many thousandths. */
void cinq_goals_again(struct goals *g, u64 cost)
{
    g->found.time += cost * (ATTEMPT / 1000);
    g->found.attempts++;
    push(&g->heap, g->found);
}
