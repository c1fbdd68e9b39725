// EXPECT: out-of-bounds 11 - sscanf reads a word without a limit.
#include <klee/klee.h>
#include <stdio.h>
int main(void)
{
    char line[8], word[3];
    int n;
    klee_make_symbolic(line, sizeof line, "line");
    line[7] = 0;
    if (line[0] != '7' || line[1] != ' ') return 0;
    return sscanf(line, "%d %s", &n, word);
}
