/* Variadic arguments of types with an alignment of their own, in registers and behind them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdint.h>
struct __attribute__((aligned(16))) pair { long a, b; };
struct __attribute__((aligned(32))) block { long a, b; };
struct __attribute__((aligned(64))) line { char c[64]; };

static void print_all(const char *kinds, ...)
{
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        if (*kinds == 'i') printf(" %d", va_arg(list, int));
        if (*kinds == 'w') printf(" %llx", (unsigned long long)(va_arg(list, __int128) >> 60));
        if (*kinds == 'p') printf(" %ld", va_arg(list, struct pair).b);
        if (*kinds == 'b') printf(" %ld", va_arg(list, struct block).b);
        if (*kinds == 'l') printf(" %d", va_arg(list, struct line).c[63]);
    }
    puts("");
    va_end(list);
}

static int is_aligned(struct block block, struct line line, ...)
{
    return (uintptr_t)&block % 32 == 0 && (uintptr_t)&line % 64 == 0 && block.a == 1;
}

int main(void)
{
    __int128 wide = (__int128)0x1234567 << 60;
    struct pair pair = {3, 4};
    struct block block = {1, 6};
    struct line line = {{0}};
    line.c[63] = 9;
    print_all("w", wide);
    print_all("iw", 1, wide);
    print_all("ipibi", 1, pair, 2, block, 3);
    print_all("iiiiwiwpibl", 1, 2, 3, 4, wide, 5, wide, pair, 6, block, line);
    print_all("wwwiwii", wide, wide, wide, 1, wide, 2, 3);
    print_all("libi", line, 1, block, 2);
    printf("%d\n", is_aligned(block, line, 0));
    return 0;
}
