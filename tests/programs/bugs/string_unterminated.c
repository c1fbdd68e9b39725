// EXPECT: out-of-bounds 13 - strncpy leaves the name without an end if it is long; strlen runs on.
#include <klee/klee.h>
#include <string.h>
#include <stdlib.h>
int main(void)
{
    char given[7];
    klee_make_symbolic(given, sizeof given, "given");
    given[6] = 0;
    char *kept = malloc(6);
    strncpy(kept, given, 6);

    int n = strlen(kept);
    free(kept);
    return n;
}
