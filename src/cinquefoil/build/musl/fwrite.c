/* musl's fwrite, muted where its result is only output.
 *
 * How much is written would otherwise make the stream's position symbolic: inside, it is the number that
 * this run has.  The result is the caller's own number, so that comparing both says nothing new. */
#define __fwritex plain_fwritex
#define fwrite plain_fwrite
#define fwrite_unlocked plain_fwrite_unlocked
#include "../stdio/fwrite.c"
#undef __fwritex
#undef fwrite
#undef fwrite_unlocked

size_t __fwritex(const unsigned char *restrict s, size_t n, FILE *restrict f)
{
    if (!is_output(f)) return plain_fwritex(s, n, f);
    cinq_mute_range(s, n);
    cinq_mute_enter();
    size_t known = cinq_mute_value(n), written = plain_fwritex(s, known, f);
    cinq_mute_leave();
    return written == known ? n : written;
}

size_t fwrite(const void *restrict source, size_t size, size_t count, FILE *restrict f)
{
    if (!is_output(f)) return plain_fwrite(source, size, count, f);
    cinq_mute_range(source, size * count);
    cinq_mute_enter();
    size_t each = cinq_mute_value(size), number = cinq_mute_value(count);
    size_t written = plain_fwrite(source, each, number, f);
    int all = written == number && each;
    cinq_mute_leave();
    return all ? count : written;
}

weak_alias(fwrite, fwrite_unlocked);
