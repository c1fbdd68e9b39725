// SAFE: A decoder of runs: counts add up to more than the buffer.
#include <klee/klee.h>
int main(void)
{
    unsigned char code[4], out[10];
    unsigned n = 0;
    klee_make_symbolic(code, sizeof code, "code");
    for (int i = 0; i < 4; i += 2)
        for (unsigned k = 0; k < (code[i] & 7u); k++) {
            if (n == 10) return 1;
            out[n++] = code[i + 1];
        }
    return n ? out[0] != 0 : 0;
}
