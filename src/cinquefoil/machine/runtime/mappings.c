/* Memory from the system: anonymous maps, maps of files, the break.
 *
 * A map is a heap block of its own with red zones.  One of a file starts with a
 * copy of its content; a shared one is written back when it is unmapped or
 * synchronised (writes are not seen through the file before that).
 */
#include "files.h"

#define MAPPINGS 64
#define BREAK_ROOM 0x1000000
#define SHARED 1
#define ANONYMOUS 0x20
#define FIXED 0x10
#define EXECUTE 4

struct mapping { u64 base, size, offset; u32 inode; };
static struct mapping mappings[MAPPINGS]; /* shared ones of files only */
RUN_STATE static u32 mapping_count;
RUN_STATE static u64 break_base, break_now;

struct span mapping_records(void) { return (struct span){(u64)mappings, mapping_count * sizeof mappings[0]}; }

static struct mapping *mapping_at(u64 address) {
    for (u32 i = 0; i < mapping_count; i++)
        if (mappings[i].size && address - mappings[i].base < mappings[i].size) return &mappings[i];
    return 0;
}

static void remember(u64 base, u64 size, u32 inode, u64 offset) {
    if (mapping_count == MAPPINGS) return cinq_unsupported(call_site(), REASON_ADDRESS);
    struct mapping *m = &mappings[mapping_count++];
    m->base = base;
    m->size = size;
    m->inode = inode;
    m->offset = offset;
    inodes[inode].opens++;
}

long sync_memory(u64 address) {
    const struct mapping *m = mapping_at(address);
    if (!m) return 0;
    struct inode *f = &inodes[m->inode];
    u64 left = m->offset < f->size ? f->size - m->offset : 0;
    content_write(f, m->offset, m->base, m->size < left ? m->size : left);
    return 0;
}

static long map_file(u64 size, long protection, long flags, long fd, u64 offset) {
    struct opening *o = opening_of(fd);
    if (!o) return E_BADF;
    struct inode *f = &inodes[o->inode];
    if (offset & 4095) return E_INVAL;
    if (kind_of(f) == KIND_ZERO) return map_memory(size, protection, flags | ANONYMOUS, -1, 0);
    if (kind_of(f) != KIND_FILE) return -19; /* ENODEV */
    if ((o->flags & OPEN_ACCESS) == OPEN_WRITE) return E_ACCES;
    if ((flags & SHARED) && (protection & 2) && (o->flags & OPEN_ACCESS) != OPEN_BOTH) return E_ACCES;
    u64 base = heap_allocate(size, 4096, call_site()), n = content_end(f, offset, size);
    if (!base) return E_NOMEM;
    copy_in(base, f->base + offset, n);
    if ((flags & SHARED) && (protection & 2)) remember(base, size, o->inode, offset);
    return (long)base;
}

#define READ_AND_WRITE 3

/* Memory stays readable and writable, and never holds code. */
long protect_memory(long protection) {
    if (protection != READ_AND_WRITE) cinq_unsupported(call_site(), REASON_PROTECTION);
    return 0;
}

long map_memory(u64 size, long protection, long flags, long fd, u64 offset) {
    if (!size || (flags & 15) < 1 || (flags & 15) > 3) return E_INVAL; /* shared or private */
    if (size > CINQ_HEAP_END) return E_NOMEM;
    size = (size + 4095) & ~4095ull;
    if (protection & EXECUTE) cinq_unsupported(call_site(), REASON_PROTECTION);
    if (flags & FIXED) {
        cinq_unsupported(call_site(), REASON_ADDRESS);
        return E_NOMEM;
    }
    if (!(flags & ANONYMOUS)) return map_file(size, protection, flags, fd, offset);
    u64 p = heap_allocate(size, 4096, call_site());
    return p ? (long)p : E_NOMEM;
}

static void forget(u64 base) {
    struct mapping *m = mapping_at(base);
    if (!m) return;
    sync_memory(base);
    m->size = 0;
    inodes[m->inode].opens--;
    inode_unused(m->inode);
}

static int is_block(u64 address, struct object *o) {
    return object_find(address, o) && o->region == REGION_HEAP && o->live;
}

long unmap_memory(u64 address, u64 size) {
    struct object o;
    if (address & 4095 || !size) return E_INVAL;
    if (!is_block(address, &o)) return 0;
    size = (size + 4095) & ~4095ull;
    if (o.base == address && size >= o.size) {
        forget(address);
        heap_release(address, call_site());
        return 0;
    }
    u64 end = address + size, last = o.base + o.size; /* a part: it is only closed */
    memory_dead(address, (end < last ? end : last) - address);
    return 0;
}

long remap_memory(u64 address, u64 old_size, u64 size, long flags) {
    struct object o;
    if (!is_block(address, &o) || o.base != address) return E_FAULT;
    size = (size + 4095) & ~4095ull;
    if (size <= o.size) return (long)address;
    if (!(flags & 1)) return E_NOMEM; /* it may not move */
    u64 p = heap_allocate(size, 4096, call_site());
    if (!p) return E_NOMEM;
    memory_move(p, address, old_size < o.size ? old_size : o.size);
    forget(address);
    heap_release(address, call_site());
    return (long)p;
}

long set_break(u64 to) {
    if (!break_base) break_base = break_now = heap_allocate(BREAK_ROOM, 4096, call_site());
    if (to >= break_base && to <= break_base + BREAK_ROOM) break_now = to;
    return (long)break_now;
}
