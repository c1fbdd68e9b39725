// SAFE: A table-driven automaton must accept "stop" before the write.
#include <klee/klee.h>
static const unsigned char class_of[128] = {['s'] = 1, ['t'] = 2, ['o'] = 3, ['p'] = 4};
static const unsigned char next_state[5][5] = {
    {0, 1, 0, 0, 0}, {0, 1, 2, 0, 0}, {0, 1, 0, 3, 0}, {0, 1, 0, 0, 4}, {4, 4, 4, 4, 4},
};
static int counters[4];
int main(void)
{
    char text[5];
    int state = 0;
    klee_make_symbolic(text, sizeof text, "text");
    for (int i = 0; i < 5; i++) state = next_state[state][class_of[text[i] & 127]];
    counters[state & 3] = 1;
    return 0;
}
