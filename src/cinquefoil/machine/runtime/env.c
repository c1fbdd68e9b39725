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
static u32 symbolic_parts; /* ENV_WITH_... */

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

static void number(char *out, u32 n) { /* at least two digits */
    u32 digits = n < 100 ? 2 : n < 1000 ? 3 : 4;
    for (u32 i = digits; i--; n /= 10) out[i] = (char)('0' + n % 10);
}

static u64 symbolic_string(u64 n) {
    char name[8] = "arg";
    u64 p = need_memory(n + 1);
    number(name + 3, symbolic_arguments++);
    input_text(p, n + 1, name);
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

/* ---- Files ------------------------------------------------------------------------------ */
static u64 symbolic_content(const char *name, u64 size) {
    u64 p = need_memory(size);
    input_text(p, size, name);
    return p;
}

static void join(char *out, const char *a, const char *b) { /* an object's name */
    u64 n = text_length(a, CINQ_NAME - 20);
    raw_copy(out, a, n);
    raw_copy(out + n, b, text_length(b, 12) + 1);
}

/* How many bytes the file is shorter than it could be: 0 .. size. */
static void symbolic_size(u32 inode, const char *name) {
    char object[CINQ_NAME];
    u64 cell = need_memory(4);
    join(object, name, "-short");
    input_make(cell, 4, object);
    assume(0, node_binary(OP_ULE, 32, memory_gather(cell, 4), node_const(32, inodes[inode].size)));
    inodes[inode].cut = cell;
}

static void symbolic_properties(u32 inode, const char *name) {
    char object[CINQ_NAME];
    join(object, name, "-stat");
    if (symbolic_parts & ENV_WITH_STATUS) status_make(inode, object);
    if (symbolic_parts & ENV_WITH_SIZE) symbolic_size(inode, name);
}

static void add_file(const char *path, u64 base, u64 size, const char *name) {
    u32 inode = inode_new(KIND_FILE, 0644);
    if (tree_add(path, inode) < 0) return;
    content_set(inode, base, size, 0);
    if (name) symbolic_properties(inode, name);
}

static void symbolic_file(const struct cinq_env_record *r) {
    char name[CINQ_NAME];
    join(name, r->name, "-data");
    add_file(r->name, symbolic_content(name, r->size), r->size, name);
}

static void set_stdin(u64 base, u64 size, int symbolic) {
    u32 inode = (u32)inode_of(0);
    content_set(inode, base, size, 0);
    if (symbolic) symbolic_properties(inode, "stdin");
}

static void apply(const struct cinq_env_record *r) {
    const u8 *data = (const u8 *)(r + 1);
    switch (r->kind) {
    case ENV_ARG: add_string(&arguments, concrete_string(data, r->size)); break;
    case ENV_ARG_SYMBOLIC: add_string(&arguments, symbolic_string(r->size)); break;
    case ENV_ARGS_RANGE: symbolic_range_of_arguments(r); break;
    case ENV_VARIABLE: add_string(&variables, concrete_string(data, r->size)); break;
    case ENV_STDIN: set_stdin((u64)data, r->size, 0); break;
    case ENV_STDIN_SYMBOLIC: set_stdin(symbolic_content("stdin", r->size), r->size, 1); break;
    case ENV_FILE: add_file(r->name, (u64)data, r->size, 0); break;
    case ENV_FILE_SYMBOLIC: symbolic_file(r); break;
    case ENV_DIRECTORY: tree_add(r->name, inode_new(KIND_DIRECTORY, 0755)); break;
    case ENV_STDOUT_SYMBOLIC: status_make((u32)inode_of(1), "stdout-stat"); break;
    case ENV_PROPERTIES: symbolic_parts = r->size; break;
    case ENV_FAULTS: faults_allow(r->size, r->min); break;
    case ENV_RANDOM: random_symbolic = 1; break;
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
    arguments.count = variables.count = symbolic_arguments = symbolic_parts = 0;
    cinq_frame = &frame;
    tree_start();
    descriptors_start();
    read_block();
    if (!arguments.count) add_string(&arguments, concrete_string((const u8 *)"program", 7));
    u64 argv = pointer_array(&arguments), envp = variable_array();
    snapshot_await();
    return cinq_start((int)arguments.count, (char **)argv, (char **)envp);
}
