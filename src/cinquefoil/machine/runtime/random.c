/* Random numbers as input (--sym-rand): every call gives a fresh named input, in the range of its function.
 *
 * Calls of libc's generators are led here by the linker (--wrap); unless random
 * numbers are input, they go on to libc's own.
 */
#include "runtime.h"

RUN_STATE u32 random_symbolic;

#define REAL(type, name, parameters) extern type __real_##name parameters __attribute__((weak))
REAL(int, rand, (void));
REAL(int, rand_r, (unsigned *));
REAL(long, random, (void));
REAL(long, lrand48, (void));
REAL(long, mrand48, (void));
REAL(double, drand48, (void));

static u64 below(const char *name, u32 bits, u32 *s) { /* an input's low bits, as 64 */
    u64 value = input_scalar(name, 8, s) & (((u64)1 << bits) - 1);
    if (*s) *s = node_extend(OP_ZEXT, node_extract(*s, 0, bits), 64);
    return value;
}

static u64 integer(const char *name, u32 bits, u32 width) { /* with the shadow of a result of this width */
    u32 s;
    u64 value = below(name, bits, &s);
    cinq_ret[0] = s ? shadow_of(node_extract(s, 0, width)) : 0;
    return value;
}

WEAK int __wrap_rand(void) { return random_symbolic ? (int)integer("rand", 31, 32) : __real_rand(); }
WEAK int __wrap_rand_r(unsigned *seed) { return random_symbolic ? (int)integer("rand_r", 31, 32) : __real_rand_r(seed); }
WEAK long __wrap_random(void) { return random_symbolic ? (long)integer("random", 31, 64) : __real_random(); }
WEAK long __wrap_lrand48(void) { return random_symbolic ? (long)integer("lrand48", 31, 64) : __real_lrand48(); }

WEAK long __wrap_mrand48(void) {
    if (!random_symbolic) return __real_mrand48();
    u32 s;
    long value = (int)below("mrand48", 32, &s);
    cinq_ret[0] = s ? shadow_of(node_extend(OP_SEXT, node_extract(s, 0, 32), 64)) : 0;
    return value;
}

WEAK double __wrap_drand48(void) { /* a multiple of 2^-48 below 1 */
    union { double d; u64 i; } scale = {.d = 0x1p-48};
    if (!random_symbolic) return __real_drand48();
    u32 s;
    u64 value = below("drand48", 48, &s);
    cinq_ret[0] = 0;
    if (s) cinq_ret[0] = shadow_of(node_binary(OP_FMUL, 64, node_unary(OP_UI2F, 64, s, 0), node_const(64, scale.i)));
    return (double)value * scale.d;
}
