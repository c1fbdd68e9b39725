// EXPECT: assertion 19 - A sorting network that misses one exchange.
#include <klee/klee.h>
#include <assert.h>
static void order(unsigned char *v, int i, int j)
{
    unsigned char low = v[i] < v[j] ? v[i] : v[j], high = v[i] < v[j] ? v[j] : v[i];
    v[i] = low;
    v[j] = high;
}
int main(void)
{
    unsigned char v[4];
    klee_make_symbolic(v, sizeof v, "v");
    order(v, 0, 1);
    order(v, 2, 3);
    order(v, 0, 2);
    order(v, 1, 3);
    order(v, 1, 1);
    assert(v[0] <= v[1] && v[1] <= v[2] && v[2] <= v[3]);
    return 0;
}
