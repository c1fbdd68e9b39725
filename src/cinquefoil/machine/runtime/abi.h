/* What instrumented code calls and touches.
 *
 * Shadows are expression ids (layout.h); 0 means concrete.  Slow-path helpers
 * use clang's preserve_most convention, so the fast path around them needs no
 * spills; they return 0 when all shadows they are given are 0.  Library
 * functions (malloc, memcpy, klee_*, setjmp, ...) keep their C names and the
 * ordinary convention: argument shadows are in cinq_arg[], one slot per scalar
 * leaf in order, the result's shadow goes to cinq_ret[0], and the caller's
 * location is cinq_frame->site.  EVERY library function must set cinq_ret[0].
 */
#ifndef CINQ_ABI_H
#define CINQ_ABI_H

#include "layout.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t i64;
typedef unsigned __int128 u128;

#define SLOW __attribute__((preserve_most, noinline))

/* ---- State that instrumented code reads and writes ------------------------- */
#define CINQ_MAX_ARGS 128
#define CINQ_MAX_RET 16
#define CINQ_SCRATCH 1024
extern u8 cinq_scratch[CINQ_SCRATCH]; /* operands of inline assembly that are in memory */
extern u32 cinq_arg[CINQ_MAX_ARGS]; /* shadows of the arguments of the call being made */
extern u32 cinq_ret[CINQ_MAX_RET];  /* shadows of the leaves of the value being returned */
extern u8 *cinq_va;                 /* variadic calls: the area the extra arguments are packed in */
extern u64 cinq_sp;                 /* stack arena pointer */
extern i64 cinq_budget;             /* falls at function entries and loop headers; < 0: cinq_exhausted() */
extern u32 *cinq_trace;             /* next slot of the block trace (a guard page ends it) */

extern u32 cinq_mute;               /* > 0: inside output formatting (the libc's start of it adds 1, its end takes it off) */
/* The image builder defines the absolute symbol cinq_site_count (ld --defsym): sites are below it. */

/* One per activation of a function that calls or has stack objects, on the
 * native stack, linked through cinq_frame. */
struct cinq_stack_object { u32 offset, size, site; }; /* address = frame->sp - function->size + offset */
struct cinq_function {
    u32 site;  /* of the function itself */
    u32 size;  /* bytes of its fixed part of the arena */
    u32 count; /* stack objects */
    struct cinq_stack_object objects[];
};
struct cinq_frame {
    struct cinq_frame *prev;
    const struct cinq_function *function;
    u64 sp;   /* arena pointer on entry: the fixed part lies just below */
    u32 site; /* set before every call */
};
extern struct cinq_frame *cinq_frame;

/* ---- Per-image tables (sections, each module contributes) ---------------------- */
struct cinq_global { u64 address; u64 size; u32 site; u32 constant; }; /* section cinq_globals */
/* section cinq_ctors: void (*)(void), in link order */

/* ---- Expressions: opw is op | operand width << 8 -------------------------------- */
SLOW u32 cinq_const(u32 width, u64 lo, u64 hi);
/* Operands with shadow 0 are the constants va, vb.  For widths over 64 the
 * caller makes both shadows with cinq_const first. */
SLOW u32 cinq_binary(u32 opw, u32 sa, u32 sb, u64 va, u64 vb);
SLOW u32 cinq_fcmp(u32 predicate, u32 width, u32 sa, u32 sb, u64 va, u64 vb); /* LLVM's 0 (false) .. 15 (true) */
SLOW u32 cinq_cast(u32 op, u32 from, u32 to, u32 s); /* ZEXT SEXT EXTRACT(=trunc) FCVT SI2F UI2F */
SLOW u32 cinq_f2i(u32 site, u32 op, u32 from, u32 to, u32 s, u64 value); /* F2SI F2UI: event first */
SLOW u32 cinq_ite(u32 width, u32 sc, u32 sa, u32 sb, u64 c, u64 va, u64 vb); /* sc == 0: c chooses */
SLOW u32 cinq_extract(u32 s, u32 low, u32 width);
SLOW u32 cinq_concat(u32 high_width, u32 low_width, u32 sh, u32 sl, u64 vh, u64 vl);
/* result = base + index * scale + offset; index is sign-extended from index_width */
SLOW u32 cinq_gep(u64 base, u32 sbase, u64 index, u32 sindex, u32 index_width, i64 scale, i64 offset);

enum cinq_intrinsic {
    IN_ABS = 1, IN_SMIN, IN_SMAX, IN_UMIN, IN_UMAX, IN_BSWAP, IN_BITREVERSE, IN_CTPOP, IN_CTLZ, IN_CTTZ,
    IN_FSHL, IN_FSHR, IN_SADD_SAT, IN_UADD_SAT, IN_SSUB_SAT, IN_USUB_SAT, IN_SSHL_SAT, IN_USHL_SAT,
    /* the i1 overflow flag of: */
    IN_SADD_OVER, IN_UADD_OVER, IN_SSUB_OVER, IN_USUB_OVER, IN_SMUL_OVER, IN_UMUL_OVER,
    IN_FABS, IN_FNEG, IN_COPYSIGN, IN_MINNUM, IN_MAXNUM, IN_FSQRT, IN_FMA,
    IN_FLOOR, IN_CEIL, IN_TRUNC, IN_RINT, IN_ROUND, IN_ROUNDEVEN
};
/* code | width << 8; constants of absent operands are ignored */
SLOW u32 cinq_intrinsic(u32 codew, u32 sa, u32 sb, u32 sc, u64 va, u64 vb, u64 vc);

/* ---- Memory -------------------------------------------------------------------- */
/* Called when the tags are not all CONCRETE or the address is symbolic: checks the
 * access (an error ends the run) and gives the shadow of the size*8-bit value. */
SLOW u32 cinq_load(u64 address, u32 saddress, u32 size, u32 site);
/* The same before a store; writes the shadow.  The caller then stores the concrete
 * value.  value: low 64 bits; for size > 8 sval is never 0 when saddress is not. */
SLOW void cinq_store(u64 address, u32 saddress, u32 size, u32 site, u32 sval, u64 value);
SLOW void cinq_copy(u64 to, u64 from, u64 n, u32 sto, u32 sfrom, u32 sn, u32 site, u32 overlap); /* memcpy, memmove: all of it */
SLOW void cinq_fill(u64 to, u64 byte, u64 n, u32 sto, u32 sbyte, u32 sn, u32 site);
SLOW void cinq_alive(u64 address, u64 size); /* make addressable and concrete */
SLOW void cinq_clear(u64 address, u64 size); /* zero the concrete bytes of a new object */
extern u32 cinq_watching;                                  /* new memory counts as never written, and so do local variables: */
SLOW void cinq_unwritten(u64 address, u64 size, u32 site); /* a new object of the stack */
SLOW void cinq_unwritten_frame(u64 base, const void *descriptor); /* all objects that a frame has from the start */
SLOW u32 cinq_unwritten_value(u32 bits, u32 site);         /* a variable that is no object: its shadow */
SLOW void cinq_dead(u64 address, u64 size);  /* make unaddressable */
SLOW u64 cinq_alloca(u64 size, u32 ssize, u32 align, u32 site); /* dynamic: with red zones; freed with the frame */
SLOW void cinq_restore(u64 sp); /* llvm.stackrestore and function exit with dynamic allocas: kills [cinq_sp, sp) */

/* ---- Control ------------------------------------------------------------------- */
SLOW void cinq_branch(u32 site, u32 s, u32 taken);
struct cinq_case { u64 value; u32 group; u32 pad; };
struct cinq_switch { u32 width, groups, count, pad; struct cinq_case cases[]; }; /* group 0 = default; sorted by value */
SLOW void cinq_switch(u32 site, u32 s, u64 value, const struct cinq_switch *);
SLOW void cinq_division(u32 site, u32 opw, u32 sa, u32 sb, u64 va, u64 vb); /* before every division whose divisor is not a safe constant */
SLOW void cinq_must_hold_check(u32 site, u32 s, u32 holds, u32 check, const void *data, u64 a, u64 b); /* clang's checks */
SLOW void cinq_shift(u32 site, u32 width, u32 s, u32 bad); /* before a shift by a symbolic amount, or by too much */
SLOW void cinq_concretize(u32 site, u32 s, u64 value, u32 reason);
SLOW void cinq_callee(u32 site, u64 address); /* before an indirect call: the target must be a function */
SLOW void cinq_jump(u32 site, u64 address); /* a computed goto to no label of its function: does not return */
SLOW void cinq_unsupported(u32 site, u32 reason);          /* counts, goes on */
SLOW void cinq_fail(u32 site, u32 error_kind);             /* does not return */
void cinq_undefined(const char *name) __attribute__((noreturn)); /* a call of a function that nobody defines */
SLOW u64 cinq_ticks(void);                                 /* the processor's clock: the program's own steps */
SLOW void cinq_exhausted(void);                            /* does not return */
SLOW void cinq_overflow_stack(u32 site);                   /* does not return */
SLOW void cinq_check(u32 site, u32 s, u64 lo, u64 hi, u32 width); /* checking mode: value(s) must equal */

/* ---- Native control transfer (ordinary convention, returns_twice) ---------------- */
int cinq_setjmp(void *buf) __attribute__((returns_twice));
void cinq_longjmp(void *buf, int value) __attribute__((noreturn));

void cinq_run_constructors(void); /* calls what is in section cinq_ctors */
void cinq_unmodelled_float(void);  /* libc was asked for rounding or exceptions: counts, goes on */
void cinq_unmodelled_loading(void); /* the same for a library or a name in one */
void cinq_mute_enter(void);        /* output formatting begins */
void cinq_mute_leave(void);        /* and ends */
const char *cinq_mute_text(const char *text, u64 n); /* inside it: a text must end within n bytes or its object */
u64 cinq_mute_value(u64 value);    /* inside it: the value without its shadow */
u32 cinq_mute_result(u32 value, u32 may_fail); /* inside it: how much was written, for the program to look at */
u32 cinq_mute_format(u64 format, u64 unit); /* 1: decides more than looks; 2: output by it may fail; its characters have `unit` bytes */
void cinq_mute_range(u64 address, u64 n);  /* n bytes that are to be written must lie in their object */
long cinq_syscall(long n, long a, long b, long c, long d, long e, long f); /* shadows: cinq_arg[0..6] */

/* ---- Entry: defined by the instrumented start routine ------------------------------ */
int cinq_start(int argc, char **argv, char **envp);

#endif
