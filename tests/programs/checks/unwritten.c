/* Memory never written, one use per case; the second byte makes it happen.  The comment of a case says what is found:
 * "uninitialized" in its line, or nothing. */
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fields { unsigned a : 3, b : 5, c : 9; };
struct padded { char kind; int value; };
static int table[4] = {1, 2, 3, 4};
static int is_set(const int *p) { return *p != 0; }

int main(void)
{
    unsigned char in[2];
    klee_make_symbolic(in, 2, "in");
    int bad = in[1] == 77, x, y, array[8];
    int *heap = malloc(40);
    volatile int sink = 0;
    char text[8];
    struct fields bits;
    struct padded one, two;
    if (!bad) { x = 1; y = 2; memset(array, 0, sizeof array); memset(heap, 0, 40); memset(text, 'a', sizeof text); }
    switch (in[0]) {
    case 1: if (x) sink = 1; break; // uninitialized
    case 2: if (heap[3] == 5) sink = 1; break; // uninitialized
    case 3: switch (y) { case 3: sink = 1; } break; // uninitialized
    case 4: sink = table[x & 3]; break; // uninitialized
    case 5: sink = 10 / x; break; // uninitialized
    case 6: write(1, text, 8); break; // uninitialized
    case 7: exit(array[2]); // uninitialized
    case 8: sink = is_set(&array[1]); if (sink) sink = 2; break; // uninitialized
    case 9: printf("%d\n", array[5]); break; // uninitialized
    case 10: heap = realloc(heap, 80); if (heap[15] > 0) sink = 1; break; // uninitialized
    case 11: { char *p = (char *)array; p[0] = 1; if (p[0] && array[0] == 1) sink = 1; break; } // uninitialized
    case 12: { int n = 4, v[n]; v[0] = bad ? 0 : 1; if (v[bad]) sink = 1; break; } // uninitialized
    case 21: bits.a = 5; bits.b = 17; bits.c = in[0]; if (bits.a == 5 && bits.b == 17 && bits.c) sink = 1; break; // fine
    case 22: one.kind = 1; one.value = 2; two = one; if (two.kind + two.value == 3) sink = 1; break; // fine
    case 23: one.kind = 1; one.value = 2; write(1, &one, sizeof one); break; // fine
    case 24: { int copy = x; memcpy(&y, &copy, sizeof y); break; } // fine
    case 25: { char s[32]; strcpy(s, "abc"); strcat(s, "def"); printf("%s %zu\n", s, strlen(s)); break; } // fine
    case 26: { int *zero = calloc(4, 4); if (zero[2]) sink = 1; free(zero); break; } // fine
    case 27: { char line[64]; snprintf(line, sizeof line, "%d-%x", in[1], in[1]); if (line[0] == '9') sink = 1; break; } // fine
    case 28: { int v[4]; v[in[1] & 3] = 1; if (v[in[1] & 3] == 1) sink = 1; break; } // fine
    case 30: sink = 10 / (x | 1); break; // fine
    case 29: if ((x & 0) == 0) sink = 1; break; // fine
    }
    free(heap);
    return 0;
}
