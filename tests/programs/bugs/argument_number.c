// EXPECT: out-of-bounds 11 - A number on the command line, octal or hexadecimal too, as an index.  ARGUMENTS: --sym-arg 4
#include <stdlib.h>
static int table[100];
int main(int argc, char **argv)
{
    if (argc != 2) return 1;
    char *end;
    long n = strtol(argv[1], &end, 0);
    if (end == argv[1] || *end) return 2;
    if (n < 0 || n > 100) return 3;
    return table[n];
}
