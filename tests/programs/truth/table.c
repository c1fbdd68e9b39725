#include <klee/klee.h>
static const unsigned char kind[256] = {['0' ... '9'] = 1, ['a' ... 'f'] = 2, ['+'] = 3, ['-'] = 3};
static const signed char next[4][4] = {{0, 1, 2, 3}, {3, 1, -1, 0}, {2, 2, 0, 1}, {0, 0, 1, -1}};
int main(void)
{
    unsigned char text[2];
    klee_make_symbolic(text, sizeof text, "text");
    int state = 0;
    for (int i = 0; i < 2; i++) {
        state = next[state][kind[text[i]]];
        if (state < 0) return 9;
    }
    switch (state) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 2;
    default: return 3;
    }
}
