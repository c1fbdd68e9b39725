// EXPECT: out-of-bounds 12 - A pointer computed as an integer; other objects lie where it may lead.
#include <klee/klee.h>
#include <stdint.h>
static int first[8], cells[8], last[200];
int main(void)
{
    unsigned char i;
    klee_make_symbolic(&i, 1, "i");
    uintptr_t place = (uintptr_t)cells;
    if (i >= 200) return first[0] + last[0];
    place += i * sizeof(int);
    return *(int *)place;
}
