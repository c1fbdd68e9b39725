/* The worker's life: start, sandbox, loop, reset.
 *
 * Arguments: file descriptors of the shared memory file, the command pipe (read
 * end) and the reply pipe (write end).  Everything is mapped at fixed addresses
 * first, then all rights but six system calls are given up.  Each command is
 * eight bytes; so is the answer (the end of the run).  After answering, the
 * worker restores the program's memory, while the engine looks at the results.
 */
#include "snapshot.h"

enum {
    HOST_READ = 0, HOST_WRITE = 1, HOST_RT_SIGRETURN = 15, HOST_MADVISE = 28, HOST_PRCTL = 157,
    HOST_CLOCK_GETTIME = 228, HOST_EXIT_GROUP = 231, HOST_PRLIMIT = 302,
};
enum { ADVICE_DONTNEED = 4, ADVICE_POPULATE_READ = 22, ADVICE_POPULATE_WRITE = 23 }; /* all that is asked for when running */

extern i64 cinq_budget_left;
static int shm_fd, command_fd, reply_fd;
u64 run_active;
static int exit_status;

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

/* ---- Between runs -------------------------------------------------------------------------- */
static int at_snapshot; /* the program's memory is as it was there, not as it was at the start */

static void restore(int to_snapshot) {
    if (to_snapshot) snapshot_restore();
    else program_restore();
    at_snapshot = to_snapshot;
}

static void clean_up(void) { /* for a run like this one, most likely */
    if (CONTROL->end == END_ERROR && CONTROL->error.kind == ERROR_STACK_OVERFLOW) stack_give_back();
    restore(snapshot_is_there());
    errors_reset();
}

/* ---- A run ------------------------------------------------------------------------------------ */
static void clear_results(void) {
    struct cinq_control *c = CONTROL;
    c->end = c->code = c->events = c->trace = c->made = c->output = c->output_total = 0;
    c->steps = c->nanoseconds = c->interned = c->created = c->check_failures = c->remarks = c->skipped = 0;
    c->error.kind = c->error.depth = 0;
    c->error.message[0] = 0;
    node_hits = 0;
    cinq_budget = (i64)c->budget;
    cinq_watching = is_watching() && !(c->flags & CINQ_FLAG_COVERAGE_ONLY);
}

static void run_body(void) {
    exit_status = env_start();
    CONTROL->end = END_EXIT;
    CONTROL->code = (u64)exit_status & 0xff;
}

static void report_results(u64 started, u64 nodes_before) {
    struct cinq_control *c = CONTROL;
    i64 left = cinq_budget_left < 0 ? cinq_budget : cinq_budget_left;
    u64 spent = c->budget - (u64)(left < 0 ? 0 : left);
    c->events = event_count;
    c->trace = (u64)(cinq_trace - TRACE);
    c->steps = spent;
    c->nodes = node_count;
    c->interned = node_hits;
    c->created = node_count - nodes_before;
    c->nanoseconds = clock_now() - started;
}

static int begin(void) { /* where the input begins, if that is known */
    int again = snapshot_fits();
    if (again != at_snapshot) restore(again);
    if (again) snapshot_results();
    else snapshot_skip();
    return again;
}

static void run(void) {
    u64 started = clock_now(), nodes = node_count;
    runs_count();
    clear_results();
    int again = begin();
    set_floating_point();
    run_active = 1;
    cinq_run_protected(again ? snapshot_continue : run_body);
    run_active = 0;
    set_floating_point();
    report_results(started, nodes);
}

static void forget_expressions(void) {
    tables_forget();
    switches_forget();
    nodes_forget();
    pins_forget();
    snapshot_forget();
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
            clean_up();
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
        LOAD(4), EQUAL(X86_64, 0, 16),            /* 0, 1: else 18 */
        LOAD(0),                                  /* 2 */
        EQUAL(HOST_MADVISE, 9, 0),                /* 3: 13 */
        EQUAL(HOST_CLOCK_GETTIME, 12, 0),         /* 4: 17 */
        EQUAL(HOST_RT_SIGRETURN, 11, 0),          /* 5: 17 */
        EQUAL(HOST_EXIT_GROUP, 10, 0),            /* 6: 17 */
        EQUAL(HOST_READ, 3, 0),                   /* 7: 11 */
        EQUAL(HOST_WRITE, 0, 9),                  /* 8: 9 or 18 */
        LOAD(16), EQUAL((u32)reply_fd, 6, 7),     /* 9, 10: 17 or 18 */
        LOAD(16), EQUAL((u32)command_fd, 4, 5),   /* 11, 12: 17 or 18 */
        LOAD(32), EQUAL(ADVICE_DONTNEED, 2, 0),   /* 13, 14; other advice can harm the host's memory */
        EQUAL(ADVICE_POPULATE_READ, 1, 0),        /* 15 */
        EQUAL(ADVICE_POPULATE_WRITE, 0, 1),       /* 16: 17 or 18 */
        ANSWER(ALLOW),                            /* 17 */
        ANSWER(KILL),                             /* 18 */
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
    originals_keep();
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
