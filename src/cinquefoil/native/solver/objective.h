/* How far an input is from satisfying constraints: MuSE's objective (its equation 4 and Table 1), evaluated
 * natively and incrementally.
 *
 * Input bytes are grouped into variables: a word that the expressions read as one number is one variable.  The
 * cone of the constraints is a list of instructions; each variable knows the instructions and the constraints
 * that depend on it, so that a change of one variable costs only those.
 */
#ifndef CINQ_SOLVER_OBJECTIVE_H
#define CINQ_SOLVER_OBJECTIVE_H

#include "solver/core.h"

#define OB_VARIABLES 512
#define OB_WORDS (OB_VARIABLES / 64)
#define OB_CODE 65536
#define OB_TERMS 131072
#define OB_LINKS (4 << 20) /* instructions of all variables together */
#define OB_POOL 256        /* constants worth trying */
#define NOBODY (~0u)

enum { IN_BYTE = 200, IN_WORD }; /* instructions of our own, beside the operations */
enum { TERM_COMPARE, TERM_VALUE, TERM_SUM, TERM_PRODUCT };

struct instruction {
    u8 op, wide;
    u16 width, from;
    u32 a, b, c, node;
    u64 imm;
};

struct term { /* of a constraint's distance, in postfix order */
    u8 kind, op, wanted;
    u16 width;
    u32 a, b;
    u64 value;
};

struct variable {
    u32 bytes[8]; /* input indices, lowest first */
    u32 count;    /* of bytes */
    u8 real;      /* read as a floating-point number */
    u32 code, code_count;               /* in links[] */
    u32 constraints, constraint_count; /* in touched[] */
};

struct objective {
    struct instruction code[OB_CODE];
    u64 low[OB_CODE], high[OB_CODE];
    u32 code_count;
    u64 set[OB_CODE][OB_WORDS]; /* variables an instruction depends on */
    struct term terms[OB_TERMS];
    u32 term_count;
    u32 *first_term; /* per constraint, those of its negation after its own; one more than there are */
    u32 *negated;    /* per constraint: where its negation starts */
    u32 *code_end;   /* per constraint: the code that it and all before it need */
    u32 limit;       /* constraints that count now: the first ones */
    u32 flipped;     /* the one that must not hold; NOBODY if all must */
    u64 *needs;      /* per constraint: the variables it depends on, OB_WORDS each */
    double *distance;
    u32 count; /* constraints */
    u64 room;
    struct variable variables[OB_VARIABLES];
    u32 variable_count;
    u64 value[OB_VARIABLES];
    u32 *links, *touched;
    u32 link_count, touched_count;
    u64 touched_room;
    u64 pool[OB_POOL];
    u32 pool_count;
    u64 *slot; /* per node: stamp << 32 | instruction */
    u32 stamp;
    u32 *pending;
    u64 pending_room;
    u32 *byte_owner; /* per input index: stamp, then variable */
    u64 byte_room;
    u32 *byte_stamp;
    double total;
    u64 work; /* instructions executed */
    u64 undo_low[OB_CODE], undo_high[OB_CODE];
    double *undo_distance;
};

u64 ordered_of(u64 bits, u32 width);  /* floating-point numbers in their order, as integers from 0 */
u64 bits_of(u64 ordered, u32 width);

void objective_room(struct solver *, struct objective *); /* before `slot` is used */
int objective_load(struct solver *, struct objective *, const struct constraint *, u32 count);
double objective_all(struct solver *, struct objective *); /* from the variables' values */
/* A variable's new value; the old state can be restored as long as nothing else changed. */
double objective_change(struct solver *, struct objective *, u32 variable, u64 value);
void objective_restore(struct objective *, u32 variable, u64 old, double total);
u32 objective_first_violated(const struct objective *); /* where the path would be left; `limit` if nowhere */
/* Only constraints up to this one count, and this one must not hold. */
void objective_flip(struct objective *, u32 constraint);
void objective_undo_flip(struct objective *, u32 constraint);
void objective_free(struct objective *);

#endif
