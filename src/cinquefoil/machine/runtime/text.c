/* Texts that are printed: what is muted about them, and what is not.
 *
 * Where a text ends only shapes the output, and inside of formatting leaves no
 * states.  That it ends before its object does, and that its address is one
 * that can be read, must still be decided: the other side is an error.
 */
#include "runtime.h"

#define LONGEST 4096 /* symbolic bytes that are looked at */

/* One of the bytes left in the object is zero.  0: surely so, or too long to tell. */
static u32 ends_within(u64 address, u64 left, int *holds) {
    u32 ends = node_const(1, 0);
    if (left > LONGEST) return 0;
    for (u64 i = 0; i < left; i++) {
        u32 byte = memory_byte(address + i), zero = !*(const u8 *)(address + i);
        if (!byte && zero) return 0;
        if (byte) ends = node_binary(OP_OR, 1, ends, node_binary(OP_EQ, 8, byte, node_const(8, 0)));
        *holds |= zero;
    }
    return ends;
}

static void check_text(u64 address, u32 s, u64 n, u32 site) {
    struct object o;
    int holds = 0;
    if (s && !is_const(s)) symbolic_inside(address, s, 1, ACCESS_READ, site);
    if (!object_find(address, &o) || !o.live || n <= o.base + o.size - address) return;
    u32 ends = ends_within(address, o.base + o.size - address, &holds);
    if (ends) decide(EVENT_CHECK, site, ends, (u32)holds, ERROR_OUT_OF_BOUNDS);
}

/* Before the length of a printed text, at most n, is measured. */
const char *cinq_mute_text(const char *text, u64 n) {
    u32 s = cinq_arg[0], muted = cinq_mute;
    cinq_mute = 0;
    if (muted && n) check_text((u64)text, s, n, call_site());
    cinq_mute = muted;
    cinq_ret[0] = s;
    return text;
}
