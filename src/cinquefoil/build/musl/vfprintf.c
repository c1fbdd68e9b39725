/* musl's vfprintf, muted where its result is only output. */
#define vfprintf plain_vfprintf
#include "../stdio/vfprintf.c"
#undef vfprintf

int vfprintf(FILE *restrict f, const char *restrict format, va_list list)
{
    if (!is_output(f)) return plain_vfprintf(f, format, list);
    cinq_mute_enter();
    int result = (int)cinq_mute_value((unsigned)plain_vfprintf(f, format, list));
    cinq_mute_leave();
    return result;
}
