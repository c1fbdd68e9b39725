/* The value of an expression under the input of this run, memoised per run. */
#include "runtime.h"
#include "eval.h"

#define KNOWN ((u32 *)KNOWN_BASE)
#define VALUE ((u128 *)VALUE_BASE)

static u128 table_value(const struct cinq_table *t, u128 index) {
    u128 v = 0;
    if (index >= t->count) return 0;
    u32 size = t->width / 8;
    if (t->ids && ((const u32 *)(POOL + t->ids))[(u64)index]) return node_value(((const u32 *)(POOL + t->ids))[(u64)index]);
    const u8 *p = POOL + t->bytes + (u64)index * size;
    for (u32 i = 0; i < size; i++) v |= (u128)p[i] << (8 * i);
    return v;
}

static u128 compute(const struct cinq_node *n) {
    u128 a, b, c;
    if (n->op == OP_INPUT) return n->imm < CONTROL->input_size ? INPUT[n->imm] : 0;
    a = n->a ? node_value(n->a) : 0;
    if (n->op == OP_TREAD) return table_value(&TABLES[n->imm], a);
    b = n->b ? node_value(n->b) : 0;
    c = n->c ? node_value(n->c) : 0;
    return eval_op(n->op, n->width, n->a ? NODES[n->a].width : 0, n->imm, a, b, c);
}

u128 node_value(u32 id) {
    if (NODES[id].op == OP_CONST) return NODES[id].imm;
    if (KNOWN[id] == run_serial) return VALUE[id];
    u128 v = compute(&NODES[id]);
    KNOWN[id] = run_serial;
    VALUE[id] = v;
    return v;
}
