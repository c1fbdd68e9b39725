/* Signals of the program to itself: handlers run, default actions end the run.
 *
 * There is nobody else to send one, and timers never fire.  A signal that the
 * program blocks waits until it is let through.  Ending by a signal that means
 * a fault is an error; by any other it is an exit with status 128 + number, as
 * shells tell it.
 */
#include "files.h"

enum { SIGNALS = 64, IGNORE = 1, INFO = 4, NODEFER = 0x40000000, RESET = (int)0x80000000 };
struct action { u64 handler, flags, restorer, mask; }; /* musl's k_sigaction */

RUN_STATE static struct action actions[SIGNALS + 1];
RUN_STATE static u64 pending;
RUN_STATE static u64 blocked;

u64 signals_blocked(void) { return blocked; }
void signals_block(u64 mask) { blocked = mask; }

static u64 bit(long number) { return 1ull << (number - 1); }

long signal_action(long number, u64 action, u64 old) {
    if (number < 1 || number > SIGNALS || ((number == 9 || number == 19) && action)) return E_INVAL;
    struct action *a = &actions[number], before;
    raw_copy(&before, a, sizeof before);
    for (u32 i = 0; action && i < 4; i++) ((u64 *)a)[i] = take_word(action + 8 * i);
    if (old) give(old, &before, sizeof before);
    return 0;
}

/* ---- What happens by itself ------------------------------------------------------------------ */
static const char *fault_name(long number) {
    switch (number) {
    case 3: return "SIGQUIT";
    case 4: return "SIGILL";
    case 5: return "SIGTRAP";
    case 6: return "SIGABRT";
    case 7: return "SIGBUS";
    case 8: return "SIGFPE";
    case 11: return "SIGSEGV";
    case 31: return "SIGSYS";
    default: return 0;
    }
}

static int is_ignored(long number) { /* SIGCHLD, SIGCONT, SIGURG, SIGWINCH; stops have nobody to see them */
    return number == 17 || number == 18 || (number >= 19 && number <= 23) || number == 28;
}

static void act_by_default(long number) {
    if (is_ignored(number)) return;
    if (fault_name(number)) error_end(ERROR_ABORT, call_site(), fault_name(number));
    end_run(END_EXIT, 128 + (u64)number);
}

/* ---- Handlers ---------------------------------------------------------------------------------- */
static u64 information(long number) { /* a siginfo_t and a ucontext_t of zeros */
    u64 p = heap_allocate(128 + 968, 16, 0);
    if (p) *(u32 *)p = (u32)number;
    return p;
}

static void call_handler(u64 handler, long number, u64 info) {
    u64 context = info ? info + 128 : 0;
    cinq_callee(call_site(), handler);
    raw_fill(cinq_arg, 0, 3 * sizeof cinq_arg[0]);
    u32 muted = cinq_mute;
    cinq_mute = 0; /* the handler is the program's own code, whatever it interrupts */
    ((void (*)(int, u64, u64))handler)((int)number, info, context);
    cinq_mute = muted;
    if (info) heap_release(info, 0);
}

static void deliver(long number) {
    struct action *a = &actions[number];
    u64 before = blocked, handler = a->handler;
    if (handler == IGNORE) return;
    if (!handler) return act_by_default(number);
    if (a->flags & (u32)RESET) a->handler = 0;
    blocked |= a->mask | (a->flags & NODEFER ? 0 : bit(number));
    call_handler(handler, number, a->flags & INFO ? information(number) : 0);
    blocked = before;
}

static void deliver_pending(void) {
    while (pending & ~blocked) {
        long number = __builtin_ctzll(pending & ~blocked) + 1;
        pending &= ~bit(number);
        deliver(number);
    }
}

long signal_send(long number) {
    if (number < 0 || number > SIGNALS) return E_INVAL;
    if (!number) return 0;
    pending |= bit(number);
    deliver_pending();
    return 0;
}

void signal_catch(long number) {
    if (actions[number].handler > IGNORE && !(blocked & bit(number))) deliver(number);
}

long signal_mask(long how, u64 set, u64 old) {
    u64 mask = set ? take_word(set) & ~(bit(9) | bit(19)) : 0;
    if (set && (how < 0 || how > 2)) return E_INVAL;
    if (old) give(old, &blocked, 8);
    if (!set) return 0;
    blocked = how == 0 ? blocked | mask : how == 1 ? blocked & ~mask : mask;
    deliver_pending();
    return 0;
}

long signal_pending(u64 to) {
    u64 now = pending & blocked;
    give(to, &now, 8);
    return 0;
}
