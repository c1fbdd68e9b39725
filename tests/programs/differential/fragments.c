/* Memory that is taken apart and put together, and memory that was used before. */
#include "input.h"
__attribute__((noinline)) static int leave(int v) { int a[6]; for (int i = 0; i < 6; i++) a[i] = v * (i + 3); return a[v & 3]; }
__attribute__((noinline)) static int find(unsigned i, int v) { int a[6]; a[1] = v; a[2] = 5; if ((i & 1) == 0) a[4] = 3; a[0] = a[3] = a[5] = 9; if (i & 1) a[4] = 1; return a[i % 6]; }
int main(void)
{
    in_start();
    unsigned x = IN(unsigned), t1 = x >> 4, t2 = x >> 12; unsigned char two[2]; two[0] = t1; two[1] = t2; unsigned short both; memcpy(&both, two, 2); mix(both); if (both > 0x1234) mix(1); show("odd parts");
    unsigned long y = IN(unsigned long); unsigned a = y >> 3, b = y >> 11, c = y >> 19, d = y >> 27; unsigned char four[4]; four[0] = a; four[1] = b; four[2] = c; four[3] = d; unsigned all; memcpy(&all, four, 4); mix(all); if (all == 77) mix(2); four[2] = 3; memcpy(&all, four, 4); mix(all); show("four");
    mix(leave(x)); mix(find(y, x)); mix(leave(y)); mix(find(x, 3)); show("old stack");
    char *p = malloc(40); memset(p, x, 40); free(p); p = malloc(40); p[3] = y; mix(p[3]); free(p); show("old heap");
    _BitInt(36) w = (_BitInt(36))y; unsigned char e = w >> 1, f = w >> 9, g[2] = {e, f}; memcpy(&both, g, 2); mix(both); if (both & 8) mix(3); show("bitint");
    struct { char a; short b; int c; long d; } s, r; memset(&s, 7, sizeof s); s.a = x; s.b = y; s.c = x ^ y; s.d = 5; memset(&r, 0, sizeof r); memcpy((char *)&r + 1, (char *)&s + 1, sizeof s - 1); r.a = 1; mix(r.b); mix(r.c); mix(r.d); memmove((char *)&r + 2, &r, 10); mix(r.b); mix(r.c); show("moves");
    return 0;
}
