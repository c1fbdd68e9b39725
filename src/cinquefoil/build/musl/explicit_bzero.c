/* musl's uses an assembly barrier; a volatile pointer keeps the stores just as well. */
#include <stddef.h>

void explicit_bzero(void *d, size_t n)
{
    for (volatile unsigned char *p = d; n; n--) *p++ = 0;
}
