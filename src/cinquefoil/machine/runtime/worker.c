/* The worker's life: start, sandbox, loop, reset.
 *
 * Arguments: file descriptors of the shared memory file, the command pipe (read
 * end) and the reply pipe (write end).  Everything is mapped at fixed addresses
 * first, then all rights but six system calls are given up.  Each command is
 * eight bytes; so is the answer (the end of the run).  After answering, the
 * worker restores the program's memory, while the engine looks at the results.
 */
#include "runtime.h"

extern char __cinq_data_start[], __cinq_data_end[];
extern char cinq_site_count[] __attribute__((weak)); /* absolute: its address is the number */

enum {
    HOST_READ = 0, HOST_WRITE = 1, HOST_CLOSE = 3, HOST_RT_SIGRETURN = 15, HOST_MADVISE = 28, HOST_PRCTL = 157,
    HOST_CLOCK_GETTIME = 228, HOST_EXIT_GROUP = 231, HOST_PRLIMIT = 302, HOST_MMAP = 9, HOST_MEMFD = 319, HOST_FTRUNCATE = 77,
};

static int shm_fd, command_fd, reply_fd;
u64 run_active;
static int exit_status;
static int data_is_mapped; /* large data: restored by dropping private pages of a file */

/* ---- Entering and leaving a run ------------------------------------------------------ */
__attribute__((used)) u64 cinq_run_saved_sp;
__asm__(".section .cinqrt.text,\"ax\",@progbits\n"
        ".globl cinq_run_protected\n"
        "cinq_run_protected:\n"
        "  push %rbx\n  push %rbp\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n  sub $8, %rsp\n"
        "  mov %rsp, cinq_run_saved_sp\n"
        "  call *%rdi\n"
        "run_done:\n"
        "  add $8, %rsp\n  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbp\n  pop %rbx\n  ret\n"
        ".globl cinq_run_leave\n"
        "cinq_run_leave:\n"
        "  mov cinq_run_saved_sp, %rsp\n  cld\n  jmp run_done\n"
        ".globl cinq_worker_entry\n"
        "cinq_worker_entry:\n"
        "  xor %ebp, %ebp\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call cinq_worker_start\n  hlt\n"
        ".globl cinq_switch_stack\n"
        "cinq_switch_stack:\n"
        "  mov %rdi, %rsp\n  xor %ebp, %ebp\n  call *%rsi\n  hlt\n");
NORETURN void cinq_switch_stack(u64 top, void (*body)(void));

static void set_floating_point(void) {
    u32 control = 0x1f80;
    __asm__ volatile("fninit\n\tldmxcsr %0" : : "m"(control));
}

/* ---- Restoring --------------------------------------------------------------------------- */
static u64 data_size(void) { return (u64)(__cinq_data_end - __cinq_data_start); }
static u8 *tag_snapshot(void) { return (u8 *)SNAPSHOT_BASE + ((data_size() + 4095) & ~4095ull); }
static u8 *data_tags(void) { return TAG + (u64)__cinq_data_start / 8; }

static void map_data_from_file(void) {
    long fd = host_call(HOST_MEMFD, (long)"data", 1, 0, 0, 0, 0);
    u64 n = data_size();
    if (fd < 0 || host_call(HOST_FTRUNCATE, fd, (long)n, 0, 0, 0, 0) < 0) return;
    for (u64 done = 0; done < n;) {
        long wrote = host_call(HOST_WRITE, fd, (long)(__cinq_data_start + done), (long)(n - done), 0, 0, 0);
        if (wrote <= 0) return;
        done += (u64)wrote;
    }
    host_call(HOST_MMAP, (long)__cinq_data_start, (long)n, 3, 0x12, fd, 0);
    host_call(HOST_CLOSE, fd, 0, 0, 0, 0, 0);
    data_is_mapped = 1;
}

static void take_snapshot(void) {
    raw_copy(tag_snapshot(), data_tags(), data_size() / 8);
    if (data_size() > 0x400000) map_data_from_file();
    if (!data_is_mapped) raw_copy((void *)SNAPSHOT_BASE, __cinq_data_start, data_size());
}

static void restore_tags(void) {
    u64 low = image_dirty_low, high = image_dirty_high, start = (u64)__cinq_data_start, end = (u64)__cinq_data_end;
    image_dirty_low = ~0ull;
    image_dirty_high = 0;
    if (low < start) low = start;
    if (high >= end) high = end - 1;
    if (low > high || start == end) return;
    u64 first = (low - start) / 8, last = (high - start) / 8;
    raw_copy(data_tags() + first, tag_snapshot() + first, last - first + 1);
}

static void restore_data(void) {
    if (data_is_mapped) host_call(HOST_MADVISE, (long)__cinq_data_start, (long)data_size(), 4, 0, 0, 0);
    else raw_copy(__cinq_data_start, (const void *)SNAPSHOT_BASE, data_size());
    restore_tags();
}

static void restore_program(void) {
    restore_data();
    heap_reset();
    stack_reset();
    if (CONTROL->end == END_ERROR && CONTROL->error.kind == ERROR_STACK_OVERFLOW) stack_give_back();
    env_reset();
    errors_reset();
    jumps_reset();
    raw_fill(cinq_arg, 0, sizeof cinq_arg);
    raw_fill(cinq_ret, 0, sizeof cinq_ret);
    cinq_va = 0;
    cinq_mute = 0;
    forking_is_off = 0;
}

/* ---- A run ------------------------------------------------------------------------------------ */
static void clear_results(void) {
    struct cinq_control *c = CONTROL;
    u64 sites = (u64)cinq_site_count;
    raw_fill(COV, 0, sites && sites < CINQ_COVERAGE_CAPACITY ? sites : CINQ_COVERAGE_CAPACITY);
    c->end = c->code = c->events = c->trace = c->made = c->output = c->output_total = 0;
    c->steps = c->nanoseconds = c->interned = c->created = c->check_failures = c->remarks = 0;
    c->error.kind = c->error.depth = 0;
    c->error.message[0] = 0;
    event_count = 0;
    node_hits = 0;
    cinq_trace = TRACE;
    cinq_budget = (i64)c->budget;
}

static void run_body(void) {
    exit_status = env_start();
    CONTROL->end = END_EXIT;
    CONTROL->code = (u64)exit_status & 0xff;
}

static void report_results(u64 started, u64 nodes_before) {
    struct cinq_control *c = CONTROL;
    u64 spent = c->budget - (u64)(cinq_budget < 0 ? 0 : cinq_budget);
    c->events = event_count;
    c->trace = (u64)(cinq_trace - TRACE);
    c->steps = spent;
    c->nodes = node_count;
    c->interned = node_hits;
    c->created = node_count - nodes_before;
    c->nanoseconds = clock_now() - started;
}

static void run(void) {
    u64 started = clock_now(), nodes = node_count;
    runs_count();
    clear_results();
    set_floating_point();
    run_active = 1;
    cinq_run_protected(run_body);
    run_active = 0;
    set_floating_point();
    report_results(started, nodes);
}

static void forget_expressions(void) {
    tables_forget();
    switches_forget();
    nodes_forget();
    pins_forget();
    CONTROL->nodes = node_count;
}

/* ---- The loop ---------------------------------------------------------------------------------- */
static NORETURN void leave_process(int status) {
    for (;;) host_call(HOST_EXIT_GROUP, status, 0, 0, 0, 0, 0);
}

static u64 next_command(void) {
    u64 command = 0;
    for (;;) {
        long n = host_call(HOST_READ, command_fd, (long)&command, 8, 0, 0, 0);
        if (n == 8) return command;
        if (n != -4) return COMMAND_QUIT; /* interrupted by a late time-out: again */
    }
}

static void answer(u64 value) {
    while (host_call(HOST_WRITE, reply_fd, (long)&value, 8, 0, 0, 0) == -4) {}
}

static NORETURN void serve(void) {
    for (;;) {
        switch (next_command()) {
        case COMMAND_RUN:
            run();
            answer(CONTROL->end);
            restore_program();
            break;
        case COMMAND_EPOCH:
            forget_expressions();
            answer(0);
            break;
        default: leave_process(0);
        }
    }
}

/* ---- Giving up rights ----------------------------------------------------------------------------- */
struct filter { u16 code; u8 yes, no; u32 k; };
#define LOAD(offset) {0x20, 0, 0, offset}
#define EQUAL(value, yes, no) {0x15, yes, no, value}
#define ANSWER(value) {0x06, 0, 0, value}
#define ALLOW 0x7fff0000
#define KILL 0x80000000
#define X86_64 0xc000003e

static void limit(long resource, u64 value) {
    u64 both[2] = {value, value};
    host_call(HOST_PRLIMIT, 0, resource, (long)both, 0, 0, 0);
}

static void enter_sandbox(void) {
    struct filter checks[] = {
        LOAD(4), EQUAL(X86_64, 0, 12),            /* 0, 1: else 14 */
        LOAD(0),                                  /* 2 */
        EQUAL(HOST_MADVISE, 9, 0),                /* 3: 13 */
        EQUAL(HOST_CLOCK_GETTIME, 8, 0),          /* 4: 13 */
        EQUAL(HOST_RT_SIGRETURN, 7, 0),           /* 5: 13 */
        EQUAL(HOST_EXIT_GROUP, 6, 0),             /* 6: 13 */
        EQUAL(HOST_READ, 3, 0),                   /* 7: 11 */
        EQUAL(HOST_WRITE, 0, 5),                  /* 8: 9 or 14 */
        LOAD(16), EQUAL((u32)reply_fd, 2, 3),     /* 9, 10: 13 or 14 */
        LOAD(16), EQUAL((u32)command_fd, 0, 1),   /* 11, 12: 13 or 14 */
        ANSWER(ALLOW),                            /* 13 */
        ANSWER(KILL),                             /* 14 */
    };
    struct { u16 count; struct filter *start; } whole = {sizeof checks / sizeof checks[0], checks};
    limit(4, 0); /* no core files */
    limit(6, 0); /* no new processes */
    host_call(HOST_PRCTL, 1, 9, 0, 0, 0, 0);  /* die with the engine */
    host_call(HOST_PRCTL, 38, 1, 0, 0, 0, 0); /* no new privileges */
    if (host_call(HOST_PRCTL, 22, 2, (long)&whole, 0, 0, 0) < 0) leave_process(115);
}

/* ---- Start ------------------------------------------------------------------------------------------ */
static int number(const char *s) {
    int n = 0;
    while (*s >= '0' && *s <= '9') n = n * 10 + (*s++ - '0');
    return n;
}

static NORETURN void worker_main(void) {
    CONTROL->layout_version = CINQ_LAYOUT_VERSION;
    CONTROL->alts = 1;
    CONTROL->nodes = node_count;
    objects_start();
    take_snapshot();
    image_dirty_low = ~0ull;
    image_dirty_high = 0;
    signals_start();
    enter_sandbox();
    serve();
}

__attribute__((used)) void cinq_worker_start(u64 *stack) {
    char **argv = (char **)(stack + 1);
    if (stack[0] < 4) leave_process(112);
    shm_fd = number(argv[1]);
    command_fd = number(argv[2]);
    reply_fd = number(argv[3]);
    map_space(shm_fd);
    cinq_switch_stack(NATIVE_STACK_BASE + NATIVE_STACK_BYTES, worker_main);
}
