/* Tables: snapshots of objects, interned by content.
 *
 * A symbolic read of an object becomes TREAD(table, index).  The snapshot is
 * taken element by element into scratch memory, hashed, and looked up; equal
 * contents share one table, so equal reads share one node across runs.
 * Constant globals remember their table and are not hashed again.
 */
#include "runtime.h"

#define SLOTS 0x400000
#define INDEX ((u32 *)TABLE_INDEX_BASE)

static u64 table_count;
static u64 pool_used;

static inline u64 stir(u64 h, u64 x) {
    h = (h ^ x) * 0x9fb21c651e98df25ull;
    return h ^ h >> 32;
}

/* Four sums side by side: one alone would wait for each of its multiplications. */
static u64 hash_bytes(u64 h, const u8 *p, u64 n) {
    u64 sums[4] = {h, h + 1, h + 2, h + 3};
    for (; n >= 32; n -= 32, p += 32)
        for (u32 k = 0; k < 4; k++) sums[k] = stir(sums[k], ((const u64 *)p)[k]);
    for (u32 k = 1; k < 4; k++) sums[0] = stir(sums[0], sums[k]);
    h = sums[0];
    for (; n >= 8; n -= 8, p += 8) h = stir(h, *(const u64 *)p);
    for (; n; n--, p++) h = stir(h, *p);
    return h ^ h >> 29;
}

/* Elements in scratch: bytes first, then ids (if any element is symbolic). */
struct draft { u8 *bytes; u32 *ids; u64 count, width, hash; };

#define ALL_CONCRETE 0x0101010101010101ull /* eight tags */

static u64 next_mixed(u64 granule, u64 end) { /* the first MIXED granule from here on, or the end */
    while (granule < end) {
        if (granule + 8 <= end && *(const u64 *)(TAG + granule) == ALL_CONCRETE) granule += 8;
        else if (TAG[granule] == CINQ_TAG_MIXED) return granule;
        else granule++;
    }
    return end;
}

static u32 element_at(u64 address, u32 size) {
    u32 s = memory_gather(address, size);
    return s && unlikely(NODES[s].flags & FLAG_UNWRITTEN) ? shadow_of(memory_written(s)) : s;
}

/* The ids of the elements that touch MIXED granules; the others stay 0. */
static u32 gather_ids(u32 *ids, u64 base, u64 count, u32 size) {
    u64 end = ((base + count * size - 1) >> 3) + 1, next = 0;
    u32 any = 0;
    for (u64 g = next_mixed(base >> 3, end); g < end; g = next_mixed(g + 1, end)) {
        u64 first = g * 8 > base ? (g * 8 - base) / size : 0;
        if (first < next) first = next;
        for (next = first; next < count && base + next * size < g * 8 + 8; next++)
            any |= ids[next] = element_at(base + next * size, size);
    }
    return any;
}

static void draft_fill(struct draft *d, u64 base, u32 size) {
    u64 end = ((base + d->count * size - 1) >> 3) + 1;
    d->bytes = (u8 *)SCRATCH_BASE;
    d->ids = 0;
    raw_copy(d->bytes, (const void *)base, d->count * size);
    if (next_mixed(base >> 3, end) == end) return;
    u32 *ids = (u32 *)(SCRATCH_BASE + ((d->count * size + 7) & ~7ull));
    raw_fill(ids, 0, d->count * 4);
    if (!gather_ids(ids, base, d->count, size)) return;
    d->ids = ids;
    /* The bytes of symbolic elements differ from input to input: not part of the content. */
    for (u64 i = 0; i < d->count; i++)
        if (ids[i]) raw_fill(d->bytes + i * size, 0, size);
}

static int same_content(const struct cinq_table *t, const struct draft *d) {
    if (t->hash != d->hash || t->count != d->count || t->width != d->width || !t->ids != !d->ids) return 0;
    if (raw_compare(POOL + t->bytes, d->bytes, d->count * (d->width / 8))) return 0;
    return !d->ids || !raw_compare(POOL + t->ids, d->ids, d->count * 4);
}

static u64 pool_take(const void *from, u64 n) {
    u64 offset = pool_used = pool_used ? pool_used : 8; /* 0 means none */
    if (offset + n + 8 > CINQ_POOL_CAPACITY) end_run(END_TABLE, 0);
    table_has_room(n);
    raw_copy(POOL + offset, from, n);
    pool_used = (offset + n + 7) & ~7ull;
    return offset;
}

static u32 table_append(const struct draft *d) {
    if (table_count + 1 >= CINQ_TABLE_CAPACITY) end_run(END_TABLE, 0);
    struct cinq_table *t = &TABLES[table_count];
    t->count = (u32)d->count;
    t->width = (u32)d->width;
    t->hash = d->hash;
    t->bytes = pool_take(d->bytes, d->count * (d->width / 8));
    t->ids = d->ids ? pool_take(d->ids, d->count * 4) : 0;
    CONTROL->tables = table_count + 1;
    CONTROL->pool = pool_used;
    return (u32)table_count++;
}

static u32 table_intern(struct draft *d) {
    d->hash = hash_bytes(d->count * 131 + d->width, d->bytes, d->count * (d->width / 8));
    if (d->ids) d->hash = hash_bytes(d->hash + 1, (const u8 *)d->ids, d->count * 4);
    u64 i = d->hash & (SLOTS - 1);
    for (; INDEX[i]; i = (i + 1) & (SLOTS - 1))
        if (same_content(&TABLES[INDEX[i] - 1], d)) return INDEX[i] - 1;
    u32 id = table_append(d);
    INDEX[i] = id + 1;
    return id;
}

u32 table_of(const struct object *o, u32 size) {
    u32 known = o->constant ? global_table(o->global, size, 0) : 0;
    if (known) return known - 1;
    struct draft d = {.count = o->size / size, .width = size * 8};
    draft_fill(&d, o->base, size);
    u32 id = table_intern(&d);
    if (o->constant) global_table(o->global, size, id + 1);
    return id;
}

u32 table_element(u32 table, u64 index) {
    const struct cinq_table *t = &TABLES[table];
    u128 v = 0;
    u32 size = t->width / 8;
    if (index < t->count) {
        if (t->ids && ((const u32 *)(POOL + t->ids))[index]) return ((const u32 *)(POOL + t->ids))[index];
        for (u32 i = 0; i < size; i++) v |= (u128)POOL[t->bytes + index * size + i] << (8 * i);
    }
    return node_const(t->width, v);
}

void tables_forget(void) {
    clear_memory(TABLE_INDEX_BASE, TABLE_INDEX_BASE + SLOTS * 4ull);
    global_tables_forget();
    table_count = pool_used = 0;
    CONTROL->tables = CONTROL->pool = 0;
}
