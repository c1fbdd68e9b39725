/* strtol and strcmp over eight bytes, exhausted. */
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    static char text[9];
    klee_make_symbolic(text, 8, "text");
    long value = strtol(text, 0, 10);
    if (value == 1234) return 1;
    if (value == -77) return 2;
    if (!strcmp(text, "stop")) return 3;
    if (!strcmp(text, "go")) return 4;
    return 0;
}
