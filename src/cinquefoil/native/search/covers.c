/* Which paths of covers are all visited, and which is the best to go on with (empc/covers.py). */
#include "common/memory.h"
#include "search/search.h"

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

u64 cinq_covers_visit(const i32 *crossed, const i32 *crossing, u64 n, const i32 *blocks, u64 count, i32 *unvisited,
                      const u8 *wanted, i32 *out)
{
    u64 found = 0;
    for (u64 k = 0; k < count; k++)
        for (u64 i = first_of(crossed, n, blocks[k]); i < n && crossed[i] == blocks[k]; i++)
            if (!--unvisited[crossing[i]] && wanted[crossing[i]]) out[found++] = crossing[i];
    return found;
}

i32 cinq_covers_best(const struct covers *c, i32 node, u64 most)
{
    i32 *stack = 0, best = node;
    u64 used = 0, room = 0, ends = 0;
    for (i32 at = node;; at = stack[--used]) {
        i32 first = c->first[at], last = c->first[at + 1];
        u64 before = used;
        stack = grown(stack, &room, used + (u64)(last - first), sizeof *stack);
        for (i32 i = last; i-- > first;)
            if (c->open[c->children[i]]) stack[used++] = c->children[i];
        if (used == before && first < last) stack[used++] = c->children[first];
        if (first == last || c->wanted[at])
            if (!ends++ || c->unvisited[at] > c->unvisited[best]) best = at;
        if (!used || ends >= most) break;
    }
    free(stack);
    return best;
}
