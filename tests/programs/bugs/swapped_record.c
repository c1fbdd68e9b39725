// EXPECT: out-of-bounds 11 - A record in network order: byte swap, shift and mask before the index.
#include <klee/klee.h>
static unsigned char map[1 << 10];
int main(void)
{
    unsigned word;
    klee_make_symbolic(&word, sizeof word, "word");
    word = __builtin_bswap32(word);
    if (word >> 28 != 9) return 0;
    unsigned at = (word >> 7 & 0x3ff) + (word & 0x7f) / 2;
    return map[at];
}
