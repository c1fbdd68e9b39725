/* Close to undefined behaviour everywhere, and never there: no check may object. */
#include <klee/klee.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct header { unsigned short few : 3, more : 5; signed char sign; int tail[]; };
enum colour { RED, GREEN };
static int twice(int x) { return x < INT_MAX / 2 && x > INT_MIN / 2 ? x * 2 : 0; }
static int (*const function)(int) = twice;

int main(void)
{
    int x, y; unsigned char bytes[8];
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    klee_make_symbolic(bytes, sizeof bytes, "bytes");
    int sum = (y > 0 ? x < INT_MAX - y : x > INT_MIN - y) ? x + y : 0;
    sum = function(sum / 4);
    unsigned shifted = 1u << (y & 31), rotated = (shifted & 0x7fffffff) << 1 | shifted >> 31;
    struct header *h = malloc(sizeof *h + 3 * sizeof(int));
    if (!h) return 1;
    memset(h, 0, sizeof *h);
    h->few = bytes[0] & 7;
    h->more = bytes[1] & 31;
    h->sign = (signed char)bytes[2];
    h->tail[2] = (int)rotated;
    enum colour c = bytes[3] & 1 ? GREEN : RED;
    _Bool set = bytes[4];
    int word, n = (bytes[5] & 3) + 1, row[n];
    memcpy(&word, bytes + 1, sizeof word);
    row[n - 1] = word;
    const char *end = (const char *)bytes + sizeof bytes;
    ptrdiff_t distance = end - (const char *)bytes;
    int whole = h->sign > -100 ? (int)(h->sign * 1.5) : 0;
    int result = (distance == 8) + set + c + (row[n - 1] > 0) + (whole > 3) + (sum > 0) + (h->tail[2] != 0);
    free(h);
    return result;
}
