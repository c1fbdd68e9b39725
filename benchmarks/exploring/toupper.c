/* 2^SIZE paths, 1,024 of ten bytes: each of them is a lower-case letter or not. */
#ifndef SIZE
#define SIZE 10
#endif
#include <klee/klee.h>
int main(void)
{
    char text[SIZE];
    int changed = 0;
    klee_make_symbolic(text, sizeof text, "text");
    for (unsigned i = 0; i < sizeof text; i++)
        if ((unsigned char)(text[i] - 'a') < 26) {
            text[i] -= 'a' - 'A';
            changed++;
        }
    return changed;
}
