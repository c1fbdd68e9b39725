// EXPECT: out-of-bounds 8 - memchr is told of one byte too many, and reaches it only if nothing is found before.
#include <klee/klee.h>
#include <string.h>
int main(void)
{
    char text[5];
    klee_make_symbolic(text, sizeof text, "text");
    char *p = memchr(text, ':', 6);
    return p ? p - text : -1;
}
