/* Errors that the engine stops at and native code may survive: its run is the beginning of the native one. */
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; int value; };
static int table[8];
static int depth(volatile int n) { char room[64] = {0}; room[n & 63] = n; return n ? depth(n - 1) + room[0] : 0; }
int main(void)
{
    unsigned char in[4];
    klee_make_symbolic(in, sizeof in, "in");
    struct node *list = 0, second = {0, 2};
    int *heap = malloc(16), kind = in[0] % 9, zero = in[1] & 2;
    memset(heap, 0, 16);
    puts("start");
    fflush(stdout);
    if (kind == 0) return table[in[1] % 16];
    if (kind == 1) heap[in[1] % 6] = 3;
    if (kind == 2) { if (in[1] & 1) list = &second; return list->value; }
    if (kind == 3) return 100 / zero;
    if (kind == 4) { free(heap); if (in[1] > 100) return heap[0]; return 1; }
    if (kind == 5) { free(heap); if (in[1] > 100) free(heap); return 2; }
    if (kind == 6) return depth(in[1]) & 1;
    if (kind == 7) { char b[4]; strcpy(b, in[1] & 1 ? "ab" : "abcdefghijklmnopqrstuvwxyz0123456789"); return b[0] == 'a'; }
    free(heap);
    puts("fine");
    return in[2] % 3;
}
