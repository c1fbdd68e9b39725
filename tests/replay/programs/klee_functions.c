/* Each way of making input, names that repeat, and the ways of ending. */
#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); _Bool __VERIFIER_nondet_bool(void); double __VERIFIER_nondet_double(void); void __VERIFIER_assume(int); void reach_error(void);
static void bye(void) { puts("bye"); }
int main(void)
{
    char text[4];
    short pair[2];
    atexit(bye);
    klee_make_symbolic(text, sizeof text, "text");
    klee_make_symbolic(pair, sizeof pair, "text");
    int n = klee_int("n"), m = klee_int("n"), one = klee_range(3, 4, "one");
    klee_make_symbolic(&pair[1], 2, "n_1");
    printf("%d %d %d\n", n & 15, m & 15, one);
    if (text[0] & 1) { int r = klee_range(0, 200, "r"); printf("%d\n", r / 50); }
    if (text[0] & 2) { int r = klee_range(-100, 100, "r"); printf("%d\n", r / 50); }
    if (text[0] & 4) printf("%d\n", klee_choose(255) > 7);
    if (text[1] & 1) printf("%d %d %d %d\n", __VERIFIER_nondet_int() > 0, __VERIFIER_nondet_int() > 5, __VERIFIER_nondet_uchar() > 99, __VERIFIER_nondet_bool());
    if (text[1] & 2) printf("%d\n", __VERIFIER_nondet_double() > 0.5);
    fflush(stdout);
    if (pair[0] == 0) klee_silent_exit(5);
    if (pair[0] == 1) assert(pair[1] == 2);
    if (pair[0] == 2) abort();
    if (pair[0] == 3) klee_report_error("here", 1, "wrong", "user");
    if (pair[0] == 0x0101) reach_error();
    if (pair[0] == 4) _Exit(7);
    klee_assume(pair[1] > -30000);
    __VERIFIER_assume(text[3] != 'x');
    puts("rest");
    return text[2] > 64;
}
