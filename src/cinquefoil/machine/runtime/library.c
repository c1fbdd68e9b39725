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

/* ---- setjmp: registers, stack arena and frame chain --------------------------------
 * A seal over the saved words tells a buffer that was never filled or was
 * overwritten; the frame chain tells a function that has returned. */
#define BUFFER_BYTES 104 /* of musl's 200: eight registers, cinq_sp, cinq_frame, muting, blocked signals, the seal */
#define SEAL 12

static u64 seal_of(const u64 *buffer) {
    u64 h = 0x6a09e667f3bcc908ull;
    for (u32 i = 0; i < SEAL; i++) h = (h ^ buffer[i]) * 0x9fb21c651e98df25ull, h ^= h >> 29;
    return h;
}

__attribute__((used)) void cinq_setjmp_prepare(u64 *buffer) {
    concretize(call_site(), cinq_arg[0], (u64)buffer, REASON_ADDRESS);
    memory_check((u64)buffer, BUFFER_BYTES, ACCESS_WRITE, call_site());
    memory_concrete((u64)buffer, BUFFER_BYTES);
    buffer[8] = cinq_sp;
    buffer[9] = (u64)cinq_frame;
    buffer[10] = cinq_mute;
    buffer[11] = signals_blocked();
    cinq_ret[0] = 0;
}

__attribute__((used)) void cinq_setjmp_seal(u64 *buffer) { buffer[SEAL] = seal_of(buffer); }

static int frame_lives(u64 frame) {
    for (const struct cinq_frame *f = cinq_frame; f; f = f->prev)
        if ((u64)f == frame) return 1;
    return 0;
}

__attribute__((used)) void cinq_longjmp_prepare(u64 *buffer, int value) {
    u32 s = cinq_arg[1], site = call_site();
    concretize(site, cinq_arg[0], (u64)buffer, REASON_ADDRESS);
    memory_check((u64)buffer, BUFFER_BYTES, ACCESS_READ, site);
    concretize(site, s, (u64)value, REASON_VALUE);
    if (buffer[SEAL] != seal_of(buffer)) error_end(ERROR_OUT_OF_BOUNDS, site, "longjmp: setjmp did not fill this buffer");
    if (!frame_lives(buffer[9])) error_end(ERROR_USE_AFTER_RETURN, site, "longjmp: the function has returned");
    cinq_restore(buffer[8]);
    cinq_frame = (struct cinq_frame *)buffer[9];
    cinq_mute = (u32)buffer[10];
    signals_block(buffer[11]);
    cinq_ret[0] = 0;
}

__asm__(".section .cinqrt.text,\"ax\",@progbits\n"
        ".globl cinq_setjmp, setjmp, _setjmp, __setjmp, sigsetjmp, __sigsetjmp\n"
        "cinq_setjmp: setjmp: _setjmp: __setjmp: sigsetjmp: __sigsetjmp:\n"
        "  push %rdi\n"
        "  call cinq_setjmp_prepare\n"
        "  pop %rdi\n"
        "  mov %rbx, (%rdi)\n  mov %rbp, 8(%rdi)\n  mov %r12, 16(%rdi)\n  mov %r13, 24(%rdi)\n"
        "  mov %r14, 32(%rdi)\n  mov %r15, 40(%rdi)\n"
        "  lea 8(%rsp), %rdx\n  mov %rdx, 48(%rdi)\n"
        "  mov (%rsp), %rdx\n  mov %rdx, 56(%rdi)\n"
        "  sub $8, %rsp\n  call cinq_setjmp_seal\n  add $8, %rsp\n"
        "  xor %eax, %eax\n  ret\n"
        ".globl cinq_longjmp, longjmp, _longjmp, siglongjmp\n"
        "cinq_longjmp: longjmp: _longjmp: siglongjmp:\n"
        "  push %rdi\n  push %rsi\n  sub $8, %rsp\n"
        "  call cinq_longjmp_prepare\n"
        "  add $8, %rsp\n  pop %rax\n  pop %rdi\n"
        "  cmp $1, %eax\n  adc $0, %eax\n"
        "  mov (%rdi), %rbx\n  mov 8(%rdi), %rbp\n  mov 16(%rdi), %r12\n  mov 24(%rdi), %r13\n"
        "  mov 32(%rdi), %r14\n  mov 40(%rdi), %r15\n  mov 48(%rdi), %rsp\n"
        "  jmp *56(%rdi)\n");

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

NORETURN void __assert_fail(const char *text, const char *file, int line, const char *function) {
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
