/* KLEE's functions and Test-Comp's. */
#include "runtime.h"

/* ---- Assumptions ------------------------------------------------------------------------- */
void assume(u32 site, u32 cond) {
    u32 holds = (u32)node_value(cond);
    decide(EVENT_ASSUME, site, cond, holds, 0);
    if (!holds) end_run(END_ASSUME, 0);
}

static void assume_argument(u64 value) { /* argument 0, an integer of any width, is not 0 */
    u32 s = cinq_arg[0];
    cinq_ret[0] = 0;
    if (s) assume(call_site(), node_not(node_binary(OP_EQ, width_of(s), s, node_const(width_of(s), 0))));
    else if (!value) end_run(END_ASSUME, 0);
}

/* ---- KLEE ------------------------------------------------------------------------------------ */
WEAK void klee_make_symbolic(void *address, u64 size, const char *name) {
    char text[CINQ_NAME];
    u32 site = call_site();
    concretize(site, cinq_arg[0], (u64)address, REASON_ADDRESS);
    concretize(site, cinq_arg[1], size, REASON_SIZE);
    cinq_ret[0] = 0;
    memory_check((u64)address, size, ACCESS_WRITE, site);
    read_text((u64)name, text, sizeof text);
    input_text((u64)address, size, text[0] ? text : "unnamed");
}

/* A fresh symbolic scalar: its value, and its shadow in cinq_ret[0]. */
static u8 cell[16] __attribute__((aligned(16)));
u64 input_scalar(const char *name, u32 size, u32 *s) {
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
    read_text((u64)name, text, sizeof text);
    return (int)fresh_scalar(text, 4);
}

static void assume_order(u32 op, u32 a, u32 b) { assume(call_site(), node_binary(op, 32, a, b)); }

WEAK int klee_range(int begin, int end, const char *name) {
    char text[CINQ_NAME];
    u32 sb = operand(cinq_arg[0], 32, (u32)begin), se = operand(cinq_arg[1], 32, (u32)end);
    read_text((u64)name, text, sizeof text);
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

WEAK void klee_assume(u64 condition) { assume_argument(condition); }
WEAK NORETURN void klee_silent_exit(int status) { end_run(END_SILENT, (u64)(u32)status); }
WEAK NORETURN void klee_abort(void) { error_end(ERROR_ABORT, call_site(), 0); }

WEAK NORETURN void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    char text[256];
    (void)file, (void)line, (void)suffix;
    read_text((u64)message, text, sizeof text);
    error_end(ERROR_USER, call_site(), text);
}

WEAK u64 klee_is_symbolic(u64 value) {
    u64 result = cinq_arg[0] != 0;
    (void)value;
    cinq_ret[0] = 0;
    return result;
}

#define GET_VALUE(suffix, type)                                                                  \
    WEAK type klee_get_value##suffix(type value) {                                                    \
        if (cinq_arg[0]) concretize(call_site(), cinq_arg[0], (u64)node_value(cinq_arg[0]), REASON_VALUE); \
        cinq_ret[0] = 0;                                                                         \
        return value;                                                                            \
    }
GET_VALUE(f, float)
GET_VALUE(d, double)
GET_VALUE(l, long)
GET_VALUE(ll, long long)
GET_VALUE(_i32, int)
GET_VALUE(_i64, long)

#define NOTHING(name)         \
    WEAK void name(void) { cinq_ret[0] = 0; }
NOTHING(klee_prefer_cex)
NOTHING(klee_posix_prefer_cex)
NOTHING(klee_open_merge)
NOTHING(klee_close_merge)
NOTHING(klee_warning)
NOTHING(klee_warning_once)
NOTHING(klee_print_expr)
NOTHING(klee_print_range)
NOTHING(klee_stack_trace)
NOTHING(klee_mark_global)
NOTHING(klee_set_forking)
NOTHING(klee_merge)

WEAK void klee_check_memory_access(const void *address, u64 size) {
    u32 s = cinq_arg[0], sn = cinq_arg[1], site = call_site();
    size_fits((u64)address, s, size, sn, ACCESS_READ, site);
    concretize(site, sn, size, REASON_SIZE);
    symbolic_range((u64)address, s, size, ACCESS_READ, site);
    memory_check((u64)address, size, ACCESS_READ, site);
    cinq_ret[0] = 0;
}

WEAK void klee_alias_function(const char *name, const char *replacement) {
    (void)name, (void)replacement;
    cinq_ret[0] = 0;
    cinq_unsupported(call_site(), REASON_FUNCTION);
}

WEAK u64 klee_get_obj_size(void *address) {
    struct object o;
    cinq_ret[0] = 0;
    return object_find((u64)address, &o) ? o.size : 0;
}

WEAK void klee_define_fixed_object(void *address, u64 size) {
    cinq_ret[0] = 0;
    (void)address, (void)size;
    cinq_unsupported(call_site(), REASON_ADDRESS);
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

WEAK void __VERIFIER_assume(int condition) { assume_argument((u64)(u32)condition); }
WEAK NORETURN void __VERIFIER_error(void) { error_end(ERROR_REACH_ERROR, call_site(), 0); }
__attribute__((weak)) NORETURN void reach_error(void) { error_end(ERROR_REACH_ERROR, call_site(), 0); }
