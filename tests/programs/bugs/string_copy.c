// EXPECT: out-of-bounds 11 - strcpy of what follows a keyword: too long by one character for one length only.
#include <klee/klee.h>
#include <string.h>
int main(void)
{
    char line[9], name[5];
    klee_make_symbolic(line, sizeof line, "line");
    line[8] = 0;
    if (strncmp(line, "us=", 3) != 0) return 0;

    strcpy(name, line + 3);
    return name[0];
}
