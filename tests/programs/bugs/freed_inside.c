// EXPECT: invalid-free 10 - A pointer that was moved on is freed.
#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    char *text = malloc(6), *p = text;
    klee_make_symbolic(text, 6, "text");
    for (int i = 0; i < 3 && *p == '-'; i++) p++;
    if (p[0] == 'e' && p[1] == 'n' && p[2] == 'd') {
        free(p);
        return 1;
    }
    free(text);
    return 0;
}
