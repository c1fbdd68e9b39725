/* musl's fputwc, muted where its result is only output: what is not ASCII may have no encoding. */
#define __fputwc_unlocked plain_fputwc_unlocked
#define fputwc plain_fputwc
#define fputwc_unlocked plain_fputwc_unlocked_alias
#define putwc_unlocked plain_putwc_unlocked_alias
#include "../stdio/fputwc.c"
#undef __fputwc_unlocked
#undef fputwc
#undef fputwc_unlocked
#undef putwc_unlocked

wint_t __fputwc_unlocked(wchar_t c, FILE *f)
{
    if (!is_output(f) || (unsigned)c >= 128) return plain_fputwc_unlocked(c, f);
    cinq_mute_enter();
    wint_t result = plain_fputwc_unlocked(c, f);
    cinq_mute_leave();
    return result;
}

wint_t fputwc(wchar_t c, FILE *f) { return __fputwc_unlocked(c, f); }

weak_alias(__fputwc_unlocked, fputwc_unlocked);
weak_alias(__fputwc_unlocked, putwc_unlocked);
