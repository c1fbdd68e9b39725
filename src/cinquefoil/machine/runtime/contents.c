/* What files hold: reading, writing, sizes.  Shadows go along.
 *
 * Contents from the argument block (concrete files) have no shadows and are not
 * changed: the first write copies them into program memory.
 */
#include "files.h"

#define PROGRAM_TOP 0x100000000

void copy_in(u64 to, u64 from, u64 n) { /* the argument block has no shadows */
    if (from < PROGRAM_TOP) return memory_move(to, from, n);
    memory_concrete(to, n);
    raw_copy((void *)to, (const void *)from, n);
}

void content_set(u32 inode, u64 base, u64 size, u64 room) {
    inodes[inode].base = base;
    inodes[inode].size = size;
    inodes[inode].room = room;
}

/* ---- Sizes -------------------------------------------------------------------------------- */
/* A symbolic size is settled when it matters: all n bytes are there, or this many of them. */
static void settle_size(struct inode *f, u64 from, u64 n) {
    u32 s = memory_gather(f->cut, 4), site = call_site();
    u64 cut = *(const u32 *)f->cut, most = f->size;
    if (from + n <= most) {
        u32 enough = node_binary(OP_ULE, 32, s, node_const(32, most - from - n));
        decide(EVENT_BRANCH, site, enough, cut <= most - from - n, 0);
        if (cut <= most - from - n) return;
    }
    concretize(site, s, cut, REASON_SIZE);
    f->size = most - cut;
    f->cut = 0;
}

/* Formatted output into a file is muted like any other, until somebody looks at the file. */
void content_hear(struct inode *f) {
    if (f->printed) hear_muted();
}

u64 content_end(struct inode *f, u64 from, u64 n) {
    content_hear(f);
    if (f->cut && n) settle_size(f, from, n);
    u64 left = from < f->size ? f->size - from : 0;
    return n < left ? n : left;
}

static void settle_fully(struct inode *f) {
    if (f->cut) settle_size(f, 0, f->size + 1);
}

/* ---- Room ------------------------------------------------------------------------------------ */
static int make_room(struct inode *f, u64 size) {
    if (size <= f->room) return 1;
    u64 room = size < 256 ? 256 : size * 2, base = heap_allocate(room, 16, 0);
    if (!base) return 0;
    copy_in(base, f->base, f->size);
    if (f->room) heap_release(f->base, 0);
    f->base = base;
    f->room = room;
    return 1;
}

static void clear_gap(struct inode *f, u64 end) {
    if (end <= f->size) return;
    raw_fill((void *)(f->base + f->size), 0, end - f->size);
    memory_concrete(f->base + f->size, end - f->size);
    f->size = end;
}

static void touch(struct inode *f) { f->times[2] = f->times[4] = clock_seconds(); }

/* ---- The operations --------------------------------------------------------------------------- */
long content_read(struct inode *f, u64 offset, u64 to, u64 n) {
    n = content_end(f, offset, n);
    buffer_check(to, n, ACCESS_WRITE);
    copy_in(to, f->base + offset, n);
    return (long)n;
}

long content_write(struct inode *f, u64 offset, u64 from, u64 n) {
    if (!n) return 0;
    settle_fully(f);
    if (offset + n < offset || offset + n > CONTENT_LIMIT || !make_room(f, offset + n)) return E_NOSPC;
    clear_gap(f, offset);
    memory_move(f->base + offset, from, n);
    f->printed |= has_muted();
    if (offset + n > f->size) f->size = offset + n;
    touch(f);
    return (long)n;
}

long content_resize(struct inode *f, u64 size) {
    settle_fully(f);
    if (size > CONTENT_LIMIT) return -27; /* EFBIG */
    if (size > f->size && !make_room(f, size)) return E_NOSPC;
    clear_gap(f, size);
    f->size = size;
    touch(f);
    return 0;
}
