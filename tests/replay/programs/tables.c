/* arguments: --sym-stdin 12 */
/* A table-driven lexer with symbolic indices, writes at symbolic places, sorting and searching. */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const unsigned char class_of[128] = {['0' ... '9'] = 1, ['a' ... 'z'] = 2, ['A' ... 'Z'] = 2, ['_'] = 2, [' '] = 3, ['\n'] = 3, ['+'] = 4, ['-'] = 4, ['"'] = 5};
static const unsigned char next[6][6] = {{0, 1, 2, 0, 3, 4}, {0, 1, 5, 0, 3, 4}, {0, 2, 2, 0, 3, 4}, {0, 1, 2, 0, 5, 4}, {4, 4, 4, 4, 4, 0}, {5, 5, 5, 0, 5, 5}};
static int counts[6], histogram[16];
static int compare(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
int main(void)
{
    unsigned char in[12], key;
    size_t n = fread(in, 1, sizeof in, stdin);
    int state = 0;
    for (size_t i = 0; i < n; i++) {
        state = next[state][class_of[in[i] & 127]];
        counts[state]++;
        histogram[in[i] >> 4] += in[i] & 1 ? 2 : 1;
        if (state == 5) break;
    }
    for (int i = 0; i < 6; i++) if (counts[i] > 2) printf("%d:%d ", i, counts[i]);
    for (int i = 0; i < 16; i++) if (histogram[i]) printf("%x=%d ", i, histogram[i]);
    qsort(in, n, 1, compare);
    key = 'k';
    unsigned char *found = bsearch(&key, in, n, 1, compare);
    printf("\n%d %d\n", found != 0, in[0] == in[1]);
    void *root = 0;
    for (size_t i = 0; i < 4 && i < n; i++) tsearch(&in[i * 3], &root, compare);
    printf("%d\n", tfind(&key, &root, compare) != 0);
    switch (in[5]) { case 0 ... 9: return 1; case 'a': case 'e': case 'i': return 2; case 200 ... 255: return 3; }
    return state;
}
