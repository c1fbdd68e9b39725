// SAFE: Push, mark, drop, use: the mark outlives what it marks.
#include <klee/klee.h>
#include <stdlib.h>
struct item { struct item *below; int value; };
int main(void)
{
    char script[4];
    struct item *top = 0, *mark = 0;
    klee_make_symbolic(script, sizeof script, "script");
    for (int i = 0; i < 4; i++) {
        if (script[i] == 'p') {
            struct item *new = malloc(sizeof *new);
            new->below = top;
            new->value = i;
            top = new;
        } else if (script[i] == 'd' && top) {
            struct item *below = top->below;
            if (mark == top) mark = 0;
            free(top);
            top = below;
        } else if (script[i] == 'm') mark = top;
        else if (script[i] == 'u' && mark) mark->value++;
        else return 0;
    }
    return 1;
}
