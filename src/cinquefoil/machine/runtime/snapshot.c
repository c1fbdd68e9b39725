/* Continuing where the input begins.
 *
 * What a program does before it first looks at its input is the same in every run, and for some it is most of the work:
 * an interpreter makes its tables before it reads the script.  A traced run that gets there after many instructions is
 * kept at that moment: its memory with tags, the run-time's own state, both stacks, registers, and what it has left of
 * results.  Later runs begin there.
 *
 * The moment is the first of these, once arguments and files have been put up:
 *   - anything of the program's or of the run-time's looks at a granule with a symbolic byte: a load, a copy, a check of
 *     an address (all of them look at tags, memory.c), so it is the content, size or status of a file, or an argument;
 *   - a named input is about to be made (klee_make_symbolic, a call that may fail, a random number).
 * So nothing but the bytes of inputs themselves depends on the input yet, and those are written anew for each run: by
 * their expressions, since the environment computes some.  What the environment has decided by then (a file's length is
 * within its bounds) are events, which must come out alike for a run to begin here; else it begins at the start.
 *
 * Registers and stacks hold no expressions at that moment, so that a coverage run may begin there too: its texts are
 * made concrete, as they would have been from the start.
 */
#include "snapshot.h"

extern char cinq_site_count[] __attribute__((weak)); /* absolute: its address is the number */
extern u64 cinq_run_saved_sp;

/* It pays if so many instructions need not be done again for what it takes to write bytes anew. */
#define LEAST_STEPS 5000
#define BYTES_PER_STEP 8

struct part { u64 to, size, from; }; /* from 0: zeros */
struct cell { u64 granule; u32 ids[8]; }; /* a MIXED granule */
struct context { u64 registers[8]; u32 vector_control, pad, floating[7]; }; /* rbx, rbp, r12 .. r15, rsp, rip */
enum { HOST_MADVISE = 28, POPULATE_READ = 22 };
enum { RSP = 6, PARTS = 0x4000, CELLS = 0x8000, NAMES = 0x400, PAGE = 4096 };

static struct part parts[PARTS];
static struct cell cells[CELLS];
static struct name_used names[NAMES];
static u32 part_count, cell_count, name_count;
static u64 stored; /* bytes at SNAPSHOT_BASE */
static int is_full;
__attribute__((used)) static struct context context;

/* What the run had left, and what it was asked for. */
static struct results {
    u64 there, steps, events, trace, made, output, output_total, remarks, flags, max_heap, table_limit, write_limit;
} kept;
static struct part results[6]; /* coverage first */
static struct part stack;      /* the native one */
static u64 heap_end, stack_low, stack_tags;

u32 input_awaited;
static int wanted, declined, stale;

/* ---- Keeping memory ------------------------------------------------------------------------ */
static u64 page_up(u64 address) { return (address + PAGE - 1) & ~(PAGE - 1ull); }

static u64 store(u64 from, u64 size) { /* where it is kept; 0: there is no room */
    u64 copy = SNAPSHOT_BASE + stored;
    if (stored + size > SNAPSHOT_BYTES) is_full = 1;
    if (is_full) return 0;
    raw_copy((void *)copy, (const void *)from, size);
    stored += (size + 7) & ~7ull;
    return copy;
}

static struct part part_of(u64 start, u64 size) { return (struct part){start, size, store(start, size)}; }

static void add_part(struct part p) {
    struct part *last = part_count ? &parts[part_count - 1] : 0;
    int follows = last && last->to + last->size == p.to && !last->from == !p.from;
    if (follows && (!p.from || last->from + last->size == p.from)) last->size += p.size;
    else if (part_count == PARTS) is_full = 1;
    else raw_copy(&parts[part_count++], &p, sizeof p);
}

static void keep_bytes(u64 start, u64 size) {
    if (size) add_part(part_of(start, size));
}

static void keep_span(struct span s) { keep_bytes(s.base, s.size); }

static int is_zero(u64 start, u64 size) {
    for (const u64 *at = (const u64 *)start; at < (const u64 *)(start + size); at += 8)
        if (at[0] | at[1] | at[2] | at[3] | at[4] | at[5] | at[6] | at[7]) return 0;
    return 1;
}

static void keep_pages(u64 start, u64 end) {
    for (; start < end && !is_full; start += PAGE)
        add_part(is_zero(start, PAGE) ? (struct part){start, PAGE, 0} : part_of(start, PAGE));
}

static void keep_changed_data(void) { /* over the original, which is written first */
    struct span data = data_span();
    for (u64 done = 0, n; done < data.size; done += n) {
        n = data.size - done < PAGE ? data.size - done : PAGE;
        if (raw_compare((const void *)(data.base + done), (const void *)(ORIGINAL_BASE + done), n)) keep_bytes(data.base + done, n);
    }
}

static void keep_stack(void) {
    stack_low = CINQ_STACK_BASE; /* frames that were left count too: how deep they went is not known */
    host_call(HOST_MADVISE, CINQ_STACK_BASE, CINQ_STACK_END - CINQ_STACK_BASE, POPULATE_READ, 0, 0, 0);
    while (stack_low < CINQ_STACK_END - STACK_WARM && is_zero(stack_low, PAGE)) stack_low += PAGE;
    keep_pages(stack_low, CINQ_STACK_END);
    stack_tags = (CINQ_TAG_BASE + cinq_sp / 8) & ~(PAGE - 1ull);
    keep_pages(stack_tags, CINQ_TAG_BASE + CINQ_STACK_END / 8);
}

static void keep_heap(void) {
    heap_end = page_up(heap_top);
    keep_pages(CINQ_HEAP_BASE, heap_end);
    keep_pages(CINQ_TAG_BASE + CINQ_HEAP_BASE / 8, page_up(CINQ_TAG_BASE + heap_end / 8));
    keep_span(heap_records());
    keep_span(heap_pools());
}

static void keep_environment(void) {
    keep_bytes((u64)inodes, inode_count * sizeof inodes[0]);
    keep_bytes((u64)entries, entry_count * sizeof entries[0]);
    keep_bytes((u64)dynamics, dynamic_count * sizeof dynamics[0]);
    keep_bytes((u64)texts, text_count * sizeof texts[0]);
    keep_span(opening_records());
    keep_span(mapping_records());
    keep_span(jump_records());
    keep_span(state_span());
}

static void keep_cells(u64 tags, u64 end) {
    for (; tags < end; tags++) {
        u64 granule = tags - CINQ_TAG_BASE;
        if (TAG[granule] != CINQ_TAG_MIXED) continue;
        if (cell_count == CELLS) is_full = 1;
        if (is_full) return;
        cells[cell_count].granule = granule;
        raw_copy(cells[cell_count++].ids, IDS + granule * 8, 32);
    }
}

static void keep_all_cells(void) {
    struct span data = dirty_tags();
    keep_cells(data.base, data.base + data.size);
    keep_cells(CINQ_TAG_BASE + CINQ_HEAP_BASE / 8, CINQ_TAG_BASE + heap_end / 8);
    keep_cells(stack_tags, CINQ_TAG_BASE + CINQ_STACK_END / 8);
}

/* ---- Keeping results --------------------------------------------------------------------------- */
static u64 site_count(void) {
    u64 sites = (u64)cinq_site_count;
    return sites && sites < CINQ_COVERAGE_CAPACITY ? sites : CINQ_COVERAGE_CAPACITY;
}

static void keep_results(void) {
    const struct cinq_control *c = CONTROL;
    kept.events = event_count;
    kept.trace = (u64)(cinq_trace - TRACE);
    kept.made = c->made;
    kept.output = c->output;
    kept.output_total = c->output_total;
    kept.remarks = c->remarks;
    results[0] = part_of((u64)COV, site_count());
    results[1] = part_of((u64)EVENTS, kept.events * sizeof(struct cinq_event));
    results[2] = part_of((u64)TRACE, kept.trace * 4);
    results[3] = part_of((u64)MADE, kept.made * 4);
    results[4] = part_of((u64)OUTPUT, kept.output);
    results[5] = part_of((u64)SHM(CINQ_SHM_REMARKS), kept.remarks * sizeof(struct cinq_remark));
    stale = 0;
}

static void keep_request(u64 steps) {
    const struct cinq_control *c = CONTROL;
    kept.steps = steps;
    kept.flags = c->flags;
    kept.max_heap = c->max_heap;
    kept.table_limit = c->table_limit;
    kept.write_limit = c->write_limit;
}

/* ---- The moment ------------------------------------------------------------------------------------ */
static u64 steps_so_far(void) { return CONTROL->budget - (u64)cinq_budget; }

static int is_worth(u64 steps, u64 bytes) {
    return CONTROL->flags & CINQ_FLAG_EAGER || steps >= LEAST_STEPS + bytes / BYTES_PER_STEP;
}

static void keep_program(void) {
    part_count = cell_count = 0;
    stored = 0;
    is_full = text_count > TEXTS || CONTROL->check_failures != 0;
    if (is_full) return;
    keep_changed_data();
    keep_span(dirty_tags());
    keep_heap();
    keep_stack();
    keep_environment();
    keep_all_cells();
    name_count = names_list(names, NAMES);
    is_full |= name_count > NAMES;
    stack = part_of(context.registers[RSP], cinq_run_saved_sp - context.registers[RSP]);
}

static void keep(void) {
    u64 steps = steps_so_far();
    keep_program();
    if (is_full || !is_worth(steps, stored)) {
        declined = 1;
        return;
    }
    keep_results();
    keep_request(steps);
    kept.there = !is_full;
    declined = is_full;
}

int cinq_snapshot_mark(struct context *) __attribute__((returns_twice));
NORETURN void cinq_snapshot_resume(struct context *, void (*restore_stack)(void));

COLD void input_begins(void) {
    input_awaited = 0;
    if (!is_worth(steps_so_far(), 0)) declined = 1;
    else if (!cinq_snapshot_mark(&context)) keep();
}

COLD void input_reached(u64 granule) {
    const u32 *ids = IDS + granule * 8;
    for (u32 i = 0; i < 8; i++)
        if (ids[i] && ids[i] != CINQ_ID_NOWHERE) return input_begins();
}

/* ---- Continuing ------------------------------------------------------------------------------------------ */
static int is_asked_alike(void) {
    const struct cinq_control *c = CONTROL;
    u64 others = (c->flags ^ kept.flags) & (is_watching() ? ~0ull : ~(u64)CINQ_FLAG_COVERAGE_ONLY);
    if (others || c->max_heap != kept.max_heap || c->table_limit != kept.table_limit || c->write_limit != kept.write_limit) return 0;
    return c->budget >= kept.steps && (!c->max_events || c->max_events >= kept.events);
}

int snapshot_fits(void) {
    return kept.there && is_asked_alike() && events_hold((const struct cinq_event *)results[1].from, kept.events);
}

int snapshot_is_there(void) { return kept.there != 0; }

void snapshot_skip(void) {
    raw_fill(COV, 0, site_count());
    stale = 1;
    input_awaited = 0;
    wanted = !kept.there && !declined && !(CONTROL->flags & (CINQ_FLAG_COVERAGE_ONLY | CINQ_FLAG_WHOLE));
}

void snapshot_await(void) {
    input_awaited = (u32)wanted;
    wanted = 0;
}

void snapshot_forget(void) { kept.there = declined = input_awaited = 0; }

static void write_part(const struct part *p) {
    if (p->from) raw_copy((void *)p->to, (const void *)p->from, p->size);
    else clear_memory(p->to, p->to + p->size);
}

void snapshot_restore(void) {
    data_restore();
    heap_clear(heap_end);
    stack_clear(stack_low, stack_tags);
    for (u32 i = 0; i < part_count; i++) write_part(&parts[i]);
}

static void write_cell(const struct cell *c) {
    raw_copy(IDS + c->granule * 8, c->ids, 32);
    for (u32 i = 0; i < 8; i++)
        if (c->ids[i] && c->ids[i] != CINQ_ID_NOWHERE) ((u8 *)(c->granule * 8))[i] = (u8)node_value(c->ids[i]);
}

static void write_input(void) {
    for (u32 i = 0; i < cell_count; i++) write_cell(&cells[i]);
    if (!(CONTROL->flags & CINQ_FLAG_COVERAGE_ONLY)) return;
    for (u32 i = 0; i < text_count; i++) memory_concrete(texts[i].base, texts[i].size);
}

void snapshot_results(void) {
    struct cinq_control *c = CONTROL;
    for (u32 i = 0; i < (stale ? 6 : 1); i++) write_part(&results[i]);
    stale = 0;
    c->made = kept.made;
    c->output = kept.output;
    c->output_total = kept.output_total;
    c->remarks = kept.remarks;
    c->skipped = kept.steps;
    cinq_budget -= (i64)kept.steps;
}

static void restore_stack(void) { write_part(&stack); }

void snapshot_continue(void) {
    if (stack.to + stack.size != cinq_run_saved_sp) end_run(END_TABLE, 0);
    names_use(names, name_count);
    events_repeat(EVENTS, kept.events);
    write_input();
    cinq_snapshot_resume(&context, restore_stack);
}

/* What a function keeps for its caller; the stack is written anew from below it. */
__asm__(".section .cinqrt.text,\"ax\",@progbits\n"
        ".globl cinq_snapshot_mark, cinq_snapshot_resume\n"
        "cinq_snapshot_mark:\n"
        "  mov %rbx, (%rdi)\n  mov %rbp, 8(%rdi)\n  mov %r12, 16(%rdi)\n  mov %r13, 24(%rdi)\n"
        "  mov %r14, 32(%rdi)\n  mov %r15, 40(%rdi)\n"
        "  lea 8(%rsp), %rdx\n  mov %rdx, 48(%rdi)\n"
        "  mov (%rsp), %rdx\n  mov %rdx, 56(%rdi)\n"
        "  stmxcsr 64(%rdi)\n  fnstenv 72(%rdi)\n  fldenv 72(%rdi)\n"
        "  xor %eax, %eax\n  ret\n"
        "cinq_snapshot_resume:\n"
        "  mov %rdi, %rbx\n  mov 48(%rdi), %rsp\n  sub $256, %rsp\n  and $-16, %rsp\n  call *%rsi\n"
        "  mov %rbx, %rdi\n"
        "  mov (%rdi), %rbx\n  mov 8(%rdi), %rbp\n  mov 16(%rdi), %r12\n  mov 24(%rdi), %r13\n"
        "  mov 32(%rdi), %r14\n  mov 40(%rdi), %r15\n"
        "  ldmxcsr 64(%rdi)\n  fldenv 72(%rdi)\n"
        "  mov 48(%rdi), %rsp\n  mov $1, %eax\n  jmp *56(%rdi)\n");
