/* Shared by the files of simplification rules (simplify.c, compare.c). */
#ifndef CINQ_RULES_H
#define CINQ_RULES_H

#include "runtime.h"
#include "eval.h"

typedef const struct cinq_node *node;
static inline node at(u32 id) { return &NODES[id]; }
static inline u32 op_of(u32 id) { return NODES[id].op; }
static inline int is_value(u32 id, u128 v) { return is_const(id) && const_value(id) == v; }
static inline u32 bit(u32 v) { return node_const(1, v); }
static inline int is_power(u128 k) { return k && !(k & (k - 1)); }

u32 rule_equal(u32 width, u32 a, u32 b);         /* 0: no rule */
u32 rule_order(u32 op, u32 width, u32 a, u32 b); /* 0: no rule */
u128 rule_maximum(u32 id, u32 depth);            /* an upper bound of the value */
u32 rule_split_sum(u32 x, u128 *k);              /* x = result + k */

#endif
