#include <klee/klee.h>
int main(void)
{
    unsigned char n, step;
    klee_make_symbolic(&n, 1, "n");
    klee_make_symbolic(&step, 1, "step");
    klee_assume(n < 12);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (sum > 20) break;
        sum += step & 7;
    }
    if (sum == 15) return 1;
    while (sum > 0) sum -= 4;
    return sum == -3 ? 2 : 3;
}
