/* musl's vfwprintf, muted where its result is only output. */
#include <string.h>
#include "stdio_impl.h"
#define vfwprintf plain_vfwprintf
#include "../stdio/vfwprintf.c"
#undef vfwprintf

ASKS_FOR_COUNT(asks_for_count, wchar_t)

int vfwprintf(FILE *restrict f, const wchar_t *restrict format, va_list list)
{
    if (!is_output(f)) return plain_vfwprintf(f, format, list);
    cinq_mute_enter();
    int asks = asks_for_count(format);
    cinq_mute_leave();
    if (asks) return plain_vfwprintf(f, format, list);
    cinq_mute_enter();
    int result = (int)cinq_mute_result((unsigned)plain_vfwprintf(f, format, list));
    cinq_mute_leave();
    return result;
}
