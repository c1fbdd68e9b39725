/* Paths in program memory, whose characters may be symbolic.
 *
 * A symbolic path is not simply fixed.  Its leading concrete part names a
 * directory; whether the rest equals each name there is a branch of its own, so
 * every known file is a state.  If it equals none, and holds no slash, it names
 * nothing, whatever its characters are: they stay free.  With a slash it is
 * taken apart, as far as it takes to know where it leads.  Only to make a file
 * of that name are the characters fixed.
 */
#include "files.h"

#define CANDIDATES 64
#define SYMBOLIC_NAME 64 /* longer symbolic parts are fixed */

struct text { u64 at, length; u64 symbolic; }; /* length without the final 0; symbolic: index of the first such byte */

static u32 byte_node(u64 at) {
    u32 s = memory_byte(at);
    return s ? s : node_const(8, *(const u8 *)at);
}

/* Checks the string up to its end in this run. */
static long measure(u64 at, struct text *t) {
    t->at = at;
    t->symbolic = ~0ull;
    for (t->length = 0; t->length < PATH_LIMIT; t->length++) {
        u64 address = at + t->length;
        buffer_check(address, 1, ACCESS_READ);
        if (t->symbolic == ~0ull && memory_byte(address)) t->symbolic = t->length;
        if (!*(const u8 *)address) return 0;
    }
    return E_NAMETOOLONG;
}

static void fix_all(const struct text *t) {
    for (u64 i = 0; i <= t->length; i++)
        concretize(call_site(), memory_byte(t->at + i), ((const u8 *)t->at)[i], REASON_SYSCALL);
}

/* Is the text from `from` on exactly this name?  Asked as one branch. */
static int equals(const struct text *t, u64 from, const char *name) {
    u64 n = text_length(name, NAME_LIMIT), i = 0;
    u32 all = node_const(1, 1);
    int same = 1;
    if (!memory_valid(t->at + from, n + 1)) return 0;
    for (; i <= n && !(is_const(all) && !const_value(all)); i++) {
        u64 address = t->at + from + i;
        all = node_binary(OP_AND, 1, all, node_binary(OP_EQ, 8, byte_node(address), node_const(8, (u8)name[i])));
        same &= *(const char *)address == name[i];
    }
    if (is_const(all) && !const_value(all)) return 0;
    decide(EVENT_BRANCH, call_site(), all, (u32)same, 0);
    return same;
}

static u64 directory_part(const struct text *t) { /* length of the concrete part that ends in a slash */
    u64 n = t->symbolic;
    while (n && ((const char *)t->at)[n - 1] != '/') n--;
    return n;
}

/* The directory that the concrete part names; or an error. */
static long directory_named(const struct text *t, u64 n, u32 start) {
    char text[PATH_LIMIT];
    struct path_end p;
    if (!n) return start;
    raw_copy(text, (const void *)t->at, n);
    text[n] = 0;
    long error = path_walk(start, text, 1, &p);
    return error < 0 ? error : p.inode;
}

static const char *known_name(const struct text *t, u64 from, u32 directory) { /* 0: none of them */
    static const char *const always[] = {"", ".", ".."};
    for (u32 i = 0; i < 3; i++)
        if ((from || i) && equals(t, from, always[i])) return always[i];
    for (u32 i = 0, tried = 0; i < entry_count && tried < CANDIDATES; i++) {
        if (!entries[i].inode || entries[i].directory != directory) continue;
        tried++;
        if (equals(t, from, entries[i].name)) return entries[i].name;
    }
    return 0;
}

/* No byte up to the string's concrete end can be a slash: asked as one branch. */
static int has_no_slash(const struct text *t, u64 from) {
    u32 all = node_const(1, 1);
    int none = 1;
    for (u64 i = from; memory_valid(t->at + i, 1); i++) {
        u32 s = memory_byte(t->at + i);
        char c = ((const char *)t->at)[i];
        if (!s && (!c || i - from > SYMBOLIC_NAME)) break;
        u32 different = node_not(node_binary(OP_EQ, 8, byte_node(t->at + i), node_const(8, '/')));
        all = node_binary(OP_AND, 1, all, different);
        none &= c != '/';
    }
    if (!is_const(all)) decide(EVENT_BRANCH, call_site(), all, (u32)none, 0);
    return none;
}

static long copy_out(const struct text *t, char *out) {
    raw_copy(out, (const void *)t->at, t->length + 1);
    return 0;
}

/* ---- Part by part, where a slash may be among the symbolic characters --------------- */
static int is(const struct text *t, u64 i, char c) { /* asked as a branch; beyond the buffer is the end of the run */
    u64 address = t->at + i;
    buffer_check(address, 1, ACCESS_READ);
    u32 same = node_binary(OP_EQ, 8, byte_node(address), node_const(8, (u8)c));
    int holds = *(const char *)address == c;
    if (!is_const(same)) decide(EVENT_BRANCH, call_site(), same, (u32)holds, 0);
    return holds;
}

static int part_equals(const struct text *t, u64 from, u64 n, const char *name) {
    u32 all = node_const(1, 1);
    if (text_length(name, NAME_LIMIT) != n) return 0;
    for (u64 i = 0; i < n; i++)
        all = node_binary(OP_AND, 1, all, node_binary(OP_EQ, 8, byte_node(t->at + from + i), node_const(8, (u8)name[i])));
    int same = !raw_compare((const void *)(t->at + from), name, n);
    if (!is_const(all)) decide(EVENT_BRANCH, call_site(), all, (u32)same, 0);
    return same;
}

static int part_is_known(const struct text *t, u64 from, u64 n, u32 directory) {
    if (part_equals(t, from, n, ".") || part_equals(t, from, n, "..")) return 1;
    for (u32 i = 0, tried = 0; i < entry_count && tried < CANDIDATES; i++) {
        if (!entries[i].inode || entries[i].directory != directory) continue;
        tried++;
        if (part_equals(t, from, n, entries[i].name)) return 1;
    }
    return 0;
}

static long enter_part(const struct text *t, u64 from, u64 n, u32 directory) {
    char name[NAME_LIMIT];
    struct path_end p;
    raw_copy(name, (const void *)(t->at + from), n);
    name[n] = 0;
    long error = path_walk(directory, name, 1, &p);
    if (error < 0 || p.inode < 0) return error < 0 ? error : p.inode;
    return kind_of(&inodes[p.inode]) == KIND_DIRECTORY ? p.inode : E_NOTDIR;
}

/* Decides as much of the path as it takes to know where it leads. */
static long decide_parts(const struct text *t, u64 i, u32 directory, int make) {
    for (;;) {
        u64 from;
        while (is(t, i, '/')) i++;
        if (is(t, i, 0)) return 0;
        for (from = i++; !is(t, i, '/') && !is(t, i, 0);) i++;
        if (i - from >= NAME_LIMIT) return E_NAMETOOLONG;
        u64 end = i;
        while (is(t, end, '/')) end++;
        int last = is(t, end, 0);
        if (!part_is_known(t, from, i - from, directory)) {
            if (!last || !make) return E_NOENT;
            fix_all(t);
            return 0;
        }
        if (last) return 0;
        long next = enter_part(t, from, i - from, directory);
        if (next < 0) return next;
        directory = (u32)next;
    }
}

static long take_symbolic(const struct text *t, char *out, u32 start, int make) {
    u64 from = directory_part(t);
    long directory = directory_named(t, from, start), error = 0;
    if (directory < 0) return directory;
    if (!from && equals(t, 0, "")) return E_NOENT;
    const char *known = known_name(t, from, (u32)directory);
    if (known) {
        raw_copy(out, (const void *)t->at, from);
        raw_copy(out + from, known, text_length(known, NAME_LIMIT) + 1);
        return 0;
    }
    if (!has_no_slash(t, from)) error = decide_parts(t, from, !from && is(t, 0, '/') ? INODE_ROOT : (u32)directory, make);
    else if (make) fix_all(t);
    else return E_NOENT;
    return error < 0 ? error : copy_out(t, out);
}

static long starting_point(long at, const char *path, u32 *start) {
    *start = working_directory;
    if ((int)at == AT_CWD || *path == '/') return 0; /* a descriptor is an int, whatever lies above it */
    long inode = inode_of(at);
    if (inode < 0) return inode;
    if (kind_of(&inodes[inode]) != KIND_DIRECTORY) return E_NOTDIR;
    *start = (u32)inode;
    return 0;
}

long name_take(long at, u64 address, char *out, u32 *start, int make) {
    struct text t;
    long error = measure(address, &t);
    if (error < 0) return error;
    error = starting_point(at, t.length && t.symbolic ? (const char *)address : "", start);
    if (error < 0) return error;
    return t.symbolic == ~0ull ? copy_out(&t, out) : take_symbolic(&t, out, *start, make);
}

long name_find(long at, u64 address, int follow, int make, struct path_end *p) {
    char path[PATH_LIMIT];
    u32 start;
    long error = name_take(at, address, path, &start, make);
    p->inode = E_NOENT;
    return error < 0 ? error : path_walk(start, path, follow, p);
}

long name_inode(long at, u64 address, int follow) {
    struct path_end p;
    long error = name_find(at, address, follow, 0, &p);
    if (error < 0 || p.inode < 0) return error < 0 ? error : p.inode;
    if (!follow || inodes[p.inode].kind != KIND_STREAM) return p.inode;
    return opening_of(inodes[p.inode].parent) ? inode_of(inodes[p.inode].parent) : E_NOENT;
}
