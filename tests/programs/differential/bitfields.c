#include "input.h"
struct bits { unsigned a : 1; int b : 3; unsigned c : 7; long d : 33; unsigned long e : 20; signed char f : 5; _Bool g : 1; };
struct __attribute__((packed)) tight { unsigned a : 3; unsigned b : 21; unsigned long c : 40; short s; int i; };
struct bits s, t; struct tight p;
static struct bits twist(struct bits v, int n) { v.b += n; v.d ^= v.c; v.e = v.e * 3 + v.a; v.g = n; return v; }
int main(void)
{
    in_start();
    memcpy(&s, in_bytes, sizeof s); in_next = sizeof s;
    t = s;
    t.a ^= 1; t.b -= 3; t.c += s.b; t.d = s.d * 5 + IN(int); t.e <<= 2; t.f = s.c; t.g = s.d;
    mix(t.a); mix(t.b); mix(t.c); mix(t.d); mix(t.e); mix(t.f); mix(t.g); show("plain");
    t = twist(s, IN(int)); mix(t.a); mix(t.b); mix(t.c); mix(t.d); mix(t.e); mix(t.f); mix(t.g); show("twist");
    p.a = in_take(1); p.b = in_take(3); p.c = in_take(5); p.s = in_take(2); p.i = in_take(4);
    p.c += p.b; p.b++; p.i -= p.s; mix(p.a); mix(p.b); mix(p.c); mix(p.s); mix(p.i); mix_bytes(&p, sizeof p); show("packed");
    if (t.b < 0) mix(1); if (p.b > 1000000) mix(2); if (t.g) mix(3); if (s.f == -1) mix(4); if (t.d > s.e) mix(5);
    show("branches");
    struct { int v : 24; } q = {in_take(3)}; q.v += 70000; mix(q.v); int *i24 = (int *)&q; mix(*i24 & 0xffffff);
    _BitInt(24) b24 = (_BitInt(24))in_take(3); b24 *= 3; mix((int)b24); unsigned _BitInt(7) b7 = in_take(1) & 127; b7 += 100; mix(b7);
    _BitInt(48) b48 = (_BitInt(48))in_take(6); mix(b48 / 13); if (b48 < 0) mix(6);
    show("bitint");
    return 0;
}
