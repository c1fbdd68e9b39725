/* Values of all nodes under several inputs at once, each node computed once. */
#ifndef VALUES_H
#define VALUES_H

#include "driver.h"

#define INPUTS 8 /* witnesses */
#define BYTES 12 /* input bytes */
#define MAX_NODES 400000

static u8 input[INPUTS][BYTES];
static u128 values[MAX_NODES][INPUTS];
static u64 valued = 1;

static u128 table_at(const struct cinq_table *t, u128 index, u32 m) {
    u128 v = 0;
    if (index >= t->count) return 0;
    u32 id = t->ids ? ((u32 *)(POOL + t->ids))[(u64)index] : 0;
    if (id) return values[id][m];
    for (u32 i = 0; i < t->width / 8; i++) v |= (u128)POOL[t->bytes + (u64)index * (t->width / 8) + i] << (8 * i);
    return v;
}

static u128 value_of(const struct cinq_node *n, u32 m) {
    if (n->op == OP_INPUT) return input[m][n->imm];
    if (n->op == OP_TREAD) return table_at(&TABLES[n->imm], values[n->a][m], m);
    return eval_op(n->op, n->width, width_of(n->a), n->imm, values[n->a][m], values[n->b][m], values[n->c][m]);
}

static void value_new_nodes(void) {
    for (; valued < node_count; valued++)
        for (u32 m = 0; m < INPUTS; m++) values[valued][m] = value_of(&NODES[valued], m);
}

static void random_inputs(void) {
    for (u32 m = 0; m < INPUTS; m++)
        for (u32 i = 0; i < BYTES; i++) input[m][i] = (u8)(below(3) ? random64() >> 20 : below(2) ? 0 : 255);
}

#endif
