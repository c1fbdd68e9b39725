/* Inodes, directory entries and the walk along a path. */
#include "files.h"

#define LINK_DEPTH 20

struct inode inodes[INODE_LIMIT];
struct entry entries[ENTRY_LIMIT];
RUN_STATE u32 inode_count, entry_count, working_directory;

/* ---- Inodes and entries ------------------------------------------------------------ */
u32 inode_new(u32 kind, u32 permissions) {
    if (inode_count >= INODE_LIMIT) return 0;
    struct inode *f = &inodes[inode_count];
    raw_fill(f, 0, sizeof *f);
    f->kind = kind;
    f->mode = permissions;
    f->uid = f->gid = 1000;
    for (u32 i = 0; i < 6; i += 2) f->times[i] = CLOCK_START;
    return inode_count++;
}

void inode_unused(u32 inode) {
    struct inode *f = &inodes[inode];
    if (f->links || f->opens || !f->room) return;
    heap_release(f->base, 0);
    f->base = f->size = f->room = 0;
}

static u32 free_entry(void) { /* its index, reused or new; ENTRY_LIMIT: none */
    for (u32 i = 0; i < entry_count; i++)
        if (!entries[i].inode) return i;
    return entry_count < ENTRY_LIMIT ? entry_count++ : ENTRY_LIMIT;
}

int is_removed(u32 directory) { return directory != INODE_ROOT && !inodes[directory].links; }

long entry_add(u32 directory, const char *name, u32 inode) {
    u64 n = text_length(name, NAME_LIMIT);
    if (is_removed(directory)) return E_NOENT;
    if (n >= NAME_LIMIT) return E_NAMETOOLONG;
    u32 i = free_entry();
    if (i == ENTRY_LIMIT || !inode) return E_NOSPC;
    raw_copy(entries[i].name, name, n);
    entries[i].name[n] = 0;
    entries[i].directory = directory;
    entries[i].inode = inode;
    inodes[inode].links++;
    if (inodes[inode].kind == KIND_DIRECTORY) inodes[inode].parent = directory;
    return 0;
}

u32 entry_find(u32 directory, const char *name, u64 n) {
    for (u32 i = 0; i < entry_count; i++) {
        const struct entry *e = &entries[i];
        if (e->inode && e->directory == directory && !raw_compare(e->name, name, n) && !e->name[n]) return i + 1;
    }
    return 0;
}

void entry_remove(u32 entry) {
    u32 inode = entries[entry - 1].inode;
    entries[entry - 1].inode = 0;
    if (inodes[inode].links) inodes[inode].links--;
    inode_unused(inode);
}

int directory_is_empty(u32 directory) {
    for (u32 i = 0; i < entry_count; i++)
        if (entries[i].inode && entries[i].directory == directory) return 0;
    return 1;
}

/* ---- Walking ---------------------------------------------------------------------------- */
static const char *skip_slashes(const char *p) {
    while (*p == '/') p++;
    return p;
}

static long step_into(u32 directory, const char *name, u64 n) {
    if (n == 1 && name[0] == '.') return directory;
    if (n == 2 && name[0] == '.' && name[1] == '.') return inodes[directory].parent;
    u32 e = entry_find(directory, name, n);
    return e ? (long)entries[e - 1].inode : E_NOENT;
}

static long walk(u32 start, const char *path, int follow, struct path_end *p, u32 depth);

/* What a link leads to.  Its text is in the run-time's or the program's memory, never symbolic. */
static long follow_link(u32 directory, u32 link, struct path_end *p, u32 depth) {
    char text[PATH_LIMIT];
    u64 n = inodes[link].size < PATH_LIMIT ? inodes[link].size : PATH_LIMIT - 1;
    raw_copy(text, (const void *)inodes[link].base, n);
    text[n] = 0;
    return depth ? walk(directory, text, 1, p, depth - 1) : E_LOOP;
}

static long enter(long inode, u32 directory, u32 depth) { /* a part of the way: a directory, or an error */
    struct path_end p;
    if (inode >= 0 && inodes[inode].kind == KIND_LINK) {
        long error = follow_link(directory, (u32)inode, &p, depth);
        inode = error < 0 ? error : p.inode;
    }
    if (inode < 0) return inode;
    return kind_of(&inodes[inode]) == KIND_DIRECTORY ? inode : E_NOTDIR;
}

static long finish(struct path_end *p, const char *name, u64 n, int follow, int slash, u32 depth) {
    raw_copy(p->last, name, n);
    p->last[n] = 0;
    p->slash = slash;
    p->inode = step_into(p->directory, name, n);
    if (p->inode < 0) return 0;
    if (inodes[p->inode].kind == KIND_LINK && (follow || slash)) {
        long error = follow_link(p->directory, (u32)p->inode, p, depth);
        if (error < 0) return error;
    }
    return slash && p->inode >= 0 && kind_of(&inodes[p->inode]) != KIND_DIRECTORY ? E_NOTDIR : 0;
}

static long walk(u32 start, const char *path, int follow, struct path_end *p, u32 depth) {
    p->inode = E_NOENT;
    p->slash = 0;
    if (!*path) return E_NOENT;
    p->directory = *path == '/' ? INODE_ROOT : start;
    for (path = skip_slashes(path); *path;) {
        u64 n = 0;
        while (path[n] && path[n] != '/') n++;
        if (n >= NAME_LIMIT) return E_NAMETOOLONG;
        const char *next = skip_slashes(path + n);
        if (!may(&inodes[p->directory], 1)) return E_ACCES;
        if (!*next) return finish(p, path, n, follow, path[n] == '/', depth);
        long inode = enter(step_into(p->directory, path, n), p->directory, depth);
        if (inode < 0) return inode;
        p->directory = (u32)inode;
        path = next;
    }
    p->inode = p->directory;
    p->last[0] = '/'; /* the root itself */
    p->last[1] = 0;
    return 0;
}

long path_walk(u32 start, const char *path, int follow, struct path_end *p) { return walk(start, path, follow, p, LINK_DEPTH); }

static u64 name_in_front(u32 inode, char *out, u64 end) { /* writes "/name" before out[end]; its new start */
    for (u32 i = 0; i < entry_count; i++) {
        if (entries[i].inode != inode || entries[i].directory != inodes[inode].parent) continue;
        u64 n = text_length(entries[i].name, NAME_LIMIT);
        if (n + 1 > end) return 0;
        raw_copy(out + end - n, entries[i].name, n);
        out[end - n - 1] = '/';
        return end - n - 1;
    }
    return end;
}

u64 path_of_directory(u32 directory, char *out) {
    char text[PATH_LIMIT];
    u64 start = PATH_LIMIT - 1;
    text[start] = 0;
    for (u32 d = directory; d != INODE_ROOT; d = inodes[d].parent) {
        u64 before = name_in_front(d, text, start);
        if (before == start) break; /* removed */
        start = before;
    }
    if (!text[start]) text[--start] = '/';
    raw_copy(out, text + start, PATH_LIMIT - start);
    return PATH_LIMIT - 1 - start;
}

/* ---- Building ------------------------------------------------------------------------------ */
long tree_add(const char *path, u32 inode) {
    u32 directory = *path == '/' ? INODE_ROOT : working_directory;
    char name[NAME_LIMIT];
    for (path = skip_slashes(path); *path;) {
        u64 n = 0;
        while (path[n] && path[n] != '/') n++;
        if (n >= NAME_LIMIT) return E_NAMETOOLONG;
        raw_copy(name, path, n);
        name[n] = 0;
        path = skip_slashes(path + n);
        if (!*path) return entry_find(directory, name, n) ? E_EXIST : entry_add(directory, name, inode);
        long next = step_into(directory, name, n);
        if (next < 0) {
            next = inode_new(KIND_DIRECTORY, 0755);
            if (entry_add(directory, name, (u32)next) < 0) return E_NOSPC;
        }
        directory = (u32)next;
    }
    return E_EXIST;
}

static void add_device(const char *path, u32 kind, u32 number) {
    u32 inode = inode_new(kind, 0666);
    inodes[inode].uid = inodes[inode].gid = 0;
    inodes[inode].parent = number;
    tree_add(path, inode);
}

static void add_stream(const char *path, u32 descriptor) {
    u32 inode = inode_new(KIND_STREAM, 0777);
    inodes[inode].parent = descriptor;
    tree_add(path, inode);
}

static u32 add_directory(const char *path, u32 mode) {
    u32 inode = inode_new(KIND_DIRECTORY, mode);
    tree_add(path, inode);
    return inode;
}

void tree_start(void) {
    inode_count = 1;
    inode_new(KIND_DIRECTORY, 0755);
    inodes[INODE_ROOT].parent = INODE_ROOT;
    inodes[INODE_ROOT].links = 1;
    working_directory = INODE_ROOT;
    add_directory("/tmp", 01777);
    u32 home = add_directory("/home/user", 0755);
    add_device("/dev/null", KIND_NULL, 0x103);
    add_device("/dev/zero", KIND_ZERO, 0x105);
    add_device("/dev/random", KIND_RANDOM, 0x108);
    add_device("/dev/urandom", KIND_RANDOM, 0x109);
    add_device("/dev/tty", KIND_TERMINAL, 0x500);
    add_stream("/dev/stdin", 0);
    add_stream("/dev/stdout", 1);
    add_stream("/dev/stderr", 2);
    working_directory = home;
}
