/* Sorts SIZE integers by top-down merging. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 5
#endif

static int spare[SIZE];

static void sort(int *a, int low, int high)
{
    if (high - low < 2)
        return;
    int middle = low + (high - low) / 2, i = low, j = middle, k = low;
    sort(a, low, middle);
    sort(a, middle, high);
    while (i < middle && j < high) {
        if (a[i] <= a[j]) {
            spare[k] = a[i];
            i++;
        } else {
            spare[k] = a[j];
            j++;
        }
        k++;
    }
    while (i < middle)
        spare[k++] = a[i++];
    while (j < high)
        spare[k++] = a[j++];
    for (k = low; k < high; k++)
        a[k] = spare[k];
}

int main(void)
{
    int a[SIZE];
    klee_make_symbolic(a, sizeof a, "a");
    sort(a, 0, SIZE);
    return 0;
}
