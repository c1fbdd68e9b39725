/* Files of the modelled environment: standard streams, symbolic files, concrete
 * files from the argument block, and files the program makes.  Nothing of the
 * host is touched.  Contents live in program memory, so shadows follow. */
#include "files.h"

struct file files[FILE_LIMIT];
u32 file_count;
static struct descriptor descriptors[DESCRIPTOR_LIMIT];

#define OPEN_CREATE 0x40
#define OPEN_EXCLUSIVE 0x80
#define OPEN_TRUNCATE 0x200
#define OPEN_APPEND 0x400

void files_reset(void) {
    file_count = FILE_FIRST;
    raw_fill(files, 0, sizeof(struct file) * FILE_FIRST);
    raw_fill(descriptors, 0, sizeof descriptors);
    for (u32 fd = 0; fd < 3; fd++) {
        descriptors[fd].open = 1;
        descriptors[fd].file = fd ? FILE_OUTPUT : FILE_STDIN;
    }
}

u32 file_add(const char *name, u64 base, u64 size) {
    if (file_count >= FILE_LIMIT) return FILE_LIMIT - 1;
    struct file *f = &files[file_count];
    u64 n = text_length(name, NAME_LIMIT - 1);
    raw_copy(f->name, name, n);
    f->name[n] = 0;
    f->base = base;
    f->size = size;
    f->room = 0;
    f->exists = 1;
    return file_count++;
}

static struct descriptor *descriptor_at(long fd) {
    return fd >= 0 && fd < DESCRIPTOR_LIMIT && descriptors[fd].open ? &descriptors[fd] : 0;
}

long file_of(long fd) {
    const struct descriptor *d = descriptor_at(fd);
    return d ? (long)d->file : E_BADF;
}

static const char *plain_name(const char *name) { return name[0] == '.' && name[1] == '/' ? name + 2 : name; }

long file_named(const char *name) {
    name = plain_name(name);
    for (u32 i = FILE_FIRST; i < file_count; i++)
        if (files[i].exists && !raw_compare(files[i].name, name, text_length(name, NAME_LIMIT - 1) + 1)) return i;
    return E_NOENT;
}

static long free_descriptor(long least) {
    for (long fd = least; fd < DESCRIPTOR_LIMIT; fd++)
        if (!descriptors[fd].open) return fd;
    return E_MFILE;
}

long file_open(const char *name, long flags) {
    long i = file_named(name), fd = free_descriptor(0);
    if (fd < 0) return fd;
    if (i >= 0 && (flags & OPEN_CREATE) && (flags & OPEN_EXCLUSIVE)) return -17;
    if (i < 0) {
        if (!(flags & OPEN_CREATE)) return E_NOENT;
        if (file_count >= FILE_LIMIT) return E_MFILE;
        i = file_add(plain_name(name), 0, 0);
    }
    if (flags & OPEN_TRUNCATE) files[i].size = 0;
    descriptors[fd].open = 1;
    descriptors[fd].file = (u32)i;
    descriptors[fd].offset = 0;
    descriptors[fd].append = flags & OPEN_APPEND ? 1 : 0;
    return fd;
}

long file_close(long fd) {
    struct descriptor *d = descriptor_at(fd);
    if (!d) return E_BADF;
    d->open = 0;
    return 0;
}

long file_duplicate(long fd, long wanted) {
    const struct descriptor *d = descriptor_at(fd);
    if (!d) return E_BADF;
    if (wanted < 0) wanted = free_descriptor(0);
    if (wanted < 0 || wanted >= DESCRIPTOR_LIMIT) return E_MFILE;
    if (wanted != fd) raw_copy(&descriptors[wanted], d, sizeof *d);
    return wanted;
}

long file_duplicate_from(long fd, long least) {
    if (!descriptor_at(fd)) return E_BADF;
    if (least < 0 || least >= DESCRIPTOR_LIMIT) return E_INVAL;
    long free = free_descriptor(least);
    return free < 0 ? free : file_duplicate(fd, free);
}

/* ---- Content ------------------------------------------------------------------------ */
static void copy_in(u64 to, u64 from, u64 n) { /* the argument block has no shadows */
    if (from < 0x100000000) return memory_move(to, from, n);
    memory_concrete(to, n);
    raw_copy((void *)to, (const void *)from, n);
}

long file_read(long fd, u64 to, u64 n, long at) {
    struct descriptor *d = descriptor_at(fd);
    if (!d || d->file == FILE_OUTPUT) return E_BADF;
    if (at >= 0 && d->file < FILE_FIRST) return E_SPIPE;
    const struct file *f = &files[d->file];
    u64 offset = at < 0 ? d->offset : (u64)at;
    u64 left = offset < f->size ? f->size - offset : 0;
    if (n > left) n = left;
    memory_check(to, n, ACCESS_WRITE, call_site());
    copy_in(to, f->base + offset, n);
    if (at < 0) d->offset += n;
    return (long)n;
}

static int make_room(struct file *f, u64 size) {
    if (size <= f->room) return 1;
    u64 room = size < 256 ? 256 : size * 2, base = heap_allocate(room, 16, 0);
    if (!base) return 0;
    copy_in(base, f->base, f->size);
    if (f->room) heap_release(f->base, 0);
    f->base = base;
    f->room = room;
    return 1;
}

static void clear_gap(struct file *f, u64 end) {
    if (end <= f->size) return;
    raw_fill((void *)(f->base + f->size), 0, end - f->size);
    memory_concrete(f->base + f->size, end - f->size);
}

static long write_output(u64 from, u64 n) {
    u64 used = CONTROL->output, room = CINQ_OUTPUT_CAPACITY - used;
    u64 kept = n < room ? n : room;
    raw_copy(OUTPUT + used, (const void *)from, kept);
    CONTROL->output += kept;
    CONTROL->output_total += n;
    return (long)n;
}

long file_write(long fd, u64 from, u64 n, long at) {
    struct descriptor *d = descriptor_at(fd);
    if (!d || d->file == FILE_STDIN) return E_BADF;
    if (at >= 0 && d->file < FILE_FIRST) return E_SPIPE;
    memory_check(from, n, ACCESS_READ, call_site());
    if (d->file == FILE_OUTPUT) return write_output(from, n);
    struct file *f = &files[d->file];
    u64 offset = at >= 0 ? (u64)at : d->append ? f->size : d->offset;
    if (offset + n < offset || offset + n > 0x10000000 || !make_room(f, offset + n)) return -28;
    clear_gap(f, offset);
    memory_move(f->base + offset, from, n);
    if (offset + n > f->size) f->size = offset + n;
    if (at < 0) d->offset = offset + n;
    return (long)n;
}

long file_truncate(long fd, u64 size) {
    const struct descriptor *d = descriptor_at(fd);
    if (!d || d->file < FILE_FIRST) return E_INVAL;
    struct file *f = &files[d->file];
    if (size > 0x10000000 || !make_room(f, size)) return -28;
    clear_gap(f, size);
    f->size = size;
    return 0;
}

long file_seek(long fd, long offset, long whence) {
    struct descriptor *d = descriptor_at(fd);
    if (!d) return E_BADF;
    if (d->file < FILE_FIRST) return E_SPIPE; /* both streams are pipes, as their stat says */
    long base = whence == 0 ? 0 : whence == 1 ? (long)d->offset : (long)files[d->file].size, place;
    if (whence > 2 || __builtin_saddl_overflow(base, offset, &place) || place < 0) return E_INVAL;
    d->offset = (u64)place;
    return place;
}
