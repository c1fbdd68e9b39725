#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    unsigned char i, v;
    int cells[8] = {0}, other[4] = {1, 2, 3, 4};
    klee_make_symbolic(&i, 1, "i");
    klee_make_symbolic(&v, 1, "v");
    cells[i & 7] = v;
    if (cells[3] == 77) return 1;
    if (cells[i % 5] > 200) return 2;
    int *p = v & 1 ? cells : other;
    if (p[i & 3] == 3) return 3;
    char *block = malloc(v & 3);
    if (!block) return 4;
    free(block);
    return 0;
}
