// SAFE: A fraction of the table's length as index: 1.0 is one too many.
#include <klee/klee.h>
static int histogram[10];
int main(void)
{
    float x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (!(x >= 0.75f && x < 1.0f)) return 0;
    histogram[(int)(x * 8) + 2]++;
    return 1;
}
