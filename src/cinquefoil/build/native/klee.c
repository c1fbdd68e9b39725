/* The engine's functions in a plain native executable: input objects keep what they hold.
 *
 * All are weak, so that a replay library, or the program itself, can define them.
 */
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

#define WEAK __attribute__((weak))

WEAK void klee_make_symbolic(void *addr, size_t nbytes, const char *name) {}
WEAK int klee_range(int begin, int end, const char *name) { return begin; }
WEAK int klee_int(const char *name) { return 0; }
WEAK uintptr_t klee_choose(uintptr_t n) { return 0; }
WEAK void klee_silent_exit(int status) { exit(status); }
WEAK void klee_abort(void) { abort(); }
WEAK void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, message);
    abort();
}
WEAK void klee_assume(uintptr_t condition)
{
    if (!condition) exit(0);
}
WEAK void klee_prefer_cex(void *object, uintptr_t condition) {}
WEAK void klee_posix_prefer_cex(void *object, uintptr_t condition) {}
WEAK unsigned klee_is_symbolic(uintptr_t n) { return 0; }
WEAK unsigned klee_is_replay(void) { return 1; }
WEAK size_t klee_get_obj_size(void *ptr) { return 0; }
WEAK float klee_get_valuef(float expr) { return expr; }
WEAK double klee_get_valued(double expr) { return expr; }
WEAK long klee_get_valuel(long expr) { return expr; }
WEAK long long klee_get_valuell(long long expr) { return expr; }
WEAK int32_t klee_get_value_i32(int32_t expr) { return expr; }
WEAK int64_t klee_get_value_i64(int64_t expr) { return expr; }
WEAK void klee_check_memory_access(const void *address, size_t size) {}
WEAK void klee_print_expr(const char *message, ...) {}
WEAK void klee_print_range(const char *name, int arg) {}
WEAK void klee_warning(const char *message) { fprintf(stderr, "warning: %s\n", message); }
WEAK void klee_warning_once(const char *message) { klee_warning(message); }
WEAK void klee_stack_trace(void) {}
WEAK void klee_mark_global(void *object) {}
WEAK void klee_set_forking(unsigned enable) {}
WEAK void klee_alias_function(const char *name, const char *replacement) {}
WEAK void klee_define_fixed_object(void *addr, size_t nbytes) {}
WEAK void klee_open_merge(void) {}
WEAK void klee_close_merge(void) {}

extern int *__errno_location(void);
WEAK int klee_get_errno(void) { return *__errno_location(); }

#define NONDET(NAME, TYPE) \
    WEAK TYPE __VERIFIER_nondet_##NAME(void) { return 0; }
NONDET(bool, _Bool)
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(float, float)
NONDET(double, double)
NONDET(pointer, void *)
NONDET(size_t, size_t)
WEAK void __VERIFIER_assume(int condition) { klee_assume(condition != 0); }
WEAK void __VERIFIER_error(void) { abort(); }
WEAK void reach_error(void) { abort(); }
