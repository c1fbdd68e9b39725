/* Symbolic sizes, addresses, pointers and function pointers. */
#include "input.h"
#include <strings.h>
#include <search.h>
static int f0(int x) { return x; } static int f1(int x) { return x * 3; } static int f2(int x) { return -x; }
static int (*const fs[3])(int) = {f0, f1, f2}; static int data[64]; static char pool[256]; struct s { int k; char name[12]; } ss[5] = {{1, "one"}, {2, "two"}, {3, "three"}, {4, "four"}, {5, "five"}};
int main(void)
{
    in_start();
    unsigned n = in_take(1) & 31, m = in_take(1) & 31, k = in_take(1); int v = IN(int);
    char *p = malloc(n + 1); memset(p, v, n + 1); mix(p[n]); memcpy(pool + m, p, n); mix_bytes(pool, 70); p = realloc(p, m + 40); mix(p[n]); memmove(p + 1, p, m); mix_bytes(p, m + 1); free(p); show("heap");
    mix(fs[k % 3](v)); int (*fp)(int) = k & 1 ? f1 : f2; mix(fp(v)); show("calls");
    int *q = &data[n]; *q = v; q[1] = 5; mix(data[3]); mix(q - data); mix(q > &data[m]); mix(q == &data[m]); for (int *r = data; r < q; r++) mix(*r); uintptr_t u = (uintptr_t)q; mix((u & 7) == 4); mix(*(int *)(u & ~7ul)); show("pointers");
    struct s *e = &ss[k % 5]; mix(e->k); mix(e->name[0]); mix(strlen(e->name)); e->name[n % 12] = 'x'; mix_bytes(ss, sizeof ss); struct s copy = *e; mix(copy.k); ss[m % 5] = copy; mix(ss[2].k); struct s *o = k > 128 ? e : ss; mix(o->k); o->k = 9; mix(ss[0].k + ss[1].k); show("structs");
    int **pp = malloc(3 * sizeof *pp); for (int i = 0; i < 3; i++) pp[i] = &data[i * 10]; *pp[k % 3] = 77; mix(data[10]); mix(*pp[n % 3]); pp[n % 3] = &data[40]; mix(*pp[1]); free(pp); show("pointer tables");
    char b[40]; snprintf(b, n + 1, "%s", "a long text that may be cut"); mix(strlen(b)); mix(memcmp(b, "a long", m % 7)); mix(strncmp(b, "a lonh", k & 7)); mix(strncasecmp(b, "A LONG", 4)); mix(ffs(v)); strncpy(b, "short", 1 + (k & 15)); mix(b[2]); char *t = memchr("abcdefgh", 'a' + (k & 7), 8); mix(t ? *t : 0); t = strchr("hello", v & 127); mix(t ? *t : 0); show("strings");
    char vla[n + 1][m + 1]; memset(vla, k, sizeof vla); vla[n][m] = 3; mix(vla[n / 2][m / 2]); mix(sizeof vla); char *al = __builtin_alloca(n + 3); al[n] = v; mix(al[n]); show("vla");
    if (q[0] == 5) mix(1); if (ss[2].name[1] == 'x') mix(2); if (pool[20] == 3) mix(3); if (data[k & 63] > 3) mix(4); show("end");
    return 0;
}
