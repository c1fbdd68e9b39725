// EXPECT: out-of-bounds 11 - The size check multiplies and wraps around; only huge counts pass it wrongly.
#include <klee/klee.h>
struct entry { int key, value, next; };
static struct entry pool[10];
int main(void)
{
    unsigned count;
    klee_make_symbolic(&count, sizeof count, "count");
    if (count == 0) return 0;
    if (count * (unsigned)sizeof(struct entry) > sizeof pool) return 1;
    pool[count - 1].value = 3;
    return 2;
}
