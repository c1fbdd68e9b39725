/* Input for differential programs: 64 bytes, symbolic when traced, replayed natively. */
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

static unsigned char in_bytes[64];
static unsigned in_next;
static void in_start(void) { klee_make_symbolic(in_bytes, sizeof in_bytes, "in"); }
static uint64_t in_take(unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) v |= (uint64_t)in_bytes[(in_next++) % 64] << (8 * i);
    return v;
}
#define IN(T) ((T)in_take(sizeof(T)))
/* What the program computed goes into a sum. */
static uint64_t hash = 1469598103934665603ull;
static void mix(uint64_t v) { hash = (hash ^ v) * 1099511628211ull; }
static void mix_bytes(const void *p, size_t n) { for (size_t i = 0; i < n; i++) mix(((const unsigned char *)p)[i]); }
/* Printing decides every bit of the sum; with QUIET set, only what the program itself decides is left. */
static void show(const char *name) { if (!getenv("QUIET")) printf("%s %016llx\n", name, (unsigned long long)hash); }
