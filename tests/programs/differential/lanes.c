/* Vectors indexed by variables, and reinterpreted at every ratio. */
#include "input.h"
typedef int v8i __attribute__((vector_size(32))); typedef long v4l __attribute__((vector_size(32))); typedef short v16s __attribute__((vector_size(32))); typedef char v32c __attribute__((vector_size(32)));
typedef int v4i __attribute__((vector_size(16))); typedef long v2l __attribute__((vector_size(16))); typedef float v4f __attribute__((vector_size(16))); typedef double v2d __attribute__((vector_size(16))); typedef char v8c __attribute__((vector_size(8))); typedef short v4s __attribute__((vector_size(8)));
static v8i a, e; static v4l b; static v16s s; static v32c c;
int main(void)
{
    in_start();
    for (int i = 0; i < 8; i++) a[i] = i & 1 ? IN(int) : i * 77; b = (v4l)a; for (int i = 0; i < 4; i++) mix(b[i]); if (b[3] > 0) mix(1); show("widen");
    s = (v16s)a; for (int i = 0; i < 16; i++) mix(s[i]); c = (v32c)b; for (int i = 0; i < 32; i++) mix(c[i]); e = (v8i)c; mix(e[7]); mix(e[1]); if (c[12] == 'x') mix(2); if (s[3] < 0) mix(3); show("narrow");
    v4i x = {IN(int), 2, IN(int), 4}; unsigned k = in_take(1) & 3; mix(x[k]); x[k] = 9; mix(x[0]); mix(x[2]); x[(k + 1) & 3] += 5; for (int i = 0; i < 4; i++) mix(x[i]); show("index");
    __int128 w = (__int128)x; mix(w); mix(w >> 64); v2l y = (v2l)w; mix(y[0] + y[1]); v4f f = (v4f)x; v2d d = (v2d)x; unsigned u; memcpy(&u, (float *)&f + 2, 4); mix(u); mix_bytes(&d, 16); x = (v4i)d; mix(x[3]); show("whole");
    v8c g; for (int i = 0; i < 8; i++) g[i] = in_take(1); long l = (long)g; mix(l); v4s h = (v4s)g; mix(h[1]); h *= 3; g = (v8c)h; mix(g[3]); if (l < 0) mix(4); if (g[2] == 7) mix(5); show("small");
    return 0;
}
