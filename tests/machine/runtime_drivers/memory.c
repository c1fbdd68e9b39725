/* Random loads, stores, copies and fills, through concrete and symbolic addresses.
 *
 * The same program is played under several inputs at once: the run-time sees
 * only the first (the witness), but what it records about a loaded value must
 * give the right value under every input. */
#include "values.h"

#define SIZE 48
static u64 base;
static u8 played[INPUTS][SIZE]; /* the object's bytes under each input */
static u64 loads, symbolic_loads, failures;

static void fail(const char *what, u64 got, u64 expected) {
    print_named(what, got);
    print_named("expected", expected);
    if (++failures > 3) quit(1);
}

/* A position for `size` bytes: its offset under each input, and the address' shadow. */
struct position { u64 at[INPUTS]; u32 s; };

static struct position random_position(u32 size) {
    struct position p;
    u64 fixed = below(SIZE - size + 1), stride = below(2) ? size : 1 + below(3), count = SIZE / (stride > size ? stride : size);
    u64 mask = count >= 8 && 7 * stride + size <= SIZE ? 7 : 1;
    u32 i = (u32)below(BYTES), kind = (u32)below(3);
    if (kind == 0 || mask * stride + size > SIZE) {
        for (u32 m = 0; m < INPUTS; m++) p.at[m] = fixed;
        p.s = 0;
        return p;
    }
    u64 start = stride == size && below(2) ? 0 : below(SIZE - size - mask * stride + 1);
    u32 index = node_extend(OP_ZEXT, node_binary(OP_AND, 8, node_input(i), node_const(8, mask)), 64);
    for (u32 m = 0; m < INPUTS; m++) p.at[m] = start + (input[m][i] & mask) * stride;
    p.s = cinq_gep(base, 0, input[0][i] & mask, index, 64, (i64)stride, (i64)start);
    return p;
}

static void random_value(u32 size, u32 *s, u64 *v) { /* v: one per input */
    u32 i = (u32)below(BYTES);
    u64 k = random64();
    *s = 0;
    for (u32 m = 0; m < INPUTS; m++) v[m] = k & (u64)cinq_mask(size * 8);
    if (below(3) == 0) return;
    if (size == 1 && below(2)) { /* bytes across byte borders: neighbours in the table, not in the value */
        u32 wide = node_binary(OP_MUL, 32, node_extend(OP_ZEXT, node_input(i), 32), node_const(32, 0x10203));
        for (u32 low = 1; low < 4 + below(8); low++) *s = node_extract(wide, low, 8);
        value_new_nodes();
        for (u32 m = 0; m < INPUTS; m++) v[m] = (u64)values[*s][m];
        return;
    }
    u32 x = node_extend(below(2) ? OP_ZEXT : OP_SEXT, node_input(i), size * 8);
    *s = shadow_of(below(2) ? x : node_binary(OP_ADD, size * 8, x, node_const(size * 8, k)));
    value_new_nodes();
    for (u32 m = 0; m < INPUTS; m++) v[m] = (u64)values[*s][m];
}

static u64 bytes_at(const u8 *p, u32 size) {
    u64 v = 0;
    for (u32 i = 0; i < size; i++) v |= (u64)p[i] << (8 * i);
    return v;
}

static void load_step(void) {
    u32 size = 1u << below(4);
    struct position p = random_position(size);
    u32 s = cinq_load(base + p.at[0], p.s, size, 1);
    loads++;
    symbolic_loads += s != 0;
    value_new_nodes();
    for (u32 m = 0; m < INPUTS; m++) {
        u64 expected = bytes_at(played[m] + p.at[m], size), got = s ? (u64)values[s][m] : bytes_at(played[0] + p.at[0], size);
        if (got != expected) return fail("loaded", got, expected);
    }
    if (s && width_of(s) != size * 8) fail("width", width_of(s), size * 8);
}

static void store_step(void) {
    u32 size = 1u << below(4), s;
    u64 v[INPUTS];
    struct position p = random_position(size);
    random_value(size, &s, v);
    cinq_store(base + p.at[0], p.s, size, 2, s, v[0]);
    raw_copy((void *)(base + p.at[0]), &v[0], size);
    for (u32 m = 0; m < INPUTS; m++) raw_copy(played[m] + p.at[m], &v[m], size);
}

static void copy_step(void) {
    u64 n = below(20), to = below(SIZE - n), from = below(SIZE - n);
    cinq_copy(base + to, base + from, n, 0, 0, 0, 3, 1);
    for (u32 m = 0; m < INPUTS; m++) raw_copy(played[m] + to, played[m] + from, n);
}

static void fill_step(void) {
    u64 n = below(12), to = below(SIZE - n), v[INPUTS];
    u32 s;
    random_value(1, &s, v);
    cinq_fill(base + to, v[0], n, 0, s, 0, 4);
    for (u32 m = 0; m < INPUTS; m++) raw_fill(played[m] + to, (u8)v[m], n);
}

static void start_round(void) {
    tables_forget();
    nodes_forget();
    heap_clear(CINQ_HEAP_BASE);
    state_restore();
    valued = 1;
    event_count = 0;
    run_serial++;
    random_inputs();
    raw_copy(INPUT, input[0], BYTES);
    CONTROL->input_size = BYTES;
    base = heap_allocate(SIZE, 16, 0);
    raw_fill(played, 0, sizeof played);
}

static void driver(void) {
    CONTROL->flags = CINQ_FLAG_NO_PIN;
    for (u32 r = 0; r < 2000; r++) {
        start_round();
        for (u32 i = 0; i < 60; i++) {
            u64 what = below(10);
            if (what < 4) load_step();
            else if (what < 8) store_step();
            else if (what < 9) copy_step();
            else fill_step();
        }
        if (raw_compare((void *)base, played[0], SIZE)) fail("memory differs in round", r, 0);
    }
    print_named("loads", loads);
    print_named("symbolic loads", symbolic_loads);
    print_named("failures", failures);
    quit(failures ? 1 : 0);
}
