// EXPECT: out-of-bounds 7 - A comparison for qsort looks a name up without a check.
#include <klee/klee.h>
#include <stdlib.h>
static const int rank[6] = {3, 1, 4, 1, 5, 9};
static int by_rank(const void *a, const void *b)
{
    return rank[*(const unsigned char *)a] - rank[*(const unsigned char *)b];
}
int main(void)
{
    unsigned char items[3];
    klee_make_symbolic(items, sizeof items, "items");
    for (int i = 0; i < 3; i++)
        if (items[i] > 6) return 0;
    if (items[0] + items[1] * 7 + items[2] * 49 < 280) return 1;
    qsort(items, 3, 1, by_rank);
    return items[0];
}
