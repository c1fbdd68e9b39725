/* Calls through pointers, jumps back, assumptions. */
#include "points.h"
#include <setjmp.h>
static jmp_buf start;
static int half(int x) { return x / 2; }
static int next(int x) { return x + 1; }
static int stop(int x) { longjmp(start, x ? x : 1); }
static int (*const actions[3])(int) = {half, next, stop};
int main(void)
{
    unsigned char script[3], value;
    klee_make_symbolic(script, sizeof script, "script");
    klee_make_symbolic(&value, 1, "value");
    klee_assume(value < 10);
    int came = setjmp(start);
    if (came == 5) REACHED(stopped_at_five);
    if (came > 11) NEVER(beyond_two_steps);
    if (came == 11) REACHED(stopped_after_two_steps);
    if (came) return 0;
    int x = value;
    for (int i = 0; i < 3; i++) {
        if (script[i] > 2) return 0;
        x = actions[script[i]](x);
    }
    if (value >= 10) NEVER(assumed_otherwise);
    if (x == 12) REACHED(three_steps);
    if (x > 12) NEVER(four_steps);
    if (x == 0 && script[0] == 1) REACHED(up_and_down);
    return 0;
}
