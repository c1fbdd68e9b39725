/* Descriptors and openings: open, close, read, write, seek, dup, pipe, fcntl. */
#include "files.h"

#define PIPE_ROOM 65536

static struct opening openings[OPENING_LIMIT];
RUN_STATE static u32 opening_count;
RUN_STATE static u32 descriptors[DESCRIPTOR_LIMIT];   /* 1 + opening; 0: closed */
RUN_STATE static u8 closes_on_exec[DESCRIPTOR_LIMIT];

/* ---- Tables -------------------------------------------------------------------------- */
struct opening *opening_of(long given) {
    int fd = (int)given; /* as the kernel takes it */
    return fd >= 0 && fd < DESCRIPTOR_LIMIT && descriptors[fd] ? &openings[descriptors[fd] - 1] : 0;
}

long inode_of(long fd) {
    const struct opening *o = opening_of(fd);
    return o ? (long)o->inode : E_BADF;
}

static long free_descriptor(long least) {
    for (long fd = least; fd < DESCRIPTOR_LIMIT; fd++)
        if (!descriptors[fd]) return fd;
    return E_MFILE;
}

static u32 new_opening(u32 inode, u32 flags) { /* 1 + index; 0: none left */
    u32 i = 0;
    while (i < opening_count && openings[i].uses) i++;
    if (i == OPENING_LIMIT) return 0;
    if (i == opening_count) opening_count++;
    openings[i].inode = inode;
    openings[i].flags = flags;
    openings[i].uses = 0;
    openings[i].offset = 0;
    inodes[inode].opens++;
    return i + 1;
}

static void refer(long fd, u32 opening, u32 close_on_exec) {
    descriptors[fd] = opening;
    closes_on_exec[fd] = (u8)close_on_exec;
    openings[opening - 1].uses++;
}

static int reads(u32 flags) { return (flags & OPEN_ACCESS) != OPEN_WRITE && !(flags & OPEN_PATH); }
static int writes(u32 flags) { return (flags & OPEN_ACCESS) != 0 && !(flags & OPEN_PATH); }

static void count_ends(struct inode *f, u32 flags, int change) {
    if (reads(flags)) f->readers += (u32)change;
    if (writes(flags)) f->writers += (u32)change;
}

long descriptor_open(u32 inode, u32 flags) {
    long fd = free_descriptor(0);
    if (fd < 0) return fd;
    u32 opening = new_opening(inode, flags & ~(u32)(OPEN_CLOEXEC | OPEN_CREATE | OPEN_EXCLUSIVE | OPEN_TRUNCATE));
    if (!opening) return E_NFILE;
    refer(fd, opening, flags & OPEN_CLOEXEC ? 1 : 0);
    count_ends(&inodes[inode], flags, 1);
    return fd;
}

struct span opening_records(void) { return (struct span){(u64)openings, opening_count * sizeof openings[0]}; }

void descriptors_start(void) {
    descriptor_open(inode_new(KIND_INPUT, 0600), 0);
    descriptor_open(inode_new(KIND_OUTPUT, 0600), OPEN_WRITE);
    descriptor_open(inode_new(KIND_OUTPUT, 0600), OPEN_WRITE);
}

long file_close(long fd) {
    struct opening *o = opening_of(fd);
    if (!o) return E_BADF;
    descriptors[fd] = 0;
    if (--o->uses) return 0;
    count_ends(&inodes[o->inode], o->flags, -1);
    inodes[o->inode].opens--;
    inode_unused(o->inode);
    return 0;
}

/* ---- Opening a path ---------------------------------------------------------------------- */
static u32 wanted_rights(u32 flags) { return (reads(flags) ? 4u : 0) | (writes(flags) ? 2u : 0); }

static long open_existing(u32 inode, u32 flags) {
    struct inode *f = &inodes[inode];
    u32 kind = kind_of(f);
    if ((flags & OPEN_CREATE) && (flags & OPEN_EXCLUSIVE)) return E_EXIST;
    if (kind == KIND_LINK) return flags & OPEN_PATH ? descriptor_open(inode, flags) : E_LOOP;
    if ((flags & OPEN_DIRECTORY) && kind != KIND_DIRECTORY) return E_NOTDIR;
    if (kind == KIND_DIRECTORY && (writes(flags) || (flags & OPEN_CREATE))) return E_ISDIR;
    if (kind == KIND_TERMINAL) return E_NXIO;
    if (kind == KIND_STREAM && (flags & OPEN_NOFOLLOW)) return E_LOOP;
    if (kind == KIND_STREAM) return file_duplicate(f->parent, 0, flags & OPEN_CLOEXEC ? 1 : 0);
    if (!may(f, wanted_rights(flags))) return E_ACCES;
    long fd = descriptor_open(inode, flags);
    if (fd >= 0 && (flags & OPEN_TRUNCATE) && kind == KIND_FILE) content_resize(f, 0);
    return fd;
}

static long open_new(const struct path_end *p, u32 flags, u32 mode) {
    u64 n = text_length(p->last, NAME_LIMIT);
    if (flags & OPEN_DIRECTORY) return E_INVAL;
    if (!n || !may(&inodes[p->directory], 2)) return n ? E_ACCES : E_NOENT;
    u32 inode = inode_new(KIND_FILE, mode & 07777 & ~creation_mask);
    long error = entry_add(p->directory, p->last, inode);
    if (error < 0) return error;
    inodes[p->directory].times[2] = inodes[p->directory].times[4] = clock_seconds();
    return descriptor_open(inode, flags);
}

long file_open(long at, u64 path, long flags, long mode) {
    struct path_end p;
    int create = flags & OPEN_CREATE ? 1 : 0;
    int follow = !(flags & OPEN_NOFOLLOW) && !(create && (flags & OPEN_EXCLUSIVE));
    long error = name_find(at, path, follow, create, &p);
    if (error >= 0 && create && p.slash) return E_ISDIR; /* even if nothing is there */
    if (error < 0) return error;
    if (p.inode >= 0) return open_existing((u32)p.inode, (u32)flags);
    return p.inode == E_NOENT && create ? open_new(&p, (u32)flags, (u32)mode) : p.inode;
}

/* ---- Reading and writing ------------------------------------------------------------------- */
static long read_pipe(struct inode *f, u32 flags, u64 to, u64 n) {
    if (f->taken == f->size && f->writers) return flags & OPEN_NONBLOCK ? E_AGAIN : E_INTR; /* would wait for ever */
    long got = content_read(f, f->taken, to, n);
    f->taken += (u64)got;
    return got;
}

static long read_by_kind(struct opening *o, u64 to, u64 n, u64 offset) {
    struct inode *f = &inodes[o->inode];
    switch (kind_of(f)) {
    case KIND_DIRECTORY: return E_ISDIR;
    case KIND_PIPE: return read_pipe(f, o->flags, to, n);
    case KIND_OUTPUT:
    case KIND_NULL: return 0;
    case KIND_ZERO: give_zeros(to, n); return (long)n;
    case KIND_RANDOM: return give_random(to, n);
    default: return content_read(f, offset, to, n);
    }
}

static int is_seekable(struct inode *f) {
    u32 kind = kind_of(f);
    return kind == KIND_OUTPUT ? is_regular_output(f) : kind != KIND_PIPE && kind != KIND_INPUT;
}

/* What the kernel asks of any buffer, even one of no bytes. */
static int is_user_range(u64 address, u64 n) { return address + n >= address && address + n < 0x7ffffffff000; }

long file_read(long fd, u64 to, u64 n, long at) {
    struct opening *o = opening_of(fd);
    if (!o || !reads(o->flags)) return E_BADF;
    if (at >= 0 && !is_seekable(&inodes[o->inode])) return E_SPIPE;
    if (!is_user_range(to, n)) return E_FAULT;
    if (n > 0x7ffff000) n = 0x7ffff000;
    long got = read_by_kind(o, to, n, at < 0 ? o->offset : (u64)at);
    if (got > 0 && at < 0) o->offset += (u64)got;
    return got;
}

static long write_output(u64 from, u64 n) {
    u64 used = CONTROL->output, room = CINQ_OUTPUT_CAPACITY - used;
    u64 kept = n < room ? n : room;
    raw_copy(OUTPUT + used, (const void *)from, kept);
    CONTROL->output += kept;
    CONTROL->output_total += n;
    return (long)n;
}

static long write_pipe(struct inode *f, u64 from, u64 n) {
    if (!f->readers) {
        signal_send(13);
        return E_PIPE;
    }
    if (f->size - f->taken + n > PIPE_ROOM) return E_AGAIN; /* full, and nobody else can empty it */
    return content_write(f, f->size, from, n);
}

static long write_by_kind(struct opening *o, u64 from, u64 n, u64 offset) {
    struct inode *f = &inodes[o->inode];
    switch (kind_of(f)) {
    case KIND_OUTPUT:
        if (offset + n > f->size) f->size = offset + n; /* where it ends, should it be a file */
        return write_output(from, n);
    case KIND_PIPE: return write_pipe(f, from, n);
    case KIND_NULL:
    case KIND_ZERO:
    case KIND_RANDOM: return (long)n;
    case KIND_INPUT: return E_BADF;
    default: return content_write(f, offset, from, n);
    }
}

long file_write(long fd, u64 from, u64 n, long at) {
    struct opening *o = opening_of(fd);
    if (!o || !writes(o->flags)) return E_BADF;
    if (at >= 0 && !is_seekable(&inodes[o->inode])) return E_SPIPE;
    if (!is_user_range(from, n)) return E_FAULT;
    if (n > 0x7ffff000) n = 0x7ffff000;
    u32 kind = kind_of(&inodes[o->inode]);
    if (kind != KIND_NULL && kind != KIND_ZERO) { /* they do not look */
        buffer_check(from, n, ACCESS_READ);
        output_written(from, n);
    }
    u64 offset = o->flags & OPEN_APPEND ? content_end(&inodes[o->inode], 0, ~0ull >> 1) : at >= 0 ? (u64)at : o->offset;
    long done = write_by_kind(o, from, n, offset);
    if (done > 0 && at < 0) o->offset = offset + (u64)done;
    return done;
}

static u64 *offset_of(struct opening *o, u64 given, u64 *taken) { /* the caller's, or the descriptor's own */
    if (!given) return &o->offset;
    *taken = take_word(given);
    return taken;
}

/* copy_file_range: between two files, from and to the offsets given or the descriptors' own. */
long file_copy(long from, u64 from_offset, long to, u64 to_offset, u64 n) {
    struct opening *source = opening_of(from), *target = opening_of(to);
    u64 taken[2];
    if (!source || !target || !reads(source->flags) || !writes(target->flags) || target->flags & OPEN_APPEND) return E_BADF;
    struct inode *in = &inodes[source->inode], *out = &inodes[target->inode];
    if (kind_of(in) == KIND_DIRECTORY || kind_of(out) == KIND_DIRECTORY) return E_ISDIR;
    if (kind_of(out) == KIND_OUTPUT && is_regular_output(out)) return E_XDEV; /* elsewhere than the program's files */
    if (kind_of(in) != KIND_FILE || kind_of(out) != KIND_FILE || in == out) return E_INVAL;
    u64 *first = offset_of(source, from_offset, taken), *second = offset_of(target, to_offset, taken + 1);
    if ((i64)*first < 0 || (i64)*second < 0) return E_INVAL;
    n = content_end(in, *first, n < 0x7ffff000 ? n : 0x7ffff000);
    long done = content_write(out, *second, in->base + *first, n);
    if (done <= 0) return done;
    *first += (u64)done;
    *second += (u64)done;
    if (from_offset) give(from_offset, first, 8);
    if (to_offset) give(to_offset, second, 8);
    return done;
}

static long seek_data(struct inode *f, long offset, int hole) {
    u64 size = content_end(f, 0, ~0ull >> 1);
    if (offset < 0 || (u64)offset >= size) return E_NXIO;
    return hole ? (long)size : offset;
}

long file_seek(long fd, long offset, long whence) {
    struct opening *o = opening_of(fd);
    long base = 0, target;
    if (!o) return E_BADF;
    struct inode *f = &inodes[o->inode];
    if (!is_seekable(f)) return E_SPIPE;
    if (whence < 0 || whence > 4 || (whence >= 2 && kind_of(f) == KIND_DIRECTORY)) return E_INVAL;
    if (writes(o->flags)) hear_muted(); /* the stream above may have bytes of its own that count */
    if (whence == 1) base = (long)o->offset;
    if (whence == 2) base = (long)content_end(f, 0, ~0ull >> 1);
    if (whence > 2) target = seek_data(f, offset, whence == 4);
    else if (__builtin_saddl_overflow(base, offset, &target) || target < 0) return E_INVAL;
    if (target < 0) return target;
    o->offset = (u64)target;
    return target;
}

/* ---- Descriptors of descriptors --------------------------------------------------------------- */
long file_duplicate(long fd, long least, u32 close_on_exec) {
    if (!opening_of(fd)) return E_BADF;
    if (least < 0 || least >= DESCRIPTOR_LIMIT) return E_INVAL;
    long copy = free_descriptor(least);
    if (copy >= 0) refer(copy, descriptors[fd], close_on_exec);
    return copy;
}

long file_duplicate_to(long fd, long wanted, long flags) {
    if (!opening_of(fd) || wanted < 0 || wanted >= DESCRIPTOR_LIMIT) return E_BADF;
    if (wanted == fd) return wanted;
    if (descriptors[wanted]) file_close(wanted);
    refer(wanted, descriptors[fd], flags & OPEN_CLOEXEC ? 1 : 0);
    return wanted;
}

static long set_flags(struct opening *o, u32 flags) {
    u32 changeable = OPEN_APPEND | OPEN_NONBLOCK;
    o->flags = (o->flags & ~changeable) | (flags & changeable);
    return 0;
}

static long pipe_room(const struct opening *o) {
    u32 kind = inodes[o->inode].kind;
    return kind == KIND_PIPE || kind == KIND_INPUT || kind == KIND_OUTPUT ? PIPE_ROOM : E_BADF;
}

long file_fcntl(long fd, long command, long argument) {
    struct opening *o = opening_of(fd);
    if (!o) return E_BADF;
    switch (command) {
    case 0: return file_duplicate(fd, argument, 0);
    case 1030: return file_duplicate(fd, argument, 1);
    case 1: return closes_on_exec[fd];
    case 2: closes_on_exec[fd] = argument & 1; return 0;
    case 3: return (long)o->flags | 0x8000; /* as a 64-bit kernel: O_LARGEFILE */
    case 4: return set_flags(o, (u32)argument);
    case 5: /* F_GETLK: nobody else holds a lock */
        buffer_check((u64)argument, 32, ACCESS_WRITE);
        memory_concrete((u64)argument, 2);
        *(u16 *)argument = 2;
        return 0;
    case 6:
    case 7:
    case 8: return 0;
    case 1032: return pipe_room(o); /* F_GETPIPE_SZ */
    default: return E_INVAL;
    }
}

long file_pipe(u64 to, long flags) {
    buffer_check(to, 8, ACCESS_WRITE);
    u32 inode = inode_new(KIND_PIPE, 0600), extra = (u32)flags & (OPEN_CLOEXEC | OPEN_NONBLOCK);
    if (!inode) return E_NFILE;
    long ends[2] = {descriptor_open(inode, extra), 0};
    if (ends[0] < 0) return ends[0];
    if ((ends[1] = descriptor_open(inode, OPEN_WRITE | extra)) < 0) {
        file_close(ends[0]);
        return ends[1];
    }
    u32 both[2] = {(u32)ends[0], (u32)ends[1]};
    give(to, both, 8);
    return 0;
}

long file_ready(long fd) {
    enum { IN = 1, OUT = 4, HANGUP = 16, INVALID = 32 };
    const struct opening *o = opening_of(fd);
    if (!o) return INVALID;
    const struct inode *f = &inodes[o->inode];
    long able = (reads(o->flags) ? IN : 0) | (writes(o->flags) ? OUT : 0);
    if (f->kind == KIND_INPUT && o->offset >= f->size) return HANGUP;
    if (f->kind != KIND_PIPE || !reads(o->flags)) return able;
    return f->taken < f->size ? IN : f->writers ? 0 : HANGUP;
}
