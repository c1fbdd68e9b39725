// EXPECT: division-by-zero 12 - A modulus read from text.
#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    char text[4];
    klee_make_symbolic(text, sizeof text, "text");
    text[3] = 0;
    int n = atoi(text);

    if (n < 50) return 1;
    return 12345u % (unsigned)(n - 83);
}
