/* A pointer made of input: into one of two heap objects, or between them. */
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
    unsigned short where;
    klee_make_symbolic(&where, sizeof where, "where");
    char *first = calloc(24, 1), *second = calloc(40, 1);
    first[3] = 1;
    second[5] = second[39] = 1;
    char *p = (char *)(0x10000000ul + where);
    if (*p == 1) return p >= second ? 1 : 2;
    return *p ? 3 : 4;
}
