/* Wraps musl's: characters put to an output stream are muted (DESIGN: muted output).
 *
 * A stream is output if it can only be written and its bytes go to a descriptor.
 * Streams into memory (sprintf, open_memstream, fopencookie) are the program's
 * data and never muted, nor is what the program itself does in a callback. */
#ifndef CINQ_STDIO_IMPL_H
#define CINQ_STDIO_IMPL_H

#include "../internal/stdio_impl.h"

void cinq_mute_enter(void);
void cinq_mute_leave(void);
size_t cinq_mute_value(size_t);
unsigned cinq_mute_result(unsigned);
const char *cinq_mute_text(const char *, size_t);

static inline int is_output(FILE *f)
{
    return f->flags & F_NORD && (f->write == __stdio_write || f->write == __stdout_write);
}

/* Does a format ask how much was written so far?  That is data, so what it depends on is not muted. */
#define ASKS_FOR_COUNT(name, character)                                       \
    static int name(const character *s)                                       \
    {                                                                         \
        while (*s) {                                                          \
            if (*s++ != '%') continue;                                        \
            while (*s && *s < 128 && strchr("0123456789-+ #'*.$hljztL", *s)) s++; \
            if (*s == 'n') return 1;                                          \
            if (*s) s++;                                                      \
        }                                                                     \
        return 0;                                                             \
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
