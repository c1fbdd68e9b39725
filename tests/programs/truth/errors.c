/* Errors end some of the paths. */
#include <assert.h>
#include <klee/klee.h>
static int values[20];
int main(void)
{
    unsigned char x, y;
    klee_make_symbolic(&x, 1, "x");
    klee_make_symbolic(&y, 1, "y");
    if (x < 100) return values[x / 4];
    assert(y != 99 || x != 200);
    if (x == 130) return 100 / (y - 7);
    return 0;
}
