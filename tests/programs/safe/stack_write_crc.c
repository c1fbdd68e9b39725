// SAFE: A CRC-16 over the header must be right; the index in it is off by one.
#include <klee/klee.h>
static unsigned crc16(const unsigned char *data, int size)
{
    unsigned crc = 0xffff;
    for (int i = 0; i < size; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++) crc = (crc >> 1) ^ (0xa001 & -(crc & 1));
    }
    return crc;
}
int main(void)
{
    unsigned char header[4];
    unsigned short check;
    int slots[10] = {0};
    klee_make_symbolic(header, sizeof header, "header");
    klee_make_symbolic(&check, sizeof check, "check");
    if (crc16(header, 4) != check || check != 0x1234) return 0;
    if (header[3] < 10) slots[header[3]] = 1;
    return slots[0];
}
