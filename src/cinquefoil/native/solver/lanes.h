/* Programs: the operations a set of constraints needs, evaluated for many values of one input byte at once.
 *
 * The bytes to be varied are ordered; a byte's position in the order is its level.  A step's level is the deepest
 * level among the bytes it depends on (FIXED if none), so it is evaluated once for each choice at the levels
 * above, for all candidate values of its own level's byte in one sweep.  Its value under a choice is a lane.
 */
#ifndef CINQ_SOLVER_LANES_H
#define CINQ_SOLVER_LANES_H

#include "solver/core.h"

#define FIXED (-1)
#define LANES 256
#define SLOW_LANE 8 /* lane operations that one lane of a slow step counts for */
#define MAX_STEPS 65536
#define MAX_ARENA (4 << 20) /* lanes of all steps together: 32 MiB */
#define MAX_LEVELS 24

/* Unsigned, inclusive. */
struct bound {
    u64 lo, hi;
};

struct step {
    u32 node, a, b, c; /* operands as step indices */
    u16 width, from;   /* from: the first operand's width */
    u8 op;
    u8 own;  /* depends on its own level's byte only */
    u8 slow; /* wide or floating point */
    int16_t level;
    u64 imm;
    struct bound range, known; /* bounds.c: under the current choices; by the constraints themselves */
    u64 *lanes; /* low halves; wide steps: high halves LANES further on */
};

struct level {
    u32 byte;             /* position in the slice */
    u32 count, padded;    /* candidate values; padded to whole vectors */
    u32 choice;           /* the lane chosen */
    u32 preferred;        /* the lane of the witness's value, LANES if it is not a candidate */
    u32 steps, step_count; /* in program.order: those to be evaluated anew at each entry */
    u32 checks, check_count; /* in program.checks: constraints decided at this level */
    u8 values[LANES];
};

struct check {
    u32 step;
    struct constraint constraint;
};

struct program {
    struct step steps[MAX_STEPS];
    u32 step_count;
    struct level levels[MAX_LEVELS];
    int level_count;
    u32 widest; /* level, in lanes */
    u32 order[MAX_STEPS];
    struct check *checks, *sorted; /* sorted: room to sort in */
    u32 check_count;
    u64 check_room;
    u64 *step_index; /* per node: stamp << 16 | step index */
    u64 stamp;
    int16_t *level_of; /* per byte of the slice */
    u64 level_of_room;
    u64 *arena;
    size_t arena_used, arena_room;
    u32 pending[4 * MAX_STEPS];
    u64 query;    /* whose slice was loaded, or found to be too large */
    int fits;
    u32 pushes;   /* edits.c: how many steps may still be looked at */
};

static inline u32 step_index_of(const struct program *p, u32 node)
{
    return (u32)(p->step_index[node] & (MAX_STEPS - 1));
}

/* Collects the steps of some constraints; 0 if there are too many or one has no lane version. */
int program_load(struct solver *, const struct constraint *, u32 count);
int program_load_slice(struct solver *); /* the whole slice; nothing to do if that is what was loaded last */
/* Orders the bytes: levels[] must have byte and values set.  Evaluates all that no choice can change; 0 if that
 * takes too much memory. */
int program_arrange(struct solver *);
void program_enter(struct solver *, int level); /* evaluates a level's steps under the choices above */
/* Sets of lanes (bit i: lane i) for which the level's checks hold. */
struct domain program_filter(struct solver *, int level);
int program_fixed_hold(const struct solver *); /* the checks that depend on no level */
void lanes_compute(struct solver *, struct step *, u32 count, const u64 *a, const u64 *b, const u64 *c);
/* One operation on values of at most 64 bits, but no OP_TREAD; gives the work. */
u64 lanes_plain(u32 op, u32 width, u32 from, u64 imm, u32 count, u64 *restrict out, const u64 *restrict a,
                const u64 *restrict b, const u64 *restrict c);
int lanes_supported(const struct cinq_node *);
int lanes_slow(const struct solver *, const struct cinq_node *);

/* columns.c: LATER: not within the work allowed; NEVER: too large, or an operation has no lane version */
enum found { HERE, LATER, NEVER };
void columns_allow(struct solver *, u64 work); /* for all columns asked for from now on */
/* The 256 values of an expression over one byte, high halves of wide ones LANES further on; valid until the next call;
 * 0 for a constant. */
enum found column_of(struct solver *, u32 node, const u64 **values);

/* bounds.c: both give 0 when there can be no solution */
int bounds_start(struct solver *);
int bounds_below(struct solver *, int level);

#endif
