/* Sorts SIZE integers (a power of two) by bitonic merging. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 8
#endif

static void sort(int *a)
{
    for (int k = 2; k <= SIZE; k *= 2)
        for (int j = k / 2; j > 0; j /= 2)
            for (int i = 0; i < SIZE; i++) {
                int other = i ^ j;
                if (other <= i)
                    continue;
                if ((i & k) == 0) {
                    if (a[i] > a[other]) {
                        int t = a[i];
                        a[i] = a[other];
                        a[other] = t;
                    }
                } else if (a[i] < a[other]) {
                    int t = a[i];
                    a[i] = a[other];
                    a[other] = t;
                }
            }
}

int main(void)
{
    int a[SIZE];
    klee_make_symbolic(a, sizeof a, "a");
    sort(a);
#ifdef ASSERT
    for (int i = 0; i + 1 < SIZE; i++)
        klee_assert(a[i] <= a[i + 1]);
#endif
    return 0;
}
