/* Events: what the run decided on symbolic data, in order.
 *
 * An expression is *fixed* once an event of this run has settled its value; a
 * second event on it would say nothing new and is left out.  Conditions that
 * fold to constants leave nothing either.  An equality with a constant fixes the
 * input bytes it is made of: whatever depends on fixed bytes alone is a constant
 * from then on, so that t[x] after x == 5 is an element, not a look-up.
 */
#include "runtime.h"
#include "eval.h"

#define FIXED ((u32 *)STAMP_BASE)
#define LAST_SERIAL 0x7fffffff /* stamps are twice the serial number, or one more */

u32 run_serial = 1;
RUN_STATE u64 event_count;
RUN_STATE static u64 muted_count;  /* muted events of this run */
RUN_STATE static u64 heard_up_to; /* the events before this one have been heard */
RUN_STATE u32 cinq_mute;

int is_muted(void) { return cinq_mute && (CONTROL->flags & CINQ_FLAG_MUTE_OUTPUT); }

static void event_record(u32 kind, u32 site, u32 expr, u32 taken, u32 alts, u64 value) {
    u64 limit = CONTROL->max_events && CONTROL->max_events < CINQ_EVENT_CAPACITY ? CONTROL->max_events : CINQ_EVENT_CAPACITY;
    if (event_count >= limit) end_run(END_EVENTS, site);
    struct cinq_event *e = &EVENTS[event_count++];
    e->kind = (u8)kind;
    e->muted = kind != EVENT_UNSUPPORTED && is_muted(); /* what is not modelled is told wherever it is met */
    muted_count += e->muted;
    e->taken = (u16)taken;
    e->site = site;
    e->expr = expr;
    e->alts = alts;
    e->value = value;
    e->trace = (u32)(cinq_trace - TRACE);
    e->steps = (u32)((CONTROL->budget - (u64)cinq_budget) >> 10);
}

/* ---- klee_set_forking ---------------------------------------------------------------------- */
RUN_STATE u32 forking_is_off;

static int decides(u32 kind) {
    return kind == EVENT_BRANCH || kind == EVENT_SWITCH || kind == EVENT_PIN || kind == EVENT_CONCRETIZE;
}

static u32 held_by(u32 kind, u32 expr, u32 taken, u32 alts, u64 value) { /* the condition that the decision made true */
    if (kind == EVENT_SWITCH) return ALTS[alts + 1 + taken];
    if (kind == EVENT_BRANCH) return taken ? expr : node_not(expr);
    return node_binary(OP_EQ, width_of(expr), expr, node_const(width_of(expr), value));
}

/* The decision holds from now on, and nobody asks for another one.  The event that says so comes first and differs from
 * that of other decisions, so that their paths are told apart. */
static COLD void follow_only(u32 kind, u32 site, u32 expr, u32 taken, u32 alts, u64 value) {
    u64 decision = kind == EVENT_BRANCH || kind == EVENT_SWITCH ? taken : value;
    u32 held = held_by(kind, expr, taken, alts, value);
    event_record(EVENT_UNSUPPORTED, site, 0, (u32)((decision * 0x9e3779b97f4a7c15) >> 48), 0, REASON_FORKING);
    if (!is_const(held)) event_record(EVENT_ASSUME, site, held, 1, 0, 0);
}

void event_add(u32 kind, u32 site, u32 expr, u32 taken, u32 alts, u64 value) {
    if (unlikely(forking_is_off) && decides(kind) && !is_muted()) follow_only(kind, site, expr, taken, alts, value);
    else event_record(kind, site, expr, taken, alts, value);
}

/* Stamps of long ago must not be met again, and 0 stands for none. */
void runs_count(void) {
    if (run_serial++ < LAST_SERIAL) return;
    clear_memory(STAMP_BASE, STAMP_BASE + node_count * 4);
    clear_memory(KNOWN_BASE, KNOWN_BASE + node_count * 4);
    names_forget();
    run_serial = 1;
}

static int is_fixed(u32 expr) { /* what only muted events say is not known outside of them */
    u32 now = run_serial * 2, heard = !is_muted();
    return FIXED[expr] == now + 1 || FIXED[expr] == now + heard;
}

int is_decided(u32 expr) { return is_fixed(width_of(expr) == 1 ? settled_by(expr) : expr); }

int event_fix(u32 expr) {
    if (is_fixed(expr)) return 0;
    FIXED[expr] = run_serial * 2 + !is_muted();
    return 1;
}

/* ---- What equalities say about bytes ----------------------------------------------------- */
#define WIDEST 16 /* bytes: further apart they are hardly ever all fixed */
#define CONJUNCTS 256 /* looked at: parts may share parts, so that there are exponentially many ways down */

int is_settled(u32 expr) {
    const struct cinq_node *n = &NODES[expr];
    if (is_const(expr) || n->hi - n->lo >= WIDEST) return 0;
    for (u32 i = n->hi + 1; i-- > n->lo;) { /* the newest one is fixed last */
        u32 byte = ((const u32 *)INPUT_NODE_BASE)[i];
        if (!byte || !is_fixed(byte)) return 0;
    }
    return 1;
}

/* The value of x is known: so are the bytes that it is put together from. */
static void settle_bytes(u32 x) {
    for (;;) {
        const struct cinq_node *n = &NODES[x];
        if (n->op == OP_INPUT) event_fix(x);
        if (n->op == OP_CONCAT) settle_bytes(n->b);
        else if (n->op != OP_ZEXT && n->op != OP_SEXT && !(n->op == OP_ADD && is_const(n->b))) return;
        x = n->a;
    }
}

static int is_negation(const struct cinq_node *n) {
    return n->op == OP_XOR && n->width == 1 && is_const(n->b) && const_value(n->b);
}

static void follow(u32 cond, u32 holds, u32 *left) {
    const struct cinq_node *n = &NODES[cond];
    for (; is_negation(n); n = &NODES[n->a]) holds = !holds;
    if (!holds) return;
    for (; n->op == OP_AND && n->width == 1 && *left; n = &NODES[n->a]) {
        --*left;
        follow(n->b, 1, left);
    }
    if (n->op == OP_EQ && is_const(n->b)) settle_bytes(n->a);
}

void bytes_follow(u32 cond, u32 holds) {
    u32 left = CONJUNCTS;
    follow(cond, holds, &left);
}

/* A condition and its negation are settled by the same event. */
u32 settled_by(u32 cond) {
    u32 opposite = node_not(cond);
    return cond < opposite ? cond : opposite;
}

u32 decide(u32 kind, u32 site, u32 cond, u32 taken, u64 value) {
    cond = WRITTEN(site, cond, kind == EVENT_BRANCH ? "memory never written decides a branch" : "a check depends on memory never written");
    hear_if_printed(cond);
    if (is_settled(cond)) return node_const(1, taken);
    cond = pin(site, cond);
    if (is_const(cond)) return cond;
    if (event_fix(settled_by(cond))) event_add(kind, site, cond, taken, 0, value);
    bytes_follow(cond, taken);
    return cond;
}

SLOW void cinq_branch(u32 site, u32 s, u32 taken) {
    if (s) decide(EVENT_BRANCH, site, fitted(s, 1, taken), taken & 1, 0);
}

/* An event holds 64 bits of value: what is wider is fixed in two halves. */
static void concretize_wide(u32 site, u32 s, u32 reason) {
    u128 v = node_value(s);
    u32 high = node_extract(s, 64, width_of(s) - 64);
    concretize(site, node_extract(s, 0, 64), (u64)v, reason);
    concretize(site, high, (u64)(v >> 64), reason);
}

void concretize(u32 site, u32 s, u64 value, u32 reason) {
    if (!s || is_const(s)) return;
    s = WRITTEN(site, s, "an address, size or argument depends on memory never written");
    if (is_const(s)) return;
    hear_if_printed(s);
    if (is_settled(s)) return;
    if (width_of(s) > 64) return concretize_wide(site, s, reason);
    if (event_fix(s)) event_add(EVENT_CONCRETIZE, site, s, reason, 0, value & (u64)cinq_mask(width_of(s)));
    settle_bytes(s);
}

/* ---- Output formatting: called by the libc ------------------------------------------- */
void cinq_mute_enter(void) {
    cinq_mute++;
    cinq_ret[0] = 0;
}

void cinq_mute_leave(void) {
    if (cinq_mute) cinq_mute--;
    cinq_ret[0] = 0;
}

/* ---- What muted output comes to ---------------------------------------------------------- */
/* How much printf has written depends on what its muted events decided, in ways that no expression says.  Mostly nobody
 * looks at it.  So it is a number of its own kind: it has this run's value whatever the input, and whoever decides
 * anything by it first records the muted events of the run again, this time to be heard.  Under them it is constant.
 * No rule folds a remainder of constants.  Output that cannot fail has one of 31 bits, whose range shows that it is not
 * negative: that is what is mostly asked. */
u32 printed_number(u32 value, u32 may_fail) {
    u32 bits = may_fail ? 64 : 31;
    u64 limit = may_fail ? (u64)1 << 32 : 0x7fffffff;
    if (!muted_count || value >= limit) return 0;
    u32 number = node_intern(OP_UREM, bits, node_const(bits, value), node_const(bits, limit), 0, 0);
    NODES[number].flags |= FLAG_PRINTED;
    return may_fail ? node_extract(number, 0, 32) : node_extend(OP_ZEXT, number, 32);
}

static u32 fixed_by(const struct cinq_event *e) { /* what its event_fix marked */
    if (e->kind == EVENT_PIN || e->kind == EVENT_CONCRETIZE) return e->expr;
    return settled_by(e->kind == EVENT_SWITCH ? ALTS[e->alts + 1 + e->taken] : e->expr);
}

u32 has_muted(void) { return muted_count != 0; }

void hear_muted(void) {
    u64 end = event_count;
    if (is_muted()) return;
    for (u64 i = heard_up_to; i < end && muted_count; i++) {
        const struct cinq_event *e = &EVENTS[i];
        if (!e->muted || !event_fix(fixed_by(e))) continue;
        event_add(e->kind, e->site, e->expr, e->taken, e->alts, e->value);
    }
    heard_up_to = end;
}

/* ---- Events of an earlier run, which this one shares -------------------------------------- */
static int holds_again(const struct cinq_event *e) {
    if (!e->expr) return 1;
    if (e->kind == EVENT_SWITCH) return node_value(ALTS[e->alts + 1 + e->taken]) != 0;
    if (e->kind == EVENT_PIN || e->kind == EVENT_CONCRETIZE) return (u64)node_value(e->expr) == e->value;
    return node_value(e->expr) == e->taken;
}

int events_hold(const struct cinq_event *e, u64 count) {
    for (u64 i = 0; i < count; i++)
        if (!holds_again(&e[i])) return 0;
    return 1;
}

void events_repeat(const struct cinq_event *e, u64 count) {
    u32 muted = cinq_mute;
    for (u64 i = 0; i < count; i++, e++) {
        if (!e->expr) continue;
        cinq_mute = e->muted;
        event_fix(fixed_by(e));
        if (e->kind == EVENT_PIN || e->kind == EVENT_CONCRETIZE) settle_bytes(e->expr);
        else if (e->kind == EVENT_SWITCH) bytes_follow(ALTS[e->alts + 1 + e->taken], 1);
        else bytes_follow(e->expr, e->taken);
    }
    cinq_mute = muted;
}

/* A number of bytes to be written: as this run has it, without a trace of what it depends on. */
u64 cinq_mute_value(u64 value) {
    if (is_muted()) concretize(call_site(), cinq_arg[0], value, REASON_SIZE);
    cinq_ret[0] = is_muted() ? 0 : cinq_arg[0];
    return value;
}

/* A number of bytes that were written, or -1 if that can fail. */
u32 cinq_mute_result(u32 value, u32 may_fail) {
    u32 muted = (u32)is_muted();
    if (muted) concretize(call_site(), cinq_arg[0], value, REASON_SIZE);
    cinq_ret[0] = muted ? printed_number(value, may_fail) : cinq_arg[0];
    return value;
}

SLOW void cinq_concretize(u32 site, u32 s, u64 value, u32 reason) {
    if (reason == REASON_FUNCTION) pointer_to_function(site, s, value);
    else concretize(site, s, value, reason);
}

SLOW void cinq_unsupported(u32 site, u32 reason) { event_add(EVENT_UNSUPPORTED, site, 0, 0, 0, reason); }

/* Its location is that of the call which led into libc. */
static void unmodelled(u32 reason) {
    const struct cinq_frame *caller = cinq_frame && cinq_frame->prev ? cinq_frame->prev : cinq_frame;
    event_add(EVENT_UNSUPPORTED, caller ? caller->site : 0, 0, 0, 0, reason);
    cinq_ret[0] = 0;
}

void cinq_unmodelled_float(void) { unmodelled(REASON_FLOAT); }
void cinq_unmodelled_loading(void) { unmodelled(REASON_LOADING); }

SLOW void cinq_fail(u32 site, u32 error_kind) { error_end(error_kind, site, 0); }

/* ---- Divisions ---------------------------------------------------------------------- */
static void check(u32 site, u32 ok, int holds, u32 kind) {
    decide(EVENT_CHECK, site, ok, holds ? 1 : 0, kind);
    if (holds) return;
    signal_catch(SIGNAL_FPE); /* a program that waits for the trap means to divide; its handler does not return */
    error_end(kind, site, 0);
}

SLOW void cinq_division(u32 site, u32 opw, u32 sa, u32 sb, u64 va, u64 vb) {
    u32 op = opw & 0xff, w = opw >> 8;
    u32 nb = operand(sb, w, vb);
    u128 b = node_value(nb), a, least = (u128)1 << (w - 1), minus = cinq_mask(w);
    check(site, node_not(node_binary(OP_EQ, w, nb, node_const(w, 0))), b != 0, ERROR_DIVISION_BY_ZERO);
    if (op != OP_SDIV && op != OP_SREM) return;
    if (is_const(nb) && b != minus) return;
    u32 na = operand(sa, w, va);
    a = node_value(na);
    u32 over = node_binary(OP_AND, 1, node_binary(OP_EQ, w, na, node_const(w, least)),
                           node_binary(OP_EQ, w, nb, node_const(w, minus)));
    check(site, node_not(over), !(a == least && b == minus), ERROR_OVERFLOW);
}

/* An amount of the width or more; `bad` says whether it is so in this run. */
SLOW void cinq_shift(u32 site, u32 width, u32 s, u32 bad) {
    u32 fits = s ? node_binary(OP_ULT, width, s, node_const(width, width)) : node_const(1, !bad);
    check(site, fits, !bad, ERROR_OVERSHIFT);
}

/* ---- Float to integer ------------------------------------------------------------------ */
/* In range after truncation: low - 1 < x < high; where low - 1 is not a number of
 * the format, low <= x says the same. */
static u32 in_range(u32 op, u32 from, u32 to, u32 s) {
    u32 precision = from == 32 ? 24 : from == 64 ? 53 : 64;
    long double high = cinq_power(op == OP_F2SI ? to - 1 : to), low = op == OP_F2SI ? -high : 0;
    int exact = op == OP_F2UI || to - 1 < precision;
    u32 bound = node_const(from, cinq_narrow(from, exact ? low - 1 : low));
    u32 above = node_binary(exact ? OP_FOLT : OP_FOLE, from, bound, s);
    return node_binary(OP_AND, 1, above, node_binary(OP_FOLT, from, s, node_const(from, cinq_narrow(from, high))));
}

SLOW u32 cinq_f2i(u32 site, u32 op, u32 from, u32 to, u32 s, u64 value) {
    if (!s || is_const(s)) return 0;
    s = fitted(s, from, value);
    u32 ok = in_range(op, from, to, s);
    u32 inside = (u32)node_value(ok);
    decide(EVENT_BRANCH, site, ok, inside, 0);
    if (inside) return shadow_of(node_unary(op, to, s, 0));
    concretize(site, s, (u64)node_value(s), REASON_FLOAT);
    return 0;
}
