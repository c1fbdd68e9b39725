/* Words through the C library. */
#include "points.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char word[5];
    klee_make_symbolic(word, sizeof word, "word");
    word[4] = 0;
    size_t n = strlen(word);
    if (n > 4) NEVER(too_long);
    if (strcmp(word, "four") == 0) REACHED(four);
    if (strcmp(word, "fives") == 0) NEVER(five_letters_in_four);
    if (n == 3 && strchr(word, '=') == word + 1) REACHED(assignment);
    if (n == 2 && strchr(word, '\0') != word + 2) NEVER(end_elsewhere);
    if (isdigit(word[0]) && isalpha(word[0])) NEVER(digit_and_letter);
    if (isupper(word[0]) && tolower(word[0]) == word[0]) NEVER(upper_unchanged);
    if (strtol(word, 0, 10) == 9999) REACHED(largest);
    if (strtol(word, 0, 10) > 9999) NEVER(beyond_largest);
    if (strtol(word, 0, 10) == -99) REACHED(negative);
    if (strtol(word, 0, 10) < -999) NEVER(beyond_least);
    if (strtol(word, 0, 16) == 0xbeef) REACHED(hexadecimal);
    return 0;
}
