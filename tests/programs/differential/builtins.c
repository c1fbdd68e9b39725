#include "input.h"
#include <stdatomic.h>
typedef int v4 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16))); typedef short v8 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16))); typedef double d2 __attribute__((vector_size(16))); typedef int v2 __attribute__((vector_size(8))); typedef int v8i __attribute__((vector_size(32)));
#define OVER(T) do { T a = IN(T), b = IN(T), r; mix(__builtin_add_overflow(a, b, &r)); mix(r); mix(__builtin_sub_overflow(a, b, &r)); mix(r); mix(__builtin_mul_overflow(a, b, &r)); mix(r); if (__builtin_add_overflow(a, (T)3, &r)) mix(9); show(#T); } while (0)
static v4 addv(v4 a, v4 b) { return a + b; }
int main(void)
{
    in_start();
    OVER(int); OVER(unsigned); OVER(long); OVER(unsigned long); OVER(short); OVER(unsigned char); { int r; mix(__builtin_mul_overflow((long)IN(int), IN(unsigned char), &r)); mix(r); mix(__builtin_add_overflow(IN(unsigned), IN(int), &r)); mix(r); }
    unsigned u = IN(unsigned); unsigned long ul = IN(unsigned long); show("mixed");
    mix(__builtin_bswap16(u)); mix(__builtin_bswap32(u)); mix(__builtin_bswap64(ul)); mix(__builtin_popcount(u)); mix(__builtin_popcountl(ul)); mix(__builtin_parity(u)); mix(__builtin_ffs(u)); mix(__builtin_ffsl(ul));
    if (u) { mix(__builtin_clz(u)); mix(__builtin_ctz(u)); } if (ul) { mix(__builtin_clzl(ul)); mix(__builtin_ctzl(ul)); } mix(__builtin_bitreverse32(u)); mix(__builtin_bitreverse8(u)); mix(__builtin_rotateleft32(u, ul & 63)); mix(__builtin_rotateright64(ul, u)); mix(__builtin_rotateleft8(u, 3)); mix(u << 5 | u >> 27); mix(abs((int)(u | 1))); mix(__builtin_expect(u > 5, 1)); show("bits");
    mix(__builtin_elementwise_max((int)u, 5)); mix(__builtin_elementwise_min(ul, 500ul)); mix(__builtin_elementwise_abs((int)(ul | 1))); mix(__builtin_elementwise_add_sat((int)u, (int)ul)); mix(__builtin_elementwise_sub_sat(u, (unsigned)ul)); mix(__builtin_elementwise_add_sat((signed char)u, (signed char)ul)); show("elementwise");
    v4 a = {IN(int), 2, IN(int), 4}, b = {5, IN(int), 7, 8}; v4 c = addv(a, b) * a - (b & 255); mix(c[0]); mix(c[1]); mix(c[2]); mix(c[3]); v4 m = a < b; mix(m[0]); mix(m[2]); c = (a & m) | (b & ~m); mix(c[0] ^ c[3]); c = __builtin_shufflevector(a, b, 0, 5, 2, 7); mix(c[1]); c >>= 2; mix(c[2]); c = a / (v4){3, 4, 5, 6}; mix(c[0]); show("vector");
    f4 f = {u & 1023, 2, 3, ul & 4095}; f = f * f + 1.5f; float s = f[0] + f[3]; mix_bytes(&s, 4); d2 d = {f[0], f[1]}; d *= 2; mix_bytes(&d, 16); v8 h = (v8)a; mix(h[3]); h += 5; mix(h[0]); b16 q = (b16)h; mix(q[5]); v2 w = {u, 3}; w ^= 9; mix(w[0]); long wl = (long)w; mix(wl); v8i big = {1, u, 3, 4, 5, 6, 7, ul}; big *= big; mix(big[1]); mix(big[7]); int idx = ul & 3; mix(a[idx]); a[idx] = 9; mix(a[0]); v4 cv = __builtin_convertvector(f, v4); mix(cv[0]); show("vector2");
    _Atomic int at = u; mix(atomic_fetch_add(&at, 3)); mix(atomic_fetch_sub(&at, 1)); mix(atomic_fetch_or(&at, 8)); mix(atomic_fetch_xor(&at, (int)ul)); mix(atomic_exchange(&at, 7)); int ex = 7; mix(atomic_compare_exchange_strong(&at, &ex, (int)u)); mix(at); mix(__sync_fetch_and_add(&u, 5)); mix(u); mix(__sync_val_compare_and_swap(&u, 3, 4)); mix(__sync_bool_compare_and_swap(&u, u, 4)); mix(__atomic_fetch_nand(&u, 12, __ATOMIC_SEQ_CST)); mix(u); atomic_thread_fence(memory_order_seq_cst); long al; __atomic_store_n(&al, ul, __ATOMIC_RELEASE); mix(__atomic_load_n(&al, __ATOMIC_ACQUIRE)); show("atomic");
    mix(__builtin_constant_p(u)); mix(__builtin_object_size(&u, 0) != 0); u + ul; (void)(u * 3); show("end");
    return 0;
}
