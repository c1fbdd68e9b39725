// SAFE: A name cut to its field without an end, put out.
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    char given[6], field[4];
    klee_make_symbolic(given, sizeof given, "given");
    given[5] = 0;
    if (given[0] != 'n') return 0;
    strncpy(field, given, 4);
    field[3] = 0;
    puts(field);
    return 1;
}
