/* Replaces musl's: formatting for standard output and error is muted, whatever descriptor else is not. */
#include "stdio_impl.h"

int vdprintf(int fd, const char *restrict format, va_list list)
{
    FILE f = {
        .fd = fd, .lbf = EOF, .write = __stdio_write, .buf = (void *)format, .buf_size = 0, .lock = -1,
        .flags = fd == 1 || fd == 2 ? F_NORD : 0,
    };
    return vfprintf(&f, format, list);
}
