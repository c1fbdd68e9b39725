/* Builtins of gcc that clang lacks. */
#include <limits.h>
#include <stdio.h>
int main(void) {
    volatile int big = INT_MAX, small = -7;
    volatile unsigned char byte = 200;
    printf("%d %d\n", __builtin_add_overflow_p(big, 1, (int)0), __builtin_add_overflow_p(big, 1, (long)0));
    printf("%d %d\n", __builtin_sub_overflow_p(small, big, (int)0), __builtin_sub_overflow_p(small, 1, (unsigned)0));
    printf("%d %d\n", __builtin_mul_overflow_p(byte, 2, byte), __builtin_mul_overflow_p(byte, 1, byte));
    if (__builtin_mul_overflow_p(big, big, small) && __builtin_speculation_safe_value(small, 0) == -7) puts("both");
    unsigned __int128 wide = (unsigned __int128)0x0102030405060708 << 64 | 0x1112131415161718;
    wide = __builtin_bswap128(wide);
    printf("%llx %llx\n", (unsigned long long)(wide >> 64), (unsigned long long)wide);
    return 0;
}
