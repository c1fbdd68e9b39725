/* musl's internal allocator names; the run-time has the only heap. */
#include <stdlib.h>

void *__libc_malloc(size_t n) { return malloc(n); }
void *__libc_malloc_impl(size_t n) { return malloc(n); }
void *__libc_calloc(size_t m, size_t n) { return calloc(m, n); }
void *__libc_realloc(void *p, size_t n) { return realloc(p, n); }
void __libc_free(void *p) { free(p); }
