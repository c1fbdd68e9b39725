/* Counts the connected components of an undirected graph of SIZE vertices, given as an adjacency matrix, in the manner
 * of Shiloach and Vishkin: hook onto the smaller label, then jump to the label's label, until nothing changes. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 4
#endif

static int components(unsigned char adjacent[SIZE][SIZE])
{
    int label[SIZE], count = 0, changed = 1;
    for (int i = 0; i < SIZE; i++)
        label[i] = i;
    while (changed) {
        changed = 0;
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++)
                if (adjacent[i][j] && label[i] < label[j]) {
                    label[j] = label[i];
                    changed = 1;
                }
        for (int i = 0; i < SIZE; i++)
            label[i] = label[label[i]];
    }
    for (int i = 0; i < SIZE; i++)
        if (label[i] == i)
            count++;
    return count;
}

int main(void)
{
    unsigned char adjacent[SIZE][SIZE];
    klee_make_symbolic(adjacent, sizeof adjacent, "adjacent");
    components(adjacent);
    return 0;
}
