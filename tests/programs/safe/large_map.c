// SAFE: A megabyte of link numbers, one of them set through the input, followed once.
#include <klee/klee.h>
static unsigned short links[1 << 19], more[40];
int main(void)
{
    unsigned from, to;
    klee_make_symbolic(&from, sizeof from, "from");
    klee_make_symbolic(&to, sizeof to, "to");
    if (from >= 1 << 19 || to > 39) return 0;
    if (from % 4096 != 77 || to < 20) return 1;
    links[from] = to;
    return more[links[77 + 4096 * 99]];
}
