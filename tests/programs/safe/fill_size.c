// SAFE: memset of a size that subtraction made huge.
#include <klee/klee.h>
#include <string.h>
int main(void)
{
    char line[24];
    unsigned char used, total;
    klee_make_symbolic(&used, 1, "used");
    klee_make_symbolic(&total, 1, "total");
    if (total > 24) return 0;
    if (used > total) return 1;
    memset(line, ' ', total - used);
    return 2;
}
