// SAFE: strlen of a table's last entry.
#include <klee/klee.h>
#include <string.h>
static const char *const names[4] = {"a", "bb", "ccc", 0};
int main(void)
{
    unsigned x;
    klee_make_symbolic(&x, sizeof x, "x");
    unsigned i = (x ^ x >> 16) * 0x45d9f3bu >> 30;
    if (i == 3) return 0;
    return strlen(names[i]);
}
