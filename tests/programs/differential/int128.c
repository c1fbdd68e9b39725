#include "input.h"
typedef __int128 i128; typedef unsigned __int128 u128;
static void mix2(u128 v) { mix(v); mix(v >> 64); }
__attribute__((noinline)) static i128 pass(int k, i128 a, i128 b, char c) { return k & 1 ? a + c : b - c; }
struct wide { char c; i128 v; }; static struct wide w, x;
int main(void)
{
    in_start();
    i128 a = (i128)((u128)IN(uint64_t) << 64 | IN(uint64_t)), b = (i128)(long)IN(uint32_t);
    u128 ua = a, ub = b; unsigned s = in_take(1) & 127;
    mix2(a + b); mix2(a - b); mix2(a * b); mix2(a & b); mix2(a | b); mix2(a ^ b); mix2(~a); mix2(-a);
    show("arith");
    mix2(ua << s); mix2(a >> s); mix2(ua >> s); mix2(ua << 70); mix2(a >> 64); mix2(ua >> 3);
    show("shift");
    mix(a < b); mix(ua < ub); mix(a == b); mix(a >= b); mix(!a); mix((int)a); mix((long)(a >> 32));
    if (a < b) mix(3); if (ua >= ub) mix(4);
    show("compare");
    if (b) { mix2(ua / ub); mix2(ua % ub); mix2((a >> 1) / b); mix2((a >> 1) % b); }
    mix2(ua / 10); mix2(ua % 1000003);
    show("divide");
    mix2(pass(s, a, b, s)); w.v = a; w.c = s; x = w; mix2(x.v); mix(x.c);
    double d = (double)(int)b; mix2((i128)d); mix2((u128)(d < 0 ? -d : d));
    double e = (double)a; mix_bytes(&e, 8); float f = (float)ua; mix_bytes(&f, 4); long double l = ua; mix_bytes(&l, 10);
    show("convert");
    i128 r; mix(__builtin_add_overflow(a, b, &r)); mix2(r); mix(__builtin_sub_overflow(a, b, &r)); mix2(r);
    mix(__builtin_mul_overflow(a, b, &r)); mix2(r);
    u128 ur; mix(__builtin_mul_overflow(ua, ub, &ur)); mix2(ur); mix(__builtin_add_overflow(ua, ub, &ur)); mix2(ur);
    show("overflow");
    return 0;
}
