#include "input.h"
struct one { char c; }; struct two { int a, b; }; struct mixed { int a; double d; }; struct ff { float x, y; };
struct fff { float x, y, z; }; struct dd { double x, y; }; struct big { int v[10]; char c; }; struct ld { long double l; int i; };
struct odd { char b[5]; }; struct nested { struct two t; struct ff f; }; union u { int i; float f; char c[8]; long l; };
struct seven { char b[7]; }; struct mem { struct dd d; int *p; }; struct empty_tail { long n; char t[]; };
#define FN(T) __attribute__((noinline)) static struct T get_##T(int k) { struct T v; memset(&v, 0, sizeof v); \
    for (unsigned i = 0; i < sizeof v; i++) ((unsigned char *)&v)[i] = in_take(1) + k; return v; } \
    __attribute__((noinline)) static struct T turn_##T(int k, struct T v, double d, struct T w) { \
    if (k & 1) return w; ((unsigned char *)&v)[0] ^= (int)d; return v; }
FN(one) FN(two) FN(odd) FN(seven)
FN(big)
__attribute__((noinline)) static struct mixed mk_mixed(int a, double d) { struct mixed m = {a, d}; return m; }
__attribute__((noinline)) static struct ff mk_ff(float a, float b) { struct ff m = {a, b}; return m; }
__attribute__((noinline)) static struct fff mk_fff(struct ff f, float z) { struct fff m = {f.x, f.y, z}; return m; }
__attribute__((noinline)) static struct dd mk_dd(struct fff f, struct mixed m) { struct dd d = {f.x + f.z, m.d * m.a}; return d; }
__attribute__((noinline)) static struct ld mk_ld(long double l, struct dd d) { struct ld r = {l + d.x, (int)d.y}; return r; }
__attribute__((noinline)) static struct nested mk_nested(struct two t, struct ff f) { struct nested n = {t, f}; n.t.a += n.f.x > 3; return n; }
__attribute__((noinline)) static union u mk_u(union u v, int n) { v.i += n; return v; }
__attribute__((noinline)) static struct mem mk_mem(struct dd d, int *p) { struct mem m = {d, p}; return m; }
int c2(void *p);
typedef struct big (*bigfn)(int, struct big, double, struct big);
int main(void)
{
    in_start();
    int k = IN(signed char);
#define USE(T) do { struct T a = get_##T(1), b = get_##T(2), c = turn_##T(k, a, 3.0, b); mix_bytes(&c, sizeof c); show(#T); } while (0)
    USE(one); USE(two); USE(odd); USE(seven); USE(big);
    bigfn fn = turn_big; struct big b = get_big(0), b2 = fn(k, b, 2, b); mix(b2.v[3]); mix(b2.c);
    struct mixed m = mk_mixed(IN(short), IN(short) / 2.0); struct ff f = mk_ff(IN(short), IN(short)); struct fff g = mk_fff(f, 2.5f);
    struct dd d = mk_dd(g, m); struct ld l = mk_ld(0.5L, d); struct nested n = mk_nested((struct two){k, 7}, f);
    mix_bytes(&m.d, 8); mix(m.a); mix_bytes(&f, 8); mix_bytes(&g, 12); mix_bytes(&d, 16); mix_bytes(&l.l, 10); mix(l.i); mix_bytes(&n, sizeof n);
    show("floats");
    union u u = {.l = IN(long)}; u = mk_u(u, 5); mix(u.l); mix(u.c[1]); mix_bytes(&u.f, 4); struct mem me = mk_mem(d, &l.i); mix_bytes(&me.d, 16); mix(*me.p);
    struct big arr[3] = {b, b2, b}; arr[1] = arr[2]; arr[k & 1] = arr[2]; mix_bytes(arr, sizeof arr); show("arrays");
    if (n.t.a > 5) mix(1); if (g.x < g.z) mix(2); if (c2(&b2)) mix(3);
    show("end");
    return 0;
}
int c2(void *p) { return ((struct big *)p)->v[1] > 0; }
