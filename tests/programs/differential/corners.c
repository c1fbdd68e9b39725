#include "input.h"
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>
#include <wctype.h>

struct __attribute__((packed)) packed { char c; int i; unsigned a : 5, b : 13, c2 : 30; long l; short s; };
struct flexible { int n; short tail[]; };
union pun { long double l; __int128 w; double d[2]; unsigned char b[16]; struct { unsigned lo : 20, mid : 24, hi : 20; } f; };
struct mixed { float f; int i; }; struct pair { double d; long l; }; struct three { long a, b, c; }; struct floats { float x, y, z; };
struct list { struct list *next; int v; };
static struct mixed mixed(int a) { return (struct mixed){a * 0.5f, a}; }
static struct pair pair(long a) { return (struct pair){a / 4.0, a}; }
static struct three three(int a) { return (struct three){a, a * 2L, a * 3L}; }
static struct floats floats(int a) { return (struct floats){a, a + 1, a + 2}; }
static double structs(int n, ...)
{
    va_list ap, again; double r = 0;
    va_start(ap, n); va_copy(again, ap);
    for (int i = 0; i < n; i++) { struct mixed m = va_arg(ap, struct mixed); struct pair p = va_arg(ap, struct pair); struct three t = va_arg(ap, struct three); struct floats f = va_arg(ap, struct floats); long double l = va_arg(ap, long double); r += m.f + m.i + p.d + p.l + t.a + t.c + f.x + f.z + (double)l; }
    r += va_arg(again, struct mixed).i; va_end(ap); va_end(again);
    return r;
}
static int jumps(unsigned char *code, int n)
{
    static const void *const to[] = {&&inc, &&dbl, &&neg, &&out}; int x = 1, at = 0;
    goto *to[code[0] & 3];
inc: x++; if (++at < n) goto *to[code[at] & 3]; return x;
dbl: x *= 2; if (++at < n) goto *to[code[at] & 3]; return x;
neg: x = -x; if (++at < n) goto *to[code[at] & 3]; return x;
out: return x * 1000;
}
static void duff(char *to, const char *from, int n)
{
    int rounds = (n + 7) / 8;
    switch (n % 8) { case 0: do { *to++ = *from++; case 7: *to++ = *from++; case 6: *to++ = *from++; case 5: *to++ = *from++; case 4: *to++ = *from++; case 3: *to++ = *from++; case 2: *to++ = *from++; case 1: *to++ = *from++; } while (--rounds > 0); }
}
static int into(int n) { int i = 0, s = 0; if (n > 10) goto inside; for (; i < 5; i++) { s += i; inside: s += 100; } return s; }
static int wide_switch(unsigned long v) { switch (v) { case 0: return 1; case 0x100000000ul ... 0x1000000fful: return 2; case 0xfffffffffffffffful: return 3; case 0x8000000000000000ul: return 4; case 5: case 7: case 9: return 5; default: return 6; } }
static int vla(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j] * (i + 1); return s + (int)(sizeof a[0] / sizeof(int)); }
static jmp_buf env; static volatile int caught;
static int thrower(const void *a, const void *b) { if (*(const char *)a == 'x' && *(const char *)b != 'x') longjmp(env, 5); return *(const char *)a - *(const char *)b; }
static void on_signal(int n) { caught += n; }
static int by_pointer(int (*const *table)(int), int i, int x) { return table[i & 1](x); }
static int plus(int x) { return x + 1; } static int times(int x) { return x * 3; }
static _Thread_local int local = 4; static int started; __attribute__((constructor)) static void start(void) { started = 7; }
static int original(int x) { return x ^ 21; } int renamed(int) __attribute__((alias("original"))); __attribute__((weak)) int absent(void);
static void at_end(void) { show("atexit"); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }

int main(void)
{
    in_start(); atexit(at_end);
    struct packed p = {1, IN(int), 3, 4, 5, IN(short), 7}; p.b += IN(short); p.c2 = p.a * IN(int); p.l ^= p.i; mix_bytes(&p, sizeof p); mix(offsetof(struct packed, l)); struct packed ps[3] = {p, p, {2}}; ps[1].i++; mix_bytes(ps, sizeof ps); show("packed");
    struct flexible *f = malloc(sizeof *f + 6 * sizeof(short)); f->n = 6; for (int i = 0; i < f->n; i++) f->tail[i] = IN(short); mix(f->tail[IN(unsigned char) % 6]); mix_bytes(f, sizeof *f + 12); show("flexible");
    union pun u; memset(&u, 0, sizeof u); u.d[0] = IN(short); mix(u.b[6]); u.f.mid = IN(int); mix_bytes(&u, 8); u.w = (__int128)IN(long) << 40; mix((uint64_t)(u.w >> 60)); u.l = IN(short); mix_bytes(u.b, 10); show("union");
    double r = structs(2, mixed(IN(short)), pair(IN(short)), three(IN(short)), floats(3), (long double)IN(char), mixed(2), pair(3), three(4), floats(IN(char)), 0.5L); mix_bytes(&r, sizeof r); struct three t = three(IN(short)); mix(t.b + t.c); show("struct varargs");
    unsigned char code[4] = {IN(char), IN(char), IN(char), IN(char)}; mix(jumps(code, 4)); char from[20] = "abcdefghijklmnopqrs", to[20] = {0}; duff(to, from, 1 + IN(unsigned char) % 19); mix_bytes(to, 20); mix(into(IN(char))); mix(wide_switch(IN(unsigned long))); mix(wide_switch(0x100000000ul + IN(unsigned char))); show("jumps");
    int n = 1 + (IN(unsigned char) & 3), m = 1 + (IN(unsigned char) & 3); int grid[n][m]; for (int i = 0; i < n * m; i++) (&grid[0][0])[i] = i * 3; mix(vla(n, m, grid)); for (int i = 0; i < n; i++) { char *q = __builtin_alloca(i + 1); memset(q, i, i + 1); mix(q[i]); int inner[i + 1]; inner[i] = IN(char); mix(inner[i]); } show("vla");
    double complex z = IN(short) + IN(short) * I, y = 2.5 - 1.5 * I; z = z * y / (1 + I) - conj(z); double parts[2] = {creal(z), cimag(z)}; mix_bytes(parts, 16); float complex zf = (float complex)z * 2; mix(crealf(zf) > 3); long double complex zl = z; zl *= zl; mix(cimagl(zl) < 0); show("complex");
    __int128 w = (__int128)IN(long) * IN(long); unsigned __int128 uw = (unsigned __int128)w; int k = IN(unsigned char) & 127; mix((uint64_t)(uw >> k)); mix((uint64_t)((uw << k) >> 64)); mix((uint64_t)(w / 1000003)); mix((uint64_t)(w % 1000003)); mix(w < 0); mix((uint64_t)(uw / ((uw >> 70) | 3))); double wd = (double)w; mix_bytes(&wd, 8); mix((uint64_t)(__int128)(wd / 3)); show("int128");
    _Bool b = IN(int); b++; mix(b); b = b ^ (IN(char) > 3); mix(b); b += 5; mix(b); bool bs[3] = {IN(char), 0, IN(char) & 1}; mix(bs[0] + bs[2] * 2); _BitInt(37) bi = IN(long); bi *= 3; mix((uint64_t)bi); unsigned _BitInt(7) small = IN(char); small += 100; mix(small); show("bool");
    volatile int arm = 0; int how = setjmp(env); if (!how) { char text[6] = {IN(char) | 64, 'x', 'c', 'b', 'a', 0}; arm = 3; qsort(text, 5, 1, thrower); mix_bytes(text, 5); } mix(how + arm); signal(SIGUSR1, on_signal); raise(SIGUSR1); mix(caught); show("longjmp");
    int (*const table[2])(int) = {plus, times}; mix(by_pointer(table, IN(char), IN(int))); local += IN(char); mix(local + started); mix(renamed(IN(int))); mix(absent != 0); struct list *head = 0; for (int i = 0; i < 5; i++) { struct list *l = malloc(sizeof *l); *l = (struct list){head, IN(char)}; if (l->v > 10 || !head) head = l; else { l->next = head->next; head->next = l; } } for (struct list *l = head; l; l = l->next) mix(l->v); mix(ack(2, IN(unsigned char) & 3)); show("pointers");
    wchar_t ws[12]; mbstowcs(ws, "h\303\251llo", 12); mix(wcslen(ws)); ws[1] = L'a' + (IN(unsigned char) & 15); mix(towupper(ws[1])); mix(wcscmp(ws, L"hello")); wchar_t out[30]; swprintf(out, 30, L"%ls-%d", ws, IN(char)); mix(wcslen(out)); mix(wcstol(L"-77x", 0, 10)); show("wide");
    char line[24]; snprintf(line, sizeof line, "%d %x %c%s", IN(char), IN(unsigned char), 'a' + (IN(unsigned char) & 3), "bc]9"); int i1 = 0, i2 = 0, at = 0; char set[9] = "", c1 = 0; mix(sscanf(line, "%d %x %8[a-d]%c%n", &i1, (unsigned *)&i2, set, &c1, &at)); mix(i1); mix(i2); mix(at); mix(c1); mix_bytes(set, 8); signed char hh = 0; mix(sscanf("300", "%hhd", &hh)); mix(hh); float sf; double sd; mix(sscanf("1e2 0x1.8p1", "%f%lf", &sf, &sd)); mix(sf + sd); show("scanf");
    char over[16] = "0123456789abcde"; memmove(over + (IN(unsigned char) & 3), over + 1, 8); mix_bytes(over, 16); memmove(over, over + 3, 9); mix_bytes(over, 16); char *save, words[] = "a,bb;ccc"; for (char *x = strtok_r(words, ",;", &save); x; x = strtok_r(0, ",;", &save)) mix(strlen(x)); __asm__ volatile("" ::: "memory"); int barrier = IN(int); __asm__("" : "+r"(barrier)); mix(barrier); show("moves");
    float fx = IN(short) / 8.0f; mix((int)fx); mix(isnan(fx / 0.0f)); mix(fpclassify(fx)); mix(signbit(fx) != 0); long double lx = fx; lx = lx * 3 + 1; mix((long)lx); mix(lx > fx); mix(lroundl(lx)); mix(_Generic(lx, long double: 3, default: 4)); mix(({ int z2 = IN(char); z2 * z2; })); show("floats");
    return hash & 63;
}
