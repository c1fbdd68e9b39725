/* clang's checks for undefined behaviour in a replayed program, as build/ubsan.py left them: what fails ends it. */
#include "replay.h"
#include <stdlib.h>
#include <unistd.h>

struct function_type { void (*function)(void); uint32_t hash; };
extern const struct function_type cinq_function_types[] __attribute__((weak));

void cinq_must_hold(_Bool holds, int check, const void *data, uint64_t a, uint64_t b);
void cinq_must_hold(_Bool holds, int check, const void *data, uint64_t a, uint64_t b)
{
    (void)check, (void)data, (void)a, (void)b;
    if (holds) return;
    replay_start();
    replay_report->end = END_UNDEFINED;
    abort();
}

/* Only the engine knows objects by their addresses. */
uint64_t cinq_object_size(const void *address);
uint64_t cinq_object_size(const void *address)
{
    (void)address;
    return ~(uint64_t)0;
}

_Bool cinq_function_is(void (*function)(void), uint32_t hash);
_Bool cinq_function_is(void (*function)(void), uint32_t hash)
{
    for (const struct function_type *t = cinq_function_types; t && t->function; t++)
        if (t->function == function) return t->hash == hash;
    return 1;
}
