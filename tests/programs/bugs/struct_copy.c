// EXPECT: out-of-bounds 10 - A whole record is copied from a symbolic index.
#include <klee/klee.h>
struct record { int fields[5]; };
static struct record records[6];
int main(void)
{
    unsigned long i;
    klee_make_symbolic(&i, sizeof i, "i");
    if (i * 20 > 120 || i > 1000) return 0;
    struct record copy = records[i];
    return copy.fields[1];
}
