// SAFE: An index that was itself stored through a symbolic index.
#include <klee/klee.h>
static unsigned char order[8];
static int values[8];
int main(void)
{
    unsigned char at, what, from;
    klee_make_symbolic(&at, 1, "at");
    klee_make_symbolic(&what, 1, "what");
    klee_make_symbolic(&from, 1, "from");
    if (at >= 8 || from >= 8) return 0;
    order[at] = what & 7;
    if (what * 3 != 201 && what != 9) return 1;
    return values[order[from]];
}
