/* Which vertices of a directed graph of SIZE vertices can be reached from which. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 4
#endif

static void closure(unsigned char reach[SIZE][SIZE])
{
    for (int k = 0; k < SIZE; k++)
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++)
                if (reach[i][k] && reach[k][j])
                    reach[i][j] = 1;
}

int main(void)
{
    unsigned char reach[SIZE][SIZE];
    klee_make_symbolic(reach, sizeof reach, "reach");
    closure(reach);
    return 0;
}
