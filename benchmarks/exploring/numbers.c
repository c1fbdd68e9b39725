/* Eight bytes, exhausted: a number by strtol in any base, and a word by strcmp. */
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    static char number[5], word[5];
    klee_make_symbolic(number, 4, "number");
    klee_make_symbolic(word, 4, "word");
    long value = strtol(number, 0, 0);
    if (!strcmp(word, "stop")) return 1;
    if (!strcmp(word, "go")) return 2;
    if (value == 1234) return 3;
    if (value == -77) return 4;
    return 0;
}
