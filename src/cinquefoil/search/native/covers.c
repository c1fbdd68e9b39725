/* Which paths of covers are all visited (empc/covers.py). */
#include <stdint.h>

typedef uint8_t u8;
typedef int32_t i32;
typedef uint64_t u64;

/* The first of n numbers, which ascend, that is not below `block`. */
static u64 first_of(const i32 *crossed, u64 n, i32 block)
{
    u64 low = 0, high = n;
    while (low < high) {
        u64 middle = (low + high) / 2;
        if (crossed[middle] < block) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* `count` blocks were entered for the first time: the paths through them, of which crossing[i] is one through block
 * crossed[i], have one less to visit.  Gives how many that are wanted have none left now; `out` gets their ends. */
u64 cinq_covers_visit(const i32 *crossed, const i32 *crossing, u64 n, const i32 *blocks, u64 count, i32 *unvisited,
                      const u8 *wanted, i32 *out)
{
    u64 found = 0;
    for (u64 k = 0; k < count; k++)
        for (u64 i = first_of(crossed, n, blocks[k]); i < n && crossed[i] == blocks[k]; i++)
            if (!--unvisited[crossing[i]] && wanted[crossing[i]]) out[found++] = crossing[i];
    return found;
}
