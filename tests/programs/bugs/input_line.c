// EXPECT: out-of-bounds 7 - fgets is told of more room than there is.  ARGUMENTS: --sym-stdin 6
#include <stdio.h>
int main(void)
{
    char line[4];
    if (getchar() != '>') return 0;
    if (!fgets(line, 5, stdin)) return 1;
    return line[0] == 'q';
}
