/* Texts that are printed: what is muted about them, and what is not.
 *
 * Where a text ends only shapes the output, and inside of formatting leaves no
 * states.  That it ends before its object does, that its address is one that
 * can be read, and that a number of bytes stays inside of the object, must
 * still be decided: the other side is an error.
 */
#include "rules.h"

#define LONGEST 4096 /* symbolic bytes that are looked at together */

static u32 is_zero(u32 byte) { return node_binary(OP_EQ, 8, byte, node_const(8, 0)); }

/* One of the bytes left in the object is zero.  0: surely so.  Of very many symbolic bytes, whether the text ends in the
 * first part of them is a state. */
static u32 ends_within(u64 address, u64 left, u32 site, int *holds) {
    u32 ends = node_const(1, 0), met = 0;
    for (u64 i = 0; i < left; i++) {
        u32 byte = memory_byte(address + i), zero = !*(const u8 *)(address + i);
        if (!byte && zero) return 0;
        if (!byte) continue;
        ends = node_binary(OP_OR, 1, ends, is_zero(byte));
        *holds |= zero;
        if (++met % LONGEST) continue;
        decide(EVENT_BRANCH, site, ends, (u32)*holds, 0);
        if (*holds) return 0;
        ends = node_const(1, 0);
    }
    return ends;
}

/* At most n bytes of it are read, which may be symbolic. */
static u32 is_short(u64 n, u32 sn, u64 left, int *holds) {
    *holds |= n <= left;
    return sn && !is_const(sn) ? node_binary(OP_ULE, 64, fitted(sn, 64, n), node_const(64, left)) : node_const(1, n <= left);
}

static void check_text(u64 address, u32 s, u64 n, u32 sn, u32 site) {
    struct object o;
    int holds = 0;
    if (s && !is_const(s)) symbolic_inside(address, s, 1, ACCESS_READ, site);
    if (!object_find(address, &o) || !o.live) return;
    u64 left = o.base + o.size - address;
    u32 ok = is_short(n, sn, left, &holds);
    if (is_const(ok) && const_value(ok)) return;
    u32 ends = ends_within(address, left, site, &holds);
    if (ends) decide(EVENT_CHECK, site, node_binary(OP_OR, 1, ok, ends), (u32)holds, ERROR_OUT_OF_BOUNDS);
}

/* Before the length of a printed text, at most n, is measured. */
const char *cinq_mute_text(const char *text, u64 n) {
    u32 s = cinq_arg[0], sn = cinq_arg[1], muted = cinq_mute;
    cinq_mute = 0;
    if (muted && (n || sn)) check_text((u64)text, s, n, sn, call_site());
    cinq_mute = muted;
    cinq_ret[0] = s;
    return text;
}

/* Before bytes are written that the program counted. */
void cinq_mute_range(u64 address, u64 n) {
    u32 s = cinq_arg[0], sn = cinq_arg[1], site = call_site();
    cinq_ret[0] = 0;
    size_fits(address, s, n, sn, ACCESS_READ, site);
    if (n && s && !is_const(s)) symbolic_inside(address, s, n, ACCESS_READ, site);
}

/* ---- Formats -------------------------------------------------------------------------------- */
enum { PLAIN_FORMAT = 0, DECIDING_FORMAT = 1, FAILING_FORMAT = 2 };

/* The next character, or -1 if it cannot be told: it is symbolic, or not the program's. */
static i64 character_at(u64 address, u64 unit) {
    if (!memory_valid(address, unit) || memory_gather(address, (u32)unit)) return -1;
    return unit == 1 ? *(const u8 *)address : *(const u32 *)address;
}

static int is_among(i64 c, const char *list) {
    for (; *list; list++)
        if (c == *list) return 1;
    return 0;
}

/* What a conversion says: that the count so far is asked for, or texts are encoded anew, which may fail. */
static u32 kind_of_conversion(i64 c, int is_long, u64 unit) {
    if (c == 'n' || c == 'C' || c == 'S') return DECIDING_FORMAT;
    return is_among(c, "cs") && (is_long || unit > 1) ? DECIDING_FORMAT : PLAIN_FORMAT;
}

u32 cinq_mute_format(u64 format, u64 unit) {
    u32 kind = PLAIN_FORMAT, s = cinq_arg[0];
    i64 c;
    cinq_ret[0] = 0;
    if (s && !is_const(s)) return DECIDING_FORMAT;
    for (; (c = character_at(format, unit)) > 0; format += unit) {
        if (c != '%') continue;
        int is_long = 0;
        for (;;) {
            c = character_at(format += unit, unit);
            if (c == '*') kind = FAILING_FORMAT; /* a width may be too large */
            is_long |= c == 'l';
            if (c <= 0 || !is_among(c, "0123456789-+ #'*.$hljztL")) break;
        }
        if (c <= 0) break;
        if (kind_of_conversion(c, is_long, unit)) return DECIDING_FORMAT;
    }
    return c < 0 ? DECIDING_FORMAT : kind;
}
