/* musl's fputws, muted where its result is only output. */
#define fputws plain_fputws
#define fputws_unlocked plain_fputws_unlocked
#include "../stdio/fputws.c"
#undef fputws
#undef fputws_unlocked

int fputws(const wchar_t *restrict s, FILE *restrict f)
{
    if (!is_output(f)) return plain_fputws(s, f);
    cinq_mute_enter();
    int result = plain_fputws(s, f);
    cinq_mute_leave();
    return result;
}

weak_alias(fputws, fputws_unlocked);
