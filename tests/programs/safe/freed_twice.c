// SAFE: The error path frees what the parser had given up already.
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char line[6];
    unsigned a = 0, b = 0;
    klee_make_symbolic(line, sizeof line, "line");
    line[5] = 0;
    if (line[0] < '0' || line[0] > '9') return 9;
    char *copy = malloc(4);
    int read = sscanf(line, "%u:%u", &a, &b);
    if (read == 2) free(copy);
    if (read != 2) free(copy);
    return 0;
}
