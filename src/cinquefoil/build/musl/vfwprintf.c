/* musl's vfwprintf, muted where its result is only output. */
#define vfwprintf plain_vfwprintf
#include "../stdio/vfwprintf.c"
#undef vfwprintf

int vfwprintf(FILE *restrict f, const wchar_t *restrict format, va_list list)
{
    if (!is_output(f)) return plain_vfwprintf(f, format, list);
    cinq_mute_enter();
    int result = (int)cinq_mute_value((unsigned)plain_vfwprintf(f, format, list));
    cinq_mute_leave();
    return result;
}
