// Globals with every kind of linkage and initializer, aggregates, pointers, atomics.
typedef int wchar_t;
typedef long ptrdiff_t;
#define offsetof __builtin_offsetof
struct point { int x, y; };
struct __attribute__((packed)) tight { char c; long l; struct point p; };
union either { double d; struct point p; char bytes[24]; };
struct bits { unsigned a : 3, b : 17; long c : 40; };
struct opaque;
typedef int (*handler)(struct point *, ...);

extern int outside;
extern struct opaque *pointer_to_opaque;
static int hidden_counter;
_Thread_local int per_thread = 4;
_Thread_local int exec __attribute__((tls_model("initial-exec")));
__attribute__((weak)) int weak_one = 1;
extern int weak_outside __attribute__((weak));
__attribute__((visibility("hidden"))) int hidden_one;
__attribute__((section(".custom\"x"), aligned(64), used)) int placed = 7;
int tentative[10];
const char *strings[] = {"plain", "quote\" back\\ \x01\xff", "", 0};
char text[5] = "abcde";
wchar_t wide_text[] = L"wide";
struct point points[3] = {{1, 2}, {.y = 4}};
struct tight tight = {'c', -1, {1, 2}};
union either either = {.p = {1, 2}};
struct { char c; int t[]; } flexible = {'x', {1, 2, 3}};
int *inside = &points[1].y;
char *offset = (char *)&tight + offsetof(struct tight, p);
long address = (long)&hidden_counter + 12;
ptrdiff_t large_table[100] = {[50] = 7};
struct point *null_pointer = 0;
static int aliased_target(int a) { return a + hidden_counter; }
int alias_of_it(int) __attribute__((alias("aliased_target")));
int weak_alias(int) __attribute__((weak, alias("aliased_target")));
extern int variable_alias __attribute__((alias("hidden_one")));
static int (*resolve(void))(int) { return aliased_target; }
int chosen(int) __attribute__((ifunc("resolve")));
__asm__(".globl from_module_assembly\nfrom_module_assembly = 5\n\t.set \"q\", 1");

int use(struct bits *b, struct tight t, union either e, int n) {
  struct point local = points[n], copy[n + 1];
  volatile int v = n;
  int __seg_fs *segment = (int __seg_fs *)16;
  b->a = n; b->c += b->b;
  copy[n] = local;
  v += v;
  return t.p.x + e.p.y + copy[0].x + v + *segment + per_thread + exec + outside + weak_outside
    + (pointer_to_opaque != 0) + *inside + (int)large_table[n] + (&weak_outside != 0);
}

int atomics(_Atomic int *a, _Atomic long *b, volatile _Atomic char *c, _Atomic double *d) {
  int expected = 1;
  *a += 3; *b |= 4; *c = 5; *d += 1.0;
  __atomic_fetch_sub((int *)a, 1, __ATOMIC_RELAXED);
  __atomic_exchange_n((int *)a, 2, __ATOMIC_ACQ_REL);
  __atomic_compare_exchange_n((int *)a, &expected, 2, 1, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __atomic_signal_fence(__ATOMIC_ACQUIRE);
  __sync_fetch_and_nand((int *)a, 1);
  __c11_atomic_fetch_max(a, 9, __ATOMIC_RELEASE);
  return __atomic_load_n((int *)a, __ATOMIC_ACQUIRE) + expected;
}
