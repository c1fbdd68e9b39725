/* How a run ends: by an error, a signal, a limit.
 *
 * Everything ends in cinq_run_leave, which jumps back to the worker's loop.  Signals
 * arrive on a stack of their own and leave the same way; a time-out that hits
 * the run-time itself waits for the next budget check, so that tables are never
 * left half changed.
 */
#include "runtime.h"

extern char __cinq_data_start[] __attribute__((weak)), __cinq_data_end[] __attribute__((weak));
extern char __cinq_runtime_start[] __attribute__((weak)), __cinq_runtime_end[] __attribute__((weak));
extern char __cinq_image_end[] __attribute__((weak));

#define HOST_SIGACTION 13
#define HOST_SIGALTSTACK 131
#define SA_FLAGS (0x04000000 | 0x08000000 | 0x40000000 | 0x4) /* RESTORER ONSTACK NODEFER SIGINFO */

i64 cinq_budget;
i64 cinq_budget_left = -1; /* of a run that is to end soon since its time is up; else negative */
RUN_STATE u32 *cinq_trace = TRACE;
u8 cinq_scratch[CINQ_SCRATCH] __attribute__((aligned(64)));
RUN_STATE u32 cinq_arg[CINQ_MAX_ARGS];
RUN_STATE u32 cinq_ret[CINQ_MAX_RET];
static volatile u32 time_is_up;
static u8 signal_stack[0x10000] __attribute__((aligned(16)));

u32 call_site(void) { return cinq_frame ? cinq_frame->site : 0; }

NORETURN void end_run(u32 end, u64 code) {
    CONTROL->end = end;
    CONTROL->code = code;
    cinq_run_leave();
}

/* ---- Error records ------------------------------------------------------------------ */
static void fill_backtrace(struct cinq_error *e) {
    e->depth = 0;
    for (const struct cinq_frame *f = cinq_frame; f && e->depth < CINQ_BACKTRACE; f = f->prev)
        if (f->site) e->backtrace[e->depth++] = f->site;
}

static struct cinq_error *start_error(u32 kind, u32 site, u32 access) {
    struct cinq_error *e = &CONTROL->error;
    raw_fill(e, 0, sizeof *e);
    e->kind = kind;
    e->site = site;
    e->access = access;
    fill_backtrace(e);
    return e;
}

NORETURN void error_end(u32 kind, u32 site, const char *message) {
    struct cinq_error *e = start_error(kind, site, ACCESS_NONE);
    if (message) raw_copy(e->message, message, text_length(message, sizeof e->message - 1));
    end_run(END_ERROR, kind);
}

NORETURN void error_told(u32 kind, u32 site, const char *message, const struct object *o) {
    struct cinq_error *e = start_error(kind, site, ACCESS_NONE);
    raw_copy(e->message, message, text_length(message, sizeof e->message - 1));
    e->region = o->region;
    e->object_base = e->address = o->base;
    e->object_size = o->size;
    e->object_site = o->site;
    end_run(END_ERROR, kind);
}

NORETURN void error_object(u32 kind, u64 address, u64 size, u32 access, u32 site, const struct object *o) {
    struct cinq_error *e = start_error(kind, site, access);
    e->address = address;
    e->size = size;
    if (o) {
        e->region = o->region;
        e->object_base = o->base;
        e->object_size = o->size;
        e->object_site = o->site;
        e->freed_site = o->freed_site;
    }
    end_run(END_ERROR, kind);
}

static u32 kind_of(u64 address, const struct object *o, int inside) {
    if (address < 0x1000) return ERROR_NULL_POINTER;
    if (address >= CINQ_STACK_BASE && address < cinq_sp) return ERROR_USE_AFTER_RETURN;
    if (inside && o->region == REGION_HEAP && !o->live) return ERROR_USE_AFTER_FREE;
    /* Without a site it is not a variable but the arguments of a variadic call: this one was not passed. */
    if (inside && o->region == REGION_STACK && !o->live && o->site) return ERROR_USE_AFTER_SCOPE;
    return ERROR_OUT_OF_BOUNDS;
}

static u64 first_invalid(u64 address, u64 size) {
    u64 a = address;
    while (a - address < size && memory_valid(a, 1)) a++;
    return a;
}

NORETURN void error_memory(u64 address, u64 size, u32 access, u32 site) {
    struct object o;
    if (address < 0x1000) error_object(ERROR_NULL_POINTER, address, size, access, site, 0);
    if (access == ACCESS_WRITE && object_find(address, &o) && o.constant)
        error_object(ERROR_READ_ONLY, address, size, access, site, &o);
    u64 bad = address < 0x100000000 ? first_invalid(address, size) : address;
    int start_valid = bad != address; /* then the object that is left, not the one that is hit */
    int known = object_near(start_valid ? address : bad, &o);
    int inside = known && bad - o.base < (o.size ? o.size : 1);
    if (bad >= CINQ_STACK_BASE && bad < cinq_sp) {
        known = stack_left(bad, &o);
        inside = 0;
    }
    error_object(kind_of(bad, &o, inside), address, size, access, site, known ? &o : 0);
}

SLOW void cinq_exhausted(void) {
    if (time_is_up) end_run(END_TIME, 0);
    end_run(END_BUDGET, 0);
}

/* ---- Signals ----------------------------------------------------------------------------- */
struct signal_info { int number, error, code, pad; u64 address; };
struct signal_context { u64 flags, link, stack[3], registers[23]; };
#define REGISTER_RIP 16
#define REGISTER_ERR 19

static int in_runtime(u64 rip) { return rip >= (u64)__cinq_runtime_start && rip < (u64)__cinq_runtime_end; }

static void on_time(const struct signal_context *c) {
    if (!run_active) return;
    if (!in_runtime(c->registers[REGISTER_RIP])) time_is_up = 1, end_run(END_TIME, 0);
    if (!time_is_up) cinq_budget_left = cinq_budget;
    time_is_up = 1;
    cinq_budget = -0x4000000000000000;
}

/* The native stack is full: by our own recursion over a very deep expression, or by one huge frame of the program. */
static NORETURN void on_full_stack(u64 rip) {
    if (in_runtime(rip) && (u64)cinq_frame - NATIVE_STACK_BASE < NATIVE_STACK_BYTES) end_run(END_DEPTH, 0);
    error_end(ERROR_STACK_OVERFLOW, call_site(), 0);
}

/* Instrumented code tests every access, call and jump before it makes it, so no program is known to come here.
 * The location is that of the last call in the function, the nearest that is on record. */
static NORETURN void on_fault(u64 address, u64 error_code, u64 rip) {
    u64 trace_end = CINQ_SHM_BASE + CINQ_SHM_TRACE + CINQ_TRACE_CAPACITY * 4ull;
    u32 access = error_code & 2 ? ACCESS_WRITE : ACCESS_READ;
    if (address - NATIVE_STACK_BASE < NATIVE_GUARD) on_full_stack(rip);
    if (address >= trace_end - 4096 && address < trace_end) end_run(END_EVENTS, 0);
    if (error_code & 16) access = ACCESS_CALL;
    u32 site = call_site();
    if (address < 0x1000) error_object(ERROR_NULL_POINTER, address, 0, access, site, 0);
    if (access == ACCESS_WRITE && address >= CINQ_IMAGE_BASE && address < (u64)__cinq_image_end) {
        struct object o;
        error_object(ERROR_READ_ONLY, address, 0, access, site, object_near(address, &o) ? &o : 0);
    }
    error_object(ERROR_OUT_OF_BOUNDS, address, 0, access, site, 0);
}

static void on_signal(int number, struct signal_info *info, struct signal_context *c) {
    if (number == 10) return on_time(c);
    if (!run_active) host_call(231, 114, 0, 0, 0, 0, 0); /* a fault of the worker itself */
    switch (number) {
    case 11:
    case 7: on_fault(info->code == 128 ? ~0ull : info->address, c->registers[REGISTER_ERR], c->registers[REGISTER_RIP]);
    case 8: error_end(ERROR_DIVISION_BY_ZERO, call_site(), "arithmetic trap");
    case 4: error_end(ERROR_UNREACHABLE, call_site(), "illegal instruction");
    default: error_end(ERROR_ABORT, call_site(), "trap");
    }
}

__attribute__((naked)) static void signal_return(void) { __asm__("mov $15, %eax\n\tsyscall"); }

static void install(int number) {
    struct { void (*handler)(int, struct signal_info *, struct signal_context *); u64 flags; void (*restorer)(void); u64 mask; } action =
        {on_signal, SA_FLAGS, signal_return, 0};
    host_call(HOST_SIGACTION, number, (long)&action, 0, 8, 0, 0);
}

void signals_start(void) {
    struct { void *sp; int flags, pad; u64 size; } stack = {signal_stack, 0, 0, sizeof signal_stack};
    host_call(HOST_SIGALTSTACK, (long)&stack, 0, 0, 0, 0, 0);
    static const int numbers[] = {4, 5, 7, 8, 10, 11};
    for (u32 i = 0; i < 6; i++) install(numbers[i]);
}

/* Called by the stand-ins for functions that nobody defines (build/undefined.py). */
NORETURN void cinq_undefined(const char *name) { error_end(ERROR_UNDEFINED_FUNCTION, call_site(), name); }

void errors_reset(void) {
    time_is_up = 0;
    cinq_budget_left = -1;
}
