/* Finds the shortest ways between all pairs of SIZE vertices of a weighted directed graph, as Floyd and Warshall did. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 4
#endif

static void shortest(int distance[SIZE][SIZE])
{
    for (int k = 0; k < SIZE; k++)
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++)
                if (distance[i][k] + distance[k][j] < distance[i][j])
                    distance[i][j] = distance[i][k] + distance[k][j];
}

int main(void)
{
    unsigned short weight[SIZE][SIZE];
    int distance[SIZE][SIZE];
    klee_make_symbolic(weight, sizeof weight, "weight");
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            distance[i][j] = weight[i][j];
    shortest(distance);
    return 0;
}
