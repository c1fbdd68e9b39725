/* musl's vfprintf, muted where its result is only output. */
#include <string.h>
#include "stdio_impl.h"
#define vfprintf plain_vfprintf
#define strnlen(s, n) strnlen(cinq_mute_text(s, n), n)
#include "../stdio/vfprintf.c"
#undef vfprintf

ASKS_FOR_COUNT(asks_for_count, char)

int vfprintf(FILE *restrict f, const char *restrict format, va_list list)
{
    if (!is_output(f)) return plain_vfprintf(f, format, list);
    cinq_mute_enter();
    int asks = asks_for_count(format);
    cinq_mute_leave();
    if (asks) return plain_vfprintf(f, format, list);
    cinq_mute_enter();
    int result = (int)cinq_mute_result((unsigned)plain_vfprintf(f, format, list));
    cinq_mute_leave();
    return result;
}
