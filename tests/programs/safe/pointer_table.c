// SAFE: A table of rows of different lengths, both indices from the input.
#include <klee/klee.h>
static short a[5], b[9], c[7], d[6];
static short *const rows[4] = {a, b, c, d};
static const unsigned char lengths[4] = {5, 9, 7, 6};
int main(void)
{
    unsigned row, column;
    klee_make_symbolic(&row, sizeof row, "row");
    klee_make_symbolic(&column, sizeof column, "column");
    if (row >= 4) return 0;
    if (column >= lengths[row]) return 1;
    rows[row][column] = 2;
    return 2;
}
