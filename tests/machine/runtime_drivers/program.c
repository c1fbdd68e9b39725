/* A program as instrumented code would look, written by hand: every memory access
 * goes through cinq_load and cinq_store, every branch through cinq_branch.  What
 * it does is chosen by the first character of its first argument. */
#include "abi.h"

void *malloc(u64);
void *realloc(void *, u64);
void free(void *);
void *memcpy(void *, const void *, u64);
void klee_make_symbolic(void *, u64, const char *);
void klee_assume(u64);
int klee_range(int, int, const char *);
void __assert_fail(const char *, const char *, int, const char *);
int *__errno_location(void);

static int error_number;
int *__errno_location(void) { return &error_number; }

static u8 table[256] __attribute__((aligned(64)));
static u8 constant_table[64] __attribute__((aligned(64))) = "the quick brown fox jumps over the lazy dog, again and again!";
static u64 counter;
#ifdef BIG
static u8 big[BIG]; /* so large that data are restored page-wise */
#else
static u8 big[16];
#endif
static char name_x[8] __attribute__((aligned(64))) = "x", name_r[8] __attribute__((aligned(64))) = "r";
static u32 words[8] __attribute__((aligned(64)));
__attribute__((section("cinq_globals"), used)) static const struct cinq_global list[] = {
    {(u64)table, 256, 7, 0}, {(u64)constant_table, 64, 8, 1}, {(u64)&counter, 8, 9, 0}, {(u64)words, 32, 10, 0},
    {(u64)name_x, 8, 11, 0}, {(u64)name_r, 8, 12, 0}};

static const struct cinq_function main_function = {1, 64, 1, {{16, 20, 42}}};
static struct cinq_frame frame;

static u8 *symbolic_bytes(u64 n, const char *name) {
    u8 *p = malloc(n);
    klee_make_symbolic(p, n, name);
    return p;
}

static u32 load(const void *p, u32 s, u32 size, u32 site) { return cinq_load((u64)p, s, size, site); }

static int branch(u32 site, u32 s, int taken) {
    cinq_branch(site, s, (u32)taken);
    return taken;
}

static int compare(u8 *p) { /* if (p[0] == 'k') if (p[1] < 10) return 1 */
    u32 s0 = load(p, 0, 1, 100), s1 = load(p + 1, 0, 1, 101);
    if (!branch(110, cinq_binary(OP_EQ | 8 << 8, s0, 0, p[0], 'k'), p[0] == 'k')) return 2;
    if (!branch(111, cinq_binary(OP_ULT | 8 << 8, s1, 0, p[1], 10), p[1] < 10)) return 3;
    branch(112, cinq_binary(OP_UGE | 8 << 8, s1, 0, p[1], 10), p[1] >= 10); /* decided already */
    return 1;
}

static int round_trip(u8 *p) { /* a 32-bit value through memory is the same expression */
    u32 *copy = malloc(8), s = load(p, 0, 4, 120);
    cinq_store((u64)copy, 0, 4, 121, s, *(u32 *)p);
    *copy = *(u32 *)p;
    u32 again = load(copy, 0, 4, 122), sum = cinq_binary(OP_ADD | 32 << 8, s, 0, *(u32 *)p, 5);
    cinq_store((u64)copy, 0, 4, 123, sum, 0);
    *copy = *(u32 *)p + 5;
    u32 back = load(copy, 0, 4, 124), part = load((u8 *)copy + 1, 0, 2, 125);
    cinq_check(126, part, (*copy >> 8) & 0xffff, 0, 16);
    cinq_check(127, back, *copy, 0, 32);
    return s == again && sum == back ? 0 : 1;
}

static int look_up(u8 *p) { /* constant_table[p[0] & 63] == 'q' */
    u32 s = load(p, 0, 1, 130);
    u32 i = cinq_cast(OP_ZEXT, 8, 64, cinq_binary(OP_AND | 8 << 8, s, 0, p[0], 63));
    u32 address = cinq_gep((u64)constant_table, 0, p[0] & 63, i, 64, 1, 0);
    u32 v = load(constant_table + (p[0] & 63), address, 1, 131);
    u8 value = constant_table[p[0] & 63];
    cinq_check(132, v, value, 0, 8);
    return branch(133, cinq_binary(OP_EQ | 8 << 8, v, 0, value, 'q'), value == 'q') ? 1 : 0;
}

static int overrun(u8 *p) { /* table of 20 bytes on the heap, index p[0] */
    u8 *small = malloc(20);
    u32 i = cinq_cast(OP_ZEXT, 8, 64, load(p, 0, 1, 140));
    u32 address = cinq_gep((u64)small, 0, p[0], i, 64, 1, 0);
    load(small + p[0], address, 1, 141);
    return 0;
}

static int update(u8 *p) { /* words[p[0] & 7] = 9; then read words[3] */
    u32 s = cinq_cast(OP_ZEXT, 8, 64, cinq_binary(OP_AND | 8 << 8, load(p, 0, 1, 150), 0, p[0], 7));
    u32 address = cinq_gep((u64)words, 0, p[0] & 7, s, 64, 4, 0);
    cinq_store((u64)&words[p[0] & 7], address, 4, 151, 0, 9);
    words[p[0] & 7] = 9;
    u32 v = load(&words[3], 0, 4, 152);
    cinq_check(153, v, words[3], 0, 32);
    return branch(154, cinq_binary(OP_EQ | 32 << 8, v, 0, words[3], 9), words[3] == 9);
}

static int automaton(u8 *p) { /* state = table[state ^ p[i]] */
    u64 state = 0;
    u32 ss = 0;
    for (u32 i = 0; i < 256; i++) table[i] = (u8)(i * 7 % 5);
    for (u32 i = 0; i < 4; i++) {
        u32 x = cinq_binary(OP_XOR | 8 << 8, ss, load(p + i, 0, 1, 160), state, p[i]);
        u64 at = state ^ p[i];
        ss = load(table + at, cinq_gep((u64)table, 0, at, cinq_cast(OP_ZEXT, 8, 64, x), 64, 1, 0), 1, 161);
        state = table[at];
        cinq_check(162, ss, state, 0, 8);
    }
    return branch(163, cinq_binary(OP_EQ | 8 << 8, ss, 0, state, 3), state == 3);
}

static const struct cinq_switch choices = {
    8, 3, 6, 0, {{'0', 1, 0}, {'1', 1, 0}, {'2', 1, 0}, {'3', 1, 0}, {'a', 2, 0}, {'z', 2, 0}}};

static int choose(u8 *p) {
    cinq_switch(170, load(p, 0, 1, 171), p[0], &choices);
    return 0;
}

static int divide(u8 *p) {
    u32 s = load(p, 0, 1, 180);
    cinq_division(181, OP_SDIV | 8 << 8, 0, s, 100, p[0]);
    return 0;
}

static int jump(u8 *p) {
    u64 *buffer = malloc(200);
    volatile int times = 0;
    u64 sp = cinq_sp;
    (void)p;
    int r = cinq_setjmp(buffer);
    if (r == 0) {
        cinq_alloca(100, 0, 16, 190);
        times++;
        cinq_longjmp(buffer, 0);
    }
    return r == 1 && times == 1 && cinq_sp == sp ? 0 : 1;
}

static int double_free(u8 *p) {
    frame.site = 200;
    free(p);
    frame.site = 201;
    free(p);
    return 0;
}

static int stack_access(u8 *p) { /* one object of 20 bytes at offset 16 */
    u64 base = frame.sp - 64 + 16;
    (void)p;
    cinq_alive(base, 20);
    load((void *)(base + 16), 0, 4, 210);
    load((void *)(base + 17), 0, 4, 211);
    return 0;
}

static int spin(u8 *p) {
    (void)p;
    for (;;)
        if ((cinq_budget -= 10) < 0) cinq_exhausted();
}

static int leave_marks(u8 *p) { /* state must not survive into the next run */
    int clean = counter == 0 && big[sizeof big / 2] == 0 && words[2] == 0 && ((u64 *)malloc(64))[3] == 0;
    (void)p;
    cinq_store((u64)&counter, 0, 8, 220, cinq_cast(OP_ZEXT, 8, 64, load(p, 0, 1, 221)), p[0]);
    counter = p[0] + 1u;
    big[sizeof big / 2] = 1;
    words[2] = 1;
    ((u8 *)CINQ_COV_BASE)[5] = 1;
    *cinq_trace++ = 5;
    return clean ? 0 : 1;
}

static int grow(u8 *p) {
    u8 *q = realloc(p, 4000);
    u32 s = load(q + 2, 0, 1, 230);
    memcpy(q + 1001, q, 8);
    u32 moved = load(q + 1003, 0, 1, 231);
    return s && s == moved && malloc(~0ull >> 1) == 0 && error_number == 12 ? 0 : 1;
}

static int deep(u8 *p) {
    volatile u8 room[512];
    room[0] = *p;
    return counter == 1 ? 0 : deep(p) + room[0];
}

static int null_read(u8 *p) {
    (void)p;
    load((void *)8, 0, 4, 240);
    return 0;
}

static int say(u8 *p) {
    static const u8 text[] __attribute__((aligned(8))) = "hello\n";
    u8 *copy = malloc(6);
    (void)p;
    for (u32 i = 0; i < 6; i++) copy[i] = text[i];
    for (u32 i = 0; i < 7; i++) cinq_arg[i] = 0;
    return cinq_syscall(1, 1, (long)copy, 6, 0, 0, 0) == 6 ? 0 : 1;
}

static int from_stdin(u8 *p) {
    for (u32 i = 0; i < 7; i++) cinq_arg[i] = 0;
    long n = cinq_syscall(0, 0, (long)p, 8, 0, 0, 0);
    u32 s = load(p, 0, 1, 250);
    branch(251, cinq_binary(OP_EQ | 8 << 8, s, 0, p[0], '!'), p[0] == '!');
    return (int)n;
}

static int assume_small(u8 *p) {
    u32 s = load(p, 0, 1, 260);
    cinq_arg[0] = cinq_cast(OP_ZEXT, 1, 64, cinq_binary(OP_ULT | 8 << 8, s, 0, p[0], 5));
    klee_assume(p[0] < 5);
    cinq_arg[0] = 0;
    return klee_range(3, 9, name_r);
}

static int wild(u8 *p) {
    (void)p;
    return *(volatile int *)0x123450000000;
}

static int escape(u8 *p) { /* a system call of its own: the sandbox kills the process */
    long result;
    (void)p;
    __asm__ volatile("syscall" : "=a"(result) : "a"(39) : "rcx", "r11", "memory");
    return (int)result;
}

static int use_after_free(u8 *p) {
    frame.site = 270;
    free(p);
    load(p + 2, 0, 2, 271);
    return 0;
}

static int next_block(u8 *p) { /* lands in another valid object: still an error */
    u8 *one = malloc(16), *two = malloc(16);
    u64 far = (u64)(two - one);
    u32 i = cinq_binary(OP_ADD | 64 << 8, cinq_cast(OP_ZEXT, 8, 64, load(p, 0, 1, 280)), 0, p[0], far);
    load(one + p[0] + far, cinq_gep((u64)one, 0, p[0] + far, i, 64, 1, 0), 1, 281);
    return 0;
}

static int constant_write(u8 *p) {
    u32 i = cinq_cast(OP_ZEXT, 8, 64, cinq_binary(OP_AND | 8 << 8, load(p, 0, 1, 290), 0, p[0], 63));
    cinq_store((u64)constant_table + (p[0] & 63), cinq_gep((u64)constant_table, 0, p[0] & 63, i, 64, 1, 0), 1, 291, 0, 1);
    return 0;
}

static int odd_call(u8 *p) {
    (void)p;
    for (u32 i = 0; i < 7; i++) cinq_arg[i] = 0;
    cinq_syscall(41, 1, 2, 3, 0, 0, 0);
    return cinq_syscall(41, 1, 2, 3, 0, 0, 0) == -38 ? 0 : 1;
}

static int after_scope(u8 *p) {
    u64 base = frame.sp - 64 + 16;
    (void)p;
    cinq_alive(base, 20);
    cinq_dead(base, 20);
    load((void *)(base + 4), 0, 4, 300);
    return 0;
}

static int after_return(u8 *p) {
    (void)p;
    load((void *)(cinq_sp - 40), 0, 4, 310);
    return 0;
}

static int to_integer(u8 *p) { /* (int) of a symbolic float */
    union { u32 i; float f; } u = {.i = *(u32 *)p};
    u32 s = load(p, 0, 4, 320), r = cinq_f2i(321, OP_F2SI, 32, 32, s, u.i);
    if (r) cinq_check(322, r, (u32)(int)u.f, 0, 32);
    return r ? 1 : 0;
}

static int nop(u8 *p) { (void)p; return 7; }

int cinq_start(int argc, char **argv, char **envp) {
    static const struct { char name; int (*run)(u8 *); } all[] = {
        {'c', compare}, {'r', round_trip}, {'l', look_up}, {'o', overrun}, {'u', update}, {'a', automaton},
        {'s', choose}, {'d', divide}, {'j', jump}, {'f', double_free}, {'k', stack_access}, {'b', spin},
        {'m', leave_marks}, {'g', grow}, {'D', deep}, {'n', null_read}, {'w', say}, {'i', from_stdin},
        {'A', assume_small}, {'W', wild}, {'N', nop}, {'E', escape},
        {'F', use_after_free}, {'B', next_block}, {'C', constant_write}, {'O', odd_call}, {'S', after_scope},
        {'R', after_return}, {'I', to_integer}};
    (void)envp;
    frame.prev = cinq_frame;
    frame.function = &main_function;
    frame.sp = cinq_sp;
    frame.site = 50;
    cinq_sp -= 64;
    cinq_frame = &frame;
    char what = argc > 1 ? argv[1][0] : 'N';
    u8 *p = symbolic_bytes(8, name_x);
    for (u32 i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].name == what) return all[i].run(p);
    return 99;
}
