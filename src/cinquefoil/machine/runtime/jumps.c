/* setjmp and longjmp.
 *
 * What a jump restores (registers, stack arena, frame chain) is kept here, out of the
 * program's reach: a program that writes into its jmp_buf can name another record, but
 * cannot choose where to go.  The buffer holds the record's number and serial, spread
 * over words that tell a buffer which was never filled or has been overwritten.
 *
 * Records form a stack: those of functions that have returned lie above those of the
 * functions that still run, because frames of the native stack do.
 */
#include "runtime.h"

#define WORDS 13 /* of a jmp_buf, which has 25 in musl; __builtin_setjmp has a buffer of 5 */
#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)
#define RECORDS (JUMP_BYTES / sizeof(struct record))
#define RECORD(i) (&((struct record *)JUMP_BASE)[i])

struct record {
    u64 registers[8]; /* rbx, rbp, r12 .. r15, rsp, rip: the assembly below knows the order */
    u64 serial;
    u64 buffer;
    struct cinq_frame *frame;
    u64 sp;
    u64 blocked; /* signals */
    u64 mute;
};

RUN_STATE static u64 record_count, next_serial = 1;

struct span jump_records(void) { return (struct span){JUMP_BASE, record_count * sizeof(struct record)}; }

/* ---- The buffer -------------------------------------------------------------------- */
static u64 word_of(u64 serial, u64 number, u32 i) {
    if (i == 0) return serial;
    if (i == 1) return number;
    return (serial << 20 ^ number ^ i) * 0x9fb21c651e98df25ull;
}

static void fill_buffer(u64 *buffer, u32 words, u64 serial, u64 number) {
    memory_concrete((u64)buffer, words * 8);
    for (u32 i = 0; i < words; i++) buffer[i] = word_of(serial, number, i);
}

static int is_filled(const u64 *buffer, u32 words) {
    for (u32 i = 0; i < words; i++)
        if (buffer[i] != word_of(buffer[0], buffer[1], i)) return 0;
    return buffer[0] && buffer[0] < next_serial;
}

/* ---- setjmp ------------------------------------------------------------------------ */
static void drop_returned(void) { /* records of functions that this one's callers have called before */
    while (record_count && RECORD(record_count - 1)->frame < cinq_frame) record_count--;
}

static u64 record_for(u64 buffer) { /* the one that this function filled the buffer for before, or a new one */
    for (u64 i = record_count; i-- && RECORD(i)->frame == cinq_frame;)
        if (RECORD(i)->buffer == buffer) return i;
    if (record_count == RECORDS) error_end(ERROR_UNSUPPORTED, call_site(), "setjmp: too many buffers in use");
    return record_count++;
}

__attribute__((used)) struct record *cinq_setjmp_prepare(u64 *buffer, u32 words) {
    concretize(call_site(), cinq_arg[0], (u64)buffer, REASON_ADDRESS);
    memory_check((u64)buffer, words * 8, ACCESS_WRITE, call_site());
    drop_returned();
    u64 number = record_for((u64)buffer);
    struct record *r = RECORD(number);
    r->serial = next_serial++;
    r->buffer = (u64)buffer;
    r->frame = cinq_frame;
    r->sp = cinq_sp;
    r->blocked = signals_blocked();
    r->mute = cinq_mute;
    fill_buffer(buffer, words, r->serial, number);
    cinq_ret[0] = 0;
    return r;
}

/* ---- longjmp ----------------------------------------------------------------------- */
static int frame_lives(const struct cinq_frame *frame) {
    for (const struct cinq_frame *f = cinq_frame; f; f = f->prev)
        if (f == frame) return 1;
    return 0;
}

static struct record *record_of(const u64 *buffer, u32 words, u32 site) {
    if (!is_filled(buffer, words)) error_end(ERROR_OUT_OF_BOUNDS, site, "longjmp: setjmp did not fill this buffer");
    struct record *r = RECORD(buffer[1] % RECORDS);
    if (buffer[1] >= record_count || r->serial != buffer[0] || !frame_lives(r->frame))
        error_end(ERROR_USE_AFTER_RETURN, site, "longjmp: the function has returned");
    return r;
}

__attribute__((used)) struct record *cinq_longjmp_prepare(u64 *buffer, int value, u32 words) {
    u32 s = words == WORDS ? cinq_arg[1] : 0, site = call_site();
    concretize(site, cinq_arg[0], (u64)buffer, REASON_ADDRESS);
    memory_check((u64)buffer, words * 8, ACCESS_READ, site);
    concretize(site, s, (u64)value, REASON_VALUE);
    struct record *r = record_of(buffer, words, site);
    cinq_restore(r->sp);
    cinq_frame = r->frame;
    cinq_mute = (u32)r->mute;
    signals_block(r->blocked);
    cinq_ret[0] = 0;
    return r;
}

__asm__(".section .cinqrt.text,\"ax\",@progbits\n"
        ".globl cinq_builtin_setjmp, cinq_setjmp, setjmp, _setjmp, __setjmp, sigsetjmp, __sigsetjmp\n"
        "cinq_builtin_setjmp:\n  mov $5, %esi\n  jmp 0f\n"
        "cinq_setjmp: setjmp: _setjmp: __setjmp: sigsetjmp: __sigsetjmp:\n"
        "  mov $" TEXT_OF(WORDS) ", %esi\n0:\n"
        "  sub $8, %rsp\n  call cinq_setjmp_prepare\n  add $8, %rsp\n"
        "  mov %rbx, (%rax)\n  mov %rbp, 8(%rax)\n  mov %r12, 16(%rax)\n  mov %r13, 24(%rax)\n"
        "  mov %r14, 32(%rax)\n  mov %r15, 40(%rax)\n"
        "  lea 8(%rsp), %rdx\n  mov %rdx, 48(%rax)\n"
        "  mov (%rsp), %rdx\n  mov %rdx, 56(%rax)\n"
        "  xor %eax, %eax\n  ret\n"
        ".globl cinq_builtin_longjmp, cinq_longjmp, longjmp, _longjmp, siglongjmp\n"
        "cinq_builtin_longjmp:\n  mov $1, %esi\n  mov $5, %edx\n  jmp 0f\n"
        "cinq_longjmp: longjmp: _longjmp: siglongjmp:\n"
        "  mov $" TEXT_OF(WORDS) ", %edx\n0:\n"
        "  push %rsi\n  call cinq_longjmp_prepare\n  mov %rax, %rdi\n  pop %rax\n"
        "  cmp $1, %eax\n  adc $0, %eax\n"
        "  mov (%rdi), %rbx\n  mov 8(%rdi), %rbp\n  mov 16(%rdi), %r12\n  mov 24(%rdi), %r13\n"
        "  mov 32(%rdi), %r14\n  mov 40(%rdi), %r15\n  mov 48(%rdi), %rsp\n"
        "  jmp *56(%rdi)\n");
