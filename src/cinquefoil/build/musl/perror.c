/* musl's perror, muted: its message is only output. */
#define perror plain_perror
#include "../stdio/perror.c"
#undef perror

void perror(const char *message)
{
    cinq_mute_enter();
    plain_perror(message);
    cinq_mute_leave();
}
