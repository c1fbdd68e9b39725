/* The smallest example: one symbolic number, three paths.
 *
 *     cinq run examples/sign.c
 */
#include <klee/klee.h>
#include <stdio.h>

static const char *sign(int x) {
    if (x < 0) return "negative";
    if (x == 0) return "zero";
    return "positive";
}

int main(void) {
    int x;
    klee_make_symbolic(&x, sizeof x, "x");
    puts(sign(x));
    return 0;
}
