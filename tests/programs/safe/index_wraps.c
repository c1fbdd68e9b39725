// SAFE: The size check multiplies and wraps around; only huge counts pass it wrongly.
#include <klee/klee.h>
struct entry { int key, value, next; };
static struct entry pool[10];
int main(void)
{
    unsigned count;
    klee_make_symbolic(&count, sizeof count, "count");
    if (count == 0) return 0;
    if (count > 10) return 1;
    pool[count - 1].value = 3;
    return 2;
}
