// SAFE: sprintf of a user's word.
#include <klee/klee.h>
#include <stdio.h>
int main(void)
{
    char word[6], text[9];
    klee_make_symbolic(word, sizeof word, "word");
    word[5] = 0;
    if (word[0] != '<') return 0;
    sprintf(text, "[%s]%c", word, 'x');
    return 0;
}
