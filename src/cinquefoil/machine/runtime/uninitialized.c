/* Memory that was never written (--check uninitialized).
 *
 * New bytes of the heap and of the program's stack have an expression of their
 * own: an input beyond all inputs, with the value zero, that names the allocation.
 * It moves through copies and arithmetic as any expression does.  Where one that
 * holds such bytes decides something, its undefined bits are computed: exact for
 * what moves and masks bits, so that bit-fields and padding are no alarm.
 * If the decision hangs on one, that is the error; if not, it is made with
 * zero for the undefined bytes, which then are not part of any event.
 *
 * A run that is doubting (`CINQ_FLAG_DOUBTING`) stands for all inputs of its
 * path: bits count as undefined if they may be so for one of these, whatever the
 * values of what is symbolic.  Output decides nothing, and is left out.
 */
#include "runtime.h"
#include "eval.h"

#define MAKERS 0x10000
#define MOST_BYTES 0x10000 /* of one object that are watched */
struct maker { u64 base, size; u32 site, region; };
static struct maker makers[MAKERS]; /* by site: the last object made there */

u32 cinq_watching;

static u32 unwritten_byte(u32 site, u64 i) {
    return node_intern(OP_INPUT, 8, 0, 0, 0, UNWRITTEN_FIRST + (u64)(site % MAKERS) * 8 + (i & 7));
}

static void note_maker(u64 address, u64 size, u32 site, u32 region) {
    struct maker *m = &makers[site % MAKERS];
    m->base = address;
    m->size = size;
    m->site = site;
    m->region = region;
}

void memory_unwritten(u64 address, u64 size, u32 site, u32 region) {
    if (likely(!cinq_watching)) return;
    note_maker(address, size, site, region);
    for (u64 i = 0; i < size && i < MOST_BYTES; i++) memory_put_byte(address + i, unwritten_byte(site, i));
}

SLOW void cinq_unwritten(u64 address, u64 size, u32 site) { memory_unwritten(address, size, site, REGION_STACK); }

/* What begins to live later has no tags yet; what has no site is written at once. */
SLOW void cinq_unwritten_frame(u64 base, const void *descriptor) {
    const struct cinq_function *d = descriptor;
    for (u32 i = 0; i < d->count; i++) {
        u64 address = base + d->objects[i].offset, size = d->objects[i].size;
        if (d->objects[i].site && size && memory_valid(address, size)) memory_unwritten(address, size, d->objects[i].site, REGION_STACK);
    }
}

SLOW u32 cinq_unwritten_value(u32 bits, u32 site) {
    u32 whole = unwritten_byte(site, 0);
    note_maker(0, (bits + 7) / 8, site, REGION_STACK);
    for (u32 i = 1; i < (bits + 7) / 8; i++) whole = node_concat(unwritten_byte(site, i), whole);
    return bits % 8 ? node_extract(whole, 0, bits) : whole;
}

/* ---- Undefined bits of an expression under this input ---------------------------------------- */
#define MEMO 4096
static struct { u32 id, run; u128 mask; } memo[MEMO];

static u128 undefined(u32 id);

static int is_unwritten(u32 id) { return NODES[id].flags & FLAG_UNWRITTEN; }
static u128 all_of(u32 id) { return cinq_mask(width_of(id)); }
static u128 from_lowest(u128 mask) { return mask ? ~((mask & -mask) - 1) : 0; } /* carries go upwards */

#define DEPTH 6

/* Has it this value for all inputs of the path?  It has if events of this run decided it, or what it is made of. */
static int follows(u32 id, u32 depth) {
    const struct cinq_node *n = &NODES[id];
    if (!id || is_const(id) || is_decided(id) || is_settled(id)) return 1;
    if (!depth || n->op == OP_INPUT || n->op == OP_TREAD || is_unwritten(id)) return 0;
    return follows(n->a, depth - 1) && follows(n->b, depth - 1) && follows(n->c, depth - 1);
}

static int is_known(u32 id) { return !is_doubting() || follows(id, DEPTH); }

static u128 shifted(const struct cinq_node *n, u128 all) {
    u128 mask = undefined(n->a), amount = node_value(n->b), sign;
    if (undefined(n->b) || (mask && !is_known(n->b))) return all;
    if (amount >= n->width) return n->op == OP_ASHR && mask >> (n->width - 1) ? all : 0;
    if (n->op == OP_SHL) return mask << amount;
    sign = n->op == OP_ASHR && mask >> (n->width - 1) ? all & ~(all >> amount) : 0;
    return mask >> amount | sign;
}

static u128 masked(const struct cinq_node *n) {
    u128 a = undefined(n->a), b = undefined(n->b), flip = n->op == OP_OR ? ~(u128)0 : 0;
    u128 of_a = is_known(n->b) ? node_value(n->b) ^ flip : ~(u128)0, of_b = is_known(n->a) ? node_value(n->a) ^ flip : ~(u128)0;
    return (a & b) | (a & of_a) | (b & of_b);
}

static u128 compared(const struct cinq_node *n) {
    u128 a = undefined(n->a), b = undefined(n->b), va = node_value(n->a), vb = node_value(n->b);
    if (!(a | b)) return 0;
    if (is_doubting()) return 1;
    if (n->op == OP_EQ) return !((va ^ vb) & ~(a | b));
    if (n->op != OP_ULT && n->op != OP_ULE) return 1;
    u128 least_a = va & ~a, most_a = va | a, least_b = vb & ~b, most_b = vb | b;
    if (n->op == OP_ULT) return !(most_a < least_b || least_a >= most_b);
    return !(most_a <= least_b || least_a > most_b);
}

static u128 chosen(const struct cinq_node *n, u128 all) {
    if (undefined(n->a)) return all;
    if (!is_known(n->a)) return undefined(n->b) | undefined(n->c);
    return undefined(node_value(n->a) ? n->b : n->c);
}

static u128 extended(const struct cinq_node *n, u128 all) {
    u128 mask = undefined(n->a), inner = all_of(n->a);
    return n->op == OP_SEXT && mask >> (width_of(n->a) - 1) ? mask | (all & ~inner) : mask;
}

static u128 undefined_bits(const struct cinq_node *n, u128 all) {
    switch (n->op) {
    case OP_INPUT: return 0xff;
    case OP_AND:
    case OP_OR: return masked(n);
    case OP_XOR: return undefined(n->a) | undefined(n->b);
    case OP_EXTRACT: return undefined(n->a) >> n->imm;
    case OP_CONCAT: return undefined(n->a) << width_of(n->b) | undefined(n->b);
    case OP_ZEXT:
    case OP_SEXT: return extended(n, all);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR: return shifted(n, all);
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_PTRADD: return from_lowest(undefined(n->a) | undefined(n->b));
    case OP_EQ:
    case OP_ULT:
    case OP_ULE: return compared(n);
    case OP_ITE: return chosen(n, all);
    default: return undefined(n->a) || (n->b && undefined(n->b)) || (n->c && undefined(n->c)) ? all : 0;
    }
}

static u128 undefined(u32 id) {
    if (!id || !is_unwritten(id)) return 0;
    if (memo[id % MEMO].id == id && memo[id % MEMO].run == run_serial) return memo[id % MEMO].mask;
    u128 all = all_of(id), mask = undefined_bits(&NODES[id], all) & all;
    memo[id % MEMO].id = id;
    memo[id % MEMO].run = run_serial;
    memo[id % MEMO].mask = mask;
    return mask;
}

u32 first_undefined(u64 first, u64 end, u64 step, u32 size) {
    for (; first < end; first += step) {
        u32 s = memory_gather(first, size);
        if (s && undefined(s)) return s;
    }
    return 0;
}

/* ---- Decisions ---------------------------------------------------------------------------------- */
static u32 leaf_of(u32 id) { /* one of the bytes that an expression hangs on */
    for (;;) {
        const struct cinq_node *n = &NODES[id];
        if (n->op == OP_INPUT) return id;
        u32 a = n->a, b = n->b, c = n->c;
        id = a && undefined(a) ? a : b && undefined(b) ? b : c && undefined(c) ? c : is_unwritten(a) ? a : b && is_unwritten(b) ? b : c;
    }
}

static NORETURN void fail(u32 site, u32 id, const char *what) {
    const struct maker *m = &makers[(NODES[leaf_of(id)].imm - UNWRITTEN_FIRST) / 8];
    struct object o;
    raw_fill(&o, 0, sizeof o);
    o.base = m->base;
    o.size = m->size;
    o.site = m->site;
    o.region = m->region;
    error_told(ERROR_UNINITIALIZED, site, what, &o);
}

/* The expression with zero for what was never written.  Parts are shared: what was made of them is remembered. */
static struct { u32 id, run, made; } written[MEMO];

static u32 with_zeros(u32 id) {
    const struct cinq_node *n = &NODES[id];
    if (!id || !is_unwritten(id)) return id;
    if (n->op == OP_INPUT) return node_const(8, 0);
    if (written[id % MEMO].id == id && written[id % MEMO].run == run_serial) return written[id % MEMO].made;
    u32 a = with_zeros(n->a), b = with_zeros(n->b), c = with_zeros(n->c);
    u32 made = node_make(NODES[id].op, NODES[id].width, a, b, c, NODES[id].imm);
    written[id % MEMO].id = id;
    written[id % MEMO].run = run_serial;
    written[id % MEMO].made = made;
    return made;
}

u32 memory_written(u32 s) { return with_zeros(s); }

COLD u32 decide_written(u32 site, u32 s, const char *what) {
    if (undefined(s)) fail(site, s, what);
    return with_zeros(s);
}

/* ---- Output --------------------------------------------------------------------------------------- */
/* A few undefined bytes that fill up to a multiple of four, behind defined ones, are padding. */
static int is_padding(u64 first, u64 end) { return first && end - first < 8 && end % 4 == 0; }

COLD static void check_bytes(u64 from, u64 n) {
    for (u64 i = 0, end; i < n; i = end + 1) {
        for (end = i; end < n && undefined(memory_byte(from + end)); end++);
        if (end > i && !is_padding(i, end)) fail(call_site(), memory_byte(from + i), "output holds memory never written");
    }
}

void output_written(u64 from, u64 n) {
    if (unlikely(cinq_watching) && !is_doubting()) check_bytes(from, n);
}
