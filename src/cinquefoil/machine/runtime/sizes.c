/* Symbolic sizes: of copies, fills and allocations.
 *
 * A size is fixed to its value, since memory has to be moved or made, and its
 * other values are alternatives.  There may be thousands of millions of them,
 * so what tells them apart is decided before: for a copy, whether it stays in
 * its objects; for an allocation, whether there is memory for it, and its
 * rough size.
 */
#include "rules.h"

/* All of a copy's violations are alike: the error needs no size of its own. */
void size_fits(u64 address, u32 s, u64 n, u32 sn, u32 access, u32 site) {
    struct object o;
    if (!sn || is_const(sn)) return;
    sn = fitted(sn, 64, n);
    if (s && !is_const(s)) s = symbolic_root(site, s);
    if (!(s && object_meant(s, &o)) && !object_holding(address, &o)) return;
    if (!o.live) return;
    u32 offset = node_binary(OP_SUB, 64, operand(s, 64, address), node_const(64, o.base)), size = node_const(64, o.size);
    u32 inside = node_binary(OP_AND, 1, node_binary(OP_ULE, 64, offset, size),
                             node_binary(OP_ULE, 64, sn, node_binary(OP_SUB, 64, size, offset)));
    u32 ok = node_binary(OP_OR, 1, inside, node_binary(OP_EQ, 64, sn, node_const(64, 0)));
    int holds = !n || (address - o.base <= o.size && n <= o.base + o.size - address);
    decide(EVENT_CHECK, site, is_const(offset) ? inside : ok, holds, ERROR_OUT_OF_BOUNDS);
    if (!holds) error_object(ERROR_OUT_OF_BOUNDS, address, n, access, site, &o);
}

#define NARROW 256 /* sizes up to here are few: each is tried in its turn */

u64 size_to_allocate(u32 site, u32 s, u64 size, u64 limit) {
    static const u64 steps[] = {1 << 20, 4096, 64, 0};
    if (!s || is_const(s)) return size;
    s = fitted(s, 64, size);
    u32 fits = node_binary(OP_ULE, 64, s, node_const(64, limit));
    decide(EVENT_BRANCH, site, fits, size <= limit, 0);
    if (size > limit) return size;
    for (u32 i = 0; i < 4 && rule_maximum(s, 6) > NARROW; i++) {
        if (steps[i] >= limit) continue;
        decide(EVENT_BRANCH, site, node_binary(OP_ULE, 64, s, node_const(64, steps[i])), size <= steps[i], 0);
        if (size > steps[i]) break;
    }
    concretize(site, s, size, REASON_SIZE);
    return size;
}
