/* System calls of the program, modelled.  None reaches the host.
 *
 * musl funnels every call into cinq_syscall.  Symbolic arguments are fixed; data
 * behind pointers keep their shadows.  A call without a model is an event (once
 * per run and number) and answers ENOSYS.
 */
#include "files.h"

#define STEP_NANOSECONDS 1000000 /* the clock moves by this with every look at it */
#define CLOCK_START 1700000000

struct vector { u64 base, size; };
static u64 clock_ticks;
static u8 reported[512];
static u64 break_base, break_now;
#define BREAK_ROOM 0x1000000

void env_reset(void) {
    clock_ticks = break_base = break_now = 0;
    raw_fill(reported, 0, sizeof reported);
    signals_forget();
}

/* ---- Results in program memory --------------------------------------------------------- */
static void give(u64 to, const void *from, u64 n) {
    memory_check(to, n, ACCESS_WRITE, call_site());
    memory_concrete(to, n);
    raw_copy((void *)to, from, n);
}

static void give_zeros(u64 to, u64 n) {
    memory_check(to, n, ACCESS_WRITE, call_site());
    memory_concrete(to, n);
    raw_fill((void *)to, 0, n);
}

/* Names are data with shadows: opening a file decides them. */
static void take_name(u64 at, char *out) {
    u64 n = 0;
    for (; n < NAME_LIMIT - 1; n++) {
        memory_check(at + n, 1, ACCESS_READ, call_site());
        u32 s = memory_gather(at + n, 1);
        out[n] = ((const char *)at)[n];
        if (s) concretize(call_site(), s, (u8)out[n], REASON_SYSCALL);
        if (!out[n]) return;
    }
    out[n] = 0;
}

/* ---- Files -------------------------------------------------------------------------------- */
static long each_vector(long fd, u64 vectors, long count, long (*move)(long, u64, u64, long)) {
    long total = 0, n;
    if (count < 0 || count > 1024) return E_INVAL;
    memory_check(vectors, (u64)count * 16, ACCESS_READ, call_site());
    for (long i = 0; i < count; i++) {
        const struct vector *v = (const struct vector *)vectors + i;
        concretize(call_site(), memory_gather((u64)&v->base, 8), v->base, REASON_SYSCALL);
        concretize(call_site(), memory_gather((u64)&v->size, 8), v->size, REASON_SYSCALL);
        if (!v->size) continue;
        if ((n = move(fd, v->base, v->size, -1)) < 0) return total ? total : n;
        total += n;
        if ((u64)n < v->size) break;
    }
    return total;
}

static long open_file(u64 path, long flags) {
    char name[NAME_LIMIT];
    take_name(path, name);
    return file_open(name, flags);
}

static void fill_stat(u64 *s, long file) {
    u32 stream = file < FILE_FIRST;
    u64 size = file == FILE_OUTPUT ? 0 : files[file].size;
    for (u32 i = 0; i < 18; i++) s[i] = 0;
    s[0] = 1;
    s[1] = (u64)file + 1;
    s[2] = 1;
    s[3] = (stream ? 0010600 : 0100644) | (u64)1000 << 32; /* mode: fifo or regular; uid */
    s[4] = 1000;
    s[6] = stream ? 0 : size;
    s[7] = 4096;
    s[8] = (size + 511) / 512;
    s[9] = s[11] = s[13] = CLOCK_START;
}

static long stat_file(long file, u64 to) {
    u64 s[18];
    if (file < 0) return file;
    fill_stat(s, file);
    give(to, s, sizeof s);
    return 0;
}

static long stat_name(u64 path, u64 to) {
    char name[NAME_LIMIT];
    take_name(path, name);
    return stat_file(file_named(name), to);
}

static long access_name(u64 path) {
    char name[NAME_LIMIT];
    take_name(path, name);
    long f = file_named(name);
    return f < 0 ? f : 0;
}

static long unlink_name(u64 path) {
    char name[NAME_LIMIT];
    take_name(path, name);
    long f = file_named(name);
    if (f >= 0) files[f].exists = 0;
    return f < 0 ? f : 0;
}

static long control_file(long fd, long request, long argument) {
    long f = file_of(fd);
    (void)argument;
    if (f < 0) return f;
    return request == 0x5421 ? 0 : E_NOTTY; /* FIONBIO; nothing is a terminal */
}

static long fcntl_file(long fd, long command, long argument) {
    if (file_of(fd) < 0) return E_BADF;
    switch (command) {
    case 0:
    case 1030: return file_duplicate_from(fd, argument);
    case 3: return 2; /* F_GETFL: O_RDWR */
    default: return 0;
    }
}

/* ---- Memory ------------------------------------------------------------------------------------- */
static long map_memory(u64 size, long flags) {
    if (!(flags & 0x20)) return E_NOSYS; /* anonymous only */
    u64 p = heap_allocate(size, 4096, call_site());
    return p ? (long)p : -12;
}

static long unmap_memory(u64 address) {
    struct object o;
    if (object_find(address, &o) && o.region == REGION_HEAP && o.live && o.base == address) heap_release(address, call_site());
    return 0;
}

static long set_break(u64 to) {
    if (!break_base) break_base = break_now = heap_allocate(BREAK_ROOM, 4096, call_site());
    if (to >= break_base && to <= break_base + BREAK_ROOM) break_now = to;
    return (long)break_now;
}

/* ---- Time, names, chance ---------------------------------------------------------------------------- */
static long give_time(u64 to, u64 unit) {
    u64 ns = ++clock_ticks * STEP_NANOSECONDS;
    u64 t[2] = {CLOCK_START + ns / 1000000000, ns % 1000000000 / unit};
    if (to) give(to, t, sizeof t);
    return 0;
}

static long time_of_day(u64 to) {
    u64 t = CLOCK_START + ++clock_ticks * STEP_NANOSECONDS / 1000000000;
    if (to) give(to, &t, 8);
    return (long)t;
}

static long give_name(u64 to) {
    static const char *const parts[6] = {"Linux", "localhost", "6.0.0", "#1", "x86_64", "(none)"};
    give_zeros(to, 390);
    for (u64 i = 0; i < 6; i++) raw_copy((void *)(to + i * 65), parts[i], text_length(parts[i], 64));
    return 0;
}

static long give_directory(u64 to, u64 size) {
    if (size < 2) return -34;
    give(to, "/", 2);
    return 2;
}

static long give_limit(u64 to) {
    static const u64 unlimited[2] = {~0ull, ~0ull};
    if (to) give(to, unlimited, 16);
    return 0;
}

static long signal_to(long process, long number) { /* the program is process 1000, in a group of its own */
    return process > 1 && process != 1000 ? E_SRCH : process == 1 ? E_PERM : signal_send(number);
}

/* ---- Dispatch ------------------------------------------------------------------------------------------ */
static long unsupported(long n) {
    if (n >= 0 && n < 512 && !reported[n]) {
        reported[n] = 1;
        event_add(EVENT_UNSUPPORTED, call_site(), 0, (u32)n, 0, REASON_SYSCALL);
    }
    return E_NOSYS;
}

static long file_calls(long n, long a, long b, long c, long d) {
    switch (n) {
    case 0: return file_read(a, (u64)b, (u64)c, -1);
    case 1: return file_write(a, (u64)b, (u64)c, -1);
    case 2: return open_file((u64)a, b);
    case 3: return file_close(a);
    case 4:
    case 6: return stat_name((u64)a, (u64)b);
    case 5: return stat_file(file_of(a), (u64)b);
    case 8: return file_seek(a, b, c);
    case 16: return control_file(a, b, c);
    case 17: return file_read(a, (u64)b, (u64)c, d);
    case 18: return file_write(a, (u64)b, (u64)c, d);
    case 19: return each_vector(a, (u64)b, c, file_read);
    case 20: return each_vector(a, (u64)b, c, file_write);
    case 21: return access_name((u64)a);
    case 32: return file_duplicate(a, -1);
    case 33:
    case 292: return file_duplicate(a, b);
    case 72: return fcntl_file(a, b, c);
    case 74:
    case 75: return file_of(a) < 0 ? E_BADF : 0;
    case 77: return file_truncate(a, (u64)b);
    case 79: return give_directory((u64)a, (u64)b);
    case 87: return unlink_name((u64)a);
    case 257: return open_file((u64)b, c);
    case 262: return d & 0x1000 ? stat_file(file_of(a), (u64)c) : stat_name((u64)b, (u64)c);
    case 263: return unlink_name((u64)b);
    case 269:
    case 439: return access_name((u64)b);
    default: return unsupported(n);
    }
}

static long other_calls(long n, long a, long b, long c, long d) {
    switch (n) {
    case 9: return map_memory((u64)b, d);
    case 10:
    case 28: return 0;
    case 11: return unmap_memory((u64)a);
    case 12: return set_break((u64)a);
    case 13:
        return signal_action(a, (u64)b, (u64)c);
    case 14:
        if (c) give_zeros((u64)c, 8);
        return 0;
    case 24:
    case 35:
    case 131:
    case 202:
    case 230:
    case 273: return 0;
    case 39:
    case 186:
    case 218: return 1000;
    case 60:
    case 231: end_run(END_EXIT, (u64)a & 0xff);
    case 62: return signal_to(a, b);
    case 200: return signal_send(b); /* threads: there is one */
    case 63: return give_name((u64)a);
    case 95: return 022;
    case 96: return give_time((u64)a, 1000);
    case 97: return give_limit((u64)b);
    case 102:
    case 104:
    case 107:
    case 108: return 1000;
    case 110: return 1;
    case 201: return time_of_day((u64)a);
    case 228: return give_time((u64)b, 1);
    case 234: return signal_send(c);
    case 302: return give_limit((u64)d);
    case 318:
        give_zeros((u64)a, (u64)b);
        return b;
    default: return file_calls(n, a, b, c, d);
    }
}

long cinq_syscall(long n, long a, long b, long c, long d, long e, long f) {
    long values[7] = {n, a, b, c, d, e, f};
    (void)e, (void)f;
    for (u32 i = 0; i < 7; i++) {
        u32 s = cinq_arg[i];
        if (s && n != 60 && n != 231) concretize(call_site(), s, (u64)values[i] , REASON_SYSCALL);
        cinq_arg[i] = 0;
    }
    long result = other_calls(n, a, b, c, d);
    cinq_ret[0] = 0;
    return result;
}
