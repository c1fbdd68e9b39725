/* Number formats and operations that code generation or clang leave to a library: 16-bit floats, the least and
 * greatest of long doubles, atomic objects of 16 bytes and more. */
#include "input.h"
#include <math.h>
#include <stdatomic.h>
static void mix_double(double x) { if (x != x) mix(1); else mix_bytes(&x, sizeof x); }
static void mix_long(long double x) { if (x != x) mix(1); else mix_bytes(&x, 10); }
static _Float16 half_from(uint16_t bits) { _Float16 h; memcpy(&h, &bits, 2); return h; }
static uint16_t bits_of(_Float16 h) { uint16_t bits; memcpy(&bits, &h, 2); return h != h ? 1 : bits; }
struct three { long x, y, z; };
static _Atomic struct three object;
static _Atomic __int128 number = 5;
static _Atomic long double extended = 1;
int main(void)
{
    in_start();
    static const uint16_t edges[] = {0, 1, 0x8000, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0xfc00, 0x3c00, 0x3555, 0x0002};
    for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) {
        _Float16 a = half_from(edges[i]), b = half_from((uint16_t)(edges[i] ^ IN(uint8_t)));
        mix(bits_of(a + b)); mix(bits_of(a * b)); mix(bits_of(a - b)); mix(bits_of(a / b)); mix(a < b); mix(a == b);
        mix_double(a); mix_long(b);
    }
    show("half");
    static const double tries[] = {65519.99, 65520, 2048.5, 2049.5, 5.9604644775390625e-8, 2.98023223876953125e-8,
                                   2.9802322387695316e-8, 1e-30, -6.1e-5, 0.1, 1e300, -0.0};
    for (unsigned i = 0; i < sizeof tries / sizeof *tries; i++) {
        double d = tries[i] + (int8_t)IN(uint8_t) * 0.0;
        mix(bits_of((_Float16)d)); mix(bits_of((_Float16)(float)d)); mix(bits_of((_Float16)(long double)d));
        __bf16 b = (__bf16)d; uint16_t bits; memcpy(&bits, &b, 2); mix(bits);
    }
    show("narrow");
    long double l = (int16_t)IN(uint16_t), m = IN(uint16_t) * 0.25L;
    mix_long(fmaxl(l, m)); mix_long(fminl(l, m)); mix_long(__builtin_fmaxl(l, NAN)); mix_long(__builtin_fminl(m, 2));
    mix(__builtin_fpclassify(0, 1, 4, 3, 2, (double)l)); mix(__builtin_fpclassify(0, 1, 4, 3, 2, (float)m));
    show("least");
    struct three t = {IN(uint32_t), 2, IN(uint8_t)}; object = t; struct three u = object; mix(u.x + u.z);
    struct three v = {7, 8, 9}; u = atomic_exchange(&object, v); mix(u.x);
    mix(atomic_compare_exchange_strong(&object, &u, t)); mix(u.y); mix(atomic_compare_exchange_strong(&object, &u, t));
    t = object; mix(t.x);
    number += IN(uint32_t); number *= 3; mix((uint64_t)number); mix((uint64_t)atomic_fetch_xor(&number, 77)); mix((uint64_t)number);
    extended = extended + l; mix_long(extended);
    show("atomic");
    return 0;
}
