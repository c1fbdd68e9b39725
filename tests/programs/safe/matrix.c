// SAFE: Row and column are each checked, but against each other's limit.
#include <klee/klee.h>
int main(void)
{
    signed char row, column;
    int matrix[5][7] = {0};
    klee_make_symbolic(&row, 1, "row");
    klee_make_symbolic(&column, 1, "column");
    if (row < 0 || column < 0) return 0;
    if (row >= 5 || column >= 7) return 1;
    return ((int *)matrix)[row * 7 + column];
}
