/* Calls through pointers: the target must be the start of a function. */
#include "runtime.h"

extern u64 __start_cinq_functions[], __stop_cinq_functions[];

/* Functions of the run-time that programs may take the address of. */
#define LIBRARY \
    X(malloc) X(calloc) X(realloc) X(free) X(aligned_alloc) X(memalign) X(posix_memalign) X(malloc_usable_size) \
    X(memcpy) X(memmove) X(memset) X(abort) X(longjmp) X(_longjmp) X(siglongjmp) X(pthread_create) X(reach_error) \
    X(__assert_fail) X(__VERIFIER_assume) X(__VERIFIER_error) X(__VERIFIER_nondet_bool) X(__VERIFIER_nondet_char) \
    X(__VERIFIER_nondet_double) X(__VERIFIER_nondet_float) X(__VERIFIER_nondet_int) X(__VERIFIER_nondet_loff_t) \
    X(__VERIFIER_nondet_long) X(__VERIFIER_nondet_longlong) X(__VERIFIER_nondet_memory) X(__VERIFIER_nondet_pchar) \
    X(__VERIFIER_nondet_pointer) X(__VERIFIER_nondet_pthread_t) X(__VERIFIER_nondet_sector_t) \
    X(__VERIFIER_nondet_short) X(__VERIFIER_nondet_size_t) X(__VERIFIER_nondet_u16) X(__VERIFIER_nondet_u32) \
    X(__VERIFIER_nondet_u8) X(__VERIFIER_nondet_uchar) X(__VERIFIER_nondet_uint) X(__VERIFIER_nondet_ulong) \
    X(__VERIFIER_nondet_ulonglong) X(__VERIFIER_nondet_unsigned) X(__VERIFIER_nondet_ushort) X(klee_abort) \
    X(klee_alias_function) X(klee_assume) X(klee_check_memory_access) X(klee_choose) X(klee_close_merge) \
    X(klee_define_fixed_object) X(klee_get_obj_size) X(klee_get_value_i32) X(klee_get_value_i64) X(klee_get_valued) \
    X(klee_get_valuef) X(klee_get_valuel) X(klee_get_valuell) X(klee_get_errno) X(klee_int) X(klee_is_replay) X(klee_is_symbolic) X(klee_make_symbolic) \
    X(klee_mark_global) X(klee_merge) X(klee_open_merge) X(klee_posix_prefer_cex) X(klee_prefer_cex) \
    X(klee_print_expr) X(klee_print_range) X(klee_range) X(klee_report_error) X(klee_set_forking) \
    X(klee_silent_exit) X(klee_stack_trace) X(klee_warning) X(klee_warning_once)
#define X(name) extern char name[];
LIBRARY
#undef X
#define X(name) name,
static char *const library[] = {LIBRARY};
#undef X

#define SLOTS (FUNCTION_BYTES / 8)
#define TABLE ((u64 *)FUNCTION_BASE)

static int ready; /* the table is made once and outlives the runs */

static u64 *slot_of(u64 address) {
    u64 at = (address * 0x9e3779b97f4a7c15) >> 44;
    while (TABLE[at % SLOTS] && TABLE[at % SLOTS] != address) at++;
    return &TABLE[at % SLOTS];
}

static COLD void fill_table(void) {
    for (u64 *f = __start_cinq_functions; f < __stop_cinq_functions; f++) *slot_of(*f) = *f;
    for (u32 i = 0; i < sizeof library / sizeof library[0]; i++) *slot_of((u64)library[i]) = (u64)library[i];
    ready = 1;
}

int is_function(u64 address) {
    if (unlikely(!ready)) fill_table();
    return address && *slot_of(address) == address;
}

u32 functions_list(struct span *out, u32 most) {
    u32 count = (u32)(__stop_cinq_functions - __start_cinq_functions);
    for (u32 i = 0; i < count && i < most; i++) {
        out[i].base = __start_cinq_functions[i];
        out[i].size = 1;
    }
    return count;
}

SLOW void cinq_callee(u32 site, u64 address) {
    if (likely(is_function(address))) return;
    error_memory(address, 0, ACCESS_CALL, site);
}

SLOW void cinq_jump(u32 site, u64 address) { error_memory(address, 0, ACCESS_CALL, site); }
