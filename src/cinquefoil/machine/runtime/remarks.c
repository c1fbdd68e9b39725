/* Remarks: what a program tells the engine and its user by KLEE's functions.
 *
 * They decide nothing and leave no event.  A run keeps so many of them, each once: those of an endless loop would say
 * the same again and again.
 */
#include "runtime.h"

#define REMARKS ((struct cinq_remark *)(CINQ_SHM_BASE + CINQ_SHM_REMARKS))

static void fill_frames(struct cinq_remark *r) {
    r->depth = 0;
    for (const struct cinq_frame *f = cinq_frame; f && r->depth < CINQ_REMARK_FRAMES; f = f->prev)
        if (f->site) r->backtrace[r->depth++] = f->site;
}

static int is_same(const struct cinq_remark *a, const struct cinq_remark *b) {
    if (a->kind != b->kind || a->site != b->site || a->expr != b->expr || a->value != b->value) return 0;
    if (a->argument != b->argument) return 0;
    for (u32 i = 0; i < CINQ_REMARK_TEXT; i++) {
        if (a->text[i] != b->text[i]) return 0;
        if (!a->text[i]) break;
    }
    return 1;
}

static void remark_argument(u32 kind, u32 expr, u64 value, const char *text, u32 argument) {
    u64 count = CONTROL->remarks;
    cinq_ret[0] = 0;
    if (count >= CINQ_REMARK_CAPACITY) return;
    struct cinq_remark *r = &REMARKS[count];
    raw_fill(r, 0, sizeof *r);
    r->kind = kind;
    r->site = call_site();
    r->expr = expr && !is_const(expr) ? expr : 0;
    r->value = value;
    r->argument = argument;
    r->events = (u32)event_count;
    if (text) read_text((u64)text, r->text, sizeof r->text);
    if (kind == REMARK_STACK) fill_frames(r);
    for (u64 i = 0; i < count; i++)
        if (is_same(&REMARKS[i], r)) return;
    CONTROL->remarks = count + 1;
}

static void remark(u32 kind, u32 expr, u64 value, const char *text) { remark_argument(kind, expr, value, text, 0); }

WEAK void klee_warning(const char *text) { remark(REMARK_WARNING, 0, 0, text); }
WEAK void klee_warning_once(const char *text) { remark(REMARK_WARNING, 0, 0, text); }
WEAK void klee_stack_trace(void) { remark(REMARK_STACK, 0, 0, 0); }

WEAK void klee_print_range(const char *name, int value) { remark(REMARK_RANGE, cinq_arg[1], (u64)(i64)value, name); }

/* ---- klee_print_expr: its arguments lie in the area of a variadic call -------------------------- */
#define GENERAL_END 48
#define VECTOR_END 176

/* A word holds an int as well as a long: what has nothing in its upper half is an int. */
static void remark_word(u32 kind, u64 area, u64 at, const char *text) {
    u64 address = area + at, value = *(const u64 *)address;
    u32 size = 8;
    if (kind == REMARK_EXPRESSION && value >> 32 == 0) {
        for (size = 4; size < 8 && !memory_byte(address + size); size++) {}
        size = size == 8 ? 4 : 8;
    }
    remark_argument(kind, memory_gather(address, size), value, text, (u32)at);
}

WEAK void klee_print_expr(const char *text) {
    u64 area = (u64)cinq_va;
    cinq_ret[0] = 0;
    for (u64 at = 8; area && at < GENERAL_END; at += 8)
        if (memory_valid(area + at, 8)) remark_word(REMARK_EXPRESSION, area, at, text);
    for (u64 at = GENERAL_END; area && at < VECTOR_END; at += 16)
        if (memory_valid(area + at, 8)) remark_word(REMARK_REAL, area, at, text);
}

/* ---- Preferences ---------------------------------------------------------------------------------- */
static void prefer(u32 s) {
    cinq_ret[0] = 0;
    if (s) remark(REMARK_PREFERENCE, node_not(node_binary(OP_EQ, width_of(s), s, node_const(width_of(s), 0))), 1, 0);
}

WEAK void klee_prefer_cex(void *object, u64 condition) {
    (void)object, (void)condition;
    prefer(cinq_arg[1]);
}

WEAK void klee_posix_prefer_cex(void *object, u64 condition) {
    (void)object, (void)condition;
    prefer(cinq_arg[1]);
}
