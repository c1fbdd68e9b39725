/* Three conditions per word that only an SMT solver decides, and four words: 4,096 paths and as many dear questions. */
#include <klee/klee.h>
int main(void)
{
    unsigned word[4];
    int met = 0;
    klee_make_symbolic(word, sizeof word, "word");
    for (int i = 0; i < 4; i++) {
        unsigned x = word[i];
        met *= 8;
        if ((x * x) % 251 > 100 + i) met += 1;
        if (x * 0x9E3779B1u % 1009 < 500 + i) met += 2;
        if ((x ^ x >> 7) * 2654435761u >> 20 > 2000 + i) met += 4;
    }
    return met & 127;
}
