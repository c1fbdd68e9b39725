/* Is this a terminal?  By its settings, as glibc asks: musl's own asks for the size of the window, as its streams do before
 * they write, and the two could not be told apart (machine/runtime/terminal.c). */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "syscall.h"

int isatty(int fd)
{
    char settings[64];
    if (!syscall(SYS_ioctl, fd, TCGETS, settings)) return 1;
    if (errno != EBADF) errno = ENOTTY;
    return 0;
}
