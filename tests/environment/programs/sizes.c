/* Symbolic sizes, function pointers and addresses: every outcome named below is reachable, and told. */
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char large[100000];
static char small[8];

static int one(void) { return 1; }
static int two(void) { return 2; }
static int three(void) { return 3; }

int main(int argc, char **argv)
{
    unsigned n, i;
    int (*const functions[3])(void) = {one, two, three};
    klee_make_symbolic(&n, sizeof n, "n");
    klee_make_symbolic(&i, sizeof i, "i");
    switch (argv[1][0]) {
    case 'm': { /* an empty block, none, the run's size, others */
        char *p = malloc(n * 1024ul);
        if (!p) puts("none");
        else if (!n) puts("empty");
        else if (n == 7) puts("seven");
        else puts("some");
        break;
    }
    case 'c': puts(calloc(n, 4096) ? "some" : "none"); break;
    case 'f': /* which function is called */
        klee_assume(i < 3);
        switch (functions[i]()) {
        case 1: puts("one"); break;
        case 2: puts("two"); break;
        default: puts("three");
        }
        break;
    case 'a': /* beyond what is modelled as a table */
        klee_assume(i < 3);
        large[i * 40000] = 1;
        if (large[80000]) puts("last");
        break;
    case 's': memset(small, 1, n); puts("done"); break; /* overflow */
    case 'v': { char text[n + 1]; text[n] = 0; puts("done"); break; } /* too large for the stack */
    }
    return 0;
}
