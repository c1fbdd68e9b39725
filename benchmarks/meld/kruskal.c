/* Finds a minimum spanning forest of a weighted undirected graph of SIZE vertices, as Kruskal did: the lightest edge
 * first, unless its ends are connected already.  A weight of 0 is no edge. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 3
#endif
#define EDGES (SIZE * (SIZE - 1) / 2)

static unsigned char weight[EDGES];
static int from[EDGES], to[EDGES], set[SIZE];

static int find(int v)
{
    while (set[v] != v)
        v = set[v];
    return v;
}

static void sort(void)
{
    for (int i = 0; i < EDGES; i++)
        for (int j = 0; j + 1 < EDGES - i; j++)
            if (weight[j] > weight[j + 1]) {
                unsigned char w = weight[j];
                int f = from[j], t = to[j];
                weight[j] = weight[j + 1], from[j] = from[j + 1], to[j] = to[j + 1];
                weight[j + 1] = w, from[j + 1] = f, to[j + 1] = t;
            }
}

static int kruskal(void)
{
    int total = 0;
    for (int v = 0; v < SIZE; v++)
        set[v] = v;
    sort();
    for (int e = 0; e < EDGES; e++) {
        if (!weight[e])
            continue;
        int a = find(from[e]), b = find(to[e]);
        if (a != b) {
            set[a] = b;
            total += weight[e];
        }
    }
    return total;
}

int main(void)
{
    int count = 0;
    klee_make_symbolic(weight, sizeof weight, "weight");
    for (int i = 0; i < SIZE; i++)
        for (int j = i + 1; j < SIZE; j++)
            from[count] = i, to[count++] = j;
    kruskal();
    return 0;
}
