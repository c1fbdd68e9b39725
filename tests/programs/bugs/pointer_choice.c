// EXPECT: out-of-bounds 10 - Which of two buffers is written depends on the input; the index suits only one.
#include <klee/klee.h>
static int large[16], small[8];
int main(void)
{
    unsigned char mode, index;
    klee_make_symbolic(&mode, 1, "mode");
    klee_make_symbolic(&index, 1, "index");
    int *target = mode == 0x7f ? small : large;
    if (index < 16) target[index] = 1;
    return target[0];
}
