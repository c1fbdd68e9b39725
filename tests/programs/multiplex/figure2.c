/* MuSE's motivating example (its Figure 2); compiled with -DNUMBER=int or -DNUMBER=double. */
#include <klee/klee.h>

static int start(NUMBER x, NUMBER y) {
    if (x + y >= 2) {
        if (2 * y - x >= 1) {
            if (2 * x - y >= 0) return 2;
            return 1;
        }
        return 3;
    }
    return 4;
}

int main(void) {
    NUMBER x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    return start(x, y);
}
