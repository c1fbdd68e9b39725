/* Breadth-first search for the nearest of some vertices (empc/prepared.py): the successors of vertex v are
 * targets[first[v]] to targets[first[v + 1] - 1]. */
#include "search/search.h"

u64 cinq_nearest(const i32 *first, const i32 *targets, u32 start, const u8 *wanted, u64 most, u64 far, i32 *seen,
                 i32 stamp, u32 *queue, u32 *out)
{
    u64 found = 0, head = 0, tail = 0;
    seen[start] = stamp;
    queue[tail++] = start;
    while (head < tail && found < most) {
        u32 at = queue[head++];
        for (i32 i = first[at]; i < first[at + 1]; i++) {
            u32 next = (u32)targets[i];
            if (seen[next] == stamp) continue;
            if (tail == far) return found;
            seen[next] = stamp;
            queue[tail++] = next;
            if (wanted[next] && found < most) out[found++] = next;
        }
    }
    return found;
}
