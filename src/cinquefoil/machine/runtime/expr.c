/* Interned expressions: equal structure, equal id.
 *
 * Nodes lie in shared memory, the hash index in private memory (huge pages:
 * page walks would cost more than the look-up).  A slot holds the upper half of
 * the hash and the id, so a miss rarely touches a foreign node.  The index
 * starts at 2 MiB and quadruples at half load, rebuilt where it is from the nodes.
 *
 * A node's first eight slots are one cache line, chosen by its newest operand:
 * what a program computes next is mostly computed from what it computed last,
 * so the line is at hand where a random slot of a large index would not be.
 * When that line is full (many nodes of one operand), the node goes where its
 * hash says.
 *
 * Byte extracts are special: node_byte allocates the EXTRACTs of all bytes of a
 * value side by side, outside the index, so that storing a value and loading it
 * back needs no hashing.  node_extract uses those same nodes where an EXTRACT
 * does not simplify, which keeps ids unique.  Raw byte extracts of nodes that
 * *would* simplify live in memory only; loads normalise them.
 */
#include "runtime.h"
#include "eval.h"

#define INDEX ((u64 *)INDEX_BASE)
#define FIRST_SLOTS 0x40000
#define MAX_SLOTS (INDEX_BYTES / 8)
#define LINE 8 /* slots in a cache line */
#define HOST_MADVISE 28
#define POPULATE_WRITE 23
#define CHUNK 0x100000 /* bytes of nodes that are faulted in at once */

u64 node_count = 1;
u64 node_hits;
static u64 slots = FIRST_SLOTS;
static u64 indexed;
static u64 faulted; /* end of the node memory that is known to be present */

static inline u64 mix(u64 x, u64 y) {
    u128 m = (u128)x * y;
    return (u64)m ^ (u64)(m >> 64);
}

static inline u64 hash_node(u32 op, u32 width, u32 a, u32 b, u32 c, u64 imm) {
    u64 x = ((u64)a << 32 | b) ^ 0x9e3779b97f4a7c15ull;
    u64 y = ((u64)c << 32 | width << 8 | op) ^ 0xd1b54a32d192ed03ull;
    return mix(x, y ^ mix(imm ^ 0xa0761d6478bd642full, 0xe7037ed1a0b428dbull)) | 1ull << 63;
}

static inline u64 hash_of(const struct cinq_node *n) { return hash_node(n->op, n->width, n->a, n->b, n->c, n->imm); }

static inline u64 home_of(u32 a, u32 b, u32 c, u32 width, u64 imm) { /* the first slot of its line */
    u32 newest = a > b ? a : b;
    if (c > newest) newest = c;
    u64 line = newest ? newest / 4 : mix(imm / 4 ^ 0xa0761d6478bd642full, width ^ 0xe7037ed1a0b428dbull);
    return line * LINE & (slots - 1);
}

static inline u64 next_slot(u64 home, u64 hash, u32 *step, u64 at) {
    if (++*step < LINE) return home + *step;
    return (*step == LINE ? hash : at + 1) & (slots - 1);
}

static void index_insert(u64 home, u64 hash, u32 id) {
    u32 step = 0;
    u64 i = home;
    while (INDEX[i]) i = next_slot(home, hash, &step, i);
    INDEX[i] = (hash >> 32) << 32 | id;
    indexed++;
}

static void index_node(u32 id) {
    const struct cinq_node *n = &NODES[id];
    index_insert(home_of(n->a, n->b, n->c, n->width, n->imm), hash_of(n), id);
}

static int is_memory_byte(u32 id) {
    const struct cinq_node *n = &NODES[id];
    return n->op == OP_EXTRACT && n->pad;
}

static COLD void index_grow(void) {
    clear_memory(INDEX_BASE, INDEX_BASE + slots * 8);
    slots *= slots * 4 <= MAX_SLOTS ? 4 : 2;
    indexed = 0;
    for (u32 id = 1; id < node_count; id++)
        if (!is_memory_byte(id)) index_node(id);
}

void table_has_room(u64 more) {
    const struct cinq_control *c = CONTROL;
    u64 tables = c->tables * sizeof(struct cinq_table) + c->pool + c->alts * 4;
    if (node_count * sizeof(struct cinq_node) + tables + more > c->max_table) end_run(END_TABLE, 0);
}

static COLD void fault_in(u64 end) {
    if (node_count + 64 >= CINQ_NODE_CAPACITY) end_run(END_TABLE, 0);
    table_has_room(CHUNK);
    if (!faulted) faulted = (u64)NODES;
    while (faulted < end) {
        host_call(HOST_MADVISE, (long)faulted, CHUNK, POPULATE_WRITE, 0, 0, 0);
        faulted += CHUNK;
    }
}

static inline void widen_range(struct cinq_node *n, u32 id) {
    const struct cinq_node *o = &NODES[id];
    if (o->lo < n->lo) n->lo = o->lo;
    if (o->hi > n->hi) n->hi = o->hi;
    u32 nest = (o->flags & FLAGS_NEST) > (n->flags & FLAGS_NEST) ? o->flags & FLAGS_NEST : n->flags & FLAGS_NEST;
    n->flags = (u8)((n->flags & ~FLAGS_NEST) | nest | (o->flags & (FLAG_TREAD | FLAG_PRINTED | FLAG_UNWRITTEN)));
}

static void set_table_range(struct cinq_node *n) {
    const struct cinq_table *t = &TABLES[n->imm];
    const u32 *ids = (const u32 *)(POOL + t->ids);
    for (u32 i = 0; t->ids && i < t->count; i++)
        if (ids[i]) widen_range(n, ids[i]);
    n->flags |= FLAG_TREAD;
    if ((n->flags & FLAGS_NEST) < FLAGS_NEST) n->flags += FLAG_NEST;
}

static void set_derived(struct cinq_node *n) {
    n->lo = 0xffffffff;
    n->hi = 0;
    if (n->op == OP_INPUT && n->imm >= UNWRITTEN_FIRST && is_watching()) n->flags |= FLAG_UNWRITTEN;
    else if (n->op == OP_INPUT) n->lo = n->hi = (u32)n->imm;
    if (n->a) widen_range(n, n->a);
    if (n->b) widen_range(n, n->b);
    if (n->c) widen_range(n, n->c);
    if (n->op == OP_TREAD) set_table_range(n);
    if (n->op == OP_CONST || (n->op == OP_CONCAT && is_const(n->a) && is_const(n->b))) n->flags |= FLAG_CONST;
}

static u32 node_append(u32 op, u32 width, u32 a, u32 b, u32 c, u64 imm) {
    u32 id = (u32)node_count;
    struct cinq_node *n = &NODES[id];
    if (unlikely((u64)(n + 1) > faulted)) fault_in((u64)(n + 1));
    n->op = (u8)op;
    n->flags = 0;
    n->width = (u16)width;
    n->a = a;
    n->b = b;
    n->c = c;
    n->imm = imm;
    n->bytes = 0;
    n->pad = 0;
    set_derived(n);
    node_count = id + 1;
    return id;
}

HOT u32 node_intern(u32 op, u32 width, u32 a, u32 b, u32 c, u64 imm) {
    u64 hash = hash_node(op, width, a, b, c, imm), home = home_of(a, b, c, width, imm), i = home, slot;
    for (u32 step = 0; (slot = INDEX[i]); i = next_slot(home, hash, &step, i)) {
        if (slot >> 32 != hash >> 32) continue;
        const struct cinq_node *n = &NODES[(u32)slot];
        if (n->a == a && n->b == b && n->imm == imm && n->op == op && n->width == width && n->c == c) {
            node_hits++;
            return (u32)slot;
        }
    }
    u32 id = node_append(op, width, a, b, c, imm);
    INDEX[i] = (hash >> 32) << 32 | id;
    if (unlikely(++indexed * 2 > slots)) index_grow();
    return id;
}

u32 node_byte(u32 id, u32 k) {
    u32 width = width_of(id);
    if (width == 8) return id;
    if (!NODES[id].bytes) {
        u32 first = (u32)node_count;
        for (u32 low = 0; low < width; low += 8) NODES[node_append(OP_EXTRACT, 8, id, 0, 0, low)].pad = 1;
        NODES[id].bytes = first;
    }
    return NODES[id].bytes + k;
}

/* Most of what is looked up are a few constants: these are remembered, the last one of each slot. */
static struct { u64 value; u32 width, id; } familiar[1024];

static u32 small_const(u32 width, u64 value) {
    u64 slot = (value ^ value >> 10 ^ width * 37) & 1023;
    if (familiar[slot].width == width && familiar[slot].value == value) {
        node_hits++;
        return familiar[slot].id;
    }
    familiar[slot].id = node_intern(OP_CONST, width, 0, 0, 0, value);
    familiar[slot].value = value;
    familiar[slot].width = width;
    return familiar[slot].id;
}

u32 node_const(u32 width, u128 value) {
    value &= cinq_mask(width);
    if (width <= 64) return small_const(width, (u64)value);
    u32 high = node_intern(OP_CONST, width - 64, 0, 0, 0, (u64)(value >> 64));
    return node_intern(OP_CONCAT, width, high, node_intern(OP_CONST, 64, 0, 0, 0, (u64)value), 0, 0);
}

u32 node_input(u32 index) {
    u32 *known = (u32 *)INPUT_NODE_BASE + index;
    if (!*known) *known = node_intern(OP_INPUT, 8, 0, 0, 0, index);
    return *known;
}

/* What a narrower shadow says nothing of is as the value has it: zeros, copies of the sign, or whatever was there. */
COLD u32 node_fit(u32 s, u32 width, u128 value) {
    u32 own = width_of(s);
    if (width <= own) return node_extract(s, 0, width);
    u128 above = (value & cinq_mask(width)) >> own, low = value & cinq_mask(own);
    if (!above) return node_extend(OP_ZEXT, s, width);
    if (above == cinq_mask(width - own) && low >> (own - 1)) return node_extend(OP_SEXT, s, width);
    return node_concat(node_const(width - own, above), s);
}

void nodes_forget(void) {
    clear_memory(INDEX_BASE, INDEX_BASE + slots * 8);
    clear_memory(STAMP_BASE, STAMP_BASE + node_count * 4);
    clear_memory(KNOWN_BASE, KNOWN_BASE + node_count * 4);
    clear_memory(PINNED_BASE, PINNED_BASE + node_count * 4);
    clear_memory(INPUT_NODE_BASE, INPUT_NODE_BASE + CINQ_INPUT_CAPACITY * 4ull);
    raw_fill(familiar, 0, sizeof familiar);
    rules_forget();
    gathers_forget();
    slots = FIRST_SLOTS;
    indexed = 0;
    faulted = 0; /* the engine has taken the pages back */
    node_count = 1;
}
