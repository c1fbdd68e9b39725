/* Shadows of memory: tags per granule, ids per byte.
 *
 * Ids count only in MIXED granules, so they need no clearing between runs.  A
 * granule becomes MIXED when a symbolic byte is stored and CONCRETE again when
 * the last one goes, which keeps the program on its fast path.
 */
#include "runtime.h"

extern char __cinq_rodata_start[], __cinq_rodata_end[];

RUN_STATE u64 image_dirty_low = ~0ull, image_dirty_high;

/* ---- Addressability --------------------------------------------------------------- */
static inline int granule_valid(u64 address, u32 count) { /* all inside one granule */
    u32 tag = TAG[address >> 3], offset = address & 7;
    if (tag & 1) return 1;
    if (tag > CINQ_TAG_PARTIAL) return offset + count <= (tag - CINQ_TAG_PARTIAL) / 2;
    if (tag != CINQ_TAG_MIXED) return 0;
    if (unlikely(input_awaited)) input_reached(address >> 3);
    for (u32 i = 0; i < count; i++)
        if (IDS[address + i] == CINQ_ID_NOWHERE) return 0;
    return 1;
}

/* Eight tags at once, as far as all eight granules lie below the end and hold concrete bytes: long ranges mostly do. */
static inline u64 skip_concrete(u64 granule, u64 end) { /* the first granule that is to be looked at by itself */
    const u64 odd = 0x0101010101010101;
    u64 tags;
    for (; granule + 8 <= end; granule += 8) {
        __builtin_memcpy(&tags, TAG + granule, 8);
        if ((tags & odd) != odd) break;
    }
    return granule;
}

int memory_valid(u64 address, u64 size) {
    if (address + size < address || address + size > 0x100000000) return 0;
    while (size) {
        if (!(address & 7) && size >= 64) {
            u64 skipped = skip_concrete(address >> 3, (address + size) >> 3) * 8 - address;
            address += skipped;
            size -= skipped;
            if (!size) return 1;
        }
        u64 part = 8 - (address & 7);
        if (part > size) part = size;
        if (!granule_valid(address, (u32)part)) return 0;
        address += part;
        size -= part;
    }
    return 1;
}

static int is_read_only(u64 address) {
    return address >= (u64)__cinq_rodata_start && address < (u64)__cinq_rodata_end;
}

void memory_check(u64 address, u64 size, u32 access, u32 site) {
    if (unlikely(access == ACCESS_WRITE && is_read_only(address) && size)) error_memory(address, size, access, site);
    if (unlikely(!memory_valid(address, size))) error_memory(address, size, access, site);
}

/* ---- Bytes -------------------------------------------------------------------------- */
u32 memory_byte(u64 address) {
    if (TAG[address >> 3] != CINQ_TAG_MIXED) return 0;
    if (unlikely(input_awaited)) input_reached(address >> 3);
    return IDS[address] != CINQ_ID_NOWHERE ? IDS[address] : 0;
}

static inline void note_dirty(u64 address) {
    if (address >= CINQ_HEAP_BASE) return;
    if (address < image_dirty_low) image_dirty_low = address;
    if (address > image_dirty_high) image_dirty_high = address;
}

static void make_mixed(u64 granule) {
    u32 tag = TAG[granule];
    u32 *ids = IDS + granule * 8;
    u32 first_bad = tag == CINQ_TAG_CONCRETE ? 8 : tag > CINQ_TAG_PARTIAL ? (tag - CINQ_TAG_PARTIAL) / 2 : 0;
    for (u32 i = 0; i < 8; i++) ids[i] = i < first_bad ? 0 : CINQ_ID_NOWHERE;
    TAG[granule] = CINQ_TAG_MIXED;
    note_dirty(granule * 8);
}

static void settle(u64 granule) { /* MIXED without symbolic bytes: CONCRETE again */
    const u64 *ids = (const u64 *)(IDS + granule * 8);
    if (!(ids[0] | ids[1] | ids[2] | ids[3])) TAG[granule] = CINQ_TAG_CONCRETE;
}

void memory_put_byte(u64 address, u32 id) {
    u64 granule = address >> 3;
    if (TAG[granule] != CINQ_TAG_MIXED) {
        if (!id) return;
        make_mixed(granule);
    }
    IDS[address] = id;
    if (!id) settle(granule);
}

void memory_concrete(u64 address, u64 size) {
    u64 end = address + size;
    while (address < end) {
        if (!(address & 7) && end - address >= 64) address = skip_concrete(address >> 3, end >> 3) * 8;
        if (address == end) return;
        u64 granule = address >> 3, stop = (granule + 1) * 8;
        if (stop > end) stop = end;
        if (TAG[granule] == CINQ_TAG_MIXED) {
            for (; address < stop; address++) IDS[address] = 0;
            settle(granule);
        }
        address = stop;
    }
}

void memory_put(u64 address, u32 size, u32 s) {
    if (!s || is_const(s)) return memory_concrete(address, size);
    if (width_of(s) < size * 8) s = node_extend(OP_ZEXT, s, size * 8);
    u32 first = node_byte(s, 0);
    for (u32 i = 0; i < size; i++) {
        u64 granule = (address + i) >> 3;
        if (TAG[granule] != CINQ_TAG_MIXED) make_mixed(granule);
        IDS[address + i] = first + i;
    }
}

/* ---- Reading a value back ---------------------------------------------------------------- */
static u128 concrete_bytes(u64 address, u32 count) {
    u128 v = 0;
    for (u32 i = 0; i < count; i++) v |= (u128)((const u8 *)address)[i] << (8 * i);
    return v;
}

/* How many of the ids are successive bytes of one value, from ids[0] on.  Only
 * bytes made by node_byte lie side by side; other EXTRACTs may merely neighbour. */
static u32 run_length(const u32 *ids, u32 n) {
    const struct cinq_node *first = &NODES[ids[0]];
    u32 length = 1;
    if (!first->pad) return 1;
    while (length < n && ids[length] == ids[0] + length && NODES[ids[length]].pad && NODES[ids[length]].a == first->a) length++;
    return length;
}

static u32 part_of(const u32 *ids, u64 address, u32 n, u32 *used) {
    if (!ids[0]) {
        *used = 1;
        while (*used < n && *used < 8 && !ids[*used]) ++*used;
        return node_const(*used * 8, concrete_bytes(address, *used));
    }
    *used = run_length(ids, n);
    const struct cinq_node *first = &NODES[ids[0]];
    if (!first->pad) return ids[0];
    return node_extract(first->a, (u32)first->imm, *used * 8);
}

/* Values made of several symbolic parts are loaded again and again, each time by joining the same bytes: what they
 * make is remembered, the last one of each slot.  Only ids count: no byte may be concrete. */
static struct gathered { u32 ids[8], size, whole; } gathered[512];

void gathers_forget(void) { raw_fill(gathered, 0, sizeof gathered); }

static struct gathered *gathered_at(const u32 *ids, u32 n) { /* 0: not of this kind */
    if (n > 8) return 0;
    for (u32 i = 0; i < n; i++)
        if (!ids[i]) return 0;
    return &gathered[(ids[0] * 0x9e3779b1u ^ ids[n - 1] * 0x85ebca6bu) >> 23];
}

static int same_ids(const u32 *a, const u32 *b, u32 n) {
    for (u32 i = 0; i < n; i++)
        if (a[i] != b[i]) return 0;
    return 1;
}

static u32 join_bytes(const u32 *ids, u64 address, u32 n, u32 done, u32 whole) { /* what follows the part done */
    for (u32 used; done < n; done += used)
        whole = node_concat(part_of(ids + done, address + done, n - done, &used), whole);
    return shadow_of(whole);
}

static u32 gather_parts(const u32 *ids, u64 address, u32 n) {
    u32 done, first = part_of(ids, address, n, &done);
    struct gathered *known = done < n ? gathered_at(ids, n) : 0;
    if (!known) return join_bytes(ids, address, n, done, first);
    if (known->size == n && same_ids(known->ids, ids, n)) return known->whole;
    known->whole = join_bytes(ids, address, n, done, first);
    known->size = n;
    for (u32 i = 0; i < n; i++) known->ids[i] = ids[i];
    return known->whole;
}

u32 memory_gather(u64 address, u32 size) {
    u32 ids[16], any = 0;
    u64 granule = address >> 3, last = (address + size - 1) >> 3;
    while (TAG[granule] != CINQ_TAG_MIXED)
        if (granule++ == last) return 0;
    for (u32 i = 0; i < size; i++) any |= ids[i] = memory_byte(address + i);
    return any ? gather_parts(ids, address, size) : 0;
}

/* ---- The calls --------------------------------------------------------------------------- */
SLOW u32 cinq_load(u64 address, u32 saddress, u32 size, u32 site) {
    if (saddress && !is_const(saddress)) return symbolic_load(address, saddress, size, site);
    memory_check(address, size, ACCESS_READ, site);
    return memory_gather(address, size);
}

SLOW void cinq_store(u64 address, u32 saddress, u32 size, u32 site, u32 sval, u64 value) {
    if (saddress && !is_const(saddress) && symbolic_store(address, saddress, size, site, sval, value)) return;
    memory_check(address, size, ACCESS_WRITE, site);
    memory_put(address, size, sval);
}

void memory_alive(u64 address, u64 size) {
    u64 granule = address >> 3, end = address + size;
    if (address & 7) { /* starts inside a granule: byte by byte */
        if (TAG[granule] != CINQ_TAG_MIXED) make_mixed(granule);
        for (; address < end && address >> 3 == granule; address++) IDS[address] = 0;
        if (address >= end) return;
        granule++;
    }
    u64 last = end >> 3;
    if (last > granule) raw_fill(TAG + granule, CINQ_TAG_CONCRETE, last - granule);
    if (end & 7) TAG[last] = (u8)(CINQ_TAG_PARTIAL + 2 * (end & 7));
    note_dirty(address);
    note_dirty(end - 1);
}

void memory_freeze(u64 address, u64 size) {
    for (u64 g = address >> 3; g < (address + size) >> 3; g++)
        if (TAG[g] == CINQ_TAG_CONCRETE) TAG[g] = CINQ_TAG_READ_ONLY;
}

void memory_dead(u64 address, u64 size) {
    u64 first = address >> 3, last = (address + size + 7) >> 3;
    raw_fill(TAG + first, CINQ_TAG_NONE, last - first);
}

SLOW void cinq_alive(u64 address, u64 size) { memory_alive(address, size); }
SLOW void cinq_clear(u64 address, u64 size) { raw_fill((void *)address, 0, size); }
SLOW void cinq_dead(u64 address, u64 size) { memory_dead(address, size); }

/* ---- Ranges ---------------------------------------------------------------------------------- */
static int any_mixed(u64 address, u64 n) {
    u64 end = ((address + n - 1) >> 3) + 1;
    for (u64 g = skip_concrete(address >> 3, end); g < end; g = skip_concrete(g + 1, end))
        if (TAG[g] == CINQ_TAG_MIXED) {
            if (unlikely(input_awaited)) input_reached(g);
            return 1;
        }
    return 0;
}

/* Is a short range addressable and concrete, as far as one look at each tag tells?  A last granule of which only a part
 * is addressable will do if the range ends in that part. */
static inline int is_plain(u64 address, u64 n, u32 mask) {
    u64 end = address + n, granule = address >> 3, last = (end - 1) >> 3;
    if (end > 0x100000000) return 0;
    for (; granule < last; granule++)
        if ((TAG[granule] & mask) != CINQ_TAG_CONCRETE) return 0;
    u32 tag = TAG[last];
    return (tag & mask) == CINQ_TAG_CONCRETE || (tag > CINQ_TAG_PARTIAL && ((end - 1) & 7) < (tag - CINQ_TAG_PARTIAL) / 2);
}

static inline int is_plain_write(u64 address, u64 n) { return is_plain(address, n, 255) && !is_read_only(address); }

int copy_plain(u64 to, u64 from, u64 n) {
    if (n - 1 >= PLAIN_BYTES || !is_plain(from, n, 1) || !is_plain_write(to, n)) return 0;
    raw_copy((void *)to, (const void *)from, n);
    return 1;
}

int fill_plain(u64 to, u8 byte, u64 n) {
    if (n - 1 >= PLAIN_BYTES || !is_plain_write(to, n)) return 0;
    raw_fill((void *)to, byte, n);
    return 1;
}

void memory_move(u64 to, u64 from, u64 n) {
    if (!n) return;
    if (!any_mixed(from, n)) memory_concrete(to, n);
    else if (to <= from) for (u64 i = 0; i < n; i++) memory_put_byte(to + i, memory_byte(from + i));
    else for (u64 i = n; i-- > 0;) memory_put_byte(to + i, memory_byte(from + i));
    raw_copy((void *)to, (const void *)from, n);
}

SLOW void cinq_copy(u64 to, u64 from, u64 n, u32 sto, u32 sfrom, u32 sn, u32 site, u32 overlap) {
    (void)overlap; /* overlapping memcpy behaves as memmove */
    if (!(sto | sfrom | sn) && copy_plain(to, from, n)) return;
    size_fits(from, sfrom, n, sn, ACCESS_READ, site);
    size_fits(to, sto, n, sn, ACCESS_WRITE, site);
    concretize(site, sn, n, REASON_SIZE);
    if (!n) return;
    symbolic_range(from, sfrom, n, ACCESS_READ, site);
    symbolic_range(to, sto, n, ACCESS_WRITE, site);
    memory_check(from, n, ACCESS_READ, site);
    memory_check(to, n, ACCESS_WRITE, site);
    memory_move(to, from, n);
}

SLOW void cinq_fill(u64 to, u64 byte, u64 n, u32 sto, u32 sbyte, u32 sn, u32 site) {
    if (!(sto | sbyte | sn) && fill_plain(to, (u8)byte, n)) return;
    size_fits(to, sto, n, sn, ACCESS_WRITE, site);
    concretize(site, sn, n, REASON_SIZE);
    if (!n) return;
    symbolic_range(to, sto, n, ACCESS_WRITE, site);
    memory_check(to, n, ACCESS_WRITE, site);
    u32 s = sbyte ? shadow_of(node_extract(sbyte, 0, 8)) : 0;
    if (s) for (u64 i = 0; i < n; i++) memory_put_byte(to + i, s);
    else memory_concrete(to, n);
    raw_fill((void *)to, (u8)byte, n);
}
