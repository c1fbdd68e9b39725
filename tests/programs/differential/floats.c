#include "input.h"
#include <math.h>
static void mixd(double d) { if (d != d) mix(77); else mix_bytes(&d, 8); }
static void mixf(float d) { if (d != d) mix(77); else mix_bytes(&d, 4); }
static void mixl(long double d) { if (d != d) mix(77); else mix_bytes(&d, 10); }
#define ALL(T, put, a, b) do { \
    put(a + b); put(a - b); put(a * b); put(a / b); put(-a); put(a * 3 + b); put(a < b ? a : b); put(a + 1); \
    mix(a < b); mix(a <= b); mix(a > b); mix(a >= b); mix(a == b); mix(a != b); mix(__builtin_isunordered(a, b)); \
    mix(__builtin_isless(a, b)); mix(__builtin_islessgreater(a, b)); mix(!a); mix(a && b); \
    if (a < b) mix(1); else mix(2); if (!(a >= b)) mix(3); if (a == b) mix(4); if (a != a) mix(5); \
    put((T)(int)7); put((T)(long)in_next); mixd((double)a); mixf((float)a); mixl((long double)a); \
    if (a > -1e6 && a < 1e6) { mix((int)a); mix((long)b == b); mix((unsigned char)(a < 0 ? -a : a)); mix((long)a); } \
    if (a >= 0 && a < 4e9) { mix((unsigned)a); mix((unsigned long)a); } \
    show(#T); } while (0)
int main(void)
{
    in_start();
    { int i = IN(int), j = IN(short); float a = i * 0.25f, b = j; ALL(float, mixf, a, b); }
    { long i = IN(long); int j = IN(int); double a = i, b = j / 3.0; ALL(double, mixd, a, b); }
    { unsigned long i = IN(unsigned long); int j = IN(int); long double a = i, b = j * 0.1L; ALL(long double, mixl, a, b); }
    { float a; uint32_t r = IN(uint32_t); memcpy(&a, &r, 4); float b = 2; ALL(float, mixf, a, b); }
    { double a; uint64_t r = IN(uint64_t); memcpy(&a, &r, 8); double b = -0.0; ALL(double, mixd, a, b); }
    { double d = IN(short) / 16.0; mixd(floor(d)); mixd(ceil(d)); mixd(trunc(d)); mixd(rint(d)); mixd(round(d)); mixd(fabs(d));
      mixd(sqrt(fabs(d))); mixd(fmod(d, 2.5)); mixd(copysign(1, d)); mixd(fmax(d, 1)); mixd(fmin(d, 1)); mixd(nearbyint(d));
      mix(lrint(d)); mix(lround(d)); mix(isnan(d)); mix(isinf(d)); mix(signbit(d)); mix(fpclassify(d)); show("round"); }
    { float d = IN(short) / 8.0f; mixf(floorf(d)); mixf(ceilf(d)); mixf(truncf(d)); mixf(rintf(d)); mixf(roundf(d)); mixf(fabsf(d));
      mixf(sqrtf(fabsf(d))); mixf(fmodf(d, 2.5f)); mixf(copysignf(1, d)); mixf(fmaxf(d, 1)); mixf(ldexpf(d, 3)); show("roundf"); }
    { long double d = IN(short) / 32.0L; mixl(floorl(d)); mixl(ceill(d)); mixl(truncl(d)); mixl(rintl(d)); mixl(roundl(d));
      mixl(fabsl(d)); mixl(sqrtl(fabsl(d))); mixl(fmodl(d, 2.5L)); mixl(copysignl(1, d)); int e; mixl(frexpl(d, &e)); mix(e); show("roundl"); }
    { double d = IN(signed char) / 64.0; int e; mixd(sin(d)); mixd(cos(d)); mixd(exp(d)); mixd(log(fabs(d) + 1)); mixd(pow(fabs(d), 1.5));
      mixd(atan2(d, 2)); mixd(tan(d)); mixd(hypot(d, 1)); mixd(cbrt(d)); double i; mixd(modf(d, &i)); mixd(i); mixd(frexp(d, &e)); mix(e); show("math"); }
    { uint64_t u = IN(uint64_t); mixd(u); mixf(u); mixl(u); mixd((long)u); mixf((long)u); mixf((int)u); mixd((unsigned)u); mixf((signed char)u); show("int2fp"); }
    return 0;
}
