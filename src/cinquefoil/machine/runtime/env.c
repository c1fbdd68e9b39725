/* Starting the program: arguments, environment, input files.
 *
 * All of it is built in program memory as ordinary heap objects with red zones,
 * so reading past an argument is found like any other error.
 */
#include "env.h"
#include "files.h"

#define POINTERS 1024
struct strings { u64 at[POINTERS]; u32 count; };
static struct strings arguments, variables;
static u32 symbolic_arguments;

static void add_string(struct strings *list, u64 address) {
    if (list->count < POINTERS - 1) list->at[list->count++] = address;
}

static u64 need_memory(u64 size) {
    u64 p = heap_allocate(size, 16, 0);
    if (!p) error_end(ERROR_UNSUPPORTED, 0, "the heap limit is too small for the program's arguments");
    return p;
}

static u64 concrete_string(const u8 *data, u64 n) {
    u64 p = need_memory(n + 1);
    raw_copy((void *)p, data, n);
    return p;
}

static u64 symbolic_string(u64 n) {
    char name[8] = "arg00";
    u64 p = need_memory(n + 1);
    name[3] = (char)('0' + symbolic_arguments / 10 % 10);
    name[4] = (char)('0' + symbolic_arguments % 10);
    symbolic_arguments++;
    input_make(p, n + 1, name);
    memory_put_byte(p + n, 0);
    ((u8 *)p)[n] = 0;
    return p;
}

/* As KLEE: n_args is an int in min .. max, and each further argument a branch. */
static void symbolic_range_of_arguments(const struct cinq_env_record *r) {
    u32 n = r->min;
    if (r->max > r->min) {
        u64 cell = need_memory(4);
        input_make(cell, 4, "n_args");
        u32 s = memory_gather(cell, 4);
        assume(0, node_binary(OP_ULE, 32, node_const(32, r->min), s));
        assume(0, node_binary(OP_ULE, 32, s, node_const(32, r->max)));
        u32 value = *(const u32 *)cell;
        while (n < r->max && decide(EVENT_BRANCH, 0, node_binary(OP_ULT, 32, node_const(32, n), s), n < value, 0) && n < value) n++;
    }
    for (u32 i = 0; i < n; i++) add_string(&arguments, symbolic_string(r->size));
}

static u64 symbolic_content(const char *name, u64 size) {
    u64 p = need_memory(size);
    input_make(p, size, name);
    return p;
}

static void symbolic_file(const struct cinq_env_record *r) {
    char name[CINQ_NAME];
    u64 n = text_length(r->name, CINQ_NAME - 20);
    raw_copy(name, r->name, n);
    raw_copy(name + n, "-data", 6);
    file_add(r->name, symbolic_content(name, r->size), r->size);
}

static void set_stdin(u64 base, u64 size) {
    files[FILE_STDIN].base = base;
    files[FILE_STDIN].size = size;
}

static void apply(const struct cinq_env_record *r) {
    const u8 *data = (const u8 *)(r + 1);
    switch (r->kind) {
    case ENV_ARG: add_string(&arguments, concrete_string(data, r->size)); break;
    case ENV_ARG_SYMBOLIC: add_string(&arguments, symbolic_string(r->size)); break;
    case ENV_ARGS_RANGE: symbolic_range_of_arguments(r); break;
    case ENV_VARIABLE: add_string(&variables, concrete_string(data, r->size)); break;
    case ENV_STDIN: set_stdin((u64)data, r->size); break;
    case ENV_STDIN_SYMBOLIC: set_stdin(symbolic_content("stdin", r->size), r->size); break;
    case ENV_FILE: file_add(r->name, (u64)data, r->size); break;
    case ENV_FILE_SYMBOLIC: symbolic_file(r); break;
    default: break;
    }
}

static int has_data(u32 kind) { return kind == ENV_ARG || kind == ENV_VARIABLE || kind == ENV_STDIN || kind == ENV_FILE; }

static void read_block(void) {
    u64 at = 0;
    while (at + sizeof(struct cinq_env_record) <= CINQ_ARGS_CAPACITY) {
        const struct cinq_env_record *r = (const struct cinq_env_record *)(ARGS + at);
        if (r->kind == ENV_END) return;
        apply(r);
        at += sizeof *r + (has_data(r->kind) ? (r->size + 7ull) & ~7ull : 0);
    }
}

static u64 pointer_array(const struct strings *list) {
    u64 p = need_memory((list->count + 1) * 8ull);
    raw_copy((void *)p, list->at, list->count * 8ull);
    return p;
}

/* The ELF auxiliary vector follows envp on a real stack; a libc may look for it. */
static u64 variable_array(void) {
    u64 p = need_memory((variables.count + 1) * 8ull + 16);
    raw_copy((void *)p, variables.at, variables.count * 8ull);
    return p;
}

int env_start(void) {
    static const struct cinq_function base_function = {0, 0, 0, {}};
    struct cinq_frame frame = {0, &base_function, cinq_sp, 0};
    arguments.count = variables.count = symbolic_arguments = 0;
    files_reset();
    read_block();
    if (!arguments.count) add_string(&arguments, concrete_string((const u8 *)"program", 7));
    u64 argv = pointer_array(&arguments), envp = variable_array();
    cinq_frame = &frame;
    return cinq_start((int)arguments.count, (char **)argv, (char **)envp);
}
