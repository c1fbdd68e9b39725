/* The modelled file system: inodes, names, openings and descriptors.
 *
 * An inode is a file, a directory (its entries are in one flat list), a link, a
 * pipe or a device.  An opening is what dup shares: offset and flags.  Contents
 * lie in program memory, so shadows follow them.  Everything is rebuilt for
 * every run.  Functions that may fail answer a negative error number.
 */
#ifndef CINQ_FILES_H
#define CINQ_FILES_H

#include "runtime.h"

enum {
    INODE_LIMIT = 1024, ENTRY_LIMIT = 1024, OPENING_LIMIT = 256, DESCRIPTOR_LIMIT = 256,
    NAME_LIMIT = 256, PATH_LIMIT = 4096, CONTENT_LIMIT = 0x8000000
};

enum inode_kind {
    KIND_FILE = 1, KIND_DIRECTORY, KIND_LINK, KIND_PIPE,
    KIND_INPUT,  /* standard input: a pipe that nobody writes to any more */
    KIND_OUTPUT, /* standard output and error */
    KIND_NULL, KIND_ZERO, KIND_RANDOM,
    KIND_TERMINAL, /* cannot be opened: there is none */
    KIND_STREAM    /* /dev/stdin and its like, a link to what descriptor `parent` is */
};

struct inode {
    u32 kind, mode, uid, gid, links, opens;
    u32 parent;           /* of a directory; a device's number */
    u32 readers, writers; /* of a pipe */
    u64 base, size, room; /* content; room 0: not ours to change */
    u64 taken;            /* of a pipe: bytes read and gone */
    u64 times[6];         /* access, change of content, change of status: seconds and nanoseconds */
    u64 meta;             /* symbolic struct stat in program memory, 0: none */
    u64 cut;              /* symbolic number of bytes that the size falls short of `size`, 0: none */
    u32 printed, pad;     /* was written when output had been muted */
};
struct entry { u32 directory, inode; char name[NAME_LIMIT]; }; /* inode 0: removed */
struct opening { u32 inode, flags, uses; u64 offset; };

extern struct inode inodes[INODE_LIMIT];
extern struct entry entries[ENTRY_LIMIT];
extern u32 inode_count, entry_count; /* number 0 of the inodes is unused */
extern u32 working_directory;
enum { INODE_ROOT = 1 };

/* ---- tree.c ---- */
void tree_start(void);
u32 inode_new(u32 kind, u32 permissions); /* 0: none left */
void inode_unused(u32 inode);             /* gives up the content of what nobody can reach */
long entry_add(u32 directory, const char *name, u32 inode);
u32 entry_find(u32 directory, const char *name, u64 n); /* 1 + index; 0: none */
void entry_remove(u32 entry);
#define STREAM_TEXT "/proc/self/fd/" /* where such a link leads, and the descriptor's digit */
enum { STREAM_LENGTH = sizeof STREAM_TEXT };
int directory_is_empty(u32 directory);
int is_removed(u32 directory); /* it is somebody's working directory, or open, but has no name any more */
long tree_add(const char *path, u32 inode); /* with the directories on the way */
/* What a path leads to: its directory, its last part, and the inode there or an error. */
struct path_end { u32 directory; int slash; long inode; char last[NAME_LIMIT]; }; /* slash: one is behind it */
long path_walk(u32 start, const char *path, int follow, struct path_end *);
u64 path_of_directory(u32 directory, char *out); /* its length */

/* ---- names.c: paths in program memory ---- */
long name_take(long at, u64 address, char *out, u32 *start, int make); /* at: directory descriptor */
long name_find(long at, u64 address, int follow, int make, struct path_end *);
long name_inode(long at, u64 address, int follow); /* inode or error */

/* ---- contents.c ---- */
long content_read(struct inode *, u64 offset, u64 to, u64 n);
long content_write(struct inode *, u64 offset, u64 from, u64 n);
long content_resize(struct inode *, u64 size);
u64 content_end(struct inode *, u64 from, u64 n); /* how many of n bytes there are; decides a symbolic size */
void content_set(u32 inode, u64 base, u64 size, u64 room);
void copy_in(u64 to, u64 from, u64 n);
void content_hear(struct inode *); /* what is in it matters: so does what muted output decided */

/* ---- descriptors.c ---- */
void descriptors_start(void);
struct span opening_records(void);
struct opening *opening_of(long fd); /* 0: not open */
long inode_of(long fd);              /* inode or -EBADF */
long descriptor_open(u32 inode, u32 flags);
long file_open(long at, u64 path, long flags, long mode);
long file_close(long fd);
long file_read(long fd, u64 to, u64 n, long at);  /* at < 0: the opening's offset */
long file_write(long fd, u64 from, u64 n, long at);
long file_seek(long fd, long offset, long whence);
long file_copy(long from, u64 from_offset, long to, u64 to_offset, u64 n);
long file_duplicate(long fd, long least, u32 close_on_exec);
long file_duplicate_to(long fd, long wanted, long flags);
long file_fcntl(long fd, long command, long argument);
long file_pipe(u64 to, long flags);
long file_ready(long fd); /* poll's events that hold now */

/* ---- status.c ---- */
u32 kind_of(struct inode *); /* decides a symbolic type */
int is_regular_output(struct inode *); /* standard output: as a test chooses */
int is_device(struct inode *); /* only if its status is symbolic, and a test chooses so */
int may(struct inode *, u32 wanted); /* 4 read, 2 write, 1 execute; decides symbolic permissions */
void status_make(u32 inode, const char *name);
long status_give(long inode, u64 to);
long terminal_control(struct inode *, u64 request, u64 argument); /* terminal.c */
long status_give_extended(long inode, u64 to);
long status_filesystem(u64 to);

/* ---- directories.c: calls that change the tree or list it ---- */
long make_directory(long at, u64 path, u32 mode);
long make_node(long at, u64 path, u32 mode);
long remove_name(long at, u64 path, int directory);
long rename_name(long from_at, u64 from, long to_at, u64 to, long flags);
long link_name(long from_at, u64 from, long to_at, u64 to, int follow);
long link_symbolic(u64 text, long at, u64 path);
long link_read(long at, u64 path, u64 to, u64 n);
long change_directory(long inode);
long current_directory(u64 to, u64 n);
long change_mode(long inode, u32 mode);
long change_owner(long inode, u32 uid, u32 gid);
long change_times(long inode, u64 times);
long list_directory(long fd, u64 to, u64 n);
extern u32 creation_mask;

/* ---- mappings.c ---- */
struct span mapping_records(void);
long map_memory(u64 size, long protection, long flags, long fd, u64 offset);
long unmap_memory(u64 address, u64 size);
long remap_memory(u64 address, u64 old_size, u64 size, long flags);
long protect_memory(long protection);
long sync_memory(u64 address);
long set_break(u64 to);

/* ---- signals.c ---- */
long signal_action(long number, u64 action, u64 old);
long signal_mask(long how, u64 set, u64 old);
long signal_pending(u64 to);
long signal_send(long number);

/* ---- clock.c, system calls that only tell something: facts.c ---- */
#define CLOCK_START 1700000000ull
u64 clock_seconds(void);
long clock_give(u64 to, u64 unit);
long clock_time(u64 to);
long clock_sleep(u64 wanted, u64 left);
long give_system_name(u64 to);
long give_limit(u64 to, long which);
long give_random(u64 to, u64 n);
long give_system_state(u64 to);

/* ---- waiting.c ---- */
long wait_poll(u64 list, u64 count);
long wait_select(long count, u64 read, u64 write, u64 except);

/* ---- faults.c ---- */
void faults_allow(u32 calls, u32 allocations); /* that may fail in a run */
long fault(long call, long second); /* by its second argument; 0, or the error this call shall give */

/* ---- giving.c: results in program memory, after a check ---- */
void buffer_check(u64 address, u64 size, u32 access); /* no memory there: the call ends with EFAULT */
NORETURN void syscall_fault(void); /* syscalls.c */
void give(u64 to, const void *from, u64 n);
void give_zeros(u64 to, u64 n);
u64 take_word(u64 from); /* 8 bytes, fixed if symbolic */

enum {
    OPEN_WRITE = 1, OPEN_BOTH = 2, OPEN_ACCESS = 3, OPEN_CREATE = 0x40, OPEN_EXCLUSIVE = 0x80, OPEN_TRUNCATE = 0x200,
    OPEN_APPEND = 0x400, OPEN_NONBLOCK = 0x800, OPEN_DIRECTORY = 0x10000, OPEN_NOFOLLOW = 0x20000,
    OPEN_CLOEXEC = 0x80000, OPEN_PATH = 0x200000
};
enum {
    E_PERM = -1, E_NOENT = -2, E_INTR = -4, E_IO = -5, E_NXIO = -6, E_BADF = -9, E_CHILD = -10, E_AGAIN = -11, E_NOMEM = -12,
    E_ACCES = -13, E_FAULT = -14, E_EXIST = -17, E_XDEV = -18, E_NOTDIR = -20, E_ISDIR = -21, E_INVAL = -22, E_NFILE = -23,
    E_MFILE = -24, E_NOTTY = -25, E_NOSPC = -28, E_SPIPE = -29, E_PIPE = -32, E_RANGE = -34, E_NAMETOOLONG = -36,
    E_NOSYS = -38, E_NOTEMPTY = -39, E_LOOP = -40, E_NODATA = -61, E_NOTSUP = -95, E_TIMEDOUT = -110
};
enum { AT_CWD = -100, AT_NOFOLLOW = 0x100, AT_EMPTY = 0x1000 };

#endif
