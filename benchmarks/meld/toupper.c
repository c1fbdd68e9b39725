/* Converts lower case to upper case in an array of SIZE characters (CFMSE, figure 2). */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 10
#endif

static void to_upper(char *text)
{
    for (int i = 0; i < SIZE; i++)
        if ((text[i] >= 'a') & (text[i] <= 'z'))
            text[i] = text[i] - 'a' + 'A';
}

int main(void)
{
    char text[SIZE];
    klee_make_symbolic(text, sizeof text, "text");
    to_upper(text);
#ifdef ASSERT
    for (int i = 0; i < SIZE; i++)
        klee_assert(!((text[i] >= 'a') & (text[i] <= 'z')));
#endif
    return 0;
}
