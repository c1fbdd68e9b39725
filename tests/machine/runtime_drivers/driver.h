/* What a freestanding test driver needs to link with the run-time, without worker.c. */
#ifndef DRIVER_H
#define DRIVER_H

#include "snapshot.h"
#include "eval.h"

u64 run_active, cinq_run_saved_sp;
static u64 random_state = 88172645463325252ull;

static u64 random64(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545f4914f6cdd1dull;
}
static u64 below(u64 n) { return (random64() >> 11) % n; }

/* Struct copies of the drivers themselves: the linker sends them here (--wrap). */
void *__wrap_memcpy(void *to, const void *from, u64 n) {
    raw_copy(to, from, n);
    return to;
}
void *__wrap_memset(void *to, int byte, u64 n) {
    raw_fill(to, (u8)byte, n);
    return to;
}

static void print(const char *s) { host_call(1, 1, (long)s, (long)text_length(s, 4096), 0, 0, 0); }
static void print_number(u64 n) {
    char text[24];
    u32 i = 23;
    text[i] = 0;
    do text[--i] = (char)('0' + n % 10);
    while (n /= 10);
    print(text + i);
}
static void print_named(const char *name, u64 n) {
    print(name);
    print(" ");
    print_number(n);
    print("\n");
}
static NORETURN void quit(int status) {
    for (;;) host_call(231, status, 0, 0, 0, 0, 0);
}
NORETURN void cinq_run_leave(void) {
    print_named("the run ended:", CONTROL->end);
    print_named("error kind:", CONTROL->error.kind);
    quit(3);
}
int cinq_start(int argc, char **argv, char **envp) { (void)argc, (void)argv, (void)envp; return 0; }

static void driver(void);
__attribute__((used)) static void driver_main(void) {
    map_space(-1);
    originals_keep();
    CONTROL->max_heap = 1 << 28;
    CONTROL->max_table = 1 << 30;
    CONTROL->table_limit = 4096;
    CONTROL->write_limit = 4096;
    CONTROL->max_events = 0;
    cinq_trace = TRACE;
    driver();
    quit(0);
}
__asm__(".text\n.globl cinq_worker_entry\ncinq_worker_entry: xor %ebp, %ebp\n and $-16, %rsp\n call driver_main\n hlt\n");

#endif
