// EXPECT: out-of-bounds 10 - Three keys in the last bucket of a table whose buckets hold two.
#include <klee/klee.h>
static unsigned slots[8 * 2];
static unsigned char used[8];
static unsigned hash(unsigned key) { return (key * 2654435761u) >> 29; }
static void insert(unsigned key)
{
    unsigned b = hash(key);
    if (used[b] >= 3) return;
    slots[b * 2 + used[b]] = key;
    used[b]++;
}
int main(void)
{
    unsigned char keys[3];
    klee_make_symbolic(keys, sizeof keys, "keys");
    klee_assume(keys[0] < keys[1]);
    klee_assume(keys[1] < keys[2]);
    for (int i = 0; i < 3; i++) insert(keys[i] + 1000);
    return slots[0] != 0;
}
