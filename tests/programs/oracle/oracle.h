/* What generated programs are written in (tests/exploration/oracle_programs.py).
 *
 * The same functions are compiled twice: for the engine, with everything meant literally, and natively into a library that
 * runs them on every input.  There nothing fails: what would be an error is noted with its number, and the function is left. */
#ifndef ORACLE_H
#define ORACLE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char u8;
typedef unsigned short u16;
enum { ENDS_WELL, ASSUMED_FALSE, FAILED = 64 }; /* FAILED + 64 * kind + number */
enum { ABORT, ASSERTION, DIVISION, BOUNDS, OVERSHIFT, NULL_POINTER };

#ifdef NATIVE
static unsigned long long labels;
static jmp_buf left;
static char printed[256];

#define LEAVE(code) longjmp(left, code)
#define WRONG(kind, k) LEAVE(FAILED + 64 * (kind) + (k))
#define L(k) (labels |= 1ull << (k))
#define ASSUME(c) ((c) ? (void)0 : LEAVE(ASSUMED_FALSE))
#define FAIL(k) WRONG(ABORT, k)
#define ASSERT(k, c) ((c) ? (void)0 : WRONG(ASSERTION, k))
#define DIV(k, a, b) (((b) ? (void)0 : WRONG(DIVISION, k)), (a) / (b))
#define MOD(k, a, b) (((b) ? (void)0 : WRONG(DIVISION, k)), (a) % (b))
#define AT(k, i, n) (((i) < (n) ? (void)0 : WRONG(BOUNDS, k)), (i))
#define FITS(k, b) ((b) < 32 ? (void)0 : WRONG(OVERSHIFT, k))
#define SHL(k, a, b) (FITS(k, b), (a) << (b))
#define SHR(k, a, b) (FITS(k, b), (a) >> (b))
#define POINTER(k, p) ((p) ? (void *)(p) : (WRONG(NULL_POINTER, k), (void *)0))
#define OUT(...) ((unsigned)snprintf(printed, sizeof printed, __VA_ARGS__))
#define SHOW(...) ((void)0)
#else
#include <assert.h>
#include <klee/klee.h>

static volatile int last;
__attribute__((noinline)) static void label(int k) { last = k; }
#define L(k) label(k)
#define ASSUME(c) klee_assume(c)
#define FAIL(k) abort()
#define ASSERT(k, c) assert(c)
#define DIV(k, a, b) ((a) / (b))
#define MOD(k, a, b) ((a) % (b))
#define AT(k, i, n) (i)
#define SHL(k, a, b) ((a) << (b))
#define SHR(k, a, b) ((a) >> (b))
#define POINTER(k, p) (p)
#define OUT(...) ((unsigned)printf(__VA_ARGS__))
#define SHOW(...) printf(__VA_ARGS__)
#endif

typedef unsigned program(const u8 *in);
extern program *const programs[];
extern const int sizes[]; /* how many bytes each has; the third is below THIRD */
#define THIRD 4

#ifdef NATIVE
int evaluate(int number, const u8 *in, unsigned long long *reached) {
    int code = setjmp(left);
    labels = code ? labels : 0;
    if (!code) programs[number](in);
    *reached = labels;
    return code;
}

/* Over all inputs: the labels that those reach which end without a false assumption, and the codes met. */
unsigned long long everything(int number, u8 *codes) {
    unsigned long long all = 0, reached;
    for (unsigned x = 0; x < (sizes[number] == 3 ? THIRD : 1) << 16; x++) {
        const u8 in[3] = {(u8)x, (u8)(x >> 8), (u8)(x >> 16)};
        int code = evaluate(number, in, &reached);
        codes[code] = 1;
        if (code != ASSUMED_FALSE) all |= reached;
    }
    return all;
}
#else
int main(int argc, char **argv) {
    u8 in[3] = {0, 0, 0};
    int number = argc > 1 ? atoi(argv[1]) : 0;
    klee_make_symbolic(in, sizes[number], "in");
    if (sizes[number] == 3 && in[2] >= THIRD) return 0;
    return (int)(programs[number](in) & 127);
}
#endif

#endif
