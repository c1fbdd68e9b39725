// SAFE: The block's size and the copy's size come from different bytes.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    unsigned char header[2], data[64] = {0};
    klee_make_symbolic(header, sizeof header, "header");
    unsigned room = header[0] & 31, used = header[1] & 31;
    if (room < 4 || used > room) return 0;
    unsigned char *block = malloc(room);
    memcpy(block, data, used);
    free(block);
    return 1;
}
