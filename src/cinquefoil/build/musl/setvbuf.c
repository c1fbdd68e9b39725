/* musl's setvbuf, which notes that the buffer is the program's. */
#define setvbuf plain_setvbuf
#include "../stdio/setvbuf.c"
#undef setvbuf

int setvbuf(FILE *restrict f, char *restrict buffer, int type, size_t size)
{
    unsigned char *before = f->buf;
    int result = plain_setvbuf(f, buffer, type, size);
    if (f->buf != before) f->shcnt = OWN_BUFFER;
    return result;
}
