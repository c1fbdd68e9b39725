/* Wraps musl's: characters put to an output stream are muted (DESIGN: muted output).
 *
 * A stream is output if it can only be written and its bytes go to a descriptor.
 * Streams into memory (sprintf, open_memstream, fopencookie) are the program's
 * data and never muted, nor are those with a buffer of the program's, which may
 * read it, nor what the program itself does in a callback. */
#ifndef CINQ_STDIO_IMPL_H
#define CINQ_STDIO_IMPL_H

#include "../internal/stdio_impl.h"

void cinq_mute_enter(void);
void cinq_mute_leave(void);
size_t cinq_mute_value(size_t);
unsigned cinq_mute_result(unsigned, unsigned may_fail);
unsigned cinq_mute_format(const void *, size_t unit);
const char *cinq_mute_text(const char *, size_t);
void cinq_mute_range(const void *, size_t);

/* What cinq_mute_format says. */
enum { PLAIN_FORMAT, DECIDING_FORMAT, FAILING_FORMAT };

/* The mark of a stream whose buffer is the program's, in a field that only input streams use.  (A flag would not outlive
 * freopen, as the buffer does.) */
#define OWN_BUFFER (-0x6f776e)

static inline int is_output(FILE *f)
{
    if (!(f->flags & F_NORD) || (f->write != __stdio_write && f->write != __stdout_write)) return 0;
    return f->shcnt != OWN_BUFFER || !f->buf_size;
}

static inline int plain_putc(int c, FILE *f) { return putc_unlocked(c, f); }

#undef putc_unlocked
#define putc_unlocked(c, f) muted_putc((c), (f))

static inline int muted_putc(int c, FILE *f)
{
    if (!is_output(f)) return plain_putc(c, f);
    cinq_mute_enter();
    int result = plain_putc(c, f);
    cinq_mute_leave();
    return result;
}

#endif
