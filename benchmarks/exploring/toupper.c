/* 1,024 paths: each of ten bytes is a lower-case letter or not. */
#include <klee/klee.h>
int main(void)
{
    char text[10];
    int changed = 0;
    klee_make_symbolic(text, sizeof text, "text");
    for (unsigned i = 0; i < sizeof text; i++)
        if ((unsigned char)(text[i] - 'a') < 26) {
            text[i] -= 'a' - 'A';
            changed++;
        }
    return changed;
}
