/* Fault injection: calls that fail although nothing is wrong, as symbolic choices.
 *
 * Every call that may fail gets an object of one byte, named after it
 * (read-fail, read-fail_1, ...).  Value k is its k-th possible error, zero and
 * what is beyond the list are none.  No more than the allowed number fail in a
 * run, and only the first CONSIDERED calls of a run are considered; the next
 * one is told as not modelled.
 *
 * Allocations (malloc and its like) are counted by themselves: theirs is an
 * object malloc-fail, of which only the value 1 is a failure.
 */
#include "files.h"

#define CONSIDERED 64
enum { CALL_READ = 0, CALL_FCNTL = 72 };

struct failure { const char *name; signed char errors[4]; u16 calls[6]; }; /* calls: a list that zero ends, but for read */
static const struct failure failures[] = {
    {"read-fail", {E_IO, E_INTR}, {CALL_READ, 17, 19, 295}}, /* read, pread, readv, preadv */
    {"write-fail", {E_NOSPC, E_IO}, {1, 18, 20, 296}},
    {"open-fail", {E_ACCES, E_MFILE}, {2, 85, 257}},
    {"close-fail", {E_IO}, {3}},
    {"stat-fail", {E_ACCES}, {4, 262, 332}},
    {"fstat-fail", {E_IO}, {5}},
    {"lstat-fail", {E_ACCES}, {6}},
    {"lseek-fail", {E_SPIPE}, {8}},
    {"mmap-fail", {E_NOMEM}, {9, 25}}, /* mmap, mremap */
    {"access-fail", {E_ACCES, E_IO}, {21, 269, 439}},
    {"pipe-fail", {E_MFILE, E_NFILE}, {22, 293}},
    {"dup-fail", {E_MFILE}, {32, CALL_FCNTL}},
    {"dup2-fail", {E_MFILE}, {33, 292}},
    {"fsync-fail", {E_IO, E_NOSPC}, {74, 75}},
    {"truncate-fail", {E_IO}, {76}},
    {"ftruncate-fail", {E_IO}, {77}},
    {"getcwd-fail", {E_NOENT}, {79}},
    {"chdir-fail", {E_ACCES}, {80, 81}},
    {"rename-fail", {E_ACCES, E_XDEV}, {82, 264, 316}},
    {"mkdir-fail", {E_ACCES, E_NOSPC}, {83, 258}},
    {"rmdir-fail", {E_ACCES}, {84}},
    {"link-fail", {E_ACCES, E_XDEV}, {86, 265}},
    {"unlink-fail", {E_ACCES}, {87, 263}},
    {"symlink-fail", {E_ACCES, E_NOSPC}, {88, 266}},
    {"readlink-fail", {E_ACCES, E_IO}, {89, 267}},
    {"chmod-fail", {E_PERM}, {90, 91, 268, 452}},
    {"chown-fail", {E_PERM}, {92, 93, 94, 260}},
    {"mknod-fail", {E_ACCES, E_NOSPC}, {133, 259}},
    {"statfs-fail", {E_IO}, {137, 138}},
    {"getdents-fail", {E_IO}, {217}},
    {"utimes-fail", {E_ACCES, E_PERM}, {280}},
    {"copy-fail", {E_IO, E_NOSPC}, {326}},
};

RUN_STATE static u32 most, used, considered;
RUN_STATE static u32 most_allocations, allocations_considered;

void faults_allow(u32 calls, u32 allocations) {
    most = calls;
    most_allocations = allocations;
}

static int is_among(const u16 *calls, long call) {
    for (u32 i = 0; i < 6 && (!i || calls[i]); i++)
        if (calls[i] == call) return 1;
    return 0;
}

static const struct failure *failure_of(long call, long command) {
    if (call == CALL_FCNTL && command != 0 && command != 1030) return 0; /* F_DUPFD, F_DUPFD_CLOEXEC */
    for (u32 i = 0; i < sizeof failures / sizeof failures[0]; i++)
        if (is_among(failures[i].calls, call)) return &failures[i];
    return 0;
}

static u64 chosen_cell(const struct failure *f) {
    u64 cell = heap_allocate(1, 16, 0);
    if (cell) input_make(cell, 1, f->name);
    return cell;
}

static long chosen_error(const struct failure *f, u64 cell) {
    u32 s = memory_gather(cell, 1);
    u8 value = *(const u8 *)cell;
    for (u32 i = 0; i < 4 && f->errors[i]; i++) {
        decide(EVENT_BRANCH, call_site(), node_binary(OP_EQ, 8, s, node_const(8, i + 1)), value == i + 1, 0);
        if (value == i + 1) return f->errors[i];
    }
    return 0;
}

long fault(long call, long second) {
    const struct failure *f = used < most && considered <= CONSIDERED ? failure_of(call, second) : 0;
    if (!f) return 0;
    if (considered++ == CONSIDERED) event_add(EVENT_UNSUPPORTED, call_site(), 0, (u32)call, 0, REASON_FAILURE);
    u64 cell = considered <= CONSIDERED ? chosen_cell(f) : 0;
    if (!cell) return 0;
    u32 muted = cinq_mute;
    cinq_mute = 0; /* that output cannot be written decides more than its looks */
    long error = chosen_error(f, cell);
    cinq_mute = muted;
    used += error != 0;
    return error;
}

/* ---- Allocations ----------------------------------------------------------------------- */
#define ALLOCATIONS_CONSIDERED 256
#define CALL_ALLOCATION 0xffff

static int chosen_failure(void) {
    u32 s, muted = cinq_mute;
    u64 value = input_scalar("malloc-fail", 1, &s);
    cinq_mute = 0;
    if (s) decide(EVENT_BRANCH, call_site(), node_binary(OP_EQ, 8, s, node_const(8, 1)), value == 1, 0);
    cinq_mute = muted;
    return value == 1;
}

static COLD int allocation_fault(void) {
    if (allocations_considered > ALLOCATIONS_CONSIDERED) return 0;
    if (allocations_considered++ == ALLOCATIONS_CONSIDERED) {
        event_add(EVENT_UNSUPPORTED, call_site(), 0, CALL_ALLOCATION, 0, REASON_FAILURE);
        return 0;
    }
    int fails = chosen_failure();
    most_allocations -= (u32)fails;
    return fails;
}

int allocation_fails(void) { return unlikely(most_allocations) && allocation_fault(); }
