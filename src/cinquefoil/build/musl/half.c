/* Conversions of 16-bit floating-point numbers, which x86-64 code generation leaves to a library. */
#include <stdint.h>

union extended {
    long double number;
    struct { uint64_t significand; uint16_t sign_exponent; } bits;
};
union half { _Float16 number; uint16_t bits; };
union brain { __bf16 number; uint16_t bits; };
union single { float number; uint32_t bits; };

static unsigned rounded(uint64_t significand, int shift)
{
    if (shift > 64) return 0;
    uint64_t kept = shift < 64 ? significand >> shift : 0;
    uint64_t rest = significand << (64 - shift), tie = (uint64_t)1 << 63;
    return (unsigned)kept + (rest > tie || (rest == tie && (kept & 1)));
}

/* To the nearest number of a format with so many bits of fraction, ties to even; every source format fits in x. */
static uint16_t narrowed(long double x, int fraction, int bias)
{
    union extended from = { x };
    unsigned sign = from.bits.sign_exponent & 0x8000, infinity = (unsigned)(2 * bias + 1) << fraction;
    int exponent = (from.bits.sign_exponent & 0x7fff) - 16383 + bias;
    if ((from.bits.sign_exponent & 0x7fff) == 0x7fff) {
        uint64_t payload = from.bits.significand << 1;
        unsigned quiet = payload ? 1u << (fraction - 1) | (unsigned)(payload >> (64 - fraction)) : 0;
        return (uint16_t)(sign | infinity | quiet);
    }
    int below = exponent < 1 ? 1 - exponent : 0;
    unsigned base = below ? 0 : (unsigned)(exponent - 1);
    if (base > (unsigned)(2 * bias)) return (uint16_t)(sign | infinity);
    unsigned found = (base << fraction) + rounded(from.bits.significand, 63 - fraction + below);
    return (uint16_t)(sign | (found < infinity ? found : infinity));
}

static _Float16 half_of(long double x) { union half h = { .bits = narrowed(x, 10, 15) }; return h.number; }
static __bf16 brain_of(long double x) { union brain b = { .bits = narrowed(x, 7, 127) }; return b.number; }

static float widened(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    union single s;
    if (exponent == 0) {
        s.number = (float)fraction * 0x1p-24f;
        s.bits |= sign;
        return s.number;
    }
    uint32_t quiet = exponent == 31 && fraction ? 0x400000 : 0;
    s.bits = sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13 | quiet;
    return s.number;
}

float __extendhfsf2(_Float16 x) { union half h = { x }; return widened(h.bits); }
double __extendhfdf2(_Float16 x) { union half h = { x }; return widened(h.bits); }
long double __extendhfxf2(_Float16 x) { union half h = { x }; return widened(h.bits); }
_Float16 __truncsfhf2(float x) { return half_of(x); }
_Float16 __truncdfhf2(double x) { return half_of(x); }
_Float16 __truncxfhf2(long double x) { return half_of(x); }
__bf16 __truncsfbf2(float x) { return brain_of(x); }
__bf16 __truncdfbf2(double x) { return brain_of(x); }
__bf16 __truncxfbf2(long double x) { return brain_of(x); }
