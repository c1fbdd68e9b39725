// EXPECT: use-after-free 18 - A protocol of one-letter commands: close, then read.
#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    char script[4];
    int *session = 0, opened = 0, sum = 0;
    klee_make_symbolic(script, sizeof script, "script");
    for (int i = 0; i < 4; i++) {
        if (script[i] == 'o' && !opened) {
            session = malloc(sizeof *session);
            *session = i;
            opened = 1;
        } else if (script[i] == 'c' && opened == 1) {
            free(session);
            opened = 2;
        } else if (script[i] == 'r' && opened)
            sum += *session;
    }
    return sum;
}
