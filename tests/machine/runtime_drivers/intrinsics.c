/* Intrinsics against plain arithmetic, for all values the inputs give. */
#include "values.h"

static u64 cases, failures;
typedef __int128 i128;

static i128 clamp(i128 v, i128 low, i128 high) { return v < low ? low : v > high ? high : v; }

static u64 reference(u32 code, u32 w, u64 a, u64 b, u64 c) {
    u64 all = (u64)cinq_mask(w), n = c % w;
    i128 sa = cinq_sign(a, w), sb = cinq_sign(b, w), least = -((i128)1 << (w - 1)), most = -least - 1;
    u128 two = (u128)a << w | b;
    u64 r = 0;
    switch (code) {
    case IN_ABS: return (u64)(sa < 0 ? -sa : sa) & all;
    case IN_SMIN: return sa < sb ? a : b;
    case IN_SMAX: return sa > sb ? a : b;
    case IN_UMIN: return a < b ? a : b;
    case IN_UMAX: return a > b ? a : b;
    case IN_BSWAP:
        for (u32 i = 0; i < w; i += 8) r |= (a >> i & 0xff) << (w - 8 - i);
        return r;
    case IN_BITREVERSE:
        for (u32 i = 0; i < w; i++) r |= (a >> i & 1) << (w - 1 - i);
        return r;
    case IN_CTPOP: return (u64)__builtin_popcountll(a);
    case IN_CTLZ: return a ? (u64)__builtin_clzll(a) - (64 - w) : w;
    case IN_CTTZ: return a ? (u64)__builtin_ctzll(a) : w;
    case IN_FSHL: return (u64)(two << n >> w) & all;
    case IN_FSHR: return (u64)(two >> n) & all;
    case IN_SADD_SAT: return (u64)clamp(sa + sb, least, most) & all;
    case IN_SSUB_SAT: return (u64)clamp(sa - sb, least, most) & all;
    case IN_UADD_SAT: return (u128)a + b > all ? all : a + b;
    case IN_USUB_SAT: return a < b ? 0 : a - b;
    case IN_SADD_OVER: return sa + sb < least || sa + sb > most;
    case IN_SSUB_OVER: return sa - sb < least || sa - sb > most;
    case IN_UADD_OVER: return (u128)a + b > all;
    case IN_USUB_OVER: return a < b;
    case IN_SMUL_OVER: return sa * sb < least || sa * sb > most;
    default: return (u128)a * b > all;
    }
}

static u32 operand_of(u32 w) {
    u32 x = node_input((u32)below(BYTES));
    if (below(5) == 0) return node_const(w, below(3) ? random64() : below(2) ? 0 : ~0ull);
    while (width_of(x) < w) x = node_concat(node_input((u32)below(BYTES)), x);
    return x;
}

static void test_case(u32 code, u32 w) {
    u32 a = operand_of(w), b = operand_of(w), c = operand_of(w);
    value_new_nodes();
    u32 s = cinq_intrinsic(code | w << 8, shadow_of(a), shadow_of(b), shadow_of(c), (u64)values[a][0], (u64)values[b][0], (u64)values[c][0]);
    value_new_nodes();
    cases++;
    for (u32 m = 0; m < INPUTS && s; m++) {
        u64 expected = reference(code, w, (u64)values[a][m], (u64)values[b][m], (u64)values[c][m]);
        if ((u64)values[s][m] == expected) continue;
        print_named("wrong: intrinsic", code);
        print_named("width", w);
        if (++failures > 3) quit(1);
        return;
    }
}

static void driver(void) {
    for (u32 round = 0; round < 300; round++) {
        nodes_forget();
        valued = 1;
        run_serial++;
        random_inputs();
        for (u32 code = IN_ABS; code <= IN_UMUL_OVER; code++) {
            if (code == IN_SSHL_SAT || code == IN_USHL_SAT) continue;
            for (u32 w = code == IN_BSWAP ? 16 : 8; w <= 64; w *= 2) test_case(code, w);
        }
    }
    print_named("cases", cases);
    print_named("failures", failures);
    quit(failures ? 1 : 0);
}
