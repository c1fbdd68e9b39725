/* What stat tells: types, permissions, sizes, times; symbolic where asked for.
 *
 * A symbolic status is an object NAME-stat laid out as struct stat.  Only its
 * mode is symbolic (symbolic times cost much and gained nothing, see
 * docs/environment.md); zero means "as usual", so that the first input is a
 * sane one, and other values are assumed to be sane.
 */
#include "files.h"

enum { TYPE_PIPE = 0010000, TYPE_DEVICE = 0020000, TYPE_DIRECTORY = 0040000, TYPE_FILE = 0100000, TYPE_LINK = 0120000, TYPES = 0170000 };
#define STATUS_BYTES 144
#define MODE_AT 24

static u32 type_of_kind(u32 kind) {
    switch (kind) {
    case KIND_FILE: return TYPE_FILE;
    case KIND_DIRECTORY: return TYPE_DIRECTORY;
    case KIND_LINK:
    case KIND_STREAM: return TYPE_LINK;
    case KIND_PIPE:
    case KIND_INPUT:
    case KIND_OUTPUT: return TYPE_PIPE;
    default: return TYPE_DEVICE;
    }
}

/* ---- Symbolic status ---------------------------------------------------------------------- */
static u32 has_type(u32 mode, u32 type) {
    return node_binary(OP_EQ, 32, node_binary(OP_AND, 32, mode, node_const(32, TYPES)), node_const(32, type));
}

/* The field's own input if it is not zero, else the usual value. */
static u32 or_usual(u64 address, u32 size, u64 usual) {
    u32 raw = memory_gather(address, size), w = size * 8;
    return node_ite(node_binary(OP_EQ, w, raw, node_const(w, 0)), node_const(w, usual), raw);
}

static void put_field(u64 address, u32 size, u32 node) {
    u64 value = (u64)node_value(node);
    memory_put(address, size, node);
    raw_copy((void *)address, &value, size);
}

static void assume_sane_mode(u32 mode, u32 kind) {
    u32 known = node_binary(OP_OR, 1, has_type(mode, type_of_kind(kind)), has_type(mode, TYPE_PIPE));
    known = node_binary(OP_OR, 1, known, node_binary(OP_OR, 1, has_type(mode, TYPE_FILE), has_type(mode, TYPE_DEVICE)));
    if (kind == KIND_FILE) known = node_binary(OP_OR, 1, known, has_type(mode, TYPE_DIRECTORY));
    u32 rest = node_binary(OP_AND, 32, mode, node_const(32, ~(u32)(TYPES | 0777)));
    assume(0, node_binary(OP_AND, 1, known, node_binary(OP_EQ, 32, rest, node_const(32, 0))));
}

void status_make(u32 inode, const char *name) {
    struct inode *f = &inodes[inode];
    u64 p = heap_allocate(STATUS_BYTES, 16, 0);
    if (!p) return;
    input_make(p, STATUS_BYTES, name);
    u32 mode = or_usual(p + MODE_AT, 4, type_of_kind(f->kind) | f->mode);
    memory_concrete(p, STATUS_BYTES);
    put_field(p + MODE_AT, 4, mode);
    assume_sane_mode(mode, f->kind);
    f->meta = p;
}

static u32 symbolic_mode(const struct inode *f) { return f->meta ? memory_gather(f->meta + MODE_AT, 4) : 0; }

static int ask(u32 condition) {
    int holds = node_value(condition) != 0;
    decide(EVENT_BRANCH, call_site(), condition, (u32)holds, 0);
    return holds;
}

/* A file of symbolic type is still read from its content; a pipe cannot seek, a device neither. */
u32 kind_of(struct inode *f) {
    u32 mode = symbolic_mode(f);
    if (!mode) return f->kind;
    if (ask(has_type(mode, type_of_kind(f->kind)))) return f->kind;
    if (f->kind == KIND_FILE && ask(has_type(mode, TYPE_DIRECTORY))) return KIND_DIRECTORY;
    if (f->kind == KIND_OUTPUT) return KIND_OUTPUT;
    if (f->kind == KIND_INPUT && ask(has_type(mode, TYPE_FILE))) return KIND_FILE;
    return KIND_INPUT;
}

int is_regular_output(struct inode *f) {
    u32 mode = symbolic_mode(f);
    return mode && ask(has_type(mode, TYPE_FILE));
}

int is_device(struct inode *f) { /* as its test has it */
    u32 mode = symbolic_mode(f);
    return mode && ask(has_type(mode, TYPE_DEVICE));
}

int may(struct inode *f, u32 wanted) {
    u32 mode = symbolic_mode(f), bits = wanted << (f->uid == 1000 ? 6 : 0);
    if (!wanted) return 1;
    if (!mode) return (f->mode & bits) == bits;
    return ask(node_binary(OP_EQ, 32, node_binary(OP_AND, 32, mode, node_const(32, bits)), node_const(32, bits)));
}

/* ---- Telling ------------------------------------------------------------------------------------- */
struct status { u64 device, inode, links; u32 mode, uid, gid, pad; u64 special; u64 size, block, blocks, times[6], unused[3]; };

static u64 size_told(struct inode *f) {
    if (f->kind == KIND_DIRECTORY) return 4096;
    if (f->kind == KIND_STREAM) return STREAM_LENGTH;
    return f->kind == KIND_FILE || f->kind == KIND_LINK ? f->size : 0;
}

static u64 link_count(u32 inode) { /* of a directory: itself, its name, its sub-directories */
    if (inodes[inode].kind != KIND_DIRECTORY) return inodes[inode].links + (inodes[inode].links || inodes[inode].kind == KIND_FILE ? 0 : 1);
    u64 n = is_removed(inode) ? 0 : 2;
    for (u32 i = 0; i < entry_count; i++)
        if (entries[i].inode && entries[i].directory == inode && inodes[entries[i].inode].kind == KIND_DIRECTORY) n++;
    return n;
}

static void fill(struct status *s, u32 inode) {
    struct inode *f = &inodes[inode];
    raw_fill(s, 0, sizeof *s);
    s->device = f->kind == KIND_PIPE || f->kind == KIND_INPUT || f->kind == KIND_OUTPUT ? 13 : 2049;
    s->inode = inode + 1;
    s->links = link_count(inode);
    s->mode = type_of_kind(f->kind) | f->mode;
    s->uid = f->uid;
    s->gid = f->gid;
    s->special = type_of_kind(f->kind) == TYPE_DEVICE ? f->parent : 0;
    content_hear(f);
    s->size = size_told(f);
    s->block = 4096;
    s->blocks = f->kind == KIND_FILE ? (s->size + 4095) / 4096 * 8 : 0;
    raw_copy(s->times, f->times, sizeof s->times);
}

/* What only a regular file has: zero, or a folder's, if a test makes something else of it. */
static u32 if_regular(const struct inode *f, u32 value, u64 folder) {
    u32 mode = symbolic_mode(f), other = node_ite(has_type(mode, TYPE_DIRECTORY), node_const(64, folder), node_const(64, 0));
    return node_ite(has_type(mode, TYPE_FILE), value, other);
}

static u32 blocks_of(u32 size) {
    u32 pages = node_binary(OP_LSHR, 64, node_binary(OP_ADD, 64, size, node_const(64, 4095)), node_const(64, 12));
    return node_binary(OP_SHL, 64, pages, node_const(64, 3));
}

static void give_symbolic_size(const struct inode *f, u64 size_to, u64 blocks_to) {
    u32 size = node_const(64, f->size);
    if (f->cut) size = node_binary(OP_SUB, 64, size, node_extend(OP_ZEXT, memory_gather(f->cut, 4), 64));
    u32 blocks = blocks_of(size);
    put_field(size_to, 8, f->meta ? if_regular(f, size, 4096) : size);
    put_field(blocks_to, 8, f->meta ? if_regular(f, blocks, 0) : blocks);
}

struct offsets { u64 mode, mode_size, size, blocks; }; /* of the fields that a test may choose */

static void give_symbolic_fields(const struct inode *f, u64 to, struct offsets at) {
    if (f->meta) memory_move(to + at.mode, f->meta + MODE_AT, at.mode_size);
    int sized = f->kind == KIND_FILE || (f->kind == KIND_INPUT && f->meta); /* else it is a pipe, whose size is not told */
    if (sized && (f->cut || f->meta)) give_symbolic_size(f, to + at.size, to + at.blocks);
}

long status_give(long inode, u64 to) {
    struct status s;
    if (inode < 0) return inode;
    fill(&s, (u32)inode);
    give(to, &s, sizeof s);
    give_symbolic_fields(&inodes[inode], to, (struct offsets){MODE_AT, 4, 48, 64});
    return 0;
}

static void put32(u8 *at, u64 v) { *(u32 *)at = (u32)v; }
static void put64(u8 *at, u64 v) { *(u64 *)at = v; }

long status_give_extended(long inode, u64 to) { /* struct statx */
    struct status s;
    u8 x[256];
    if (inode < 0) return inode;
    fill(&s, (u32)inode);
    raw_fill(x, 0, sizeof x);
    put32(x, 0x7ff);
    put32(x + 4, s.block);
    put32(x + 16, s.links);
    put32(x + 20, s.uid);
    put32(x + 24, s.gid);
    *(u16 *)(x + 28) = (u16)s.mode;
    put64(x + 32, s.inode);
    put64(x + 40, s.size);
    put64(x + 48, s.blocks);
    for (u32 i = 0; i < 3; i++) { /* access 64, birth 80, status 96, content 112 */
        u8 *at = x + (i == 0 ? 64 : i == 1 ? 112 : 96);
        put64(at, s.times[2 * i]);
        put32(at + 8, s.times[2 * i + 1]);
    }
    put64(x + 80, CLOCK_START);
    put32(x + 128, s.special >> 8);
    put32(x + 132, s.special & 0xff);
    put32(x + 136, s.device >> 8);
    put32(x + 140, s.device & 0xff);
    give(to, x, sizeof x);
    give_symbolic_fields(&inodes[inode], to, (struct offsets){28, 2, 40, 48});
    return 0;
}

long status_filesystem(u64 to) {
    static const u64 told[15] = {0xef53, 4096, 1 << 20, 1 << 19, 1 << 19, 1 << 20, 1 << 19, 0, 255, 4096};
    give(to, told, sizeof told);
    return 0;
}
