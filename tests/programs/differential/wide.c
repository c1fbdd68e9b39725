/* What does not fit a machine word, and what has no expression: long double, vectors of 32 bytes, huge integers. */
#include "input.h"
#include <math.h>
#include <complex.h>
typedef int v8i __attribute__((vector_size(32))); typedef long v4l __attribute__((vector_size(32))); typedef short v16 __attribute__((vector_size(32))); typedef unsigned char v32 __attribute__((vector_size(32))); typedef float f8 __attribute__((vector_size(32)));
struct pair { long double l; __int128 w; }; struct pair two[3]; __int128 tab[5] = {1, -2, 3, -4, 5}; long double lt[4] = {1, 2.5, -3, 4};
static struct pair swap(struct pair p, int k) { p.l += k; p.w ^= k; return p; }
static double _Complex cmul(double _Complex a, double _Complex b) { return a * b; }
static float _Complex cf(float a, float b) { return a + b * I; }
static void mixl(long double d) { if (d != d) mix(77); else mix_bytes(&d, 10); }
int main(void)
{
    in_start();
    int i = IN(int); long l = IN(long); unsigned char c = in_take(1);
    long double x = (long double)l * 1e9L; mix((int)(long)fmodl(x, 1e6L)); int conv = x > 1e10L || x < -1e10L ? 0 : (int)x; mix(conv); if (x > 0 && x < 1e18L) mix((long)x); if (x >= 0 && x < 1.8e19L) mix((unsigned long)x); show("long double");
    volatile float big = (float)l * 1e10f; if (big < 1e9f && big > -1e9f) mix((int)big); float fin = i / 7.0f; mix((signed char)(((int)fin) & 127)); mix((short)(i & 1023) * 2.5f > 900); show("range");
    v8i a = {i, 2, c, 4, 5, 6, 7, (int)l}; v4l b = (v4l)a; mix(b[0]); mix(b[3]); b += 3; a = (v8i)b; mix(a[0]); mix(a[7]); v16 s = (v16)a; mix(s[1]); s *= 3; v32 u = (v32)s; mix(u[0]); mix(u[31]); f8 f = __builtin_convertvector(a, f8); float ff = f[2]; mix_bytes(&ff, 4); v8i m = a > (v8i){0, 1, 2, 3, 4, 5, 6, 7}; mix(m[0]); a = (a & m) | (-a & ~m); mix(a[2]); show("vectors");
    unsigned _BitInt(256) h = l; h = h * h * 12345 + c; mix((uint64_t)(h >> 100)); mix((uint64_t)h); _BitInt(200) t = i; t <<= 90; t -= 7; mix((uint64_t)(t >> 64)); if (t < 0) mix(1); show("bitint");
    two[1].l = x; two[1].w = (__int128)l << 40; two[c % 3] = swap(two[1], i); mixl(two[0].l); mix(two[2].w >> 32); mix(two[c % 3].w); tab[c % 5] = l; mix(tab[1]); mix(tab[c % 5] >> 3); lt[c & 3] = i; mixl(lt[2]); mixl(lt[(c + 1) & 3]); show("tables");
    double _Complex z = cmul(CMPLX(i & 255, c), CMPLX(2, -1)); double re = creal(z), im = cimag(z); mix_bytes(&re, 8); mix_bytes(&im, 8); float _Complex y = cf(c, i & 15); y = y * y; float fr = crealf(y); mix_bytes(&fr, 4); if (cabs(z) > 100) mix(2); show("complex");
    double e = fma(c, 1.5, i & 1023); mix_bytes(&e, 8); float g = fmaf(c, 0.25f, 3); mix_bytes(&g, 4); e = fmod(i, 7.5); mix_bytes(&e, 8); e = remainder(i & 4095, 3.3); mix_bytes(&e, 8); e = ldexp(c, i & 7); mix_bytes(&e, 8); mix(ilogb(c + 1.0)); mixl(ldexpl(x, 3)); mixl(fmal(c, 2, x)); show("libm");
    switch ((__int128)l) { case 0: mix(4); break; case 7: mix(5); break; default: mix(6); } show("switch");
    if (x > 5e15L) mix(1); if (two[2].w > 1000) mix(2); if (a[0] == 4) mix(3); if (lt[2] > 2) mix(4); show("end");
    return 0;
}
