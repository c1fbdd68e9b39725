/* Inline assembly that only computes, and instructions by intrinsics: run on the values that the input has. */
#include "input.h"
#include <emmintrin.h>
static uint32_t swapped(uint32_t x) { __asm__("bswap %0" : "+r"(x)); return x; }
static uint32_t rotated(uint32_t x, uint8_t n) { __asm__("roll %%cl, %0" : "+r"(x) : "c"(n) : "cc"); return x; }
static uint64_t high(uint64_t a, uint64_t b) { uint64_t h, l; __asm__("mulq %3" : "=d"(h), "=a"(l) : "a"(a), "rm"(b)); return h ^ l; }
static int below(uint32_t a, uint32_t b) { unsigned char c; __asm__("cmpl %2, %1\n\tsetb %0" : "=q"(c) : "r"(a), "r"(b) : "cc"); return c; }
static uint32_t added(uint32_t *at, uint32_t n) { __asm__ volatile("lock; xaddl %0, %1" : "+r"(n), "+m"(*at) : : "memory", "cc"); return n; }
static int exchanged(uint32_t *at, uint32_t old, uint32_t new)
{
    unsigned char done;
    __asm__ volatile("lock\n\tcmpxchgl %3, %1\n\tsete %0" : "=q"(done), "+m"(*at), "+a"(old) : "r"(new) : "memory");
    return done;
}
static uint64_t address(uint64_t a, uint64_t b) { uint64_t r; __asm__("leaq 5(%1,%2,4), %0" : "=r"(r) : "r"(a), "r"(b)); return r; }
static double root(double x) { __asm__("sqrtsd %0, %0" : "+x"(x)); return x; }
static long double extended_root(long double x) { __asm__("fsqrt" : "+t"(x)); return x; }
static uint32_t hidden(uint32_t x, uint32_t *y) { __asm__ volatile("" : "+r"(x), "+r"(*y) : : "memory"); return x; }
int main(void)
{
    in_start();
    uint32_t a = IN(uint32_t), b = IN(uint32_t), cell = IN(uint32_t), c = b;
    mix(swapped(a)); mix(rotated(b, 5)); mix(high(a * 0x100000001ull, b)); mix(below(a, b));
    show("words");
    mix(added(&cell, 7)); mix(cell); mix(exchanged(&cell, cell, 9)); mix(cell); mix(exchanged(&cell, 3, 4)); mix(cell);
    show("memory");
    mix(address(a, b)); double d = root(a); mix_bytes(&d, 8); long double l = extended_root(b); mix_bytes(&l, 10);
    mix(hidden(a, &c)); mix(c);
    show("others");
    __asm__ volatile("pause\n\tmfence" : : : "memory"); __asm__ volatile("rep; nop");
    __m128i x = _mm_loadu_si128((const __m128i *)in_bytes), y = _mm_set1_epi8((char)a);
    mix(_mm_movemask_epi8(_mm_cmpeq_epi8(x, y))); x = _mm_packus_epi16(_mm_adds_epi16(x, y), x); x = _mm_sad_epu8(x, y);
    mix((uint64_t)_mm_cvtsi128_si64(_mm_madd_epi16(x, y))); mix(_mm_movemask_pd(_mm_castsi128_pd(x)));
    __m128d e = _mm_min_pd(_mm_set_pd(a, b), _mm_set1_pd(7)); double both[2]; _mm_storeu_pd(both, e); mix_bytes(both, 16);
    show("vectors");
    if (in_bytes[20] > in_bytes[30]) mix(1); if (in_bytes[40] == in_bytes[50] + 3) mix(2);
    return 0;
}
