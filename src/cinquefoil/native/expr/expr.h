/* Native evaluation of expressions.  All that Python calls; all memory is the caller's. */
#ifndef CINQ_EXPR_H
#define CINQ_EXPR_H
#include "common/types.h"
#include "layout.h"

struct instruction {
    u8 op, wide, width, wa; /* wide: the long path; wa: width of operand a */
    u32 a, b, c;            /* slots; TREAD: b = 1 + start of its entries' slots in aux, 0 if all concrete */
    u64 imm;
    u8 wb, wc, outer, pad; /* outer: depends on the outer byte of a pair table */
    u32 node;
};

/* Compiled instructions. */
struct code {
    struct instruction *code;
    u32 *aux, *root_slots;
    u32 length, capacity;
    u32 aux_length, aux_capacity;
};

/* The expression table, and scratch per node id: stamp[id] == epoch: id has a slot. */
struct space {
    const struct cinq_node *nodes;
    const struct cinq_table *tables;
    const u8 *pool;
    u32 *stamp, *slot;
    u32 epoch, stack_capacity;
    u32 *stack;
};

/* Values of all slots, [slot][count], and where inputs come from.  `stride`: between inputs of consecutive lanes; 0: one
 * for all.  `inner`, `outer`: indices of the bytes that vary (~0: no such), the inner one with the lane.  `partial`: only
 * what depends on the outer byte is stale. */
struct lanes {
    u64 *lo, *hi;
    const u8 *inputs;
    u64 stride;
    u32 size, count;
    u32 inner, outer;
    u32 outer_value, partial;
};

/* Makes p from the roots; 0, or which array was too small.  root_slots[i]: where root i's value will be. */
int cinq_compile(struct space *s, struct code *p, const u32 *roots, u32 count);
void cinq_evaluate(const struct space *s, const struct code *p, struct lanes *v);
/* The roots' values, [root][lane], after a run. */
void cinq_collect(const struct code *p, const struct lanes *v, u32 roots, u64 *lo, u64 *hi);

/* Constraints: root i == values[2i, 2i+1], or != where equal[i] is 0. */

/* One lane: the first constraint that does not hold, or -1.  Later ones are not computed. */
i64 cinq_first_violated(const struct space *s, const struct code *p, struct lanes *v, const u64 *wanted,
                        const u8 *equal, u32 count);
/* All constraints under all values of the inner byte, and of the outer one if there is one: bit outer * 256 + inner of
 * `bits`, which is zero before. */
void cinq_truth_table(const struct space *s, struct code *p, struct lanes *v, const u64 *wanted, const u8 *equal,
                      u32 count, u64 *bits);
/* One bit set of `words` words per slot: the input indices that it depends on. */
void cinq_dependencies(const struct space *s, const struct code *p, u64 *sets, u32 words);

#endif
