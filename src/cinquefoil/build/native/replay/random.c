/* Random numbers that were input (machine/runtime/random.c): the test's, for as long as it has some; else libc's. */
#include "replay.h"
#include <string.h>

long __real_random(void), __real_lrand48(void), __real_mrand48(void);
int __real_rand(void), __real_rand_r(unsigned *);
double __real_drand48(void);

static int given(const char *name, uint64_t *value)
{
    char unique[NAME_BYTES];
    size_t size = 0;
    replay_start();
    if (!test_object(name, &size)) return 0;
    unique_name(name, unique);
    const unsigned char *bytes = test_object(unique, &size);
    *value = 0;
    if (bytes) memcpy(value, bytes, size < sizeof *value ? size : sizeof *value);
    return 1;
}

#define FIRST(BITS) (value & (((uint64_t)1 << BITS) - 1))
#define GENERATOR(TYPE, NAME, PARAMETERS, ARGUMENTS, RESULT)            \
    TYPE __wrap_##NAME PARAMETERS;                                      \
    TYPE __wrap_##NAME PARAMETERS                                       \
    {                                                                   \
        uint64_t value;                                                 \
        return given(#NAME, &value) ? (TYPE)(RESULT) : __real_##NAME ARGUMENTS; \
    }
GENERATOR(int, rand, (void), (), FIRST(31))
GENERATOR(int, rand_r, (unsigned *seed), (seed), FIRST(31))
GENERATOR(long, random, (void), (), FIRST(31))
GENERATOR(long, lrand48, (void), (), FIRST(31))
GENERATOR(long, mrand48, (void), (), (int32_t)FIRST(32))
GENERATOR(double, drand48, (void), (), (double)FIRST(48) * 0x1p-48)
