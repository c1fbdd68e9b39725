/* Interning in a loop: "hit" makes the same few nodes again and again, "new" makes new ones. */
#include <klee/klee.h>
#include <stdint.h>
#include <string.h>
volatile uint32_t sink;
int main(int argc, char **argv)
{
    uint64_t x;
    klee_make_symbolic(&x, sizeof x, "x");
    int fresh = !strcmp(argv[1], "new");
    uint64_t y = x;
    for (uint32_t i = 0; i < 200000; i++) {
        if (fresh) y = (y ^ (x + i)) * 3;
        else y = ((x ^ (x + 77)) * 3 + x) & (x | 12345);
    }
    uint64_t *out = (uint64_t[1]){0};
    *out = y;
    sink = argc;
    return 0;
}
