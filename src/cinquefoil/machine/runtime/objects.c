/* Which object is at an address: globals, heap blocks, stack objects. */
#include "runtime.h"

extern const struct cinq_global __start_cinq_globals[] __attribute__((weak));
extern const struct cinq_global __stop_cinq_globals[] __attribute__((weak));

/* A copy, sorted by address. */
struct global { u64 base, size; u32 site, constant; u32 tables[5]; u32 pad; };
#define GLOBAL_CAPACITY 0x20000
static struct global globals[GLOBAL_CAPACITY];
static u32 global_count;

/* ---- Globals ---------------------------------------------------------------------- */
static void swap_globals(u32 i, u32 j) {
    u8 *a = (u8 *)&globals[i], *b = (u8 *)&globals[j];
    for (u32 k = 0; k < sizeof(struct global); k++) {
        u8 t = a[k];
        a[k] = b[k];
        b[k] = t;
    }
}

static void sift_down(u32 root, u32 n) { /* heap sort: no recursion, no worst case */
    for (u32 child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && globals[child + 1].base > globals[child].base) child++;
        if (globals[root].base >= globals[child].base) return;
        swap_globals(root, child);
    }
}

static void sort_globals(void) {
    for (u32 i = global_count / 2; i-- > 0;) sift_down(i, global_count);
    for (u32 n = global_count; n > 1; n--) {
        swap_globals(0, n - 1);
        sift_down(0, n - 1);
    }
}

void objects_start(void) {
    const struct cinq_global *g = __start_cinq_globals;
    for (; g < __stop_cinq_globals && global_count < GLOBAL_CAPACITY; g++) {
        struct global *copy = &globals[global_count++];
        copy->base = g->address;
        copy->size = g->size;
        copy->site = g->site;
        copy->constant = g->constant;
        memory_alive(g->address, g->size);
        if (g->constant) memory_freeze(g->address, g->size);
    }
    sort_globals();
}

u32 global_table(u32 global, u32 size, u32 table) {
    u32 *slot = &globals[global - 1].tables[__builtin_ctz(size | 16)];
    if (table) *slot = table;
    return *slot;
}

void global_tables_forget(void) {
    for (u32 i = 0; i < global_count; i++)
        for (u32 k = 0; k < 5; k++) globals[i].tables[k] = 0;
}

static u32 global_below(u64 address) { /* 1 + the last that starts at or below; 0: none */
    u32 low = 0, high = global_count;
    while (low < high) {
        u32 mid = (low + high) / 2;
        if (globals[mid].base <= address) low = mid + 1;
        else high = mid;
    }
    return low;
}

static void describe_global(u32 i, struct object *o) {
    o->base = globals[i].base;
    o->size = globals[i].size;
    o->region = REGION_GLOBAL;
    o->site = globals[i].site;
    o->freed_site = 0;
    o->live = 1;
    o->constant = globals[i].constant;
    o->global = i + 1;
}

/* ---- Heap ---------------------------------------------------------------------------- */
static void describe_block(u32 i, struct object *o) {
    const struct block *b = (const struct block *)BLOCK_BASE + i;
    o->base = b->base;
    o->size = b->size;
    o->region = REGION_HEAP;
    o->site = b->site;
    o->freed_site = b->freed_site;
    o->live = b->state == BLOCK_LIVE;
    o->constant = o->global = 0;
}

/* ---- Stack ----------------------------------------------------------------------------- */
static void describe_stack(u64 base, u64 size, u32 site, struct object *o) {
    o->base = base;
    o->size = size;
    o->region = REGION_STACK;
    o->site = site;
    o->freed_site = 0;
    o->live = size == 0 || memory_valid(base, 1);
    o->constant = o->global = 0;
}

static u64 distance(u64 address, u64 base, u64 size) {
    if (address < base) return base - address;
    return address < base + size ? 0 : address - (base + size) + 1;
}

/* The stack object closest to an address; the distance is 0 if it contains it. */
static u64 stack_nearest(u64 address, struct object *o) {
    u64 best = ~0ull, d;
    for (u32 i = dynamic_count; i-- > 0;)
        if ((d = distance(address, dynamics[i].base, dynamics[i].size)) < best) {
            best = d;
            describe_stack(dynamics[i].base, dynamics[i].size, dynamics[i].site, o);
        }
    for (const struct cinq_frame *f = cinq_frame; f && best; f = f->prev) {
        if (!f->function) continue;
        for (u32 i = 0; i < f->function->count && best; i++) {
            const struct cinq_stack_object *s = &f->function->objects[i];
            u64 base = f->sp - f->function->size + s->offset;
            if ((d = distance(address, base, s->size)) >= best) continue;
            best = d;
            describe_stack(base, s->size, s->site, o);
        }
    }
    return best;
}

/* Frames that were left: each has in its first red zone the address of its function's description, and that sealed with
 * its own slot (function_tracer.py), until another frame is laid over it.  The one whose crumb lies closest below an address
 * and that reaches beyond it was there last.  Dynamic allocas have none. */
#define CRUMBS_WITHIN 0x100000

int stack_left(u64 address, struct object *o) {
    u64 lowest = address - CINQ_STACK_BASE < CRUMBS_WITHIN ? CINQ_STACK_BASE : address - CRUMBS_WITHIN, best = ~0ull, d;
    for (u64 base = address & ~15ull; base >= lowest && best; base -= 16) {
        const u64 *crumb = (const u64 *)base;
        const struct cinq_function *f = (const struct cinq_function *)crumb[0];
        if (!f || crumb[1] != (crumb[0] ^ base) || base + f->size <= address) continue;
        for (u32 i = 0; i < f->count; i++) {
            const struct cinq_stack_object *s = &f->objects[i];
            if ((d = distance(address, base + s->offset, s->size)) >= best) continue;
            best = d;
            describe_stack(base + s->offset, s->size, s->site, o);
        }
        break;
    }
    return best != ~0ull;
}

/* ---- All of them ------------------------------------------------------------------------- */
static void put_span(struct span *out, u32 most, u32 *count, u64 base, u64 size) {
    if (!size) return;
    if (*count < most) {
        out[*count].base = base;
        out[*count].size = size;
    }
    ++*count;
}

static void put_stack(struct span *out, u32 most, u32 *count) {
    for (u32 i = dynamic_count; i-- > 0;) put_span(out, most, count, dynamics[i].base, dynamics[i].size);
    for (const struct cinq_frame *f = cinq_frame; f; f = f->prev) {
        for (u32 i = 0; f->function && i < f->function->count; i++) {
            const struct cinq_stack_object *s = &f->function->objects[i];
            u64 base = f->sp - f->function->size + s->offset;
            if (memory_valid(base, 1)) put_span(out, most, count, base, s->size);
        }
    }
}

static void put_heap(struct span *out, u32 most, u32 *count, int whole) {
    for (u32 i = heap_block_at(CINQ_HEAP_END); i-- > 0;) {
        const struct block *b = (const struct block *)BLOCK_BASE + i;
        if (b->state == BLOCK_LIVE) put_span(out, most, count, b->base, whole ? b->size : 1);
    }
}

u32 heap_list(struct span *out, u32 most) {
    u32 count = 0;
    put_heap(out, most, &count, 0);
    return count;
}

u32 objects_list(struct span *out, u32 most) {
    u32 count = 0;
    put_stack(out, most, &count);
    put_heap(out, most, &count, 1);
    for (u32 constant = 0; constant < 2; constant++) /* what can be written comes first */
        for (u32 i = 0; i < global_count; i++)
            if (!globals[i].constant == !constant) put_span(out, most, &count, globals[i].base, globals[i].size);
    return count;
}

/* ---- Look-up ------------------------------------------------------------------------------ */
static int pick(u64 address, struct object *o, const struct object *a, int has_a, const struct object *b, int has_b) {
    u64 da = has_a ? distance(address, a->base, a->size) : ~0ull, db = has_b ? distance(address, b->base, b->size) : ~0ull;
    if (!has_a && !has_b) return 0;
    raw_copy(o, da <= db ? a : b, sizeof *o);
    return 1;
}

int object_near(u64 address, struct object *o) {
    struct object before, after;
    if (address >= CINQ_STACK_BASE && address < CINQ_STACK_END) return stack_nearest(address, o) != ~0ull;
    if (address >= CINQ_HEAP_BASE && address < CINQ_HEAP_END) {
        u32 i = heap_block_at(address), n = heap_block_at(CINQ_HEAP_END);
        if (i) describe_block(i - 1, &before);
        if (i < n) describe_block(i, &after);
        return pick(address, o, &before, i > 0, &after, i < n);
    }
    if (address >= CINQ_HEAP_BASE) return 0;
    u32 i = global_below(address);
    if (i) describe_global(i - 1, &before);
    if (i < global_count) describe_global(i, &after);
    if (!i && global_count && after.base - address > 4096) return 0; /* code, or a small number: near no object */
    return pick(address, o, &before, i > 0, &after, i < global_count);
}

int object_find(u64 address, struct object *o) {
    if (!object_near(address, o)) return 0;
    return address - o->base < o->size || (address == o->base && o->size == 0);
}

/* One past the end still belongs to the object, unless another begins there. */
static int find_or_end(u64 address, struct object *o) {
    if (object_find(address, o)) return 1;
    return object_find(address - 1, o) && o->base + o->size == address;
}

int object_meant(u32 s, struct object *o) {
    const struct cinq_node *n = &NODES[s];
    if (n->op != OP_PTRADD || !is_const(n->a)) return 0;
    return find_or_end((u64)const_value(n->a), o);
}

int object_holding(u64 address, struct object *o) { return find_or_end(address, o); }
