/* Adds one of two weighted rows to a sum, SIZE times: both ways of the branch are loops of the same shape.  The paper
 * has no such program; with -DOPEN the loops' length is not fixed. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 12
#endif
#ifdef OPEN
static int length = 8;
#else
enum { length = 8 };
#endif

int main(void)
{
    unsigned char way[SIZE], in[8];
    int out[8] = {0};
    klee_make_symbolic(way, sizeof way, "way");
    klee_make_symbolic(in, sizeof in, "in");
    for (int r = 0; r < SIZE; r++)
        if (way[r] > 3)
            for (int i = 0; i < length; i++)
                out[i] += in[i] * 3;
        else
            for (int i = 0; i < length; i++)
                out[i] += in[i] * 5;
#ifdef ASSERT
    for (int i = 0; i < length; i++)
        klee_assert(out[i] <= SIZE * 255 * 5);
#endif
    return 0;
}
