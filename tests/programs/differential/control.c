#include "input.h"
#include <setjmp.h>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int even(int n); static int odd(int n) { return n == 0 ? 0 : even(n - 1); } static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int ranges(int c) { switch (c) { case '0' ... '9': return 1; case 'a' ... 'f': case 'A' ... 'F': return 2; case -5: return 3; case 200: return 4; case 1000 ... 2000: return 5; default: return 0; } }
static int lswitch(long v) { switch (v) { case 0x123456789aL: return 1; case -1: return 2; case 0: return 3; } return 4; }
static int cswitch(unsigned char v) { switch (v) { case 255: return 1; case 128: return 2; case 0: return 3; case 65 ... 90: return 4; } return 5; }
static int interpret(const unsigned char *code, int n)
{
    static void *const ops[] = {&&add, &&sub, &&dbl, &&neg};
    int acc = 1, i = 0;
next: if (i >= n) return acc; goto *ops[code[i++] & 3];
add: acc += 3; goto next; sub: acc -= 5; goto next; dbl: acc *= 2; goto next; neg: acc = -acc; goto next;
}
static jmp_buf env; static volatile int depth;
static void dive(int n) { depth++; if (n == 0) longjmp(env, depth); dive(n - 1); }
static int apply(int (*f)(int), int x) { return f(x); } static int inc(int x) { return x + 1; } static int dec(int x) { return x - 1; } static int sq(int x) { return x * x; }
static int counter(void) { static int n = 3; return n *= 2; }
static int vla(int n, int v) { int a[n], s = 0; for (int i = 0; i < n; i++) a[i] = v * i; for (int i = 0; i < n; i++) s += a[i]; return s; }
static int allocas(int n, int v) { char *p[8]; int s = 0; for (int i = 0; i < n; i++) { p[i] = __builtin_alloca(i + 5); p[i][i] = v + i; } for (int i = 0; i < n; i++) s += p[i][i]; return s; }
int main(void)
{
    in_start();
    int a = IN(int), b = IN(signed char);
    mix(fib(a & 7)); mix(even(b & 15)); mix(ranges(a)); mix(ranges(b)); mix(ranges(in_take(2))); mix(lswitch(IN(long))); mix(cswitch(in_take(1))); show("calls");
    mix(interpret(in_bytes + 20, 5)); show("goto");
    int r = setjmp(env); if (r == 0) dive((a >> 4) & 3); mix(r); mix(depth); show("jump");
    jmp_buf local; volatile int round = 0; if (setjmp(local) < 3) { round++; longjmp(local, round); } mix(round); show("local jump");
    int (*const f[])(int) = {inc, dec, sq}; mix(apply(f[(unsigned)b % 3], a)); mix(apply(b > 0 ? inc : sq, b)); show("pointers");
    mix(counter() + counter()); mix(vla((b & 7) + 1, a)); mix(allocas(b & 7, a)); for (int i = 0; i < 3; i++) { int t[i + 1]; t[i] = a + i; mix(t[i]); } show("stack");
    int n = 0; for (unsigned i = 0; i < (unsigned)(a & 15); i++) { if (i == 7) continue; if (i > 12) break; n += i * b; } mix(n);
    do n = n * 3 + 1; while ((n & 7) != 0 && n < 500 && n > -500); mix(n); while (n > 100) n /= 3; mix(n); show("loops");
    mix(a > 0 && b > 0 || (a == b && !(a & 1))); mix(a > b ? a : b > 3 ? b : 7); const char *t = a & 1 ? "odd" : "even"; mix(t[0]); mix(strlen(t)); show("logic");
    volatile int v = a; v += 1; mix(v); v++; mix(v * v); asm volatile("" ::: "memory"); int z = a; asm("" : "+r"(z)); mix(z); show("volatile");
    goto *(b & 1 ? &&one : &&two); one: mix(1); two: mix(2); show("end");
    return (unsigned char)(a + b);
}
