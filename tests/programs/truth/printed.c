/* What was printed comes back as data: counts, a file that is read again, a position.  And a table read that was pinned
 * while it was printed decides a branch afterwards. */
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned prices[8] = {12, 700, 31, 5, 9000, 44, 81, 650};

static int length_of(unsigned value) {
    int length = printf("%u", value);
    if (length < 0) return 100;
    return length == 3 ? 1 : 0;
}

static int counted(unsigned value) {
    int so_far = 0;
    printf("%x%n|", value, &so_far);
    return so_far > 1;
}

static int read_again(unsigned value) {
    char line[16] = "";
    FILE *out = fopen("note", "w");
    fprintf(out, "%o", value);
    long at = ftell(out);
    fclose(out);
    FILE *in = fopen("note", "r");
    if (!fgets(line, sizeof line, in)) abort();
    fclose(in);
    if ((long)strlen(line) != at) abort();
    return at == 2 ? line[0] == '7' ? 2 : 1 : 0;
}

int main(void) {
    unsigned char in[2];
    klee_make_symbolic(in, sizeof in, "in");
    unsigned cost = prices[in[0] & 7] + (in[1] & 1);
    switch (in[1] >> 6) {
    case 0:
        printf("%u\n", cost);
        if (cost == 9001) return 10;
        return 11;
    case 1: return length_of(in[0]);
    case 2: return counted(in[0]);
    default: return read_again(in[0]);
    }
}
