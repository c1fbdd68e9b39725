/* Calls that change the tree or its inodes' properties, and those that list it. */
#include "files.h"

RUN_STATE u32 creation_mask = 022;

static void touch_directory(u32 directory) { inodes[directory].times[2] = inodes[directory].times[4] = clock_seconds(); }

static long may_change(u32 directory) { return may(&inodes[directory], 2) ? 0 : E_ACCES; }

static int is_dots(const char *name) { return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2])); }

/* A name under which something is to be made: nothing is there yet, and the directory allows it. */
static long vacant(long at, u64 path, struct path_end *p, int directory) {
    long error = name_find(at, path, 0, 1, p);
    if (p->inode >= 0) return E_EXIST; /* also of a file with a slash behind */
    if (error < 0) return error;
    if (p->slash && !directory) return E_NOENT;
    return p->inode == E_NOENT ? may_change(p->directory) : p->inode;
}

long make_directory(long at, u64 path, u32 mode) {
    struct path_end p;
    long error = vacant(at, path, &p, 1);
    if (error < 0) return error;
    error = entry_add(p.directory, p.last, inode_new(KIND_DIRECTORY, mode & 01777 & ~creation_mask));
    touch_directory(p.directory);
    return error;
}

/* ---- Removing ----------------------------------------------------------------------------- */
static long removable(const struct path_end *p, int directory) {
    if (p->inode < 0) return p->inode;
    int is_directory = kind_of(&inodes[p->inode]) == KIND_DIRECTORY;
    if (directory && !is_directory) return E_NOTDIR;
    if (!directory && is_directory) return E_ISDIR;
    if (directory && p->last[0] == '.' && !p->last[1]) return E_INVAL;
    if (directory && (is_dots(p->last) || !directory_is_empty((u32)p->inode))) return E_NOTEMPTY;
    return may_change(p->directory);
}

long make_node(long at, u64 path, u32 mode) { /* mknod: a file or a named pipe; devices are the administrator's */
    enum { TYPES = 0170000, PIPE = 0010000, FILE = 0100000 };
    struct path_end p;
    long error = vacant(at, path, &p, 0);
    if (error < 0) return error;
    u32 type = mode & TYPES;
    if (type && type != PIPE && type != FILE) return E_PERM;
    touch_directory(p.directory);
    return entry_add(p.directory, p.last, inode_new(type == PIPE ? KIND_PIPE : KIND_FILE, mode & 07777 & ~creation_mask));
}

long remove_name(long at, u64 path, int directory) {
    struct path_end p;
    long error = name_find(at, path, 0, 0, &p);
    if (error >= 0 && p.last[0] == '/') return directory ? -16 : E_ISDIR; /* EBUSY: the root */
    if (error < 0 || (error = removable(&p, directory)) < 0) return error;
    u32 entry = entry_find(p.directory, p.last, text_length(p.last, NAME_LIMIT));
    if (!entry) return -16; /* EBUSY: the root */
    entry_remove(entry);
    touch_directory(p.directory);
    return 0;
}

/* ---- Renaming and linking -------------------------------------------------------------------- */
static int is_inside(u32 directory, u32 of) {
    for (; directory != INODE_ROOT; directory = inodes[directory].parent)
        if (directory == of) return 1;
    return of == INODE_ROOT;
}

static long replaceable(const struct path_end *from, const struct path_end *to) {
    int moved = inodes[from->inode].kind == KIND_DIRECTORY;
    if (moved && is_inside(to->directory, (u32)from->inode)) return E_INVAL;
    if (to->inode < 0) return to->inode == E_NOENT ? 0 : to->inode;
    int there = inodes[to->inode].kind == KIND_DIRECTORY;
    if (moved && !there) return E_NOTDIR;
    if (!moved && there) return E_ISDIR;
    return there && !directory_is_empty((u32)to->inode) ? E_NOTEMPTY : 0;
}

static long move_entry(const struct path_end *from, const struct path_end *to) {
    u32 old = entry_find(to->directory, to->last, text_length(to->last, NAME_LIMIT));
    if (old) entry_remove(old);
    long error = entry_add(to->directory, to->last, (u32)from->inode);
    if (error < 0) return error;
    u32 entry = entry_find(from->directory, from->last, text_length(from->last, NAME_LIMIT));
    if (entry) entry_remove(entry);
    touch_directory(from->directory);
    touch_directory(to->directory);
    return 0;
}

long rename_name(long from_at, u64 from, long to_at, u64 to, long flags) {
    struct path_end a, b;
    if (flags & ~1l) return E_INVAL;
    long error = name_find(from_at, from, 0, 0, &a);
    if (error < 0 || (error = name_find(to_at, to, 0, 1, &b)) < 0) return error;
    if (a.inode < 0) return a.inode;
    if (is_dots(a.last) || is_dots(b.last) || a.last[0] == '/' || b.last[0] == '/') return -16;
    if ((flags & 1) && b.inode >= 0) return E_EXIST;
    if (b.slash && inodes[a.inode].kind != KIND_DIRECTORY) return E_NOTDIR;
    if ((error = replaceable(&a, &b)) < 0 || (error = may_change(a.directory)) < 0 || (error = may_change(b.directory)) < 0) return error;
    return a.inode == b.inode ? 0 : move_entry(&a, &b);
}

long link_name(long from_at, u64 from, long to_at, u64 to, int follow) {
    struct path_end a, b;
    long error = name_find(from_at, from, follow, 0, &a);
    if (error < 0) return error;
    if (a.inode < 0) return a.inode;
    if ((error = vacant(to_at, to, &b, 0)) < 0) return error;
    if (inodes[a.inode].kind == KIND_DIRECTORY) return E_PERM;
    touch_directory(b.directory);
    return entry_add(b.directory, b.last, (u32)a.inode);
}

long link_symbolic(u64 text, long at, u64 path) {
    char target[PATH_LIMIT];
    struct path_end p;
    u32 start, inode;
    long error = name_take(AT_CWD, text, target, &start, 1);
    if (error < 0 || (error = vacant(at, path, &p, 0)) < 0) return error;
    u64 n = text_length(target, PATH_LIMIT), base = heap_allocate(n, 16, 0);
    if (!base || !(inode = inode_new(KIND_LINK, 0777))) return E_NOSPC;
    raw_copy((void *)base, target, n);
    content_set(inode, base, n, n);
    touch_directory(p.directory);
    return entry_add(p.directory, p.last, inode);
}

long link_read(long at, u64 path, u64 to, u64 n) {
    long inode = name_inode(at, path, 0);
    char stream[STREAM_LENGTH + 1] = STREAM_TEXT;
    if (inode < 0) return inode;
    const struct inode *f = &inodes[inode];
    if ((f->kind != KIND_LINK && f->kind != KIND_STREAM) || (i64)n <= 0) return E_INVAL;
    stream[STREAM_LENGTH - 1] = (char)('0' + f->parent);
    u64 size = f->kind == KIND_LINK ? f->size : STREAM_LENGTH;
    if (n > size) n = size;
    give(to, f->kind == KIND_LINK ? (const char *)f->base : stream, n);
    return (long)n;
}

/* ---- Properties --------------------------------------------------------------------------------- */
long change_directory(long inode) {
    if (inode < 0) return inode;
    if (kind_of(&inodes[inode]) != KIND_DIRECTORY) return E_NOTDIR;
    if (!may(&inodes[inode], 1)) return E_ACCES;
    working_directory = (u32)inode;
    return 0;
}

long current_directory(u64 to, u64 n) {
    char path[PATH_LIMIT];
    if (is_removed(working_directory)) return E_NOENT;
    u64 length = path_of_directory(working_directory, path) + 1;
    if (length > n) return E_RANGE;
    give(to, path, length);
    return (long)length;
}

static long changeable(long inode) {
    if (inode < 0) return inode;
    inodes[inode].times[4] = clock_seconds();
    return inodes[inode].uid == 1000 ? 0 : E_PERM;
}

long change_mode(long inode, u32 mode) {
    long error = changeable(inode);
    if (!error) inodes[inode].mode = mode & 07777;
    return error;
}

long change_owner(long inode, u32 uid, u32 gid) {
    long error = changeable(inode);
    if (error) return error;
    return (uid == 1000 || uid == ~0u) && (gid == 1000 || gid == ~0u) ? 0 : E_PERM;
}

static void set_time(u64 *time, u64 seconds, u64 nanoseconds) {
    if (nanoseconds == 0x3ffffffe) return; /* UTIME_OMIT */
    time[0] = nanoseconds == 0x3fffffff ? clock_seconds() : seconds;
    time[1] = nanoseconds == 0x3fffffff ? 0 : nanoseconds;
}

long change_times(long inode, u64 times) { /* two struct timespec, or 0 for now */
    long error = changeable(inode);
    if (error) return error;
    for (u32 i = 0; i < 2; i++) {
        u64 seconds = times ? take_word(times + 16 * i) : 0, rest = times ? take_word(times + 16 * i + 8) : 0x3fffffff;
        set_time(inodes[inode].times + 2 * i, seconds, rest);
    }
    return 0;
}

/* ---- Listing ------------------------------------------------------------------------------------- */
static u8 type_code(u32 kind) { return kind == KIND_DIRECTORY ? 4 : kind == KIND_LINK || kind == KIND_STREAM ? 10 : kind == KIND_FILE ? 8 : 2; }

/* One struct dirent64; its length, 0 if it does not fit. */
static u64 put_entry(u64 to, u64 room, u32 inode, u64 next, const char *name) {
    u8 record[24 + NAME_LIMIT];
    u64 n = text_length(name, NAME_LIMIT), length = (19 + n + 1 + 7) & ~7ull;
    if (length > room) return 0;
    raw_fill(record, 0, length);
    *(u64 *)record = inode + 1;
    *(u64 *)(record + 8) = next;
    *(u16 *)(record + 16) = (u16)length;
    record[18] = type_code(inodes[inode].kind);
    raw_copy(record + 19, name, n);
    give(to, record, length);
    return length;
}

static u64 next_entry(u32 directory, u64 from) { /* index of the next one in use */
    while (from < entry_count && (!entries[from].inode || entries[from].directory != directory)) from++;
    return from;
}

long list_directory(long fd, u64 to, u64 n) {
    struct opening *o = opening_of(fd);
    u64 used = 0, length;
    if (!o) return E_BADF;
    if (kind_of(&inodes[o->inode]) != KIND_DIRECTORY) return E_NOTDIR;
    for (;; used += length, o->offset++) { /* offset: 0 and 1 are the dots, then entries by index */
        u32 inode = o->offset ? inodes[o->inode].parent : o->inode;
        const char *name = o->offset ? ".." : ".";
        if (o->offset >= 2) {
            u64 i = next_entry(o->inode, o->offset - 2);
            if (i >= entry_count) break;
            o->offset = i + 2;
            inode = entries[i].inode;
            name = entries[i].name;
        }
        if (!(length = put_entry(to + used, n - used, inode, o->offset + 1, name))) return used ? (long)used : E_INVAL;
    }
    return (long)used;
}
