/* Loads of one address whose memory changes in between, in every way that is not a plain store to it. */
#include "input.h"
#include <setjmp.h>
#include <signal.h>

union word { uint32_t whole; uint8_t bytes[4]; };
static uint32_t global, *alias = &global;
static volatile uint32_t seen;
static jmp_buf back;

static uint32_t same(uint32_t x) { return x; }
static uint32_t *place(uint32_t *array, unsigned i) { return array + (i & 7); }
static double times(double x, double y) { return x * y; }
static uint32_t bump(uint32_t x) { global += 7; return x; }
static void on_signal(int n) { global ^= n; seen++; }
static void jump(int n) { global += n; longjmp(back, n); }
static void both(uint32_t *p, uint32_t x, uint32_t (*f)(uint32_t)) { mix(*p); mix(f(x)); mix(*p); if (*p % 5 == 1) mix(x); }

#define ADD(value) (s = s * 31 + (value)) /* no call: calls forget all loads */
static void pointers(void)
{
    uint32_t array[8] = {1, 2, 3, 4, 5, 6, 7, 8}, i = IN(uint8_t) & 7;
    uint64_t s = 0;
    union word u = {IN(uint32_t)};
    ADD(u.whole); u.bytes[1] = 3; ADD(u.whole); u.bytes[i & 3] = 9; ADD(u.whole);
    ADD(global); *alias = 4; ADD(global);
    ADD(array[2]); array[i] = 99; ADD(array[2]); array[2] = 5; ADD(array[i]);
    ADD(array[1]); ((uint16_t *)array)[2] = 77; ADD(array[1]);
    ADD(array[1]); memset((char *)array + 3, i, 4); ADD(array[1]);
    ADD(array[3]); memmove(array + 1, array, 12); ADD(array[3]);
    ADD(*place(array, i)); *place(array, same(i)) += 1; ADD(*place(array, i)); ADD(array[i]);
    uint32_t *aligned = __builtin_assume_aligned(array + i, 4); ADD(*aligned);
    mix(s);
}

static void calls(void)
{
    both(&global, IN(uint8_t), bump); both(&global, IN(uint8_t), same);
    signal(SIGUSR1, on_signal);
    mix(global + seen); raise(SIGUSR1); mix(global + seen);
    volatile uint32_t local = IN(uint8_t);
    mix(local); mix(global);
    int times_back = setjmp(back);
    mix(local); mix(global);
    if (times_back < 3) { local += 10; jump(times_back + 1); }
    uint32_t *heap = malloc(8); heap[1] = IN(uint32_t); mix(heap[1]);
    heap = realloc(heap, 4000); mix(heap[1]); heap[1]++; mix(heap[1]); free(heap);
}

static void signs(void)
{
    double x = IN(int8_t), zeros[4] = {x * 0.0, x * -0.0, times(x, 0.0), times(x, -0.0)};
    mix_bytes(zeros, sizeof zeros);
}

int main(void)
{
    in_start();
    global = IN(uint32_t);
    for (int i = 0; i < 3; i++) { pointers(); calls(); signs(); if (IN(uint8_t) > 99) mix(i); }
    show("reloads");
    return hash & 63;
}
