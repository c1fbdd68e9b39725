/* arguments: --sym-stdin 24 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int words, lines, digits;
int main(void)
{
    char line[10], word[6];
    int c, n = 0, value;
    c = getchar();
    if (c == EOF) return 9;
    ungetc(c, stdin);
    if (c < 64 && scanf("%d", &value) == 1) printf("number %d\n", value);
    if (scanf(" %5[a-z0-9]", word) == 1) printf("word %s\n", word);
    if (fgets(line, sizeof line, stdin)) printf("line %zu\n", strlen(line));
    while ((c = getchar()) != EOF) {
        if (isspace(c)) words++;
        if (c == '\n') lines++;
        else if (isdigit(c)) digits++;
        if (c == 'q') exit(digits);
        if (++n == 8) break;
    }
    char rest[4];
    ssize_t got = read(0, rest, sizeof rest);
    printf("%d %d %d %zd %d %d\n", words, lines, digits, got, feof(stdin), isatty(0));
    return lseek(0, 0, SEEK_CUR) == -1;
}
