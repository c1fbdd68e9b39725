/* The labyrinth: the way from X to # by w, a, s, d; one wall can be walked through. */
#include <assert.h>
#include <klee/klee.h>
#define H 7
#define W 11
static char maze[H][W + 1] = {
    "+-+---+---+", "| |     |#|", "| | --+ | |", "| |   | | |", "| +-- | | |", "|     |   |", "+-----+---+"};
int main(void)
{
    char program[28];
    int x = 1, y = 1;
    klee_make_symbolic(program, sizeof program, "program");
    for (unsigned i = 0; i < sizeof program; i++) {
        int ox = x, oy = y;
        switch (program[i]) {
        case 'w': y--; break;
        case 's': y++; break;
        case 'a': x--; break;
        case 'd': x++; break;
        default: return 1;
        }
        if (maze[y][x] == '#') assert(!"out of the maze");
        if (maze[y][x] != ' ' && !(y == 2 && maze[y][x] == '|' && x > 0 && x < W)) {
            x = ox;
            y = oy;
        }
        if (ox == x && oy == y) return 2;
        maze[y][x] = 'X';
    }
    return 3;
}
