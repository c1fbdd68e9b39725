/* Named inputs are made in an order, and of a number, that depends on the path: whoever mixes up their bytes gets
 * another sum.  test_parallel.py has the same in Python. */
#include <klee/klee.h>

static unsigned char fresh(const char *name) {
    unsigned char value;
    klee_make_symbolic(&value, 1, name);
    return value;
}

static int weight(unsigned char value, int factor) {
    if (value == 17 * factor) return factor;
    if (value > 200) return 2 * factor;
    return 0;
}

int main(void) {
    unsigned char kind = fresh("kind"), x = 0, y = 0, z = 0;
    unsigned short pair = 0;
    if (kind == 1) {
        x = fresh("x"), y = fresh("y");
    } else if (kind == 2) {
        y = fresh("y"), z = fresh("z"), x = fresh("x");
    } else if (kind == 3) {
        klee_make_symbolic(&pair, 2, "pair");
        z = fresh("z");
        if (pair == 0x1234) x = fresh("x");
    } else if (kind == 4) {
        for (int i = 0; i < 3; i++) x ^= fresh("x");
    }
    return weight(x, 1) + weight(y, 3) + weight(z, 9) + (pair == 0x1234 ? 27 : 0);
}
