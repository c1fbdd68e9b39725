// EXPECT: out-of-bounds 10 - A name that fills its field is printed.
#include <klee/klee.h>
#include <stdio.h>
int main(void)
{
    char name[4];
    klee_make_symbolic(name, sizeof name, "name");
    if (name[0] != '@') return 0;

    printf("%s\n", name);
    return 1;
}
