/* C library functions the run-time itself supplies. */
#include "runtime.h"

/* A program may define these itself; its definition wins. */
#pragma weak memcpy
#pragma weak memmove
#pragma weak memset
#pragma weak abort
#pragma weak __assert_fail

/* ---- Moving memory --------------------------------------------------------------- */
static inline void *moved(void *to, const void *from, u64 n, u32 overlap) {
    u32 result = cinq_arg[0];
    if (result | cinq_arg[1] | cinq_arg[2] || !copy_plain((u64)to, (u64)from, n))
        cinq_copy((u64)to, (u64)from, n, result, cinq_arg[1], cinq_arg[2], call_site(), overlap);
    cinq_ret[0] = result;
    return to;
}

void *memcpy(void *to, const void *from, u64 n) {
    return moved(to, from, n, 0);
}

void *memmove(void *to, const void *from, u64 n) {
    return moved(to, from, n, 1);
}

void *memset(void *to, int byte, u64 n) {
    u32 result = cinq_arg[0];
    cinq_fill((u64)to, (u64)byte, n, result, cinq_arg[1], cinq_arg[2], call_site());
    cinq_ret[0] = result;
    return to;
}

/* ---- Ends --------------------------------------------------------------------------- */
void read_text(u64 address, char *out, u64 capacity) {
    u64 n = 0;
    while (n + 1 < capacity && memory_valid(address + n, 1) && ((const char *)address)[n]) {
        out[n] = ((const char *)address)[n];
        n++;
    }
    out[n] = 0;
}

NORETURN void abort(void) { error_end(ERROR_ABORT, call_site(), 0); }

NORETURN void __assert_fail(const char *text, const char *file, u32 line, const char *function) {
    char message[256];
    (void)file, (void)line, (void)function;
    read_text((u64)text, message, sizeof message);
    error_end(ERROR_ASSERTION, call_site(), message);
}

/* ---- Threads: there is one ------------------------------------------------------------ */
WEAK int pthread_create(void *thread, const void *attributes, void *(*body)(void *), void *argument) {
    (void)thread, (void)attributes, (void)body, (void)argument;
    cinq_unsupported(call_site(), REASON_THREAD);
    cinq_ret[0] = 0;
    return 11; /* EAGAIN */
}

extern void (*const __start_cinq_ctors[])(void) __attribute__((weak));
extern void (*const __stop_cinq_ctors[])(void) __attribute__((weak));

void cinq_run_constructors(void) {
    for (void (*const *f)(void) = __start_cinq_ctors; f < __stop_cinq_ctors; f++) (*f)();
}
