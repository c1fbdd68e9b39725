// EXPECT: out-of-bounds 7 - The bad handler is reached through a table of functions.
#include <klee/klee.h>
static int cells[6];
static int get(unsigned i) { return i < 6 ? cells[i] : -1; }
static int put(unsigned i) { return i < 6 ? cells[i] = 1 : -1; }
static int swap(unsigned i) { return i <= 5 ? cells[i] = cells[5 - i] : -1; }
static int last(unsigned i) { return cells[i + 1]; }
static int (*const handlers[4])(unsigned) = {get, put, swap, last};
int main(void)
{
    unsigned char code, index;
    klee_make_symbolic(&code, 1, "code");
    klee_make_symbolic(&index, 1, "index");
    if (code > 3 || index > 5) return 0;
    return handlers[code](index);
}
