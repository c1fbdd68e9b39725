#include <stdio.h>
#include <string.h>
int main(void)
{
    char text[200];
    unsigned long total = 0;
    for (int i = 0; i < 150000; i++) {
        snprintf(text, sizeof text, "%d %s %08x %c %5u|%-10s|", i, "hello world", i * 77, 'a' + i % 26, i, "abc");
        total += strlen(text);
    }
    printf("%lu\n", total);
    return 0;
}
