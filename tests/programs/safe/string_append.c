// SAFE: strncat writes its terminator after n characters.
#include <klee/klee.h>
#include <string.h>
int main(void)
{
    char path[8] = "/tmp/", part[6];
    klee_make_symbolic(part, sizeof part, "part");
    part[5] = 0;
    if (part[0] != '.' || part[1] != '.') return 0;
    strncat(path, part, 2);
    return path[5];
}
