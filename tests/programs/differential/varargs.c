#include "input.h"
#include <stdarg.h>
struct small { int a, b; }; struct fl { float x; double y; }; struct large { long v[5]; }; struct c3 { char c[3]; };
struct __attribute__((aligned(16))) pair { long a, b; };
struct both { double d; long l; }; typedef int quad __attribute__((vector_size(16)));
static void take(const char *kinds, ...)
{
    va_list ap, copy; va_start(ap, kinds); va_copy(copy, ap);
    for (const char *k = kinds; *k; k++) switch (*k) {
        case 'i': mix(va_arg(ap, int)); break;
        case 'l': mix(va_arg(ap, long)); break;
        case 'd': { double d = va_arg(ap, double); mix_bytes(&d, 8); break; }
        case 'L': { long double d = va_arg(ap, long double); mix_bytes(&d, 10); break; }
        case 'p': mix(*va_arg(ap, int *)); break;
        case 's': { struct small s = va_arg(ap, struct small); mix(s.a); mix(s.b); break; }
        case 'f': { struct fl s = va_arg(ap, struct fl); mix_bytes(&s.x, 4); mix_bytes(&s.y, 8); break; }
        case 'B': { struct large s = va_arg(ap, struct large); mix_bytes(&s, sizeof s); break; }
        case '3': { struct c3 s = va_arg(ap, struct c3); mix_bytes(&s, 3); break; }
        case 'P': { struct pair s = va_arg(ap, struct pair); mix(s.a); mix(s.b); break; }
        case 'b': { struct both s = va_arg(ap, struct both); mix_bytes(&s.d, 8); mix(s.l); break; }
        case 'q': { quad v = va_arg(ap, quad); mix_bytes(&v, 16); break; }
        case 'z': { _Complex double z = va_arg(ap, _Complex double); mix_bytes(&z, 16); break; }
        case 'w': { __int128 v = va_arg(ap, __int128); mix(v); mix(v >> 64); break; }
    }
    if (kinds[0] == 'i') mix(va_arg(copy, int) * 2);
    va_end(copy); va_end(ap);
}
static int vsum(int n, va_list ap) { int s = 0; while (n--) s += va_arg(ap, int); return s; }
static int sum(int n, ...) { va_list ap; va_start(ap, n); int s = vsum(n, ap); va_end(ap); return s; }
static int twice(int n, ...) { va_list ap; va_start(ap, n); int s = vsum(n / 2, ap); s = s * 3 + vsum(n - n / 2, ap); va_end(ap); return s; }
static double many(int a, double b, int c, double d, ...) { va_list ap; va_start(ap, d); double r = b + d + va_arg(ap, double) + va_arg(ap, int); va_end(ap); return r * a * c; }
static int old(a, b, c) int a; double b; char c; { return a + (int)b + c; }
static int aligned(int n, struct pair p, ...) { va_list ap; va_start(ap, p); int s = n + p.b + va_arg(ap, int) + ((uintptr_t)&p % 16 == 0); va_end(ap); return s; }
static long longer(int n, ...) { va_list ap; va_start(ap, n); long s = 0; while (n--) s = s * 3 + (unsigned)va_arg(ap, long); va_end(ap); return s; }
int main(void)
{
    in_start();
    int i = IN(int); long l = IN(long); double d = IN(short) / 4.0; long double ld = IN(int); struct small s = {IN(int), 3};
    struct fl f = {IN(short), 2.5}; struct large b = {{IN(long), 1, 2, 3, IN(int)}}; struct c3 c = {{1, IN(char), 3}}; __int128 w = (__int128)l << 60;
    take("i", i); take("l", l); take("d", d); take("L", ld); take("p", &i); show("single");
    take("sfB3", s, f, b, c); show("structs");
    take("iLdiLwB", i, ld, d, 7, ld + 1, w, b); show("aligned");
    take("iiiiiiiiiiddddddddddd", i, 1, 2, 3, 4, 5, 6, 7, 8, i, d, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, d); show("overflow");
    mix(sum(3, i, 2, 3)); mix(sum(0)); mix(twice(5, 1, i, 3, 4, (int)l)); mix(sum(2, sum(2, i, 1), sum(1, 5)));
    double m = many(2, d, 3, 4.0, d, i & 255); mix_bytes(&m, 8); mix(old(i, d, 'x')); show("calls");
    int (*fp)(int, ...) = sum; mix(fp(2, i, 9)); int (*kr)() = old; mix(kr(i, 2.0, 'y')); void (*tp)(const char *, ...) = take; tp("iBL", i, b, ld); show("pointers");
    struct pair p = {l, 5}; struct both o = {d, l}; quad q = {i, 1, 2, 3}; _Complex double z = d + 2.0i;
    take("w", w); take("iw", i, w); take("iPi", i, p, 4); take("wwiiwii", w, w, i, 3, w, 1, 2); take("iiiiiwiwi", 1, 2, 3, 4, 5, w, i, w, 6); show("both kinds");
    take("bbbbbbi", o, o, o, o, o, o, i); take("dddddddbzlz", 1., 2., 3., 4., 5., 6., 7., o, z, l, z); take("qiqqqqqqqqqi", q, i, q, q, q, q, q, q, q, q, q, i); show("halves");
    take("iiiiiiiPL", 1, 2, 3, 4, 5, 6, i, p, ld); mix(aligned(i, p, 7)); mix(longer(9, i, 2, i, 3, i, 4, i, 5, i)); show("stack");
    int (*ks)() = (int (*)())sum; mix(ks(3, i, 2, 3)); void (*kt)() = (void (*)())take; kt("iwdB3L", i, w, d, b, c, ld); int (*kp)() = (int (*)())printf; kp("%d %s %.2f %Lg %c\n", 1, "two", 3.0, 4.0L, '5');
    int (*two)(const char *, int) = (int (*)(const char *, int))printf; two("%d\n", 6); show("no prototype");
    if (sum(2, i, 5) > 100) mix(1); if (many(1, 0, 1, 0, d, 0) < 3) mix(2); show("end");
    return 0;
}
