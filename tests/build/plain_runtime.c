/* The least run-time that a linked program runs on: real system calls, a heap that only grows. */
#include <stddef.h>
#include <stdint.h>

int cinq_start(int argc, char **argv, char **envp);

__asm__(".globl _start\n_start:\n xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call start_c\n");

long cinq_syscall(long n, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    __asm__ volatile("syscall" : "+a"(n) : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return n;
}

extern void (*__init_array_start[])(void) __attribute__((weak)), (*__init_array_end[])(void) __attribute__((weak));
void cinq_run_constructors(void)
{
    for (void (**f)(void) = __init_array_start; f < __init_array_end; f++) (*f)();
}

void start_c(long *stack) { cinq_start((int)stack[0], (char **)(stack + 1), (char **)(stack + 2 + stack[0])); }

void *memcpy(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}
void *memmove(void *to, const void *from, size_t n)
{
    if ((uintptr_t)to <= (uintptr_t)from) return memcpy(to, from, n);
    while (n--) ((volatile char *)to)[n] = ((const char *)from)[n];
    return to;
}
void *memset(void *to, int c, size_t n)
{
    for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = (char)c;
    return to;
}

static char heap[1 << 22] __attribute__((aligned(16)));
static size_t used;
void *malloc(size_t n)
{
    size_t *header = (size_t *)(heap + used);
    used += (n + 31) & ~(size_t)15;
    *header = n;
    return used > sizeof heap ? 0 : header + 2;
}
void *calloc(size_t m, size_t n) { return malloc(m * n); }
void free(void *p) {}
void *realloc(void *p, size_t n)
{
    char *q = malloc(n);
    size_t old = p ? ((size_t *)p)[-2] : 0;
    return memcpy(q, p, old < n ? old : n);
}
void abort(void) { __builtin_trap(); }
void __assert_fail(const char *a, const char *b, int c, const char *d) { __builtin_trap(); }

/* Formatting of output tells the run-time what need not be explored: nothing here. */
void cinq_mute_enter(void) {}
void cinq_mute_leave(void) {}
size_t cinq_mute_value(size_t n) { return n; }
unsigned cinq_mute_result(unsigned n, unsigned may_fail) { return n; }
unsigned cinq_mute_format(const void *format, size_t unit) { return 0; }
void cinq_mute_range(const void *p, size_t n) {}
const char *cinq_mute_text(const char *s, size_t n) { return s; }
