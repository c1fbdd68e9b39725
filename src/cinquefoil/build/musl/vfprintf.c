/* musl's vfprintf, muted where its result is only output. */
#include <string.h>
#include "stdio_impl.h"
#define vfprintf plain_vfprintf
#define strnlen(s, n) strnlen(cinq_mute_text(s, n), n)
#include "../stdio/vfprintf.c"
#undef vfprintf

int vfprintf(FILE *restrict f, const char *restrict format, va_list list)
{
    if (!is_output(f)) return plain_vfprintf(f, format, list);
    unsigned kind = cinq_mute_format(format, sizeof *format);
    if (kind == DECIDING_FORMAT) return plain_vfprintf(f, format, list);
    cinq_mute_enter();
    int result = (int)cinq_mute_result((unsigned)plain_vfprintf(f, format, list), kind == FAILING_FORMAT);
    cinq_mute_leave();
    return result;
}
