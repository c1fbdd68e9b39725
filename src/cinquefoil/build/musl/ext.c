/* musl's stdio_ext.h: how much waits in a stream is what muted output came to. */
#define __fpending plain_fpending
#include "../stdio/ext.c"
#undef __fpending
#include "stdio_impl.h"

size_t __fpending(FILE *f)
{
    if (!is_output(f)) return plain_fpending(f);
    cinq_mute_enter();
    size_t waiting = cinq_mute_result((unsigned)plain_fpending(f), 0);
    cinq_mute_leave();
    return waiting;
}
