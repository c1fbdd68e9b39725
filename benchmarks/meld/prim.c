/* Finds a minimum spanning tree of a weighted undirected graph of SIZE vertices, as Prim did; a weight of 0 is no
 * edge. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 4
#endif
#define FAR 1000

static int graph[SIZE][SIZE], parent[SIZE];

static void prim(void)
{
    int key[SIZE], done[SIZE];
    for (int v = 0; v < SIZE; v++)
        key[v] = FAR, done[v] = 0, parent[v] = -1;
    key[0] = 0;
    for (int round = 0; round < SIZE; round++) {
        int nearest = 0, least = FAR + 1;
        for (int v = 0; v < SIZE; v++)
            if (!done[v] && key[v] < least) {
                least = key[v];
                nearest = v;
            }
        done[nearest] = 1;
        for (int v = 0; v < SIZE; v++) {
            int weight = graph[nearest][v];
            if (weight && !done[v] && weight < key[v]) {
                key[v] = weight;
                parent[v] = nearest;
            }
        }
    }
}

int main(void)
{
    unsigned char weights[SIZE][SIZE];
    klee_make_symbolic(weights, sizeof weights, "weights");
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < i; j++)
            graph[i][j] = graph[j][i] = weights[i][j];
    prim();
    return 0;
}
