/* Bytes that an equality fixes: what depends on them alone is settled, look-ups and writes too; all else is not.  What
 * printing decides about its bytes is known only there. */
#include <klee/klee.h>
#include <stdio.h>
static const unsigned char next[8] = {3, 7, 1, 0, 6, 2, 5, 4};
int main(void)
{
    unsigned char b[2], flags[8] = {0};
    int n = 0;
    klee_make_symbolic(b, sizeof b, "b");
    printf("%c", b[0] == 10 ? 'x' : b[0]);
    printf("%d %u\n", b[0], b[1]);
    unsigned both = b[0] | b[1] << 8;
    if (b[0] == 5) {
        flags[b[0]] = b[1];
        if (next[b[0]] > 1) n++;
        for (int i = 0; i < 8; i++)
            if (flags[i] > 100) n++;
        switch (b[0]) {
        case 4: n += 10; break;
        case 5: n += 20; break;
        }
    } else if (both + 2 == 0x0205) {
        if (next[b[1]] == 1) n += 2;
        if (b[0] > b[1]) n += 3;
    }
    switch (b[1]) {
    case 6:
        if (next[b[1]] == 5) n += 4;
        break;
    case 3:
    case 4:
        if (next[b[1]] == 6) n += 5;
        break;
    }
    if (!(b[0] != 7 || b[1] != 9) && b[0] + b[1] != 16) n += 100;
    if ((b[0] ^ b[1]) == 3 && (unsigned char)(b[0] + b[1]) > 250) n += 6;
    return n;
}
