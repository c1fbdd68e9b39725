/* Terminals: a stream or file whose status is symbolic is one if its test makes a
 * character device of it, as in KLEE; nothing else is.  Only a program that asks
 * (isatty, tcgetattr) decides between the two.  The size of its window is not told: the
 * C library asks for that before it writes, which would decide for nothing.
 */
#include "files.h"

enum { GET_SETTINGS = 0x5401, SET_LAST = 0x5404 };

struct settings { u32 input, output, control, local; u8 line, keys[19]; }; /* the kernel's struct termios */

static long give_settings(u64 to) { /* those of a fresh terminal, 38,400 baud, lines and echo */
    static const struct settings usual = {0x500, 0x5, 0xbf, 0x8a3b, 0,
        {3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22, 0, 0, 0}};
    give(to, &usual, sizeof usual);
    return 0;
}

long terminal_control(struct inode *f, u64 request, u64 argument) {
    if (request < GET_SETTINGS || request > SET_LAST || !is_device(f)) return E_NOTTY;
    return request == GET_SETTINGS ? give_settings(argument) : 0;
}
