/* Goals of Empc (empc/infeasible.py): blocks not visited yet, and the search for a state that may bring one nearer.  Most
 * goals find none most of the time, and whatever is visited wakes them all. */
#include "common/heap.h"
#include "search/state_index.h"

#define REST 256 /* selections after which resting goals are looked at again */
#define DIRECT 3 /* attempts with states that lead straight to the block */
#define ATTEMPT 1000000 /* what one counts for, of a goal that promises least */
#define AHEAD (8 * ATTEMPT) /* of attempts, that a new goal has more than the others */

/* `time`: attempts by weight; of equal ones the newest comes first.  `ancestors`: blocks that its branch depends on.
 * `rested`: since when it rests. */
struct goal {
    u64 time, number, block;
    u32 attempts, direct, rested;
    const u64 *ancestors;
    u64 count;
};

static int before(struct goal a, struct goal b) { return a.time < b.time || (a.time == b.time && a.number > b.number); }
HEAP(goal_heap, struct goal, before)

struct goals {
    struct groups *standing, *leading; /* states at a block, and to one */
    const struct state_index *index;
    const u8 *visited;
    const u32 *touched; /* when a state came to each block; number 0: now */
    int rotate;
    u64 made, selections;
    struct goal_heap heap;
    struct goal *resting;
    u64 rest_used, rest_room;
    struct goal found; /* the goal that found a state last */
};

struct goals *cinq_goals_new(struct groups *standing, struct groups *leading, const struct state_index *index,
                             const u8 *visited, const u32 *touched, int rotate)
{
    struct goals *g = zeros(1, sizeof *g);
    g->standing = standing;
    g->leading = leading;
    g->index = index;
    g->visited = visited;
    g->touched = touched;
    g->rotate = rotate;
    return g;
}

void cinq_goals_free(struct goals *g)
{
    free(g->heap.items);
    free(g->resting);
    free(g);
}

/* ---- goals ---- */

void cinq_goals_add(struct goals *g, u64 block, const u64 *ancestors, u64 count)
{
    u64 first = g->heap.used ? g->heap.items[0].time : 0;
    goal_heap_push(&g->heap,
                   (struct goal){first > AHEAD ? first - AHEAD : 0, ++g->made, block, 0, 0, 0, ancestors, count});
}

/* Has a state come to where it looks for one since it rests? */
static int in_reach(const struct goals *g, const struct goal *goal)
{
    int found = g->touched[goal->block] > goal->rested;
    for (u64 i = 0; i < goal->count && !found; i++) found = g->touched[goal->ancestors[i]] > goal->rested;
    return found;
}

void cinq_goals_wake(struct goals *g)
{
    u64 left = 0;
    for (u64 i = 0; i < g->rest_used; i++) {
        struct goal goal = g->resting[i];
        if (in_reach(g, &goal)) goal_heap_push(&g->heap, goal);
        else if (!g->visited[goal.block]) g->resting[left++] = goal;
    }
    g->rest_used = left;
}

/* 0 1 0 2 0 1 0 3 ...: how often attempts + 1 can be halved. */
static u64 ruler(u64 attempts) { return __builtin_ctzll(attempts + 1); }

static u64 waiting_for(const struct goals *g, struct goal *goal, u64 *seed)
{
    u64 found = CINQ_NOBODY, first = g->rotate ? ruler(goal->attempts) : 0;
    if (first > goal->count) first = goal->count;
    if (goal->direct < DIRECT) {
        goal->direct++;
        found = cinq_first_waiting(0, g->leading, g->index, &goal->block, 1, seed);
    }
    const u64 *rest = goal->ancestors + first;
    if (found == CINQ_NOBODY)
        found = cinq_first_waiting(g->standing, g->leading, g->index, rest, goal->count - first, seed);
    if (found == CINQ_NOBODY)
        found = cinq_first_waiting(g->standing, g->leading, g->index, goal->ancestors, first, seed);
    return found;
}

u64 cinq_goals_select(struct goals *g, u64 seed)
{
    if (++g->selections % REST == 0) cinq_goals_wake(g);
    while (g->heap.used) {
        struct goal goal = goal_heap_pop(&g->heap);
        if (g->visited[goal.block]) continue;
        u64 id = waiting_for(g, &goal, &seed);
        if (id != CINQ_NOBODY) {
            g->found = goal;
            return id;
        }
        goal.rested = g->touched[0];
        g->resting = grown(g->resting, &g->rest_room, g->rest_used + 1, sizeof *g->resting);
        g->resting[g->rest_used++] = goal;
    }
    return CINQ_NOBODY;
}

u64 cinq_goals_block(const struct goals *g) { return g->found.block; }

void cinq_goals_again(struct goals *g, u64 cost)
{
    g->found.time += cost * (ATTEMPT / 1000);
    g->found.attempts++;
    goal_heap_push(&g->heap, g->found);
}
