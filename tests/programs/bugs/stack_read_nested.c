// EXPECT: out-of-bounds 15 - Eight nested conditions, the last on a product.
#include <klee/klee.h>
int main(void)
{
    unsigned char in[6];
    int table[30] = {0};
    klee_make_symbolic(in, sizeof in, "in");
    if (in[0] > 200)
        if (in[1] == in[0] - 7)
            if ((in[2] ^ in[1]) == 0x55)
                if (in[3] + in[2] == 301)
                    if (in[4] * 3 == in[3] - 2)
                        if (in[5] % 17 == 11)
                            if ((in[5] & in[4]) == 8)
                                return table[in[5]];
    return 0;
}
