/* The native half of the solver chain.  All that Python calls.
 *
 * `cinq_slice` loads a query; most of the others work on the loaded slice and answer with enum verdict. */
#ifndef CINQ_SOLVER_H
#define CINQ_SOLVER_H
#include "common/types.h"
#include "layout.h"

enum verdict { UNSAT = 0, SAT = 1, UNKNOWN = 2 };

/* node == value, or node != value. */
struct constraint {
    u32 node, equal;
    u64 value;
};

/* A run's events, and the conditions of its switches' groups. */
struct event_path {
    const struct cinq_event *events;
    const u32 *alts;
    u64 alt_count;
    u32 count, failed;
};

/* ---- slice.c ---- */

struct solver;
/* For one epoch: `nodes` are `count` that may be asked about, and stay where they are. */
struct solver *cinq_solver_new(const struct cinq_node *nodes, const struct cinq_table *tables, const u8 *pool,
                               u32 count);
void cinq_solver_free(struct solver *s);
/* Loads a query: nodes[i] == values[i] along the path (node 0: no constraint), and the goal.  Gives the number
 * of constraints in the slice, or -1 for a plain contradiction. */
int cinq_slice(struct solver *s, const u32 *nodes, const u64 *values, u32 length, const struct constraint *goal,
               u32 goals, const u8 *witness, u64 size);
/* Where the loaded slice is: Python reads it through these. */
const struct constraint *cinq_slice_constraints(const struct solver *s);
const u32 *cinq_slice_bytes(const struct solver *s);
u32 cinq_slice_byte_count(const struct solver *s);
u8 *cinq_slice_model(const struct solver *s);
u64 cinq_work(const struct solver *s);

/* ---- layers ---- */

/* Fills the slice's domains.  SAT (with the model set) only if every constraint is over one byte. */
int cinq_domains(struct solver *s);
/* No choice made: ranges alone. */
int cinq_bounds(struct solver *s);
CINQ_LONG int cinq_search(struct solver *s, u64 budget);
/* Needs the domains: constraints over one byte are not looked at again. */
CINQ_LONG int cinq_pairs(struct solver *s);
int cinq_edits(struct solver *s);
/* Whether the model satisfies the slice: SAT or UNSAT; UNKNOWN if it has no lane version. */
int cinq_try_model(struct solver *s);
/* SAT if the loaded slice holds under an input, else UNSAT. */
int cinq_check_solution(struct solver *s, const u8 *input, u64 size);
/* Which of the slice's constraints an input violates: their indices, and how many there are. */
u32 cinq_violated(struct solver *s, const u8 *input, u64 size, u32 *out);

/* ---- cores.c ---- */

/* UNSAT if the loaded slice contains a known core. */
int cinq_contains_core(struct solver *s);
/* These constraints of the loaded slice contradict each other. */
void cinq_learn_core(struct solver *s, const u32 *rows, u32 count);
/* The loaded slice has no solution: looks for a core of it, and learns that. */
void cinq_find_core(struct solver *s);

/* ---- refute.c ---- */

/* Branch i leaves the path at event at[i] (ascending), in the direction directions[i] (negative: to any other value).  Sets
 * out[i] to 1 if that is refuted, else 0, and gives the number of ones. */
u32 cinq_refute(struct solver *s, const struct event_path *p, const u32 *at, const i32 *directions, u32 count, u8 *out);

/* ---- descent.c ---- */

/* Looks for an input under which the constraints hold: SAT, and the last row has it, or UNKNOWN.  Starts from
 * all zeros with a part of the budget, then from the witness. */
CINQ_LONG int cinq_descend(struct solver *s, const struct constraint *constraints, u32 count, const u8 *witness,
                           u64 size, u64 seed, u64 budget, u64 from_zero);
/* What the last descent met: input indices of a row's bytes, rows, and counts. */
u32 cinq_descent_inputs(const struct solver *s, u32 *out);
const u8 *cinq_descent_rows(const struct solver *s);
u32 cinq_descent_count(const struct solver *s);
u64 cinq_descent_work(const struct solver *s);
u32 cinq_descent_minima(const struct solver *s);
/* The objective at one input, for tests. */
double cinq_objective(struct solver *s, const struct constraint *constraints, u32 count, const u8 *input, u64 size);

/* Loads a path to be swept or screened; `asked` is the index of the branch that a query is about, which counts as
 * taken.  Gives the number of its constraints. */
u32 cinq_sweep_load(struct solver *s, const u32 *nodes, const u64 *values, u32 length, u32 asked, u32 longest);
/* Where an input leaves the loaded path, twice, plus 1 if no other did there; then it is handed out.  -1: nowhere. */
int cinq_screen(struct solver *s, const u8 *input, u64 size);
/* Gives rows as a descent does; at most `most`, spending at most `each` instructions per branch of the loaded path. */
CINQ_LONG int cinq_sweep(struct solver *s, const u8 *witness, u64 size, u64 budget, u64 each, u32 most);

/* ---- distance.c ---- */

/* Table 1, and its monotone image that is summed: zero exactly if the comparison is as wanted. */
double cinq_distance(u32 op, u32 wanted, u32 width, u64 a_low, u64 a_high, u64 b_low, u64 b_high);
double cinq_scaled(double distance);

#endif
