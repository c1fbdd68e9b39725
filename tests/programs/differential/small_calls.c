/* Small straight-line functions, called in all ways; values computed and loaded again. */
#include "input.h"
static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }
static int same(int x) { return x; }
static int seven(void) { return 7; }
static void nothing(int x) { (void)x; }
static double half(double x) { return x * 0.5; }
static int *second(int *p) { return p + 1; }
static _Bool odd(unsigned char c) { return c & 1; }
static unsigned char low(int x) { return (unsigned char)x; }
static long wide(short x) { return x; }
__attribute__((noinline)) static int apply(int (*f)(int), int x) { return f(x); }

int main(void)
{
    int cells[4] = {10, 20, 30, 40}, x = 5;
    in_start();
    uint32_t word = IN(uint32_t), mixed = rotate(word, 7) ^ rotate(word, 18) ^ word >> 3;
    unsigned char text[4];
    for (int i = 0; i < 4; i++) text[i] = IN(unsigned char);
    for (int i = 0; i < 4; i++) {
        nothing(i);
        if (odd(text[i])) mixed += rotate(mixed, i + 1) + text[i];
        if (text[i] > 'm') x = same(x) + seven();
        else *second(cells) += low(text[i] + 200);
    }
    cells[text[0] & 3]++;
    int before = cells[text[0] & 3];
    cells[2] = 5;
    int after = cells[text[0] & 3]; /* the store may have changed it */
    if (before != after) mix(1);
    if (rotate(mixed, 3) == 0x12345678) mix(2);
    mix(mixed), mix(apply(same, x)), mix(cells[1]), mix((uint64_t)half(x)), mix(wide((short)mixed)), mix(after);
    show("small calls");
    return low(x) & 63;
}
