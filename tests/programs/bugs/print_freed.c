// EXPECT: use-after-free 14 - One of four names has been given back when it is printed.
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    unsigned char which;
    const char *names[4] = {"north", "east", "south", "west"};
    klee_make_symbolic(&which, 1, "which");
    if (which > 3) return 0;
    names[2] = strdup("centre");
    free((char *)names[2]);
    printf("%s\n", names[which]);
    return 1;
}
