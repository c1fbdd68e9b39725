// EXPECT: out-of-bounds 11 - A signed length passes the upper check when it is negative.
#include <klee/klee.h>
#include <string.h>
static char target[16], source[64];
int main(void)
{
    int length;
    klee_make_symbolic(&length, sizeof length, "length");
    if (length > 16) return 0;

    memcpy(target, source, length);
    return target[0];
}
