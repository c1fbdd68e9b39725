// EXPECT: out-of-bounds 14 - The length field of a record is 16 bits wide; one value in 65,536 is too large by one.
#include <klee/klee.h>
#include <string.h>
static unsigned char message[40000];
static unsigned char room[32768];
int main(void)
{
    unsigned short length, kind;
    klee_make_symbolic(&length, sizeof length, "length");
    klee_make_symbolic(&kind, sizeof kind, "kind");
    if (kind != 0x4d5a) return 0;
    if (length < 32766) return 1;
    if (length > 32769) return 2;
    memcpy(room, message, length);
    return room[0];
}
