/* System calls of the program: the dispatch.  None reaches the host.
 *
 * musl funnels every call into cinq_syscall.  Symbolic arguments are fixed; data
 * behind pointers keep their shadows.  A call without a model is an event (once
 * per run and number) and answers ENOSYS.  Numbers are those of x86-64.
 */
#include "files.h"

#define STATUS_FLAGS 0x7900l /* AT_SYMLINK_NOFOLLOW, AT_NO_AUTOMOUNT, AT_EMPTY_PATH, AT_STATX_SYNC_TYPE */

static int is_self(long id) { return (int)id == 1000 || (int)id == -1; } /* a user or group; -1: as it is */

struct vector { u64 base, size; };
RUN_STATE static u8 reported[512];

static int report(long n) { /* 0: it was reported before */
    if (n < 0 || n >= 512 || reported[n]) return 0;
    reported[n] = 1;
    event_add(EVENT_UNSUPPORTED, call_site(), 0, (u32)n, 0, REASON_SYSCALL);
    return 1;
}

static long unsupported(long n) {
    report(n);
    return E_NOSYS;
}

/* Signals, timers and other threads never come: who waits for one a second time waits for ever. */
static long wait_in_vain(long n, long answer) {
    if (!report(n)) error_end(ERROR_UNSUPPORTED, call_site(), "waits for a signal or thread, and none will come");
    return answer;
}

static long zeros(u64 to, u64 n, long result) {
    if (to) give_zeros(to, n);
    return result;
}

static long set_timer(long n, u64 wanted, u64 old) {
    if (wanted && (take_word(wanted + 16) || take_word(wanted + 24))) report(n);
    return zeros(old, 32, 0);
}

static long futex(long n, u64 word, long command, u32 value, u64 limit) {
    int waits = (command & 0x7f) == 0 || (command & 0x7f) == 9; /* FUTEX_WAIT, FUTEX_WAIT_BITSET */
    if (!waits) return 0;
    memory_check(word, 4, ACCESS_READ, call_site());
    if (*(const u32 *)word != value) return E_AGAIN;
    return limit ? E_TIMEDOUT : wait_in_vain(n, 0);
}

/* ---- Small ones ---------------------------------------------------------------------------- */
static long each_vector(long fd, u64 vectors, long count, long at, long (*move)(long, u64, u64, long)) {
    long total = 0, n;
    if (count < 0 || count > 1024) return E_INVAL;
    for (u64 v = vectors; v < vectors + 16 * (u64)count; v += 16) {
        u64 base = take_word(v), size = take_word(v + 8);
        if (!size) continue;
        if (total && !memory_valid(base, 1)) return total; /* as far as it went */
        if ((n = move(fd, base, size, at < 0 ? -1 : at + total)) < 0) return total ? total : n;
        total += n;
        if ((u64)n < size) return total;
    }
    if (!total && !opening_of(fd)) return E_BADF;
    return total;
}

static long access_name(long at, u64 path, u32 wanted, long flags) {
    long inode = name_inode(at, path, !(flags & AT_NOFOLLOW));
    if (wanted > 7) return E_INVAL;
    if (inode < 0) return inode;
    return may(&inodes[inode], wanted) ? 0 : E_ACCES;
}

static int is_empty(u64 path) {
    buffer_check(path, 1, ACCESS_READ);
    return !memory_byte(path) && !*(const char *)path;
}

/* The inode of the *at calls, whose path may be empty. */
static long inode_at(long at, u64 path, long flags) {
    if ((flags & AT_EMPTY) && is_empty(path)) return (int)at == AT_CWD ? (long)working_directory : inode_of(at);
    return name_inode(at, path, !(flags & AT_NOFOLLOW));
}

static long change_times_at(long at, u64 path, u64 times, long flags) {
    return change_times(path ? name_inode(at, path, !(flags & AT_NOFOLLOW)) : inode_of(at), times);
}

static long truncate_name(long inode, u64 size) {
    if (inode < 0) return inode;
    if (kind_of(&inodes[inode]) == KIND_DIRECTORY) return E_ISDIR;
    if ((i64)size < 0 || kind_of(&inodes[inode]) != KIND_FILE) return E_INVAL;
    return may(&inodes[inode], 2) ? content_resize(&inodes[inode], size) : E_ACCES;
}

static long truncate_open(long fd, u64 size) {
    const struct opening *o = opening_of(fd);
    if (!o) return E_BADF;
    if ((i64)size < 0 || !(o->flags & OPEN_ACCESS)) return E_INVAL;
    u32 kind = kind_of(&inodes[o->inode]);
    if (kind == KIND_OUTPUT && is_regular_output(&inodes[o->inode])) {
        inodes[o->inode].size = size;
        return 0;
    }
    if (kind != KIND_FILE) return E_INVAL;
    return content_resize(&inodes[o->inode], size);
}

static long reserve(long fd, long mode, long from, long n) { /* holes are not made */
    const struct opening *o = opening_of(fd);
    if (!o) return E_BADF;
    if (from < 0 || n <= 0) return E_INVAL;
    if (mode & ~1l) return E_NOTSUP;
    if (!(o->flags & OPEN_ACCESS)) return E_BADF;
    struct inode *f = &inodes[o->inode];
    u32 kind = kind_of(f);
    if (kind == KIND_PIPE || kind == KIND_INPUT || kind == KIND_OUTPUT) return E_SPIPE;
    if (kind != KIND_FILE) return -19; /* ENODEV */
    u64 end = (u64)from + (u64)n;
    return mode || content_end(f, 0, end) == end ? 0 : content_resize(f, end);
}

/* The kernel's own, but for 10, which is gone; below zero are those of processes. */
static int is_clock(long which) { return (int)which <= 11 && (int)which != 10; }

static long give_left(const struct opening *o, u64 to) { /* how much there is to read */
    const struct inode *f = &inodes[o->inode];
    if (f->kind != KIND_FILE && f->kind != KIND_INPUT && f->kind != KIND_OUTPUT && f->kind != KIND_PIPE) return E_NOTTY;
    u64 done = f->kind == KIND_PIPE ? f->taken : f->kind == KIND_OUTPUT ? f->size : o->offset;
    u32 left = (u32)(f->size - done);
    give(to, &left, 4);
    return 0;
}

static long synchronise(long inode) { /* there is nothing to be done, but not for a pipe */
    if (inode < 0) return E_BADF;
    u32 kind = kind_of(&inodes[inode]);
    if (kind == KIND_OUTPUT) return is_regular_output(&inodes[inode]) ? 0 : E_INVAL;
    return kind == KIND_FILE || kind == KIND_DIRECTORY ? 0 : E_INVAL;
}

static long advise(long inode) {
    if (inode < 0) return E_BADF;
    u32 kind = kind_of(&inodes[inode]);
    if (kind == KIND_OUTPUT) return is_regular_output(&inodes[inode]) ? 0 : E_SPIPE;
    return kind == KIND_PIPE || kind == KIND_INPUT ? E_SPIPE : 0;
}

static long control_file(long fd, u64 request, u64 argument) {
    const struct opening *o = opening_of(fd);
    if (!o) return E_BADF;
    if (request == 0x541b) return give_left(o, argument); /* FIONREAD */
    if (request == 0x5421 || request == 0x5450 || request == 0x5451) return 0; /* FIONBIO, FIONCLEX, FIOCLEX */
    return terminal_control(&inodes[o->inode], request, argument);
}

static long set_mask(u32 mask) {
    u32 before = creation_mask;
    creation_mask = mask & 0777;
    return before;
}

static long close_range(u64 first, u64 last) {
    for (u64 fd = first; fd <= last && fd < DESCRIPTOR_LIMIT; fd++) file_close((long)fd);
    return 0;
}

static long give_affinity(u64 size, u64 to) {
    u64 one = 1;
    if (size < 8) return E_INVAL;
    give(to, &one, 8);
    return 8;
}

static long send_to(long process, long number) { /* the program is process 1000, in a group of its own */
    return process > 1 && process != 1000 ? -3 : process == 1 ? E_PERM : signal_send(number); /* ESRCH, init */
}

static long change_root(long inode) { /* the administrator's; but the name is looked at first */
    if (inode < 0) return inode;
    return kind_of(&inodes[inode]) == KIND_DIRECTORY ? E_PERM : E_NOTDIR;
}

static long execute(long inode) { /* no file here can be: they are data, as a rule without the right */
    if (inode < 0) return inode;
    if (kind_of(&inodes[inode]) != KIND_FILE || !may(&inodes[inode], 1)) return E_ACCES;
    return -8; /* ENOEXEC */
}

static long give_ids(u64 a, u64 b, u64 c) {
    u32 id = 1000;
    give(a, &id, 4);
    give(b, &id, 4);
    give(c, &id, 4);
    return 0;
}

/* ---- Dispatch: by subject ------------------------------------------------------------------------ */
static long calls_on_descriptors(long n, long a, long b, long c, long d, long e) {
    switch (n) {
    case 0: return file_read(a, (u64)b, (u64)c, -1);
    case 1: return file_write(a, (u64)b, (u64)c, -1);
    case 3: return file_close(a);
    case 5: return status_give(inode_of(a), (u64)b);
    case 8: return file_seek(a, b, c);
    case 16: return control_file(a, (u64)b, (u64)c);
    case 17: return d < 0 ? E_INVAL : file_read(a, (u64)b, (u64)c, d);
    case 18: return d < 0 ? E_INVAL : file_write(a, (u64)b, (u64)c, d);
    case 19: return each_vector(a, (u64)b, c, -1, file_read);
    case 20: return each_vector(a, (u64)b, c, -1, file_write);
    case 22: return file_pipe((u64)a, 0);
    case 32: return file_duplicate(a, 0, 0);
    case 33: return file_duplicate_to(a, b, 0);
    case 72: return file_fcntl(a, b, c);
    case 73: return inode_of(a) < 0 ? E_BADF : 0;                /* flock */
    case 221: return d < 0 || d > 5 ? E_INVAL : advise(inode_of(a));                        /* fadvise64 */
    case 74: case 75: return synchronise(inode_of(a));           /* fsync, fdatasync */
    case 162: return 0;                                          /* sync */
    case 306: return inode_of(a) < 0 ? E_BADF : 0;               /* syncfs */
    case 77: return truncate_open(a, (u64)b);
    case 81: return change_directory(inode_of(a));
    case 91: return change_mode(inode_of(a), (u32)b);
    case 93: return change_owner(inode_of(a), (u32)b, (u32)c);
    case 138: return inode_of(a) < 0 ? E_BADF : status_filesystem((u64)b);
    case 217: return list_directory(a, (u64)b, (u64)c);
    case 285: return reserve(a, b, c, d);                        /* fallocate */
    case 292: return a == b ? E_INVAL : file_duplicate_to(a, b, c);
    case 293: return file_pipe((u64)a, b);
    case 295: return each_vector(a, (u64)b, c, d, file_read);
    case 296: return each_vector(a, (u64)b, c, d, file_write);
    case 326: return file_copy(a, (u64)b, c, (u64)d, (u64)e);
    case 40: return E_NOSYS;                                     /* sendfile: callers fall back */
    case 436: return close_range((u64)a, (u64)b);
    default: (void)e; return unsupported(n);
    }
}

static long calls_on_paths(long n, long a, long b, long c, long d, long e) {
    switch (n) {
    case 2: return file_open(AT_CWD, (u64)a, b, c);
    case 4: return status_give(name_inode(AT_CWD, (u64)a, 1), (u64)b);
    case 6: return status_give(name_inode(AT_CWD, (u64)a, 0), (u64)b);
    case 21: return access_name(AT_CWD, (u64)a, (u32)b, 0);
    case 76: return truncate_name(name_inode(AT_CWD, (u64)a, 1), (u64)b);
    case 79: return current_directory((u64)a, (u64)b);
    case 80: return change_directory(name_inode(AT_CWD, (u64)a, 1));
    case 82: return rename_name(AT_CWD, (u64)a, AT_CWD, (u64)b, 0);
    case 83: return make_directory(AT_CWD, (u64)a, (u32)b);
    case 84: return remove_name(AT_CWD, (u64)a, 1);
    case 85: return file_open(AT_CWD, (u64)a, OPEN_CREATE | OPEN_WRITE | OPEN_TRUNCATE, b);
    case 86: return link_name(AT_CWD, (u64)a, AT_CWD, (u64)b, 0);
    case 87: return remove_name(AT_CWD, (u64)a, 0);
    case 88: return link_symbolic((u64)a, AT_CWD, (u64)b);
    case 89: return link_read(AT_CWD, (u64)a, (u64)b, (u64)c);
    case 90: return change_mode(name_inode(AT_CWD, (u64)a, 1), (u32)b);
    case 92: return change_owner(name_inode(AT_CWD, (u64)a, 1), (u32)b, (u32)c);
    case 94: return change_owner(name_inode(AT_CWD, (u64)a, 0), (u32)b, (u32)c);
    case 95: return set_mask((u32)a);
    case 133: return make_node(AT_CWD, (u64)a, (u32)b);
    case 137: a = name_inode(AT_CWD, (u64)a, 1); return a < 0 ? a : status_filesystem((u64)b);
    case 188: case 189: case 190:               /* setxattr and its like */
    case 191: case 192: case 193:               /* getxattr */
    case 194: case 195: case 196: return E_NOTSUP;
    case 257: return file_open(a, (u64)b, c, d);
    case 258: return make_directory(a, (u64)b, (u32)c);
    case 259: return make_node(a, (u64)b, (u32)c);
    case 260: return change_owner(inode_at(a, (u64)b, e), (u32)c, (u32)d);
    case 262: return d & ~STATUS_FLAGS ? E_INVAL : status_give(inode_at(a, (u64)b, d), (u64)c);
    case 263: return c & ~0x200l ? E_INVAL : remove_name(a, (u64)b, c & 0x200 ? 1 : 0);
    case 264: return rename_name(a, (u64)b, c, (u64)d, 0);
    case 265: return link_name(a, (u64)b, c, (u64)d, e & 0x400 ? 1 : 0);
    case 266: return link_symbolic((u64)a, b, (u64)c);
    case 267: return link_read(a, (u64)b, (u64)c, (u64)d);
    case 268:
    case 452: return change_mode(name_inode(a, (u64)b, 1), (u32)c);
    case 269: return access_name(a, (u64)b, (u32)c, 0);
    case 280: return change_times_at(a, (u64)b, (u64)c, d);
    case 316: return rename_name(a, (u64)b, c, (u64)d, e);
    case 332: return c & ~STATUS_FLAGS ? E_INVAL : status_give_extended(inode_at(a, (u64)b, c), (u64)e);
    case 439: return access_name(a, (u64)b, (u32)c, d);
    default: return calls_on_descriptors(n, a, b, c, d, e);
    }
}

static long calls_on_processes(long n, long a, long b, long c, long d, long e) {
    switch (n) {
    case 13: return signal_action(a, (u64)b, (u64)c);
    case 14: return signal_mask(a, (u64)b, (u64)c);
    case 34:                                    /* pause */
    case 130: return wait_in_vain(n, E_INTR);   /* rt_sigsuspend */
    case 36: return zeros((u64)b, 32, 0);       /* getitimer */
    case 38: return set_timer(n, (u64)b, (u64)c); /* setitimer */
    case 37: if (a) report(n); return 0;        /* alarm */
    case 131: return 0;                         /* sigaltstack */
    case 39:
    case 186:
    case 218: return 1000;                      /* the process, its thread */
    case 59: return execute(name_inode(AT_CWD, (u64)a, 1));
    case 322: return execute(inode_at(a, (u64)b, e));
    case 60:
    case 231: end_run(END_EXIT, (u64)a & 0xff);
    case 61: return E_CHILD;                    /* wait4 */
    case 62: return send_to(a, b);
    case 200: return signal_send(b); /* threads: there is one */
    case 234: return signal_send(c);
    case 102: case 104: case 107: case 108: return 1000; /* users and groups */
    case 105: case 106: return (int)a == -1 ? E_INVAL : is_self(a) ? 0 : E_PERM;
    case 113: case 114: return is_self(a) && is_self(b) ? 0 : E_PERM;
    case 117: case 119: return is_self(a) && is_self(b) && is_self(c) ? 0 : E_PERM;
    case 109: case 112: return 0;               /* setpgid, setsid */
    case 161: return change_root(name_inode(AT_CWD, (u64)a, 1)); /* chroot */
    case 116:                                   /* setgroups, and what else is the administrator's: */
    case 164: case 165: case 166:               /* settimeofday, mount, umount2 */
    case 169: case 170: case 171: case 227:     /* reboot, sethostname, setdomainname, clock_settime */
        return E_PERM;
    case 110: return 1;
    case 111: case 121: case 124: return 1000;  /* process group, session */
    case 115: return 0;                         /* getgroups: no other ones */
    case 118: case 120: return give_ids((u64)a, (u64)b, (u64)c);
    case 127: return signal_pending((u64)a);
    case 140: return 20;                        /* getpriority: 20 less the nice value */
    case 141: return 0;                         /* setpriority */
    case 157: return a == 16 ? zeros((u64)b, 16, 0) : a == 15 || a == 38 ? 0 : E_INVAL; /* prctl: names */
    default: return calls_on_paths(n, a, b, c, d, e);
    }
}

static long calls_on_the_system(long n, long a, long b, long c, long d, long e, long f) {
    switch (n) {
    case 7: return wait_poll((u64)a, (u64)b);
    case 271: return wait_poll((u64)a, (u64)b);
    case 23:
    case 270: return wait_select(a, (u64)b, (u64)c, (u64)d);
    case 9: return map_memory((u64)b, c, d, e, (u64)f);
    case 10: return protect_memory(c);
    case 28: return 0;                          /* madvise */
    case 11: return unmap_memory((u64)a, (u64)b);
    case 12: return set_break((u64)a);
    case 25: return remap_memory((u64)a, (u64)b, (u64)c, d);
    case 26: return sync_memory((u64)a);
    case 202: return futex(n, (u64)a, b, (u32)c, (u64)d);
    case 24:                                    /* sched_yield */
    case 273: return 0;                         /* set_robust_list */
    case 35: return clock_sleep((u64)a, (u64)b);
    case 230: return clock_sleep((u64)c, (u64)d);
    case 63: return give_system_name((u64)a);
    case 96: return clock_give((u64)a, 1000);
    case 97: return give_limit((u64)b, a);
    case 98: return zeros((u64)b, 144, 0);      /* getrusage */
    case 99: return give_system_state((u64)a);
    case 100: return zeros((u64)a, 32, 100);    /* times */
    case 160: return 0;                         /* setrlimit */
    case 201: return clock_time((u64)a);
    case 204: return give_affinity((u64)b, (u64)c);
    case 203: return 0;
    case 228: return is_clock(a) ? clock_give((u64)b, 1) : E_INVAL;
    case 229: { u64 one[2] = {0, 1}; if (b) give((u64)b, one, 16); return 0; } /* clock_getres */
    case 302: return give_limit((u64)d, b);
    case 318: return give_random((u64)a, (u64)b);
    default: return calls_on_processes(n, a, b, c, d, e);
    }
}

static int takes_descriptor(long n) { /* first, and all they do with one that is not open is to say so */
    static const u16 calls[] = {0, 1, 3, 5, 8, 16, 17, 18, 19, 20, 32, 33, 72, 73, 74, 75, 77, 81, 91, 93, 138, 217, 221, 292, 295, 296};
    for (u32 i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (calls[i] == n) return 1;
    return 0;
}

/* A symbolic descriptor is each of the open ones, or none of them. */
static void settle_descriptor(u32 s, long value) {
    for (long fd = 0; fd < DESCRIPTOR_LIMIT; fd++) {
        if (!opening_of(fd)) continue;
        u32 same = node_binary(OP_EQ, width_of(s), s, node_const(width_of(s), (u64)fd));
        decide(EVENT_BRANCH, call_site(), same, value == fd, 0);
        if (value == fd) return;
    }
}

static void settle_arguments(const long *values) {
    if (cinq_arg[1] && takes_descriptor(values[0])) {
        settle_descriptor(cinq_arg[1], values[1]);
        cinq_arg[1] = 0;
    }
    for (u32 i = 0; i < 7; i++) {
        u32 s = cinq_arg[i];
        if (s) s = WRITTEN(call_site(), s, "an argument of the system depends on memory never written");
        if (s && values[0] != 60 && values[0] != 231) concretize(call_site(), s, (u64)values[i], REASON_SYSCALL);
        cinq_arg[i] = 0;
    }
}

/* ---- Buffers where there is no memory ---------------------------------------------------------- */
RUN_STATE static void *before_call[5];

void syscall_fault(void) { __builtin_longjmp(before_call, 1); }

static __attribute__((noinline)) long call_or_fault(const long *v) {
    if (__builtin_setjmp(before_call)) return E_FAULT;
    return calls_on_the_system(v[0], v[1], v[2], v[3], v[4], v[5], v[6]);
}

long cinq_syscall(long n, long a, long b, long c, long d, long e, long f) {
    long values[7] = {n, a, b, c, d, e, f};
    settle_arguments(values);
    long result = fault(n, b);
    if (!result) result = call_or_fault(values);
    cinq_ret[0] = 0;
    return result;
}
