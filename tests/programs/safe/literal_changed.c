// SAFE: A word is changed in place; one of the words is a literal.
#include <klee/klee.h>
#include <string.h>
int main(void)
{
    char word[4], buffer[4];
    klee_make_symbolic(word, sizeof word, "word");
    word[3] = 0;
    memcpy(buffer, word, 4);
    char *p = strcmp(word, "abc") == 0 ? buffer : word;
    p[1] = '-';
    return p[0];
}
