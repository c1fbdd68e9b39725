// SAFE: offset + length wraps in 32 bits.
#include <klee/klee.h>
static unsigned char data[100];
int main(void)
{
    unsigned offset, length;
    klee_make_symbolic(&offset, sizeof offset, "offset");
    klee_make_symbolic(&length, sizeof length, "length");
    if (length < 16) return 0;
    if (offset > 100 || length > 100 - offset) return 1;
    if (offset == 100) return 2;
    return data[offset];
}
