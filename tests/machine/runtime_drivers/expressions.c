/* Random expressions: every simplification must keep the value.
 *
 * A pool of values of all widths grows step by step.  Each step applies a random
 * operation to pool members, computes the result without simplification (eval_op
 * on the members' values, under several inputs), makes the node, and compares
 * with the node's own value.  Node values are computed once per new node. */
#include "values.h"

#define POOL_SIZE 3000

struct member { u32 id; u128 v[INPUTS]; };
static struct member pool[POOL_SIZE];
static u32 pool_used;
static u64 failures, steps;
static const u32 widths[] = {1, 3, 7, 8, 8, 8, 16, 24, 32, 32, 32, 64, 64, 64, 80, 100, 128};

static void report(u32 op, u32 w, const struct member *r, u32 m) {
    print_named("wrong: op", op);
    print_named("width", w);
    print_named("node op", NODES[r->id].op);
    print_named("node width", NODES[r->id].width);
    print_named("expected", (u64)r->v[m]);
    print_named("got", (u64)values[r->id][m]);
    if (++failures > 5) quit(1);
}

static void check(u32 op, u32 w, const struct member *r) {
    value_new_nodes();
    steps++;
    if (width_of(r->id) != w) report(op, w, r, 0);
    for (u32 m = 0; m < INPUTS; m++)
        if (values[r->id][m] != r->v[m]) {
            report(op, w, r, m);
            return;
        }
    if (pool_used < POOL_SIZE) raw_copy(&pool[pool_used++], r, sizeof *r);
}

/* ---- Operands ---------------------------------------------------------------------------- */
static u128 random_constant(u32 w) {
    u128 all = cinq_mask(w);
    switch (below(10)) {
    case 0: return 0;
    case 1: return 1 & all;
    case 2: return all;
    case 3: return (u128)1 << below(w);
    case 4: return cinq_mask((u32)below(w));
    case 5: return (all >> 1) + below(3);
    case 6: return -(u128)below(300);
    case 7: return below(w + 2);
    case 8: return below(256);
    default: return (u128)random64() << 64 | random64();
    }
}

static struct member constant(u32 w) {
    struct member r;
    u128 v = random_constant(w) & cinq_mask(w);
    r.id = node_const(w, v);
    for (u32 m = 0; m < INPUTS; m++) r.v[m] = v;
    return r;
}

static struct member any(void) { return pool[below(pool_used)]; }

static struct member extended(struct member x, u32 w) {
    struct member r;
    u32 wa = width_of(x.id), op = w > wa ? (below(2) ? OP_ZEXT : OP_SEXT) : OP_EXTRACT;
    u32 low = w < wa ? (u32)below(wa - w + 1) : 0;
    if (w == wa) return x;
    for (u32 m = 0; m < INPUTS; m++) r.v[m] = eval_op(op, w, wa, low, x.v[m], 0, 0);
    r.id = op == OP_EXTRACT ? node_extract(x.id, low, w) : node_extend(op, x.id, w);
    check(op, w, &r);
    return r;
}

static struct member of_width(u32 w) {
    if (below(4) == 0) return constant(w);
    for (u32 tries = 0; tries < 8; tries++) {
        struct member x = any();
        if (width_of(x.id) == w) return x;
    }
    return extended(any(), w);
}

/* A node that shares structure with x: rules that compare operands need such pairs. */
static struct member of_node(u32 id) {
    struct member r;
    r.id = id;
    for (u32 m = 0; m < INPUTS; m++) r.v[m] = values[id][m];
    return r;
}

static struct member related(struct member x, u32 w) {
    const struct cinq_node *n = &NODES[x.id];
    u32 parts[3] = {n->a, n->b, n->c}, id = parts[below(3)];
    if (id && n->op != OP_TREAD && below(3) == 0) { /* once deeper */
        const struct cinq_node *inner = &NODES[id];
        if (inner->a && inner->op != OP_TREAD) id = below(2) && inner->b ? inner->b : inner->a;
    }
    if (id && width_of(id) == w && !NODES[id].pad) return of_node(id);
    for (u32 i = pool_used; i-- > 0 && i + 200 > pool_used;) { /* built from the same operand */
        const struct cinq_node *p = &NODES[pool[i].id];
        if (p->width == w && p->op != OP_CONST && pool[i].id != x.id && ((n->a && p->a == n->a) || p->a == x.id || p->b == x.id)) return pool[i];
    }
    return of_width(w);
}

/* ---- Operations ----------------------------------------------------------------------------- */
static void binary_step(u32 op, u32 w) {
    struct member a = of_width(w), b = below(20) ? (below(3) ? of_width(w) : related(a, w)) : a, r;
    if (below(8) == 0) {
        struct member t = a;
        a = b;
        b = t;
    }
    u32 result = (op >= OP_EQ && op <= OP_SLE) || op >= OP_FOEQ ? 1 : w;
    for (u32 m = 0; m < INPUTS; m++) r.v[m] = eval_op(op, result, w, 0, a.v[m], b.v[m], 0);
    r.id = node_binary(op, w, a.id, b.id);
    check(op, result, &r);
}

static void ite_step(void) {
    u32 w = widths[below(sizeof widths / 4)];
    struct member c = of_width(1), a = of_width(w), b = of_width(w), r;
    if (below(3) == 0 && w == 1) a = related(c, 1);
    if (NODES[a.id].op == OP_ITE && below(2)) c = of_node(NODES[a.id].a);
    if (NODES[b.id].op == OP_ITE && below(2)) c = of_node(NODES[b.id].a);
    for (u32 m = 0; m < INPUTS; m++) r.v[m] = c.v[m] ? a.v[m] : b.v[m];
    r.id = node_ite(c.id, a.id, b.id);
    check(OP_ITE, w, &r);
}

static void concat_step(void) {
    struct member a = any(), b = below(2) ? any() : related(a, width_of(a.id)), r;
    u32 wa = width_of(a.id), wb = width_of(b.id);
    if (wa + wb > 128) return;
    for (u32 m = 0; m < INPUTS; m++) r.v[m] = a.v[m] << wb | b.v[m];
    r.id = node_concat(a.id, b.id);
    check(OP_CONCAT, wa + wb, &r);
}

static void split_step(void) { /* take a value apart and put it together again */
    struct member a = any(), h, l, r;
    u32 w = width_of(a.id);
    if (w < 2) return;
    u32 k = 1 + (u32)below(w - 1);
    h.id = node_extract(a.id, k, w - k);
    l.id = node_extract(a.id, 0, k);
    r.id = node_concat(h.id, l.id);
    for (u32 m = 0; m < INPUTS; m++) r.v[m] = a.v[m];
    check(OP_CONCAT, w, &r);
}

static void unary_step(u32 op) {
    static const u32 formats[] = {32, 64, 80};
    int from_float = op == OP_FSQRT || op == OP_FRINT || op == OP_FCVT || op == OP_F2SI || op == OP_F2UI;
    int to_float = op == OP_FCVT || op == OP_SI2F || op == OP_UI2F;
    u32 wa = from_float ? formats[below(3)] : widths[below(sizeof widths / 4)];
    u32 w = to_float ? formats[below(3)] : op == OP_F2SI || op == OP_F2UI ? 8u << below(4) : wa;
    u64 imm = op == OP_FRINT ? below(5) : 0;
    struct member a = of_width(wa), r;
    for (u32 m = 0; m < INPUTS; m++) r.v[m] = eval_op(op, w, wa, imm, a.v[m], 0, 0);
    r.id = node_unary(op, w, a.id, imm);
    check(op, w, &r);
}

/* A number computed from an integer step by step, then compared with one like those it can be. */
static void chain_step(void) {
    static const u32 formats[] = {32, 64, 80}, bases[] = {8, 16, 32, 64};
    static const u32 arithmetic[] = {OP_FADD, OP_FSUB, OP_FMUL, OP_FDIV}, compares[] = {OP_FOEQ, OP_FOLT, OP_FOLE, OP_FUNO};
    struct member x = of_width(bases[below(4)]), r, k;
    u32 op = below(2) ? OP_SI2F : OP_UI2F, wa = width_of(x.id), w = formats[below(3)];
    for (u32 n = below(4) + 1; n; n--) {
        for (u32 m = 0; m < INPUTS; m++) r.v[m] = eval_op(op, w, wa, 0, x.v[m], 0, 0);
        r.id = node_unary(op, w, x.id, 0);
        check(op, w, &r);
        u32 kind = arithmetic[below(4)], turned = below(3) == 0;
        u128 v = below(8) ? cinq_narrow(w, ((long double)below(2000) - 1000) / (below(2) ? 1 : 10)) : random_constant(w) & cinq_mask(w);
        u32 id = node_const(w, v);
        for (u32 m = 0; m < INPUTS; m++) x.v[m] = turned ? eval_op(kind, w, w, 0, v, r.v[m], 0) : eval_op(kind, w, w, 0, r.v[m], v, 0);
        x.id = turned ? node_binary(kind, w, id, r.id) : node_binary(kind, w, r.id, id);
        check(kind, w, &x);
        op = OP_FCVT, wa = w, w = formats[below(3)];
    }
    w = width_of(x.id);
    k = constant(w);
    if (below(4)) {
        k.id = node_const(w, x.v[below(INPUTS)]);
        for (u32 m = 0; m < INPUTS; m++) k.v[m] = const_value(k.id);
    }
    int turned = below(2);
    op = compares[below(4)];
    for (u32 m = 0; m < INPUTS; m++) r.v[m] = turned ? eval_op(op, 1, w, 0, k.v[m], x.v[m], 0) : eval_op(op, 1, w, 0, x.v[m], k.v[m], 0);
    r.id = turned ? node_binary(op, w, k.id, x.id) : node_binary(op, w, x.id, k.id);
    check(op, 1, &r);
}

static u64 table_memory;
static void table_step(void) {
    u32 size = 1u << below(4);
    struct member i = of_width(widths[3 + below(6)]), r;
    struct object o = {.base = table_memory, .size = 64, .region = REGION_HEAP, .live = 1};
    u32 table = table_of(&o, size);
    value_new_nodes();
    for (u32 m = 0; m < INPUTS; m++) r.v[m] = table_at(&TABLES[table], i.v[m], m);
    r.id = node_tread(table, i.id);
    check(OP_TREAD, size * 8, &r);
}

static void step(void) {
    static const u32 floats[] = {OP_FADD, OP_FSUB, OP_FMUL, OP_FDIV, OP_FREM, OP_FOEQ, OP_FOLT, OP_FOLE, OP_FUNO};
    static const u32 unaries[] = {OP_CTPOP, OP_CTLZ, OP_CTTZ, OP_FSQRT, OP_FRINT, OP_FCVT, OP_F2SI, OP_F2UI, OP_SI2F, OP_UI2F};
    switch (below(17)) {
    case 0: ite_step(); break;
    case 1: concat_step(); break;
    case 2: extended(any(), widths[below(sizeof widths / 4)]); break;
    case 3: unary_step(unaries[below(10)]); break;
    case 4: binary_step(floats[below(9)], below(2) ? 64 : below(2) ? 32 : 80); break;
    case 5: table_step(); break;
    case 6: binary_step(OP_PTRADD, 64); break;
    case 7: split_step(); break;
    case 8: chain_step(); break;
    default: binary_step(OP_ADD + (u32)below(OP_SLE - OP_ADD + 1), widths[below(sizeof widths / 4)]);
    }
}

/* ---- Rounds ----------------------------------------------------------------------------------- */
static void start_round(void) {
    tables_forget();
    nodes_forget();
    valued = 1;
    pool_used = 0;
    random_inputs();
    for (u32 i = 0; i < BYTES; i++) {
        struct member r;
        r.id = node_input(i);
        for (u32 m = 0; m < INPUTS; m++) r.v[m] = input[m][i];
        check(OP_INPUT, 8, &r);
    }
    for (u32 i = 0; i < 64; i++) {
        ((u8 *)table_memory)[i] = (u8)random64();
        memory_put_byte(table_memory + i, below(4) ? 0 : node_input((u32)below(BYTES)));
    }
}

static void driver(void) {
    u64 rounds = 400, per_round = 3000;
        table_memory = heap_allocate(64, 16, 0);
    for (u64 r = 0; r < rounds; r++) {
        start_round();
        for (u64 i = 0; i < per_round && node_count + 2000 < MAX_NODES; i++) step();
    }
    print_named("steps", steps);
    print_named("failures", failures);
    quit(failures ? 1 : 0);
}
