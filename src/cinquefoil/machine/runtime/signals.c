/* Signals the program sends to itself: handlers are called at once, ignored ones vanish.
 *
 * Nothing else sends it signals.  A handler that wants siginfo gets none: that is
 * an event, since what it would read there is not modelled.
 */
#include "runtime.h"
#include "files.h"

#define SIGNALS 65
#define WANTS_INFO 4u
#define ONCE 0x80000000u
#define IGNORED 1

struct action { u64 handler, flags, restorer, mask; }; /* as the kernel's */
static struct action actions[SIGNALS];

void signals_forget(void) { raw_fill(actions, 0, sizeof actions); }

long signal_action(long number, u64 set, u64 old) {
    if (number < 1 || number >= SIGNALS) return E_INVAL;
    struct action *mine = &actions[number];
    if (old) {
        memory_check(old, sizeof *mine, ACCESS_WRITE, call_site());
        memory_concrete(old, sizeof *mine);
        raw_copy((void *)old, mine, sizeof *mine);
    }
    if (!set) return 0;
    if (number == 9 || number == 19) return E_INVAL;
    memory_check(set, sizeof *mine, ACCESS_READ, call_site());
    concretize(call_site(), memory_gather(set, 8), *(const u64 *)set, REASON_FUNCTION);
    raw_copy(mine, (const void *)set, sizeof *mine);
    return 0;
}

static int ignored_by_default(long number) { return number == 17 || number == 18 || number == 23 || number == 28; }

static NORETURN void end_by(long number) {
    static const char *const known[16] = {[1] = "SIGHUP", [2] = "SIGINT", [3] = "SIGQUIT", [4] = "SIGILL", [6] = "SIGABRT", [8] = "SIGFPE",
                                          [9] = "SIGKILL", [11] = "SIGSEGV", [13] = "SIGPIPE", [14] = "SIGALRM", [15] = "SIGTERM"};
    error_end(ERROR_ABORT, call_site(), number < 16 && known[number] ? known[number] : "signal to itself");
}

long signal_send(long number) {
    if (number == 0) return 0;
    if (number < 0 || number >= SIGNALS) return E_INVAL;
    struct action *mine = &actions[number];
    u64 handler = mine->handler;
    if (handler == IGNORED || (!handler && ignored_by_default(number))) return 0;
    if (!handler) end_by(number);
    if (mine->flags & WANTS_INFO) cinq_unsupported(call_site(), REASON_SYSCALL);
    if (mine->flags & ONCE) mine->handler = 0;
    cinq_callee(call_site(), handler);
    raw_fill(cinq_arg, 0, 12);
    ((void (*)(long, void *, void *))handler)(number, 0, 0);
    return 0;
}
