#include <ctype.h>
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char text[3];
    klee_make_symbolic(text, 2, "text");
    text[2] = 0;
    if (isspace((unsigned char)text[0])) return 1;
    long value = strtol(text, 0, 0);
    if (value == 42) return 2;
    if (value == -3) return 3;
    if (!strcmp(text, "ok")) return 4;
    if (strchr(text, '%')) return 5;
    return isalpha((unsigned char)text[1]) ? 6 : 7;
}
