/* Comparisons of few bytes, which compilers like to expand in place: each must decide symbolically. */
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
int main(void)
{
    char in[24];
    klee_make_symbolic(in, sizeof in, "in");
    int found = 0;
    if (memcmp(in, "M", 1) == 0) found |= 1;
    if (memcmp(in + 1, "AG", 2) == 0) found |= 2;
    if (memcmp(in + 3, "IC!?", 4) == 0) found |= 4;
    if (memcmp(in + 7, "12345678", 8) > 0) found |= 8;
    if (!bcmp(in + 15, "xyz", 3)) found |= 16;
    if (!strncmp(in + 18, "end", 3)) found |= 32;
    if (found == 63) puts("all of it");
    return found;
}
