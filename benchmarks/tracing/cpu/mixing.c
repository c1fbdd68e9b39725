#include <stdint.h>
#include <stdio.h>
static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }
static void compress(uint32_t state[8], const uint32_t block[16])
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++) w[i] = block[i];
    for (int i = 16; i < 64; i++) {
        uint32_t a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    for (int i = 0; i < 8; i++) s[i] = state[i];
    for (int i = 0; i < 64; i++) {
        uint32_t t = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + w[i];
        uint32_t u = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int k = 7; k > 0; k--) s[k] = s[k - 1];
        s[4] += t;
        s[0] = t + u;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}
int main(void)
{
    uint32_t state[8] = {1, 2, 3, 4, 5, 6, 7, 8}, block[16];
    for (uint32_t n = 0; n < 60000; n++) {
        for (uint32_t i = 0; i < 16; i++) block[i] = n * 16 + i;
        compress(state, block);
    }
    printf("%08x\n", state[0]);
    return 0;
}
