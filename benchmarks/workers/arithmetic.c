/* Three conditions per pair of words that rarely hold, so that an SMT solver has to find each: up to 8 paths per pair. */
#include <klee/klee.h>
int main(void)
{
    unsigned word[4];
    int met = 0;
    klee_make_symbolic(word, sizeof word, "word");
    for (int i = 0; i < 2; i++) {
        unsigned x = word[2 * i], y = word[2 * i + 1];
        met *= 8;
        if (x * y == 0x3A5F1B01u + 2 * i) met += 1;
        if ((x % 1021) * (y % 1019) == 361230u + i) met += 2;
        if ((x * x ^ y) % 65521 == 4711u + i) met += 4;
    }
    return met & 127;
}
