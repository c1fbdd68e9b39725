/* Symbolic sizes: the choices that matter are branches, the rest is fixed to the run's value.
 *
 * An allocation is empty, too large, or has this run's size; every other size is
 * one more state of the event that fixes it.  A copy or a fill first asks
 * whether it stays inside the objects, so that an overflow is a state of its own
 * and not left to chance.
 */
#include "runtime.h"

/* Is the size beyond what can be had?  All such sizes are alike: none is fixed. */
int size_is_too_large(u32 s, u64 value, u64 most, u32 site) {
    if (s && !is_const(s)) {
        u32 w = width_of(s);
        decide(EVENT_BRANCH, site, node_binary(OP_ULT, w, node_const(w, most), s), value > most, 0);
    }
    return value > most;
}

u64 size_choose(u32 s, u64 value, u32 site) {
    if (!s || is_const(s)) return value;
    decide(EVENT_BRANCH, site, node_binary(OP_EQ, width_of(s), s, node_const(width_of(s), 0)), value == 0, 0);
    concretize(site, s, value, REASON_SIZE);
    return value;
}

/* That `n` bytes from an address on stay inside the object there: a check.  All that do not are alike. */
void size_within(u64 address, u32 s, u64 n, u32 access, u32 site) {
    struct object o;
    if (!s || is_const(s) || !object_find(address, &o) || !o.live) return;
    u64 room = o.base + o.size - address;
    decide(EVENT_CHECK, site, node_binary(OP_ULE, width_of(s), s, node_const(width_of(s), room)), n <= room, ERROR_OUT_OF_BOUNDS);
    if (n > room) error_memory(address, n, access, site);
}
