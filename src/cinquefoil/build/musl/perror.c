/* musl's perror, muted: its message is only output. */
#include <stdio.h>
#include <string.h>
#include <errno.h>
#include "stdio_impl.h"
#define perror plain_perror
#define strlen(s) strlen(cinq_mute_text(s, (size_t)-1))
#include "../stdio/perror.c"
#undef strlen
#undef perror

void perror(const char *message)
{
    if (!is_output(stderr)) return plain_perror(message);
    cinq_mute_enter();
    plain_perror(message);
    cinq_mute_leave();
}
