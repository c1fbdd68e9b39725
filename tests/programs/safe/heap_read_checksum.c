// SAFE: A checksum over six bytes must hold before the length byte is believed.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    unsigned char packet[8];
    klee_make_symbolic(packet, sizeof packet, "packet");
    unsigned sum = 0;
    for (int i = 0; i < 6; i++) sum = sum * 31 + packet[i];
    if ((sum & 0xffff) != (packet[6] | packet[7] << 8)) return 0;
    if (packet[0] != 'P' || packet[1] != 'K') return 1;
    unsigned char *body = malloc(40);
    memset(body, 0, 40);
    if (packet[2] >= 40) return 2;
    int value = body[packet[2]];
    free(body);
    return value;
}
