/* Morphological dilation of a binary image of SIZE x SIZE pixels over a 3 x 3 neighbourhood. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 4
#endif

static unsigned char in[SIZE][SIZE], out[SIZE][SIZE];

static void dilate(void)
{
    for (int i = 1; i < SIZE - 1; i++)
        for (int j = 1; j < SIZE - 1; j++)
            if (in[i][j] == 0)
                for (int a = -1; a <= 1; a++)
                    for (int b = -1; b <= 1; b++)
                        if (in[i + a][j + b] == 1)
                            out[i][j] = 1;
}

int main(void)
{
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            klee_assume(in[i][j] <= 1);
            out[i][j] = in[i][j];
        }
    dilate();
#ifdef ASSERT
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            klee_assert(out[i][j] >= in[i][j]);
#endif
    return 0;
}
