/* Detects edges in an image of SIZE x SIZE pixels by the Sobel-Feldman operator. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 4
#endif
#define LIMIT 255

static unsigned char in[SIZE][SIZE], out[SIZE][SIZE];
static const int across[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
static const int down[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};

static void detect(void)
{
    for (int i = 1; i < SIZE - 1; i++)
        for (int j = 1; j < SIZE - 1; j++) {
            int x = 0, y = 0;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) {
                    x += across[a][b] * in[i + a - 1][j + b - 1];
                    y += down[a][b] * in[i + a - 1][j + b - 1];
                }
            if (x < 0)
                x = -x;
            if (y < 0)
                y = -y;
            int strength = x + y;
            if (strength > LIMIT)
                strength = LIMIT;
            out[i][j] = (unsigned char)strength;
        }
}

int main(void)
{
    klee_make_symbolic(in, sizeof in, "in");
    detect();
    return 0;
}
