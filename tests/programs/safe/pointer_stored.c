// SAFE: A pointer to a shorter array is stored at one symbolic index and read at another.
#include <klee/klee.h>
int main(void)
{
    int longer[4] = {0}, shorter[2] = {0};
    int *rows[4] = {longer, longer, longer, longer};
    unsigned char i, j, k;
    klee_make_symbolic(&i, 1, "i");
    klee_make_symbolic(&j, 1, "j");
    klee_make_symbolic(&k, 1, "k");
    if (i > 3 || j > 3 || k > 3) return 0;
    rows[i] = shorter;
    if (i == j && k > 1) return 1;
    return rows[j][k];
}
