// SAFE: Offset and length of a copy, each within limits.
#include <klee/klee.h>
#include <string.h>
int main(void)
{
    char buffer[24] = {0}, out[24];
    unsigned offset, length;
    klee_make_symbolic(&offset, sizeof offset, "offset");
    klee_make_symbolic(&length, sizeof length, "length");
    if (offset >= 24 || length >= 12) return 0;
    if (offset + length > 24) return 1;
    memcpy(out, buffer + offset, length);
    return 2;
}
