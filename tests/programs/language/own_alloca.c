/* alloca as the program itself declares it. */
#include <stdio.h>
#include <string.h>
void *alloca(unsigned long);

static int length(const char *text, int times)
{
    char *copy = alloca(strlen(text) * times + 1);
    copy[0] = 0;
    for (int n = 0; n < times; n++) {
        char *part = alloca(3 + n);
        strcpy(part, "ab");
        strcat(copy, part[1] == 'b' ? text : "");
    }
    return strlen(copy);
}

int main(void)
{
    printf("%d %d\n", length("abc", 4), length("", 2));
    return 0;
}
