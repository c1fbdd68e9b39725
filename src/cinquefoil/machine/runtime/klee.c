/* KLEE's functions and Test-Comp's. */
#include "runtime.h"

/* ---- Assumptions ------------------------------------------------------------------------- */
/* Has the run taken one of several values?  Then its path is narrower than the program's. */
static int is_narrowed(void) {
    for (u64 i = 0; i < event_count; i++) {
        u32 kind = EVENTS[i].kind;
        if (kind == EVENT_PIN || kind == EVENT_CONCRETIZE || kind == EVENT_UNSUPPORTED) return 1;
    }
    return (CONTROL->flags & CINQ_FLAG_COVERAGE_ONLY) != 0;
}

/* `kind` is the error that it is if no input of this path satisfies the assumption; 0: none.  What leaves no event was
 * decided by the events before, so this is known; else the engine asks. */
static void assume_or(u32 kind, u32 site, u32 cond) {
    u32 holds = (u32)node_value(cond);
    u64 before = event_count;
    decide(EVENT_ASSUME, site, cond, holds, kind);
    if (holds) return;
    if (kind && event_count == before && !is_narrowed()) error_end(kind, site, "no input of this path satisfies it");
    end_run(END_ASSUME, 0);
}

void assume(u32 site, u32 cond) { assume_or(0, site, cond); }

static void assume_argument(u32 kind, u64 value) { /* argument 0, an integer of any width, is not 0 */
    u32 s = cinq_arg[0];
    cinq_ret[0] = 0;
    if (s) assume_or(kind, call_site(), node_not(node_binary(OP_EQ, width_of(s), s, node_const(width_of(s), 0))));
    else if (!value) assume_or(kind, call_site(), node_const(1, 0));
}

/* ---- KLEE ------------------------------------------------------------------------------------ */
/* A part of an object may be made symbolic, but not more than there is of it. */
static void check_object(u64 address, u64 size, u32 site) {
    struct object o;
    if (object_find(address, &o) && o.live && !o.constant && size > o.size - (address - o.base))
        error_object(ERROR_SYMBOLIC_SIZE, address, size, ACCESS_WRITE, site, &o);
    memory_check(address, size, ACCESS_WRITE, site);
}

/* No name, or an empty one, is "unnamed", as in KLEE. */
static void read_name(u64 name, char *text, u32 site) {
    u64 n = 0;
    while (name && memory_valid(name + n, 1) && ((const char *)name)[n]) n++;
    if (name && !memory_valid(name + n, 1)) error_end(ERROR_SYMBOLIC_NAME, site, "the name is no text");
    if (n) read_text(name, text, CINQ_NAME);
    else raw_copy(text, "unnamed", sizeof "unnamed");
}

WEAK void klee_make_symbolic(void *address, u64 size, const char *name) {
    char text[CINQ_NAME];
    u32 site = call_site();
    concretize(site, cinq_arg[0], (u64)address, REASON_ADDRESS);
    concretize(site, cinq_arg[1], size, REASON_SIZE);
    cinq_ret[0] = 0;
    check_object((u64)address, size, site);
    read_name((u64)name, text, site);
    input_text((u64)address, size, text);
}

/* A fresh symbolic scalar: its value, and its shadow in cinq_ret[0]. */
static u8 cell[16] __attribute__((aligned(16)));
u64 input_scalar(const char *name, u32 size, u32 *s) {
    input_asked();
    memory_alive((u64)cell, 16);
    input_text((u64)cell, size, name);
    *s = memory_gather((u64)cell, size);
    u64 v = 0;
    for (u32 i = 0; i < size && i < 8; i++) v |= (u64)cell[i] << (8 * i);
    memory_dead((u64)cell, 16);
    return v;
}

static u64 fresh_scalar(const char *name, u32 size) { return input_scalar(name, size, &cinq_ret[0]); }

WEAK int klee_int(const char *name) {
    char text[CINQ_NAME];
    read_name((u64)name, text, call_site());
    return (int)fresh_scalar(text, 4);
}

static void assume_order(u32 op, u32 a, u32 b) { assume(call_site(), node_binary(op, 32, a, b)); }

WEAK int klee_range(int begin, int end, const char *name) {
    char text[CINQ_NAME];
    u32 sb = operand(cinq_arg[0], 32, (u32)begin), se = operand(cinq_arg[1], 32, (u32)end);
    read_name((u64)name, text, call_site());
    if (begin >= end) error_end(ERROR_USER, call_site(), "invalid klee_range");
    if (begin + 1 == end && is_const(sb) && is_const(se)) {
        cinq_ret[0] = 0;
        return begin;
    }
    int v = (int)fresh_scalar(text, 4);
    u32 s = operand(cinq_ret[0], 32, (u32)v);
    if (is_const(sb) && begin == 0) assume_order(OP_ULT, s, se);
    else {
        assume_order(OP_SLE, sb, s);
        assume_order(OP_SLT, s, se);
    }
    cinq_ret[0] = shadow_of(s);
    return v;
}

WEAK u64 klee_choose(u64 n) {
    u32 sn = operand(cinq_arg[0], 64, n);
    u64 v = fresh_scalar("klee_choose", 8);
    u32 s = operand(cinq_ret[0], 64, v);
    assume(call_site(), node_binary(OP_ULT, 64, s, sn));
    cinq_ret[0] = shadow_of(s);
    return v;
}

WEAK void klee_assume(u64 condition) { assume_argument(ERROR_FALSE_ASSUMPTION, condition); }
WEAK NORETURN void klee_silent_exit(int status) { end_run(END_SILENT, (u64)(u32)status); }
WEAK NORETURN void klee_abort(void) { error_end(ERROR_ABORT, call_site(), 0); }

WEAK NORETURN void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    char text[256];
    (void)file, (void)line, (void)suffix;
    read_text((u64)message, text, sizeof text);
    error_end(ERROR_USER, call_site(), text);
}

WEAK u32 klee_is_replay(void) {
    cinq_ret[0] = 0;
    return 0;
}

extern int *__errno_location(void) __attribute__((weak));
WEAK int klee_get_errno(void) {
    int value = __errno_location ? *__errno_location() : 0;
    cinq_ret[0] = 0;
    return value;
}

WEAK u64 klee_is_symbolic(u64 value) {
    u64 result = cinq_arg[0] != 0;
    (void)value;
    cinq_ret[0] = 0;
    return result;
}

/* One value, which constrains nothing: that there may be others is an event, for then not all is explored. */
static void choose_value(u32 s) {
    if (s && !is_const(s) && !is_settled(s)) cinq_unsupported(call_site(), REASON_VALUE);
    cinq_ret[0] = 0;
}

#define GET_VALUE(suffix, type)                    \
    WEAK type klee_get_value##suffix(type value) { \
        choose_value(cinq_arg[0]);                 \
        return value;                              \
    }
GET_VALUE(f, float)
GET_VALUE(d, double)
GET_VALUE(l, long)
GET_VALUE(ll, long long)
GET_VALUE(_i32, int)
GET_VALUE(_i64, long)

WEAK void klee_set_forking(u32 enable) {
    concretize(call_site(), cinq_arg[0], enable, REASON_VALUE);
    cinq_ret[0] = 0;
    forking_is_off = !enable;
}

#define NOTHING(name)         \
    WEAK void name(void) { cinq_ret[0] = 0; }
NOTHING(klee_open_merge)
NOTHING(klee_close_merge)
NOTHING(klee_mark_global)
NOTHING(klee_merge)

WEAK void klee_check_memory_access(const void *address, u64 size) {
    u32 s = cinq_arg[0], sn = cinq_arg[1], site = call_site();
    size_fits((u64)address, s, size, sn, ACCESS_READ, site);
    concretize(site, sn, size, REASON_SIZE);
    symbolic_range((u64)address, s, size, ACCESS_READ, site);
    memory_check((u64)address, size, ACCESS_READ, site);
    cinq_ret[0] = 0;
}

/* Had the program gone on, it would have called other functions, or met errors, that it does not have under KLEE. */
static NORETURN void refuse(u32 reason, const char *why) {
    cinq_unsupported(call_site(), reason);
    error_end(ERROR_UNSUPPORTED, call_site(), why);
}

WEAK void klee_alias_function(const char *name, const char *replacement) {
    (void)name, (void)replacement;
    refuse(REASON_ALIAS, "klee_alias_function: calls go to the functions that the program names");
}

WEAK u64 klee_get_obj_size(void *address) {
    struct object o;
    cinq_ret[0] = 0;
    return object_find((u64)address, &o) ? o.size : 0;
}

WEAK void klee_define_fixed_object(void *address, u64 size) {
    (void)address, (void)size;
    refuse(REASON_FIXED_OBJECT, "klee_define_fixed_object: objects lie where the engine puts them");
}

/* ---- Test-Comp ------------------------------------------------------------------------------------ */
#define NONDET(suffix, type) \
    WEAK type __VERIFIER_nondet_##suffix(void) { return (type)fresh_scalar("nondet_" #suffix, sizeof(type)); }
NONDET(char, signed char)
NONDET(uchar, unsigned char)
NONDET(u8, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(u16, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned int)
NONDET(unsigned, unsigned int)
NONDET(u32, unsigned int)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(size_t, unsigned long)
NONDET(loff_t, long)
NONDET(sector_t, unsigned long)
NONDET(pthread_t, unsigned long)
NONDET(pointer, void *)
NONDET(pchar, char *)

WEAK _Bool __VERIFIER_nondet_bool(void) { /* an i1 to its caller */
    u64 v = fresh_scalar("nondet_bool", 1);
    if (cinq_ret[0]) cinq_ret[0] = shadow_of(node_extract(cinq_ret[0], 0, 1));
    return v & 1;
}

WEAK float __VERIFIER_nondet_float(void) {
    union { u32 i; float f; } u = {.i = (u32)fresh_scalar("nondet_float", 4)};
    return u.f;
}

WEAK double __VERIFIER_nondet_double(void) {
    union { u64 i; double f; } u = {.i = fresh_scalar("nondet_double", 8)};
    return u.f;
}

WEAK void __VERIFIER_nondet_memory(void *address, u64 size) {
    concretize(call_site(), cinq_arg[0], (u64)address, REASON_ADDRESS);
    concretize(call_site(), cinq_arg[1], size, REASON_SIZE);
    cinq_ret[0] = 0;
    memory_check((u64)address, size, ACCESS_WRITE, call_site());
    input_text((u64)address, size, "nondet_memory");
}

WEAK void __VERIFIER_assume(int condition) { assume_argument(0, (u64)(u32)condition); }
WEAK NORETURN void __VERIFIER_error(void) { error_end(ERROR_REACH_ERROR, call_site(), 0); }
__attribute__((weak)) NORETURN void reach_error(void) { error_end(ERROR_REACH_ERROR, call_site(), 0); }
