// Every kind of control flow, and calls in all their forms.
typedef __builtin_va_list va_list;
#define va_start __builtin_va_start
#define va_arg __builtin_va_arg
#define va_copy __builtin_va_copy
#define va_end __builtin_va_end
struct big { long a[5]; };
struct pair { double x; long y; };
struct empty {};
int printf(const char *, ...);
int unknown();
void stop(void) __attribute__((noreturn));
int twice(void *) __attribute__((returns_twice));
static void (*table[])(void) = {stop, 0};

int jumps(int n) {
  static const void *const targets[] = {&&zero, &&one, &&two};
  int sum = 0;
  goto *targets[n % 3];
zero: sum++;
one: sum += 2;
two:
  for (int i = 0; i < n; i++) {
    if (i == 3) continue;
    do { sum += i; } while (sum & 1 && i > 2);
    if (sum > 100) break;
  }
  while (n-- > 0 || sum < 0) sum ^= n;
  return sum ? sum : -1;
}

long cases(long n, unsigned char c, _Bool b) {
  switch (n) { case -5: return 1; case 1: case 2: n++; break; case 0x7fffffffffffffff: n = 0; default: n--; }
  switch (c) { case 200 ... 204: return 3; case 255: return 4; }
  switch (b) { case 1: return 8; }
  switch (n) {}
  return n;
}

struct big by_value(struct big b, struct pair p, struct empty e) { b.a[1] = p.y; return b; }
struct pair small(struct pair p, _Complex float z) { p.x += __real__ z * __imag__ z; return p; }

int variadic(int n, ...) {
  va_list ap, copy;
  va_start(ap, n);
  va_copy(copy, ap);
  int sum = va_arg(ap, int) + (int)va_arg(ap, double) + (int)va_arg(ap, long double) + va_arg(ap, struct pair).y;
  sum += __builtin_va_arg(copy, int);
  va_end(copy);
  va_end(ap);
  return sum;
}

int calls(int (*f)(int, char *), void *buffer, unsigned char c, signed char s) {
  struct big b = {{1}};
  struct pair p = {1, 2};
  if (__builtin_expect(c > 3, 0)) table[0]();
  b = by_value(b, p, (struct empty){});
  printf("%d %s %f\n", c, "x", 1.0);
  int *aligned = __builtin_assume_aligned(buffer, 64);
  __builtin_memcpy(buffer, &b, sizeof b);
  __builtin_memset(aligned, c, s);
  unknown(1, 2.0);
  if (twice(buffer)) __builtin_trap();
  if (s > 100) __builtin_unreachable();
  return f(c, buffer) + variadic(3, s, 1.5, 2.5L, p) + (int)small(p, 1.0f).y + *aligned;
}

long assembly(long a, long b) {
  long out, flags;
  __asm__ volatile("mov %1, %0\n\tadd %2, %0" : "=&r"(out) : "r"(a), "ri"(b) : "cc", "memory");
  __asm__("syscall" : "=a"(flags) : "a"(1), "D"(out) : "rcx", "r11", "memory");
  register long fixed __asm__("r10") = a;
  __asm__ volatile("# \"quoted\" %c0 ${:uid}" ::"i"(5), "r"(fixed));
  return out + flags;
}

int overflow(int a, long b) {
  int r; long s;
  return __builtin_add_overflow(a, 3, &r) + __builtin_mul_overflow(b, b, &s) + r + __builtin_popcountl(s)
    + __builtin_clz(a | 1) + __builtin_bswap32(a);
}
int tail(int n) { if (n == 0) return 0; __attribute__((musttail)) return tail(n - 1); }
inline int only_inline(int a) { return a; }
extern inline __attribute__((gnu_inline, always_inline)) int gnu(int a) { return a * 2; }
__attribute__((cold, noinline, section(".text.odd"), aligned(32))) void odd(void) { gnu(only_inline(2)); }
__attribute__((ms_abi)) int foreign(int a, ...) { return a; }
__attribute__((preserve_most)) void preserved(void) { foreign(1, 2); }
__attribute__((constructor(200), destructor)) static void ends(void) { preserved(); }
