/* What the run-time's own files share with each other.
 *
 * The run-time is freestanding: no libc, no implicit calls.  `memcpy`, `memset`
 * and `memmove` are functions of the *program* here (they move shadows, see
 * library.c), so run-time code must not make the compiler emit calls to them:
 * no large struct assignments, and raw_copy/raw_fill instead.
 */
#ifndef CINQ_RUNTIME_H
#define CINQ_RUNTIME_H

#include "private.h"

#include "abi.h"

/* The run-time's own sections: the linker script keeps them apart from the
 * program's, whose data are restored between runs. */
#pragma clang section text = ".cinqrt.text" data = ".cinqrt.data" bss = ".cinqrt.bss"

#define HOT __attribute__((hot))
/* What a run changes and the next one must find as it was: restored as a whole, from a copy. */
#define RUN_STATE __attribute__((section(".cinqrt.run")))
#define COLD __attribute__((cold, noinline))
#define WEAK __attribute__((weak)) /* a program may define the function itself; its definition wins */
#define NORETURN __attribute__((noreturn))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* ---- The address space (layout.h) -------------------------------------------- */
#define TAG ((u8 *)CINQ_TAG_BASE)
#define COV ((u8 *)CINQ_COV_BASE)
#define IDS ((u32 *)CINQ_ID_BASE)
#define SHM(offset) ((void *)(CINQ_SHM_BASE + (u64)(offset)))
#define CONTROL ((struct cinq_control *)SHM(CINQ_SHM_CONTROL))
#define INPUT ((u8 *)SHM(CINQ_SHM_INPUT))
#define OBJECTS ((struct cinq_object *)SHM(CINQ_SHM_OBJECTS))
#define MADE ((u32 *)SHM(CINQ_SHM_MADE))
#define ARGS ((u8 *)SHM(CINQ_SHM_ARGS))
#define OUTPUT ((u8 *)SHM(CINQ_SHM_OUTPUT))
#define EVENTS ((struct cinq_event *)SHM(CINQ_SHM_EVENTS))
#define TRACE ((u32 *)SHM(CINQ_SHM_TRACE))
#define ALTS ((u32 *)SHM(CINQ_SHM_ALTS))
#define TABLES ((struct cinq_table *)SHM(CINQ_SHM_TABLES))
#define POOL ((u8 *)SHM(CINQ_SHM_POOL))
#define NODES ((struct cinq_node *)SHM(CINQ_SHM_NODES))

/* Private memory of the run-time, at fixed addresses above 2^44. */
#define PRIVATE_BASE 0x280000000000
#define INDEX_BASE (PRIVATE_BASE)                   /* u64 slots of the intern index: at most 512 MiB */
#define INDEX_BYTES 0x20000000
#define STAMP_BASE (PRIVATE_BASE + 0x40000000)      /* u32 per node: fixed by an event of run ... */
#define KNOWN_BASE (PRIVATE_BASE + 0x60000000)      /* u32 per node: value known in run ... */
#define PINNED_BASE (PRIVATE_BASE + 0x80000000)     /* u32 per node: rebuilt at stamp ... */
#define REBUILT_BASE (PRIVATE_BASE + 0xa0000000)    /* u32 per node: what it was rebuilt to */
#define VALUE_BASE (PRIVATE_BASE + 0xc0000000)      /* u128 per node: its value */
#define BLOCK_BASE (PRIVATE_BASE + 0x100000000)     /* struct block[]: the heap's records */
#define BLOCK_BYTES 0x40000000
#define SWITCH_BASE (PRIVATE_BASE + 0x140000000)    /* memo of switch groups */
#define TABLE_INDEX_BASE (PRIVATE_BASE + 0x150000000) /* u32 slots of the table index */
#define INPUT_NODE_BASE (PRIVATE_BASE + 0x151000000)  /* u32 per input index: its node */
#define SCRATCH_BASE (PRIVATE_BASE + 0x152000000)   /* for building tables */
#define SCRATCH_BYTES 0x8000000
#define ORIGINAL_BASE (PRIVATE_BASE + 0x160000000)  /* program data as it was at the start, its tags, the state of a run */
#define ORIGINAL_BYTES 0x20000000
#define FUNCTION_BASE (PRIVATE_BASE + 0x180000000)  /* u64 slots: where functions start */
#define FUNCTION_BYTES 0x800000
#define JUMP_BASE (PRIVATE_BASE + 0x180800000)      /* what jumps restore, see jumps.c */
#define JUMP_BYTES 0x800000
#define NAME_BASE (PRIVATE_BASE + 0x181000000)      /* names that a run has used, see inputs.c */
#define NAME_BYTES 0x1000000
#define OBJECT_INDEX_BASE (PRIVATE_BASE + 0x182000000) /* u32 slots of the index of named inputs */
#define OBJECT_INDEX_BYTES 0x200000
#define SNAPSHOT_BASE (PRIVATE_BASE + 0x182200000)  /* what is kept where the input begins, see snapshot.c */
#define SNAPSHOT_BYTES 0x4000000
#define PRIVATE_BYTES 0x186200000
/* The program may use the part above CINQ_NATIVE_LIMIT; the rest is for the run-time's walks over deep expressions. */
#define NATIVE_STACK_BASE 0x290000000000
#define NATIVE_STACK_BYTES 0x20000000
#define NATIVE_GUARD 0x10000

/* ---- system.c: raw system calls and memory ------------------------------------ */
long host_call(long n, long a, long b, long c, long d, long e, long f);
void raw_copy(void *to, const void *from, u64 n);  /* any overlap */
void raw_fill(void *to, u8 byte, u64 n);
int raw_compare(const void *a, const void *b, u64 n);
u64 text_length(const char *s, u64 limit);
void clear_memory(u64 start, u64 end); /* zero, by madvise where that is cheaper */
u64 clock_now(void);                   /* nanoseconds */
void map_space(int shm_fd);            /* everything of layout.h; fd -1: anonymous (tests) */

/* ---- expr.c, simplify.c: nodes -------------------------------------------------- */
#define FLAG_CONST 1 /* a constant: CONST, or CONCAT of constants */
#define FLAG_TREAD 2 /* holds a table read */
#define FLAG_NEST 4  /* the unit in which table reads within table reads are counted, */
#define FLAGS_NEST 28 /* up to this */
#define FLAG_PRINTED 32 /* holds a number that muted output came to (events.c) */
#define FLAG_UNWRITTEN 64 /* holds bytes of memory never written */
u32 node_intern(u32 op, u32 width, u32 a, u32 b, u32 c, u64 imm); /* no simplification */
u32 node_byte(u32 id, u32 k);                     /* memory byte k of id: a raw EXTRACT, or id itself */
u32 node_const(u32 width, u128 value);
u32 node_input(u32 index);
u32 node_binary(u32 op, u32 width, u32 a, u32 b); /* width: of the operands */
u32 node_not(u32 a);
u32 node_ite(u32 c, u32 a, u32 b);
u32 node_extract(u32 a, u32 low, u32 width);
u32 node_concat(u32 high, u32 low);
u32 node_extend(u32 op, u32 a, u32 width);        /* ZEXT, SEXT; shorter width: EXTRACT */
u32 node_unary(u32 op, u32 width, u32 a, u64 imm); /* CTPOP CTLZ CTTZ FSQRT FRINT FCVT F2xI xI2F */
u32 node_tread(u32 table, u32 index);
u32 node_make(u32 op, u32 width, u32 a, u32 b, u32 c, u64 imm); /* any of the above, for rebuilding */
void nodes_forget(void); /* a new epoch: ids start at 1 again */
void table_has_room(u64 more); /* bytes of expressions; ends the run if there is none */
void rules_forget(void); /* and what was made of them */
extern u64 node_count;
extern u64 node_hits;

static inline int is_const(u32 id) { return NODES[id].flags & FLAG_CONST; }
#define UNWRITTEN_FIRST (CINQ_INPUT_CAPACITY / 2) /* inputs from here on stand for memory never written, where that is watched */
static inline int is_watching(void) { return (CONTROL->flags & CINQ_FLAG_UNINITIALIZED) != 0; }
static inline int is_doubting(void) { return (CONTROL->flags & CINQ_FLAG_DOUBTING) != 0; }
#define WRITTEN(site, s, what) (unlikely(NODES[s].flags & FLAG_UNWRITTEN) ? decide_written(site, s, what) : (s))
static inline u32 shadow_of(u32 id) { return is_const(id) ? 0 : id; }
static inline u32 width_of(u32 id) { return NODES[id].width; }
static inline u128 const_value(u32 id) {
    const struct cinq_node *n = &NODES[id];
    if (n->op == OP_CONST) return n->imm;
    return (u128)NODES[n->a].imm << NODES[n->b].width | NODES[n->b].imm;
}
/* Caller and callee may disagree on a value's type, where a prototype is missing or wrong: the shadow is then of another
 * width than the value has here. */
u32 node_fit(u32 s, u32 width, u128 value); /* of this width, as the value has it; s is not 0 */
static inline u32 fitted(u32 s, u32 width, u128 v) { return likely(!s || width_of(s) == width) ? s : node_fit(s, width, v); }
/* The node of an operand: its shadow, or the constant it concretely is. */
static inline u32 operand(u32 s, u32 width, u128 v) { return s ? fitted(s, width, v) : node_const(width, v); }

/* ---- value.c: what an expression is under this run's input ------------------------- */
u128 node_value(u32 id);

/* ---- tables.c ---------------------------------------------------------------------- */
struct object;
u32 table_of(const struct object *, u32 width_bytes);
u32 table_element(u32 table, u64 index); /* the node of one element; beyond the end: 0 */
void tables_forget(void);

/* ---- pin.c ------------------------------------------------------------------------- */
u32 pin(u32 site, u32 root); /* root with older table reads replaced, events recorded */
void pins_forget(void);

/* ---- events.c ---------------------------------------------------------------------- */
extern u32 run_serial; /* of this run: stamps compare with it */
extern u64 event_count;
extern u32 cinq_mute;  /* > 0: inside output formatting */
extern u32 forking_is_off; /* by klee_set_forking: decisions hold, and leave no states */
int is_muted(void);    /* inside it, and the engine leaves it unexplored */
void hear_muted(void); /* what muted events say matters from here on */
u32 has_muted(void);   /* are there any in this run? */
u32 printed_number(u32 value, u32 may_fail); /* the shadow of what muted output came to; 0: it depends on no input */
static inline void hear_if_printed(u32 expr) {
    if (unlikely(NODES[expr].flags & FLAG_PRINTED)) hear_muted();
}
void runs_count(void); /* a new run begins */
void event_add(u32 kind, u32 site, u32 expr, u32 taken, u32 alts, u64 value);
u32 settled_by(u32 cond); /* what event_fix marks for a condition */
int is_decided(u32 expr); /* an event of this run has fixed it */
int is_settled(u32 expr); /* depends only on input bytes that this run's events have fixed */
int events_hold(const struct cinq_event *, u64 count); /* would this run's input decide all of them alike? */
void events_repeat(const struct cinq_event *, u64 count); /* this run has decided them too */
void bytes_follow(u32 cond, u32 holds); /* an event has said so: fixes the bytes that follow from it */
int event_fix(u32 expr); /* marks as fixed in this run; 0: it was already */
u32 decide(u32 kind, u32 site, u32 cond, u32 taken, u64 value); /* records unless trivial; returns the condition */
void concretize(u32 site, u32 s, u64 value, u32 reason);
void switches_forget(void);
u32 switch_room(u32 groups); /* room for conditions at ALTS + 1 + the result */
void switch_take(u32 site, u32 s, u64 value, u32 alts, u32 taken, int incomplete); /* the event, unless it says nothing new */

/* ---- sizes.c ----------------------------------------------------------------------- */
void size_fits(u64 address, u32 s, u64 n, u32 sn, u32 access, u32 site); /* a check; its failure ends the run */
u64 size_to_allocate(u32 site, u32 s, u64 size, u64 limit); /* fixed, if it is within the limit */

/* ---- objects.c --------------------------------------------------------------------- */
struct object {
    u64 base, size;
    u32 region, site, freed_site;
    u32 live, constant, global; /* global: 1 + its index in the sorted list */
};
int object_find(u64 address, struct object *);    /* contains address (or ends at it, empty ones) */
int object_near(u64 address, struct object *);    /* contains it or is the closest */
int stack_left(u64 address, struct object *);     /* the same in a frame that is left */
int object_meant(u32 saddress, struct object *); /* of a rooted address */
int object_holding(u64 address, struct object *); /* the address one past its end counts */
void objects_start(void);
struct span { u64 base, size; };
u32 objects_list(struct span *out, u32 most); /* live ones, in a fixed order; how many there are */
u32 heap_list(struct span *out, u32 most);    /* addresses of live blocks alone */
u32 global_table(u32 global, u32 size, u32 table); /* cached table of a constant global; table != 0 sets it */
void global_tables_forget(void);

/* ---- memory.c, symbolic.c ------------------------------------------------------------ */
int memory_valid(u64 address, u64 size);
void memory_check(u64 address, u64 size, u32 access, u32 site); /* an error ends the run */
u32 memory_gather(u64 address, u32 size);
void gathers_forget(void); /* a new epoch */
#define PLAIN_BYTES 256
int copy_plain(u64 to, u64 from, u64 n);          /* short, valid, nothing symbolic: done; 0: not done, try the long way */
int fill_plain(u64 to, u8 byte, u64 n);
void memory_put(u64 address, u32 size, u32 s);    /* shadow of `size` bytes; 0 or a constant: concrete */
void memory_put_byte(u64 address, u32 id);
u32 memory_byte(u64 address);                     /* id of a byte, 0: concrete */
void memory_concrete(u64 address, u64 size);
void memory_move(u64 to, u64 from, u64 n);        /* bytes and shadows */
void memory_alive(u64 address, u64 size);
void memory_freeze(u64 address, u64 size);        /* addressable, but not for writing */
void memory_dead(u64 address, u64 size);
u32 symbolic_load(u64 address, u32 s, u32 size, u32 site);
int symbolic_store(u64 address, u32 s, u32 size, u32 site, u32 sval, u64 value); /* 1: done */
u32 symbolic_root(u32 site, u32 s); /* the address as a sum from a constant base */
u32 symbolic_inside(u64 address, u32 s, u64 size, u32 access, u32 site); /* checks bounds; the rooted address */
void symbolic_range(u64 address, u32 s, u64 size, u32 access, u32 site); /* checks bounds, then concretises */
extern u64 image_dirty_low, image_dirty_high;     /* image tags changed by this run */

/* ---- pointers.c: symbolic pointers that may point anywhere ---------------------------------- */
int pointer_is_free(u32 s);
u32 pointer_root(u32 site, u32 s); /* rooted in the object it means here; itself if that is none */
int is_rooted(u32 s);
void pointer_to_block(u32 site, u32 s, u64 value);    /* to be freed: fixed */
void pointer_to_function(u32 site, u32 s, u64 value); /* to be called: fixed */
void pointers_forget(void); /* a new epoch */
u32 functions_list(struct span *out, u32 most); /* callee.c: addresses alone */
int is_function(u64 address);

/* ---- heap.c ---------------------------------------------------------------------------- */
struct block {
    u32 base, size, room, site, freed_site, next;
    u8 state, allocated, pad[6]; /* allocated: by malloc and its like */
};
enum { BLOCK_LIVE = 1, BLOCK_FREED, BLOCK_POOLED };
u64 heap_allocate(u64 size, u64 align, u32 site); /* 0: no room */
void heap_release(u64 address, u32 site);
u32 heap_block_at(u64 address); /* 1 + index of the last block at or below; 0: none */
extern u64 heap_top;                /* end of what has been given out */
void heap_clear(u64 from);          /* the heap from there on, its tags from the next page of them on */
struct span heap_records(void);     /* of all blocks */
struct span heap_pools(void);       /* and which are to be used again */
void cinq_set_errno(int code);
void cinq_free(u64 address, u32 site);

/* uninitialized.c */
void memory_unwritten(u64 address, u64 size, u32 site, u32 region); /* new bytes, if they are watched */
u32 first_undefined(u64 first, u64 end, u64 step, u32 size); /* what lies at the first such address with undefined bits; 0: none */
u32 memory_written(u32 s);                                          /* with zero for them */
u32 decide_written(u32 site, u32 s, const char *what);              /* the same; an error if it hangs on them */
void output_written(u64 from, u64 n);                               /* an error if it holds some */
extern u32 random_symbolic; /* random.c: random numbers are input */
int allocation_fails(void); /* faults.c: shall this one fail though there is room? */

/* ---- stack.c ---------------------------------------------------------------------------- */
struct dynamic { u64 base, size; u32 site; };
extern struct dynamic dynamics[];
extern u32 dynamic_count;
#define STACK_WARM 0x10000 /* the part of the arena cleared by hand: cheaper than faulting it in anew */
void stack_clear(u64 low, u64 tags); /* memory below the one, tags from the top of the stack up to the other */
void stack_give_back(void); /* the native stack's pages, after it was full */

/* ---- errors.c ----------------------------------------------------------------------------- */
NORETURN void end_run(u32 end, u64 code);
NORETURN void error_end(u32 kind, u32 site, const char *message);
NORETURN void error_told(u32 kind, u32 site, const char *message, const struct object *);
NORETURN void error_memory(u64 address, u64 size, u32 access, u32 site);
NORETURN void error_object(u32 kind, u64 address, u64 size, u32 access, u32 site, const struct object *);
void signals_start(void);
void errors_reset(void);
u32 call_site(void); /* of the library function now running */

/* ---- worker.c: leaving the run --------------------------------------------------------------- */
extern u64 run_active;
void cinq_run_protected(void (*body)(void));
NORETURN void cinq_run_leave(void);

/* ---- jumps.c ------------------------------------------------------------------------------- */
struct span jump_records(void);

/* ---- signals.c ------------------------------------------------------------------------------ */
long signal_action(long number, u64 set, u64 old);
enum { SIGNAL_FPE = 8 };
long signal_send(long number); /* to the program itself */
void signal_catch(long number); /* calls the program's handler, if it has one */

/* ---- klee.c, env.c ------------------------------------------------------------------------------ */
void names_forget(void); /* which names the runs so far have used */
struct name_used { u64 hash; u32 next; };
u32 names_list(struct name_used *out, u32 most); /* that this run has used: their number, above `most` if there are more */
void names_use(const struct name_used *, u32 count);
extern struct span texts[]; /* inputs that are concrete in a coverage run, as long as the environment is put up */
extern u32 text_count;
enum { TEXTS = 256 };

/* ---- snapshot.c -------------------------------------------------------------------------------- */
extern u32 input_awaited; /* nothing has looked at the input yet, and the run may be kept there */
void input_begins(void);  /* something is about to */
void input_reached(u64 granule); /* something is about to look at this granule, which may hold some of it */
static inline void input_asked(void) {
    if (unlikely(input_awaited)) input_begins();
}
void snapshot_await(void); /* the environment has been put up */
void read_text(u64 address, char *out, u64 capacity); /* a C string of the program, cut to capacity */
u64 input_scalar(const char *name, u32 size, u32 *s); /* a fresh named input of up to 8 bytes: its value and expression */
u32 input_make(u64 address, u64 size, const char *name); /* symbolic; the input index of its first byte */
void input_text(u64 address, u64 size, const char *name); /* the same, but concrete in a coverage run */
int env_start(void); /* builds argv and calls the program */
u64 signals_blocked(void);
void signals_block(u64 mask);
void assume(u32 site, u32 cond); /* cond: i1; false ends the run */

#endif
