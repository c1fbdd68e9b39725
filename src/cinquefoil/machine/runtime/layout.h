/* What the worker and the engine share: addresses, table layouts, codes.
 *
 * This header is the single source of truth.  Python reads the `#define` and
 * `enum` lines of this very file (layout.py), so every value here is a
 * plain integer literal, and every enum counts up from an explicit start.
 */
#ifndef CINQ_LAYOUT_H
#define CINQ_LAYOUT_H

#include <stdint.h>

#define CINQ_LAYOUT_VERSION 1

/* ---- The worker's address space -------------------------------------------
 * Program memory lies below 1.25 GiB.  Tags cover the low 4 GiB (the index is
 * computed with 32-bit arithmetic), one byte per granule of 8 bytes; ids cover
 * the same range with 4 bytes per byte.  Everything large that is not program
 * memory lies above 2^44, where no tag look-up can reach it. */
#define CINQ_IMAGE_BASE 0x00400000
#define CINQ_HEAP_BASE 0x10000000
#define CINQ_HEAP_END 0x40000000
#define CINQ_STACK_BASE 0x40000000 /* lowest address of the stack arena */
#define CINQ_STACK_END 0x44000000  /* the arena pointer starts here and falls */
#define CINQ_TAG_BASE 0x50000000   /* tag of address a: TAG_BASE + (uint32_t)a / 8 */
#define CINQ_TAG_SIZE 0x20000000
#define CINQ_COV_BASE 0x70000000 /* one byte per site: reached in this run */
#define CINQ_ID_BASE 0x200000000000 /* id of byte a: ((uint32_t *)ID_BASE)[a] */
#define CINQ_NATIVE_LIMIT 0x290018000000 /* frames of the program on the native stack end here: 128 MiB below its top */
#define CINQ_SHM_BASE 0x300000000000

#define CINQ_GRANULE 8
/* Tag values.  Odd ones are readable and concrete throughout, which is all that a
 * load has to know; a store wants CONCRETE itself.  PARTIAL + 2k: the first k bytes
 * of the granule are addressable and concrete, the others are not addressable. */
#define CINQ_TAG_NONE 0
#define CINQ_TAG_CONCRETE 1
#define CINQ_TAG_MIXED 2
#define CINQ_TAG_READ_ONLY 3
#define CINQ_TAG_PARTIAL 16
#define CINQ_ID_NOWHERE 0xffffffff /* in a MIXED granule: byte not addressable */

/* ---- The shared file: one sparse memfd, mapped at SHM_BASE ----------------- */
#define CINQ_SHM_CONTROL 0x0        /* struct cinq_control */
#define CINQ_SHM_ARGS 0x400000      /* argument block, see env.h */
#define CINQ_ARGS_CAPACITY 0x400000
#define CINQ_SHM_OUTPUT 0x800000    /* bytes written to stdout and stderr */
#define CINQ_OUTPUT_CAPACITY 0x400000
#define CINQ_SHM_COVERAGE 0x1000000 /* also mapped at COV_BASE */
#define CINQ_COVERAGE_CAPACITY 0x1000000
#define CINQ_SHM_OBJECTS 0x2000000  /* struct cinq_object[] : named inputs, kept over runs */
#define CINQ_OBJECT_CAPACITY 0x40000
#define CINQ_SHM_MADE 0x3200000     /* uint32_t[]: objects made by this run, in order */
#define CINQ_SHM_REMARKS 0x3300000  /* struct cinq_remark[] of this run */
#define CINQ_REMARK_CAPACITY 0x400
#define CINQ_SHM_INPUT 0x3400000    /* the witness: one byte per input index */
#define CINQ_INPUT_CAPACITY 0x400000
#define CINQ_SHM_EVENTS 0x4000000   /* struct cinq_event[] of this run */
#define CINQ_EVENT_CAPACITY 0x100000
#define CINQ_SHM_TRACE 0x8000000    /* uint32_t[]: block sites entered, in order */
#define CINQ_TRACE_CAPACITY 0x2000000
#define CINQ_SHM_ALTS 0x10000000    /* uint32_t[]: conditions of switch groups */
#define CINQ_ALTS_CAPACITY 0x1000000
#define CINQ_SHM_TABLES 0x18000000  /* struct cinq_table[] */
#define CINQ_TABLE_CAPACITY 0x100000
#define CINQ_SHM_POOL 0x20000000    /* bytes of tables */
#define CINQ_POOL_CAPACITY 0x20000000
#define CINQ_SHM_NODES 0x40000000   /* struct cinq_node[] */
#define CINQ_NODE_CAPACITY 0x2000000
#define CINQ_SHM_SIZE 0x90000000

/* ---- Expressions ------------------------------------------------------------
 * Every value is a bit vector of 1..128 bits; floating-point operations work on
 * the bits (width 32, 64 or 80).  Id 0 means "concrete, no expression".
 * The table is append-only while the epoch lasts: operands have smaller ids. */
enum cinq_op {
    OP_CONST = 1, /* imm (width <= 64; wider constants are a CONCAT) */
    OP_INPUT,     /* imm = input index; width 8 */
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_UDIV, /* divisor is never 0 under the path condition; x/0 = all ones */
    OP_SDIV, /* SMT-LIB semantics throughout (bvsdiv, bvurem, bvsrem) */
    OP_UREM,
    OP_SREM,
    OP_SHL, /* amount >= width gives 0 (ASHR: sign), as in SMT-LIB */
    OP_LSHR,
    OP_ASHR,
    OP_AND,
    OP_OR,
    OP_XOR, /* NOT is XOR with all ones */
    OP_EQ,  /* comparisons have width 1 */
    OP_ULT,
    OP_ULE,
    OP_SLT,
    OP_SLE,
    OP_ITE,     /* a ? b : c */
    OP_EXTRACT, /* bits imm .. imm+width-1 of a */
    OP_CONCAT,  /* a is the high part, b the low part */
    OP_ZEXT,
    OP_SEXT,
    OP_CTPOP,
    OP_CTLZ, /* of zero: the width */
    OP_CTTZ,
    OP_PTRADD, /* a = address, b = offset: an ADD that remembers its base */
    OP_TREAD,  /* element a of table imm; beyond the end: 0 */
    OP_FADD,   /* round to nearest even everywhere */
    OP_FSUB,
    OP_FMUL,
    OP_FDIV,
    OP_FREM, /* C fmod */
    OP_FMA,
    OP_FSQRT,
    OP_FRINT, /* imm = enum cinq_rounding */
    OP_FCVT,  /* a's format (by its width) to this width */
    OP_F2SI,  /* truncation; in range under the path condition, else as x86 */
    OP_F2UI,
    OP_SI2F,
    OP_UI2F,
    OP_FOEQ, /* ordered comparisons: false when either is NaN */
    OP_FOLT,
    OP_FOLE,
    OP_FUNO, /* either is NaN */
    OP_COUNT,
    /* Accepted by cinq_binary only, and turned into the above. */
    OP_NE,
    OP_UGT,
    OP_UGE,
    OP_SGT,
    OP_SGE
};

enum cinq_rounding { ROUND_EVEN = 0, ROUND_AWAY, ROUND_UP, ROUND_DOWN, ROUND_ZERO };

struct cinq_node {
    uint8_t op;
    uint8_t flags; /* 1: a constant; 2: holds a TREAD */
    uint16_t width;
    uint32_t a, b, c; /* operand ids, 0 where unused */
    uint64_t imm;
    uint32_t bytes; /* first of width/8 consecutive EXTRACTs of its bytes, 0: not made */
    uint32_t lo, hi; /* lowest and highest input index it depends on (lo > hi: none) */
    uint32_t pad; /* 1: a byte EXTRACT that belongs to a `bytes` group */
};

/* A table is a snapshot of an object's content: `count` elements of `width` bits
 * (a multiple of 8), little endian, at POOL + bytes.  If `ids` is not 0, POOL + ids
 * holds one uint32_t per element: the element's expression, or 0 for concrete. */
struct cinq_table {
    uint32_t count, width;
    uint64_t bytes, ids;
    uint64_t hash;
};

/* ---- Events of a run, in order ---------------------------------------------- */
enum cinq_event_kind {
    EVENT_BRANCH = 1, /* expr: i1 condition; taken: 1 or 0 */
    EVENT_SWITCH,     /* expr: value; taken: group (0 = default); alts: index of groups' conditions */
    EVENT_CHECK,      /* implicit branch; expr: i1 "all is well"; taken: 1, or 0 and the run ends;
                         value: the error kind on the other side */
    EVENT_PIN,        /* expr had this value (table read over older bytes) */
    EVENT_CONCRETIZE, /* expr was fixed to this value; taken: enum cinq_reason */
    EVENT_ASSUME,     /* expr: i1; taken: 1 and the other side is not wanted, or 0 and the run ends: flip it;
                         value: the error kind if there is no input for that, or 0 */
    EVENT_UNSUPPORTED /* nothing symbolic: a construct that is not modelled; value: enum cinq_reason;
                         REASON_SYSCALL: taken is the call's number */
};

enum cinq_reason {
    REASON_ADDRESS = 1, /* symbolic address over a too large or unknown object */
    REASON_SIZE,        /* symbolic allocation, copy or system-call size */
    REASON_FUNCTION,    /* symbolic function pointer */
    REASON_OPERATION,   /* operation without a node */
    REASON_SYSCALL,     /* symbolic system-call argument, or (UNSUPPORTED) an unmodelled call */
    REASON_VALUE,       /* klee_get_value and friends */
    REASON_ASSEMBLY,    /* inline assembly */
    REASON_THREAD,
    REASON_WIDTH, /* integer wider than 128 bits */
    REASON_VECTOR,
    REASON_FLOAT, /* float to integer out of range, NaN payloads */
    REASON_FAILURE, /* a system call might fail too, but so many were considered before; taken is its number */
    REASON_FORKING, /* klee_set_forking is off: the other directions are left out; taken tells this one from them */
    REASON_ALIAS,   /* klee_alias_function */
    REASON_FIXED_OBJECT, /* klee_define_fixed_object */
    REASON_LOADING,      /* of libraries at run time */
    REASON_PROTECTION    /* of memory: that code runs there, or that it is not read or written */
};

struct cinq_event {
    uint8_t kind;
    uint8_t muted; /* inside output formatting: leaves no states by default */
    uint16_t taken;
    uint32_t site;
    uint32_t expr;
    uint32_t alts; /* SWITCH: index into ALTS: count, then one condition id per group */
    uint64_t value;
    uint32_t trace; /* length of the block trace so far */
    uint32_t steps; /* budget spent so far, in units of 1024 instructions */
};

/* ---- What the program tells the engine by KLEE's functions, in order ------------ */
enum cinq_remark_kind {
    REMARK_WARNING = 1, /* klee_warning: the text */
    REMARK_EXPRESSION,  /* klee_print_expr: a value, and its expression if it is symbolic */
    REMARK_REAL,        /* the same of a double: the value's bits */
    REMARK_RANGE,       /* klee_print_range */
    REMARK_STACK,       /* klee_stack_trace: the backtrace */
    REMARK_PREFERENCE   /* klee_prefer_cex: a condition on the input that a test should satisfy if it can */
};

#define CINQ_REMARK_TEXT 192
#define CINQ_REMARK_FRAMES 32
struct cinq_remark {
    uint32_t kind; /* enum cinq_remark_kind */
    uint32_t site;
    uint32_t expr;   /* 0: none, concrete */
    uint32_t events; /* how many events came before */
    uint64_t value;
    uint32_t depth; /* number of frames in backtrace */
    uint32_t argument; /* EXPRESSION, REAL: where it lay in the call's area */
    uint32_t backtrace[CINQ_REMARK_FRAMES]; /* call sites, innermost first */
    char text[CINQ_REMARK_TEXT];
};

/* ---- Ends of a run and errors ------------------------------------------------ */
enum cinq_end {
    END_EXIT = 0,    /* exit or return from main; code = status */
    END_ERROR,       /* control.error tells */
    END_ASSUME,      /* klee_assume or __VERIFIER_assume failed */
    END_SILENT,      /* klee_silent_exit */
    END_BUDGET,      /* instruction budget used up */
    END_TIME,        /* interrupted by the engine's time limit */
    END_EVENTS,      /* too many events or block-trace entries; code = the site of the event, if it was one */
    END_TABLE,       /* expression table full: the engine starts a new epoch */
    END_INPUT,       /* symbolic input capacity used up */
    END_DEPTH        /* an expression too deep for the run-time's own recursion */
};

enum cinq_error_kind {
    ERROR_OUT_OF_BOUNDS = 1,
    ERROR_NULL_POINTER,
    ERROR_USE_AFTER_FREE,
    ERROR_USE_AFTER_RETURN,
    ERROR_USE_AFTER_SCOPE,
    ERROR_DOUBLE_FREE,
    ERROR_INVALID_FREE,
    ERROR_DIVISION_BY_ZERO,
    ERROR_OVERFLOW,
    ERROR_ASSERTION,
    ERROR_ABORT,
    ERROR_REACH_ERROR,
    ERROR_UNREACHABLE,
    ERROR_STACK_OVERFLOW,
    ERROR_TIMEOUT,
    ERROR_UNSUPPORTED,
    ERROR_READ_ONLY,
    ERROR_USER, /* klee_report_error */
    ERROR_UNDEFINED_FUNCTION,
    ERROR_OVERSHIFT, /* by the width or more */
    ERROR_UNSIGNED_OVERFLOW, /* from here on: what --check asks for */
    ERROR_SHIFT,
    ERROR_POINTER_OVERFLOW,
    ERROR_ARRAY_INDEX, /* beyond the array's type, though perhaps within the object */
    ERROR_MISALIGNED,
    ERROR_OBJECT_SIZE, /* an object too small for the type it is used as */
    ERROR_INVALID_VALUE, /* no value of the type bool or enum */
    ERROR_FLOAT_CAST,
    ERROR_FLOAT_DIVISION_BY_ZERO,
    ERROR_IMPLICIT_CONVERSION,
    ERROR_NONNULL,
    ERROR_MISSING_RETURN,
    ERROR_VLA_BOUND,
    ERROR_INVALID_BUILTIN, /* __builtin_clz(0) */
    ERROR_FUNCTION_TYPE,
    ERROR_UNDEFINED, /* a check that is not known by name */
    ERROR_UNINITIALIZED,
    ERROR_FALSE_ASSUMPTION, /* klee_assume of what no input of the path satisfies */
    ERROR_SYMBOLIC_NAME,    /* klee_make_symbolic with a name that is no text */
    ERROR_SYMBOLIC_SIZE     /* klee_make_symbolic of more than the object */
};

/* What a call of cinq_must_hold checks: clang's own numbers (SanitizerHandler), which traps carry too. */
enum cinq_undefined_check {
    UNDEFINED_ADD_OVERFLOW = 0,
    UNDEFINED_BUILTIN_UNREACHABLE,
    UNDEFINED_CFI_CHECK_FAIL,
    UNDEFINED_DIVREM_OVERFLOW,
    UNDEFINED_DYNAMIC_TYPE_CACHE_MISS,
    UNDEFINED_FLOAT_CAST_OVERFLOW,
    UNDEFINED_FUNCTION_TYPE_MISMATCH,
    UNDEFINED_IMPLICIT_CONVERSION,
    UNDEFINED_INVALID_BUILTIN,
    UNDEFINED_INVALID_OBJC_CAST,
    UNDEFINED_LOAD_INVALID_VALUE,
    UNDEFINED_MISSING_RETURN,
    UNDEFINED_MUL_OVERFLOW,
    UNDEFINED_NEGATE_OVERFLOW,
    UNDEFINED_NULLABILITY_ARG,
    UNDEFINED_NULLABILITY_RETURN,
    UNDEFINED_NONNULL_ARG,
    UNDEFINED_NONNULL_RETURN,
    UNDEFINED_OUT_OF_BOUNDS,
    UNDEFINED_POINTER_OVERFLOW,
    UNDEFINED_SHIFT_OUT_OF_BOUNDS,
    UNDEFINED_SUB_OVERFLOW,
    UNDEFINED_TYPE_MISMATCH,
    UNDEFINED_ALIGNMENT_ASSUMPTION,
    UNDEFINED_VLA_BOUND_NOT_POSITIVE,
    UNDEFINED_OTHER
};

enum cinq_region { REGION_NONE = 0, REGION_GLOBAL, REGION_HEAP, REGION_STACK, REGION_FUNCTION, REGION_VARARGS };
enum cinq_access { ACCESS_NONE = 0, ACCESS_READ, ACCESS_WRITE, ACCESS_FREE, ACCESS_CALL };

#define CINQ_BACKTRACE 64
struct cinq_error {
    uint32_t kind;  /* enum cinq_error_kind */
    uint32_t site;  /* where; 0 if not known (then backtrace[0]) */
    uint32_t access;
    uint32_t region; /* the object concerned, as far as known */
    uint64_t address;
    uint64_t size;          /* bytes accessed */
    uint64_t object_base;
    uint64_t object_size;
    uint32_t object_site;   /* heap: allocation call; stack: the alloca; global: the variable */
    uint32_t freed_site;
    uint32_t depth;         /* number of frames in backtrace */
    uint32_t backtrace[CINQ_BACKTRACE]; /* call sites, innermost first */
    char message[256];      /* assertion text and the like */
};

#define CINQ_NAME 64
struct cinq_object {
    char name[CINQ_NAME]; /* unique: KLEE's _1, _2 suffixes are already added */
    uint32_t size;
    uint32_t first; /* input index of its first byte */
};

/* ---- The control block -------------------------------------------------------- */
enum cinq_command { COMMAND_RUN = 1, COMMAND_EPOCH, COMMAND_QUIT };

struct cinq_control {
    uint64_t layout_version;
    /* request */
    uint64_t command;
    uint64_t input_size;   /* valid bytes at INPUT; later indices read 0 */
    uint64_t budget;       /* instructions */
    uint64_t max_events;
    uint64_t max_heap;     /* bytes */
    uint64_t max_table;    /* bytes of expressions that there may be at any time, tables and conditions included */
    uint64_t table_limit;  /* bytes of an object that a symbolic read snapshots at most */
    uint64_t write_limit;  /* bytes of an object that a symbolic write updates at most */
    uint64_t flags;        /* CINQ_FLAG_* */
    /* reply */
    uint64_t end;          /* enum cinq_end */
    uint64_t code;
    uint64_t events;
    uint64_t trace;
    uint64_t made;         /* objects made by this run */
    uint64_t objects;      /* objects known in all */
    uint64_t input_known;  /* input indices handed out in all */
    uint64_t nodes;        /* nodes in the table (ids are 1 .. nodes-1 plus the unused 0) */
    uint64_t tables;
    uint64_t pool;
    uint64_t alts;
    uint64_t output;       /* bytes at OUTPUT */
    uint64_t output_total; /* bytes the program wrote in all */
    uint64_t steps;        /* instructions spent */
    uint64_t nanoseconds;  /* of this run, inside the worker */
    uint64_t interned;     /* intern calls of this run that hit */
    uint64_t created;      /* and that made a node */
    uint64_t check_failures; /* checking mode: nodes whose value differed */
    uint64_t remarks;        /* of this run, at REMARKS */
    uint64_t skipped;        /* of `steps`: not done again, since the run began where the input begins */
    struct cinq_error error;
};
#define CINQ_FLAG_MUTE_OUTPUT 1 /* mark events inside output formatting as muted */
#define CINQ_FLAG_NO_PIN 2      /* do not pin table reads (for tests) */
#define CINQ_FLAG_PIN_FIXED 4   /* pin only reads of tables without symbolic elements (for melded programs) */
#define CINQ_FLAG_UNINITIALIZED 16 /* new memory of heap and stack counts as never written */
#define CINQ_FLAG_WHOLE 32     /* begin at the start, and keep nothing of it */
#define CINQ_FLAG_EAGER 64 /* keep where the input begins however little it saves (for tests) */
#define CINQ_FLAG_DOUBTING 128  /* so does what other inputs of the same path may find unwritten */
#define CINQ_FLAG_COVERAGE_ONLY 8 /* named inputs are concrete: coverage at full speed */

#endif
