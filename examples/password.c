/* A magic password: only one input of 2^64 opens the door, and what is behind it fails.
 *
 *     cinq run examples/password.c
 *     cinq trace --input examples/password.ktest examples/password.c
 */
#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>

static int matches(const char *word) {
    static const char secret[] = "s3same!";
    for (unsigned i = 0; i < sizeof secret; i++)
        if (word[i] != secret[i]) return 0;
    return 1;
}

int main(void) {
    char word[8];
    klee_make_symbolic(word, sizeof word, "word");
    if (matches(word)) {
        puts("open");
        assert(0 && "nobody should get in");
    }
    puts("closed");
    return 0;
}
