/* KLEE's functions and Test-Comp's in a replayed program: input comes from the test.
 *
 * They decide as the engine's own (machine/runtime/klee.c) do; what only an engine can know (is a value symbolic,
 * how large is an object) is left to the weak no-ops.
 */
#include "replay.h"
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fill(void *to, size_t size, const char *name)
{
    char unique[NAME_BYTES];
    size_t given = 0;
    replay_start();
    unique_name(name && *name ? name : "unnamed", unique);
    const unsigned char *bytes = test_object(unique, &given);
    if (!bytes) replay_report->missing++;
    else if (given != size) replay_report->resized++;
    if (given > size) given = size;
    if (given) memcpy(to, bytes, given);
    memset((char *)to + given, 0, size - given);
}

static void assume(int holds)
{
    if (holds) return;
    replay_report->end = END_ASSUME;
    _exit(STATUS_ASSUME);
}

static _Noreturn void fail(enum end end)
{
    replay_report->end = end;
    abort();
}

/* ---- KLEE ---- */
void klee_make_symbolic(void *address, size_t size, const char *name) { fill(address, size, name); }

int klee_int(const char *name)
{
    int value;
    fill(&value, sizeof value, name);
    return value;
}

int klee_range(int begin, int end, const char *name)
{
    if (begin >= end) klee_report_error("", 0, "invalid klee_range", "user");
    if (begin + 1 == end) return begin;
    int value = klee_int(name);
    assume(begin == 0 ? (unsigned)value < (unsigned)end : begin <= value && value < end);
    return value;
}

uintptr_t klee_choose(uintptr_t n)
{
    uintptr_t value;
    fill(&value, sizeof value, "klee_choose");
    assume(value < n);
    return value;
}

void klee_assume(uintptr_t condition) { assume(condition != 0); }

void klee_silent_exit(int status)
{
    replay_report->end = END_SILENT;
    _exit(status);
}

void klee_abort(void) { fail(END_ABORT); }

void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    (void)suffix;
    dprintf(2, "%s:%d: %s\n", file, line, message);
    fail(END_USER_ERROR);
}

void cinq_undefined(const char *name);
void cinq_undefined(const char *name)
{
    dprintf(2, "call of the undefined function %s\n", name);
    fail(END_ABORT);
}

void klee_warning(const char *message) { (void)message; }
void klee_warning_once(const char *message) { (void)message; }
unsigned klee_is_replay(void) { return 1; }

/* ---- Test-Comp ---- */
#define NONDET(SUFFIX, TYPE)                             \
    TYPE __VERIFIER_nondet_##SUFFIX(void);               \
    TYPE __VERIFIER_nondet_##SUFFIX(void)                \
    {                                                    \
        TYPE value;                                      \
        fill(&value, sizeof value, "nondet_" #SUFFIX);   \
        return value;                                    \
    }
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(u8, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(u16, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(u32, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(size_t, size_t)
NONDET(loff_t, long)
NONDET(sector_t, unsigned long)
NONDET(pthread_t, unsigned long)
NONDET(pointer, void *)
NONDET(pchar, char *)
NONDET(float, float)
NONDET(double, double)

_Bool __VERIFIER_nondet_bool(void);
_Bool __VERIFIER_nondet_bool(void)
{
    unsigned char byte;
    fill(&byte, 1, "nondet_bool");
    return byte & 1;
}

void __VERIFIER_nondet_memory(void *address, size_t size);
void __VERIFIER_nondet_memory(void *address, size_t size) { fill(address, size, "nondet_memory"); }
void __VERIFIER_assume(int condition);
void __VERIFIER_assume(int condition) { assume(condition != 0); }
void __VERIFIER_error(void);
void __VERIFIER_error(void) { fail(END_REACH_ERROR); }
__attribute__((weak)) void reach_error(void);
__attribute__((weak)) void reach_error(void) { fail(END_REACH_ERROR); }
