/* The interface programs use to speak to the engine: KLEE's names and types. */
#ifndef KLEE_KLEE_H
#define KLEE_KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Symbolic input ---- */
/* Make nbytes at addr symbolic, as an input object of that name. */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);
/* A symbolic int in [begin, end). */
int klee_range(int begin, int end, const char *name);
/* An unconstrained symbolic int. */
int klee_int(const char *name);
/* A symbolic value in [0, n). */
uintptr_t klee_choose(uintptr_t n);

/* ---- Ending the path ---- */
__attribute__((noreturn)) void klee_silent_exit(int status);
__attribute__((noreturn)) void klee_abort(void);
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message,
                                                 const char *suffix);

/* ---- Constraints ---- */
/* Only paths on which the condition holds go on. */
void klee_assume(uintptr_t condition);
/* Preferred, but not required, of the generated test. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);

/* ---- Asking about values ---- */
unsigned klee_is_symbolic(uintptr_t n);
/* Nonzero in a replayed test, zero in an exploration. */
unsigned klee_is_replay(void);
size_t klee_get_obj_size(void *ptr);
/* One value the expression may have; the path is not constrained to it. */
float klee_get_valuef(float expr);
double klee_get_valued(double expr);
long klee_get_valuel(long expr);
long long klee_get_valuell(long long expr);
int32_t klee_get_value_i32(int32_t expr);
int64_t klee_get_value_i64(int64_t expr);
/* Fail unless [address, address + size) is readable and writable. */
void klee_check_memory_access(const void *address, size_t size);
int klee_get_errno(void);

/* ---- Messages ---- */
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int arg);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_stack_trace(void);

/* ---- Directing the engine ---- */
void klee_mark_global(void *object);
void klee_set_forking(unsigned enable);
/* These two are not supported: the path ends there, and that is said. */
void klee_alias_function(const char *name, const char *replacement);
void klee_define_fixed_object(void *addr, size_t nbytes);
void klee_open_merge(void);
void klee_close_merge(void);

/* As <assert.h> declares it. */
#ifdef __GLIBC__
#include <assert.h>
#else
__attribute__((noreturn)) void __assert_fail(const char *assertion, const char *file, unsigned line,
                                             const char *function);
#endif
#define klee_assert(expr) \
    ((expr) ? (void)(0) : __assert_fail(#expr, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__))

#ifdef __cplusplus
}
#endif

#endif
