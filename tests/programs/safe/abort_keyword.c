// SAFE: abort on a command word with a number.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char line[8];
    klee_make_symbolic(line, sizeof line, "line");
    line[7] = 0;
    char *blank = strchr(line, ' ');
    if (!blank) return 0;
    *blank = 0;
    if (strcmp(line, "quit")) return 1;
    if (atoi(blank + 1) == 420) abort();
    return 2;
}
