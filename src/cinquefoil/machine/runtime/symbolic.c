/* Accesses through symbolic addresses (DESIGN: "symbolic addresses").
 *
 * The object meant is the one the pointer was computed from; if that pointer is
 * itself symbolic, one of several, it is fixed first, and the others are its
 * alternatives.  That the address
 * stays inside is an implicit branch; its other side is an error's input.  A
 * read becomes a table read over a snapshot of the object, a write a
 * conditional update of every element it may hit.  In objects over the limits
 * this happens in a window: the offset's high bits are fixed, the low bits stay
 * symbolic.  A pointer made of input alone may mean any object (pointers.c).
 * Other addresses without a known object are fixed to the run's address.
 */
#include "rules.h"

/* A position inside an object: offset expression, and the index in elements of
 * `size` bytes if the offset is known to be a multiple (else unit is 1). */
struct position { struct object o; u32 offset, index, unit, whole; }; /* `whole`: the offset in the object, not in a window */

#define WINDOW 16 /* bytes; smaller limits leave nothing symbolic */

static u32 violation(const struct object *o) {
    if (o->live) return ERROR_OUT_OF_BOUNDS;
    return o->region == REGION_STACK ? ERROR_USE_AFTER_SCOPE : ERROR_USE_AFTER_FREE;
}

/* The address stays in the object: decided as a check; a concrete violation ends the run. */
static void check_bounds(u64 address, u32 s, u64 size, u32 access, u32 site, const struct object *o) {
    u32 kind = violation(o);
    if (!o->live) error_object(kind, address, size, access, site, o);
    u32 offset = node_binary(OP_SUB, 64, s, node_const(64, o->base));
    u32 ok = o->size < size ? node_const(1, 0) : node_binary(OP_ULE, 64, offset, node_const(64, o->size - size));
    int holds = o->size >= size && address - o->base <= o->size - size;
    decide(EVENT_CHECK, site, ok, holds ? 1 : 0, kind);
    if (!holds) error_object(kind, address, size, access, site, o);
}

/* Integers may be pointers too: a sum with one constant part that lies in an object. */
static u32 root_sum(u32 s) {
    u128 base;
    struct object o;
    u32 rest = rule_split_sum(s, &base);
    if (rest == s || !object_holding((u64)base, &o)) return 0;
    return node_binary(OP_PTRADD, 64, node_const(64, base), rest);
}

u32 symbolic_root(u32 site, u32 s) {
    s = fitted(s, 64, 0);
    const struct cinq_node *n = &NODES[s];
    if (is_const(s)) return s;
    if (n->op == OP_PTRADD) {
        u32 b = n->b, base = symbolic_root(site, n->a);
        return base == NODES[s].a ? s : node_binary(OP_PTRADD, 64, base, b);
    }
    u32 sum = root_sum(s);
    if (sum) return sum;
    if (pointer_is_free(s)) return pointer_root(site, s);
    u64 value = (u64)node_value(s);
    concretize(site, s, value, REASON_ADDRESS);
    return node_const(64, value);
}

u32 symbolic_inside(u64 address, u32 s, u64 size, u32 access, u32 site) {
    struct object o;
    s = symbolic_root(site, s);
    if (object_meant(s, &o)) check_bounds(address, s, size, access, site, &o);
    else if (!is_rooted(s)) memory_check(address, size, access, site); /* a free pointer to no object: one error */
    return s;
}

void symbolic_range(u64 address, u32 s, u64 size, u32 access, u32 site) {
    if (!s || is_const(s)) return;
    concretize(site, symbolic_inside(address, s, size, access, site), address, REASON_ADDRESS);
}

/* The largest power of two (at most 16) that surely divides x. */
static u32 alignment(u32 x, u32 depth) {
    const struct cinq_node *n = &NODES[x];
    u32 p, q;
    if (is_const(x)) {
        u32 zeros = cinq_trailing_zeros(const_value(x), 4);
        return 1u << (zeros > 4 ? 4 : zeros);
    }
    if (!depth) return 1;
    switch (n->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_ITE:
        p = alignment(n->op == OP_ITE ? n->c : n->a, depth - 1), q = alignment(n->b, depth - 1);
        return p < q ? p : q;
    case OP_MUL:
        p = alignment(n->a, depth - 1) * alignment(n->b, depth - 1);
        return p < 16 ? p : 16;
    case OP_SHL:
        if (!is_const(n->b)) return 1;
        p = const_value(n->b) >= 4 ? 16 : alignment(n->a, depth - 1) << (u32)const_value(n->b);
        return p < 16 ? p : 16;
    case OP_AND:
        return is_const(n->b) ? alignment(n->b, 1) : 1;
    case OP_CONCAT:
        if (!is_const(n->b) || const_value(n->b)) return alignment(n->b, depth - 1);
        return width_of(n->b) >= 4 ? 16 : 1u << width_of(n->b);
    case OP_ZEXT:
    case OP_SEXT: return alignment(n->a, depth - 1);
    default: return 1;
    }
}

static u32 log2_of(u32 size) { return (u32)__builtin_ctz(size); }

static u32 strip_zext(u32 x) { return NODES[x].op == OP_ZEXT ? NODES[x].a : x; }

/* Bits bits.. of an offset below size are fixed, eight at a time: no event has more than 256 values. */
static void fix_high(u32 offset, u32 bits, u64 size, u32 site) {
    u64 value = (u64)node_value(offset);
    for (u32 high = 64 - (u32)__builtin_clzll(size - 1); high > bits;) {
        u32 low = high - bits > 8 ? high - 8 : bits;
        concretize(site, node_extract(offset, low, high - low), value >> low, REASON_ADDRESS);
        high = low;
    }
}

/* The window that the offset falls into becomes the position's object; returns the offset in it. */
static u32 narrow(struct position *p, u32 offset, u32 size, u64 window, u32 site) {
    u32 bits = 63 - (u32)__builtin_clzll(window);
    u64 first = (u64)node_value(offset) >> bits << bits, left = p->o.size - first, room = (1ull << bits) + size - 1;
    fix_high(offset, bits, p->o.size, site);
    p->o.base += first;
    p->o.size = left < room ? left : room;
    p->o.global = p->o.constant = 0; /* not the object whose table is remembered */
    return node_extend(OP_ZEXT, node_extract(offset, 0, bits), 64);
}

static void locate(struct position *p, u32 s, u32 size, u32 site, u64 limit, u64 window) {
    u32 offset = node_binary(OP_SUB, 64, s, node_const(64, p->o.base));
    hear_if_printed(offset);
    offset = is_settled(offset) ? node_const(64, node_value(offset)) : pin(site, offset);
    p->whole = offset;
    p->unit = (size & (size - 1)) == 0 && alignment(offset, 6) >= size ? size : 1;
    p->offset = p->o.size > limit && !is_const(offset) ? narrow(p, offset, size, window, site) : offset;
    p->index = strip_zext(node_extract(p->offset, log2_of(p->unit), 64 - log2_of(p->unit)));
}

/* Finds the object, checks the bounds; 0: the address has been fixed instead. */
static int enter(struct position *p, u64 address, u32 s, u32 size, u32 access, u32 site, u64 limit) {
    s = symbolic_root(site, WRITTEN(site, s, "an address depends on memory never written"));
    if (!object_meant(s, &p->o)) {
        if (!is_rooted(s)) memory_check(address, size, access, site); /* a free pointer to no object: one error */
        concretize(site, s, address, REASON_ADDRESS);
        return 0;
    }
    check_bounds(address, s, size, access, site, &p->o);
    if (p->o.size < size || limit < WINDOW) {
        concretize(site, s, address, REASON_ADDRESS);
        return 0;
    }
    /* Every element of a window may change in a write, so it is kept small. */
    locate(p, s, size, site, limit, access == ACCESS_WRITE ? WINDOW : limit);
    return 1;
}

/* ---- Reads --------------------------------------------------------------------------- */
static u32 read_bytes(const struct position *p, u32 size) {
    u32 table = table_of(&p->o, 1), whole = 0;
    for (u32 i = 0; i < size; i++) {
        u32 at = strip_zext(node_binary(OP_ADD, 64, p->offset, node_const(64, i)));
        u32 byte = node_tread(table, at);
        whole = whole ? node_concat(byte, whole) : byte;
    }
    return whole;
}

/* Something never written that the read may meet for another input of the same path; 0: nothing.  Which positions it
 * may mean is known as far as its offset's constant part, alignment and upper bound tell. */
static u32 doubtful_read(const struct position *p, u32 size) {
    u128 part, most = rule_maximum(p->offset, 6);
    u64 end = p->o.base + p->o.size - size + 1;
    u32 rest = rule_split_sum(p->whole, &part), step = alignment(rest, 6); /* windows begin at multiples of 16 */
    if (rest == p->whole) part = 0;
    if (most < p->o.size - size) end = p->o.base + (u64)most + 1;
    return first_undefined(p->o.base + ((u64)part & (step - 1)), end, step, size);
}

static int fixed_unwritten(const struct position *p, u64 address, u32 size, u32 site) { /* no table holds such bytes */
    u32 here = memory_gather(address, size);
    if (!here || !(NODES[here].flags & FLAG_UNWRITTEN)) return 0;
    concretize(site, p->offset, (u64)node_value(p->offset), REASON_ADDRESS);
    return 1;
}

u32 symbolic_load(u64 address, u32 s, u32 size, u32 site) {
    struct position p;
    if (!enter(&p, address, s, size, ACCESS_READ, site, CONTROL->table_limit)) {
        memory_check(address, size, ACCESS_READ, site);
        return memory_gather(address, size);
    }
    memory_check(address, size, ACCESS_READ, site);
    if (is_const(p.offset)) return memory_gather(address, size);
    if (unlikely(is_doubting())) {
        u32 doubtful = doubtful_read(&p, size);
        if (doubtful) return doubtful;
    } else if (unlikely(is_watching()) && fixed_unwritten(&p, address, size, site)) return memory_gather(address, size);
    return shadow_of(p.unit == size ? node_tread(table_of(&p.o, size), p.index) : read_bytes(&p, size));
}

/* ---- Writes ---------------------------------------------------------------------------- */
static u32 old_value(u64 address, u32 size) {
    u128 v = 0;
    u32 s = memory_gather(address, size);
    if (s) return s;
    for (u32 i = 0; i < size; i++) v |= (u128)((const u8 *)address)[i] << (8 * i);
    return node_const(size * 8, v);
}

static u64 reach_of(u32 index, u64 count) { /* elements that an index of this width can name */
    u32 w = width_of(index);
    return w < 32 && (1ull << w) < count ? 1ull << w : count;
}

static void write_elements(const struct position *p, u32 size, u32 value) {
    u64 count = reach_of(p->index, p->o.size / size);
    for (u64 i = 0; i < count; i++) {
        u32 hit = node_binary(OP_EQ, width_of(p->index), p->index, node_const(width_of(p->index), i));
        if (is_const(hit) && !const_value(hit)) continue;
        u64 at = p->o.base + i * size;
        memory_put(at, size, node_ite(hit, value, old_value(at, size)));
    }
}

static void write_bytes(const struct position *p, u32 size, u32 value) {
    for (u64 i = 0; i < p->o.size; i++) {
        u32 byte = old_value(p->o.base + i, 1), changed = 0;
        for (u32 j = 0; j < size && j <= i; j++) {
            if (i - j + size > p->o.size) continue;
            u32 hit = node_binary(OP_EQ, 64, p->offset, node_const(64, i - j));
            if (is_const(hit) && !const_value(hit)) continue;
            byte = node_ite(hit, node_extract(value, j * 8, 8), byte);
            changed = 1;
        }
        if (changed) memory_put(p->o.base + i, 1, byte);
    }
}

int symbolic_store(u64 address, u32 s, u32 size, u32 site, u32 sval, u64 value) {
    struct position p;
    if (!enter(&p, address, s, size, ACCESS_WRITE, site, CONTROL->write_limit)) return 0;
    memory_check(address, size, ACCESS_WRITE, site);
    if (p.o.constant) error_object(ERROR_READ_ONLY, address, size, ACCESS_WRITE, site, &p.o);
    if (is_const(p.offset)) return 0;
    u32 v = operand(sval, size * 8, value);
    if (width_of(v) < size * 8) v = node_extend(OP_ZEXT, v, size * 8);
    if (p.unit == size) write_elements(&p, size, v);
    else write_bytes(&p, size, v);
    return 1;
}
