/* A tokenizer with a planted bug: a name of more than seven letters does not fit into its buffer.
 *
 *     cinq run --max-errors 1 examples/tokens.c --sym-stdin 12
 *     cinq trace --input examples/tokens.ktest examples/tokens.c
 *
 * The second command runs the input that goes wrong: eight letters in a row.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum kind { END, NAME, NUMBER, SIGN };

struct token {
    enum kind kind;
    long value;
    char *name;
};

static char *read_name(int c) {
    char *name = malloc(8);
    int length = 0;
    while (isalpha(c)) {
        name[length++] = (char)c; /* the bug: length is never compared with the size */
        c = getchar();
    }
    ungetc(c, stdin);
    name[length] = 0;
    return name;
}

static long read_number(int c) {
    long value = 0;
    while (isdigit(c)) {
        value = 10 * value + (c - '0');
        c = getchar();
    }
    ungetc(c, stdin);
    return value;
}

static struct token next(void) {
    struct token token = {END, 0, NULL};
    int c = getchar();
    while (c == ' ') c = getchar();
    if (isalpha(c)) {
        token.kind = NAME;
        token.name = read_name(c);
    } else if (isdigit(c)) {
        token.kind = NUMBER;
        token.value = read_number(c);
    } else if (c != EOF && c != 0) {
        token.kind = SIGN;
        token.value = c;
    }
    return token;
}

int main(void) {
    int counts[4] = {0};
    struct token token;
    while ((token = next()).kind != END) {
        counts[token.kind]++;
        free(token.name);
    }
    printf("%d names, %d numbers, %d signs\n", counts[NAME], counts[NUMBER], counts[SIGN]);
    return 0;
}
