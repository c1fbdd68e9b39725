/* musl's vfwprintf, muted where its result is only output. */
#include <string.h>
#include "stdio_impl.h"
#define vfwprintf plain_vfwprintf
#include "../stdio/vfwprintf.c"
#undef vfwprintf

int vfwprintf(FILE *restrict f, const wchar_t *restrict format, va_list list)
{
    if (!is_output(f)) return plain_vfwprintf(f, format, list);
    unsigned kind = cinq_mute_format(format, sizeof *format);
    if (kind == DECIDING_FORMAT) return plain_vfwprintf(f, format, list);
    cinq_mute_enter();
    int result = (int)cinq_mute_result((unsigned)plain_vfwprintf(f, format, list), kind == FAILING_FORMAT);
    cinq_mute_leave();
    return result;
}
