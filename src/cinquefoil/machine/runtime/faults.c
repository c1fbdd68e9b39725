/* Fault injection: calls that fail although nothing is wrong, as symbolic choices.
 *
 * Every call that may fail gets an object of one byte, named after it
 * (read-fail, read-fail_1, ...).  Value k is its k-th possible error, zero and
 * what is beyond the list are none.  No more than the allowed number fail in a
 * run, and only the first CONSIDERED calls of a run are considered.
 */
#include "files.h"

#define CONSIDERED 64

struct failure { u16 call; const char *name; signed char errors[4]; };
static const struct failure failures[] = {
    {0, "read-fail", {E_IO, E_INTR}},
    {1, "write-fail", {E_NOSPC, E_IO}},
    {2, "open-fail", {E_ACCES, E_MFILE}},
    {3, "close-fail", {E_IO}},
    {4, "stat-fail", {E_ACCES}},
    {5, "fstat-fail", {E_IO}},
    {6, "lstat-fail", {E_ACCES}},
    {8, "lseek-fail", {E_INVAL}},
    {9, "mmap-fail", {E_NOMEM}},
    {19, "read-fail", {E_IO, E_INTR}},
    {20, "write-fail", {E_NOSPC, E_IO}},
    {22, "pipe-fail", {E_MFILE}},
    {32, "dup-fail", {E_MFILE}},
    {33, "dup2-fail", {E_MFILE}},
    {76, "truncate-fail", {E_IO}},
    {77, "ftruncate-fail", {E_IO}},
    {79, "getcwd-fail", {E_NOENT}},
    {80, "chdir-fail", {E_ACCES}},
    {82, "rename-fail", {E_ACCES, E_XDEV}},
    {83, "mkdir-fail", {E_ACCES, E_NOSPC}},
    {84, "rmdir-fail", {E_ACCES}},
    {87, "unlink-fail", {E_ACCES}},
    {90, "chmod-fail", {E_PERM}},
    {217, "getdents-fail", {E_IO}},
    {257, "open-fail", {E_ACCES, E_MFILE}},
    {262, "stat-fail", {E_ACCES}},
    {293, "pipe-fail", {E_MFILE}},
};

static u32 most, used, considered;

void faults_reset(void) { most = used = considered = 0; }
void faults_allow(u32 number) { most = number; }

static const struct failure *failure_of(long call) {
    for (u32 i = 0; i < sizeof failures / sizeof failures[0]; i++)
        if (failures[i].call == call) return &failures[i];
    return 0;
}

static u64 chosen_cell(const struct failure *f) {
    u64 cell = heap_allocate(1, 16, 0);
    if (cell) input_make(cell, 1, f->name);
    return cell;
}

long fault(long call) {
    const struct failure *f = used < most && considered < CONSIDERED ? failure_of(call) : 0;
    u64 cell = f ? chosen_cell(f) : 0;
    if (!cell) return 0;
    considered++;
    u32 s = memory_gather(cell, 1);
    u8 value = *(const u8 *)cell;
    for (u32 i = 0; i < 4 && f->errors[i]; i++) {
        decide(EVENT_BRANCH, call_site(), node_binary(OP_EQ, 8, s, node_const(8, i + 1)), value == i + 1, 0);
        if (value != i + 1) continue;
        used++;
        return f->errors[i];
    }
    return 0;
}
