/* musl's fputs, muted where its result is only output. */
#define fputs plain_fputs
#define fputs_unlocked plain_fputs_unlocked
#include "../stdio/fputs.c"
#undef fputs
#undef fputs_unlocked

int fputs(const char *restrict s, FILE *restrict f)
{
    if (!is_output(f)) return plain_fputs(s, f);
    cinq_mute_enter();
    int result = plain_fputs(s, f);
    cinq_mute_leave();
    return result;
}

weak_alias(fputs, fputs_unlocked);
