// EXPECT: use-after-free 14 - A pointer into a block that realloc has moved.
#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    unsigned char length, seed;
    klee_make_symbolic(&length, 1, "length");
    klee_make_symbolic(&seed, 1, "seed");
    char *text = malloc(8), *end = text + 7;
    if (length == 8 && (seed ^ 0x5a) == 0x33) {
        text = realloc(text, 16);

    }
    *end = 0;
    free(text);
    return 0;
}
