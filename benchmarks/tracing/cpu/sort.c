#include <stdio.h>
#include <stdlib.h>
#define N 200000
static int values[N];
static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int main(void)
{
    unsigned seed = 1;
    for (int i = 0; i < N; i++) {
        seed = seed * 1103515245 + 12345;
        values[i] = (int)(seed >> 8);
    }
    qsort(values, N, sizeof values[0], compare);
    printf("%d %d\n", values[0], values[N / 2]);
    return 0;
}
