/* arguments: --sym-stdin 16 */
/* An interpreter of allocation commands: what a program can see of a heap must not depend on whose heap it is. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned char *slot[4];
static size_t size[4];
static void check(int s) { for (size_t i = 0; i < size[s]; i++) if (slot[s][i] != (unsigned char)(s + 1)) { puts("damaged"); return; } }
int main(void)
{
    unsigned char in[16];
    int n = fread(in, 1, 16, stdin);
    for (int i = 0; i + 1 < n; i += 2) {
        int s = in[i] & 3, wanted = in[i + 1] % 70;
        check(s);
        switch (in[i] >> 2 & 3) {
        case 0: free(slot[s]); slot[s] = 0; size[s] = 0; break;
        case 1: if (!slot[s]) { slot[s] = malloc(wanted); size[s] = wanted; memset(slot[s], s + 1, wanted); } break;
        case 2: slot[s] = realloc(slot[s], wanted + 1); if (wanted + 1 > (int)size[s]) memset(slot[s] + size[s], s + 1, wanted + 1 - size[s]); size[s] = wanted + 1; break;
        default: { char *c = calloc(wanted, 2); int dirty = 0; for (int k = 0; k < wanted * 2; k++) dirty |= c[k]; printf("%d%d", dirty, (int)((uintptr_t)c % 16)); free(c); }
        }
        if (size[s] > 40) printf("big%d ", s);
    }
    puts("");
    return (int)(size[0] + size[1] + size[2] + size[3]) & 127;
}
