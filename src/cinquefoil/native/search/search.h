/* Search: which state next.  All that Python calls. */
#ifndef CINQ_SEARCH_H
#define CINQ_SEARCH_H
#include "common/columns.h"
#include "layout.h"

/* ---- rows.c ---- */

/* One row's numbers, in the order in which State.of_row (states/state.py) takes them. */
cinq_numbers cinq_row(i64 *out, const struct columns *c, u64 row);

/* ---- groups.c: states by key ---- */

struct groups;
struct state_index;
struct groups *cinq_groups_new(int levelled, int newest);
void cinq_groups_free(struct groups *c);
void cinq_groups_add(struct groups *c, const u64 *keys, const u64 *ids, u64 n);
/* States of these keys no longer wait. */
void cinq_groups_drop(struct groups *c, const u64 *keys, u64 n);
/* The number of a key's group, ~0 if there is none. */
u32 cinq_groups_find(const struct groups *c, u64 key);
u64 cinq_groups_count(const struct groups *c);
u64 cinq_groups_size(const struct groups *c, u32 number);
u64 cinq_groups_frequency(const struct groups *c, u32 number);
void cinq_groups_keys(const struct groups *c, u64 *out);
void cinq_groups_counts(const struct groups *c, u64 *out);
/* Takes the id at an index out of the vector; whether it still waits is the caller's to know. */
u64 cinq_groups_take(struct groups *c, u32 number, u64 at);
/* One that was taken did wait. */
void cinq_groups_gone(struct groups *c, u32 number);
void cinq_groups_members(const struct groups *c, u32 number, u64 *out);
/* Replaces a group's ids by some of them. */
void cinq_groups_keep(struct groups *c, u32 number, const u64 *ids, u64 n);
/* How many ids the lowest level with any holds. */
u64 cinq_groups_lowest(struct groups *c);
/* The group of the lowest level's id of this rank; after cinq_groups_lowest. */
u32 cinq_groups_at(const struct groups *c, u64 rank);
/* The group with the newest id of the lowest level; after cinq_groups_lowest.  Its last id is that one. */
u32 cinq_groups_newest(struct groups *c);
/* Its subpath was chosen: travelled once more. */
void cinq_groups_travel(struct groups *c, u32 number);
/* Is most of a group dead, and it large enough to matter? */
int cinq_groups_untidy(const struct groups *c, u32 number);
/* Its ids are looked up in this index from now on, and groups hold that many at most (0: all); before the first is added. */
void cinq_groups_look_up(struct groups *c, const struct state_index *index, u64 most);

/* ---- state_index.c: states by id ---- */

struct state_index *cinq_index_new(void);
void cinq_index_free(struct state_index *b);
/* Gives the number of the new entry. */
u64 cinq_index_add(struct state_index *b, u64 first, u64 size, u64 parent, const struct columns *columns, u64 row,
                   const u8 *waiting, const u8 *unsettled, const u64 *decisions, u64 decided);
/* The row of a state, after the number of its entry; none if the index does not know it (any more). */
cinq_numbers cinq_index_row(i64 *out, const struct state_index *b, u64 id);
/* Does the state still wait? */
int cinq_index_pending(const struct state_index *b, u64 id);
/* Forgets entries of which nothing waits.  `kept` gets the numbers of the others; how many there are. */
u64 cinq_index_sweep(struct state_index *b, u32 *kept);

/* ---- paths.c: random paths ---- */

struct paths;
struct paths *cinq_paths_new(const struct state_index *index);
void cinq_paths_free(struct paths *p);
/* Takes in what came since it last did. */
void cinq_paths_catch_up(struct paths *p);
/* A state has its answer, and what its run left is in the index: no other run grows there. */
void cinq_paths_settle(struct paths *p, u64 id);
/* The id of a state that waits, taken out of the tree; CINQ_NOBODY if there is none. */
u64 cinq_paths_select(struct paths *p, u64 seed);

/* ---- fewest.c: the fewest decisions ---- */

struct fewest;
struct fewest *cinq_fewest_new(const struct state_index *index);
void cinq_fewest_free(struct fewest *f);
/* The id of the state, which is given out once; CINQ_NOBODY if nobody waits. */
u64 cinq_fewest_select(struct fewest *f);

/* ---- subpaths.c: the last decisions of states and runs, for several lengths at once ---- */

/* A grouping for each length.  `seen`: up to which entry the index is known. */
struct drawing {
    struct groups **groupings;
    const u64 *lengths;
    u64 count;
    const struct state_index *index;
    u64 seen;
};

/* The keys of rows, of whose decisions the run's own start at `decided`. */
void cinq_subpaths(const u64 *decisions, u64 decided, const u32 *depth, const u32 *site, const u8 *kind,
                   const i32 *alternative, u64 rows, u64 length, u64 *out);
/* A state of the least travelled subpaths, of length number `which`, once all that is new is known. */
u64 cinq_subpaths_draw(struct drawing *d, u64 which, u64 seed);
/* All subpaths of a run that end at its event `first` or later are travelled once more; but the first of them not for
 * grouping number `own`, whose choice it was. */
void cinq_subpaths_pass(const struct drawing *d, const struct cinq_event *events, u64 n, u64 first, i32 own);

/* ---- walk.c: following the block traces of runs ---- */

struct walker;
/* `functions`: of each block, -1 for none.  Edges lead from sources[i] to targets[i], within functions. */
struct walker *cinq_walker_new(const i32 *functions, u64 blocks, const i32 *sources, const i32 *targets, u64 edges);
void cinq_walker_free(struct walker *w);
void cinq_walker_context(struct walker *w, u32 block);
void cinq_walker_call(struct walker *w, u32 block, i32 context);
void cinq_walker_step(struct walker *w, i32 context, u32 block, i32 next);
/* Goes to a position, 0: before all blocks. */
void cinq_walker_go(struct walker *w, u32 position);
/* Goes on from trace[start].  contexts[k] is the context after the first stops[k] blocks, -1 before all; positions[k]
 * the walk's position there, if anybody asks.  Stops ascend (one that does not gets any context of the trace); those
 * before `start` are left out.  Gives the index of the first block it could not follow, or n. */
u64 cinq_walk(struct walker *w, const u32 *trace, u64 n, u64 start, const u32 *stops, u64 count, i32 *contexts,
              u32 *positions);
i32 cinq_walker_at(const struct walker *w);
i32 cinq_walker_frame(const struct walker *w);

/* ---- sift.c: what Empc does with every state of a run ---- */

struct sieve;

/* A state that may be wanted: its number among those of its run; `target` is 0 if it leads to no other block. */
struct maybe {
    i32 at, context, kind, target, site;
};

/* Who sees a run.  `at` is 0 where nobody asks for groups; `most` states are put to a block they lead to; `whole`: traces
 * are followed to their end, not to the last state only. */
struct seeing {
    struct walker *walker;
    const struct sieve *sieve;
    struct state_index *index;
    struct groups *at, *to;
    const u8 *visited;
    u32 *touched;
    u64 blocks, most;
    u64 whole;
};

struct sieve *cinq_sieve_new(void);
void cinq_sieve_free(struct sieve *s);
/* Untaken branches from this context to this block (0: to none of the program's) are not wanted. */
void cinq_sieve_drop(struct sieve *s, i32 context, u32 target);
/* Puts states, their ids from `first` on, to the block they stand at; and, `most` of them, to the block they lead to if
 * it was not visited.  `touched` says of each block when that happened last, and what time it is now instead of block
 * 0.  A state may claim to stand beyond the trace's end: the program wrote both. */
void cinq_group_states(struct groups *at, struct groups *to, const struct columns *c, u64 row, u64 n, u64 first,
                       const u32 *trace, u64 size, const u8 *visited, u32 *touched, u64 blocks, u64 most);
/* All of it for a run that state number `id` led to, and the n > 0 states that it left: follows its trace, or goes on
 * from `start` on, groups the states, and sifts out the rows that may be wanted.  Gives how many; -1 - i if block i could
 * not be followed. */
i64 cinq_see(const struct seeing *s, u64 id, const struct columns *c, u64 row, u64 n, u64 first, const u32 *trace,
             u64 size, u64 start, i32 *contexts, struct maybe *out);
/* One that waits of the first of n keys of which one of two groupings has one (the first may be 0); CINQ_NOBODY. */
u64 cinq_first_waiting(struct groups *a, struct groups *b, const struct state_index *index, const u64 *keys, u64 n,
                       u64 *seed);

/* ---- covers.c: paths of covers ---- */

/* The trees of covers (CoverTrees), and what is left of them. */
struct covers {
    const i32 *first, *children, *open, *unvisited;
    const u8 *wanted;
};

/* `count` blocks were entered for the first time: the paths through them, of which crossing[i] is one through block
 * crossed[i], have one less to visit.  Gives how many that are wanted have none left now; `out` gets their ends. */
u64 cinq_covers_visit(const i32 *crossed, const i32 *crossing, u64 n, const i32 *blocks, u64 count, i32 *unvisited,
                      const u8 *wanted, i32 *out);
/* Of the first `most` ends of wanted paths through a node, the one with the most blocks not visited; of paths that are
 * not wanted the first, if none is. */
i32 cinq_covers_best(const struct covers *c, i32 node, u64 most);

/* ---- goals.c: blocks not visited yet ---- */

struct goals;
struct goals *cinq_goals_new(struct groups *standing, struct groups *leading, const struct state_index *index,
                             const u8 *visited, const u32 *touched, int rotate);
void cinq_goals_free(struct goals *g);
void cinq_goals_add(struct goals *g, u64 block, const u64 *ancestors, u64 count);
/* Those that rest and may be in reach again are looked at again. */
void cinq_goals_wake(struct goals *g);
/* A state for the first goal that finds one, CINQ_NOBODY if none does; the goal itself is out until `cinq_goals_again`. */
u64 cinq_goals_select(struct goals *g, u64 seed);
u64 cinq_goals_block(const struct goals *g);
/* The goal that found a state has had one more attempt, which counts for so many thousandths. */
void cinq_goals_again(struct goals *g, u64 cost);

/* ---- nearest.c ---- */

/* The wanted vertices in the order in which they are met from `start`, of which there are `most`, or as many as lie
 * among the first `far` vertices.  `seen` has the last search's stamp per vertex, `queue` room for `far`. */
u64 cinq_nearest(const i32 *first, const i32 *targets, u32 start, const u8 *wanted, u64 most, u64 far, i32 *seen,
                 i32 stamp, u32 *queue, u32 *out);

/* ---- arms.c: a bandit, whose arms are drawn by what they pay ---- */

struct arms;
#define CINQ_MOST_ARMS 8
struct arms *cinq_arms_new(u64 count, u64 seed);
void cinq_arms_free(struct arms *a);
/* Draws an arm; then, should that have nothing to offer, the others, the likelier ones first.  Gives how many. */
u64 cinq_arms_draw(struct arms *a, u8 *order);
/* What a selection by this arm brought and cost, in millionths. */
void cinq_arms_note(struct arms *a, u64 arm, u64 gain, u64 cost);
/* Shares of time; room for as many as there are arms.  When nothing has paid for so long that what did is forgotten, the
 * shares are equal. */
void cinq_arms_shares(const struct arms *a, double *out);
/* How the next selection is drawn: so that its expected cost is as the shares are. */
void cinq_arms_chances(const struct arms *a, double *out);

/* ---- selector.c: which state Empc runs next ---- */

struct selector;

/* `goals` may be 0; `lengths`: how many lengths of subpaths alternate. */
struct empc_arms {
    struct arms *bandit;
    const struct state_index *index;
    struct goals *goals;
    struct drawing *subpaths;
    u64 lengths;
    struct fewest *fewest;
    struct paths *paths;
    const struct seeing *seeing;
    u64 seed;
};

struct selector *cinq_selector_new(const struct empc_arms *arms);
void cinq_selector_free(struct selector *s);
/* A wanted state was selected. */
void cinq_selector_begin(struct selector *s, u64 id);
/* The row of a state (state_index.c), one number more if its goal is to be weighed; none if Python is to give out a wanted
 * state.  `wanted`: it may have one. */
cinq_numbers cinq_selector_select(i64 *out, struct selector *s, u64 wanted);
/* State number `id` (CINQ_NOBODY: none) led to a run of n events (0: to none), new from `first` on; `gain`: what was
 * covered first, in millionths. */
void cinq_selector_settle(struct selector *s, u64 id, const struct cinq_event *events, u64 n, u64 first, u64 gain);
/* The same for a run that covered nothing first, which is then seen (sift.c) with the `count` states that it left. */
i64 cinq_selector_see(struct selector *s, u64 id, const struct cinq_event *events, u64 n, u64 first,
                      const struct columns *c, u64 row, u64 count, u64 first_id, const u32 *trace, u64 size,
                      i32 *contexts, struct maybe *out);

#endif
