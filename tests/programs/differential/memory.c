#include "input.h"
static int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
static const unsigned short ctable[10] = {100, 200, 300, 400, 500, 60000, 700, 800, 900, 1000};
static const char *const names[4] = {"zero", "one", "two", "three"};
static char text[32]; struct node { int v; struct node *next; }; struct rec { char c; int i; short s[3]; } recs[4];
static long matrix[4][4]; static unsigned char sbox[256]; _Thread_local int tls = 5;
__attribute__((constructor)) static void ctor(void) { table[15] = 77; } __attribute__((constructor(200))) static void early(void) { table[14] = 66; }
int main(void)
{
    in_start();
    unsigned i = in_take(1) & 15, j = in_take(1) % 10, k = in_take(1) & 3, l = in_take(1); int v = IN(int);
    mix(table[i]); mix(ctable[j]); mix(names[k][0]); mix(table[14] + table[15]); table[i] = v; mix(table[3]); mix(table[i]); mix(table[(i + 1) & 15]); show("tables");
    text[i] = l; text[i + 1] = 'x'; mix_bytes(text, 18); memcpy(text + k, "hello", 5); mix_bytes(text, 20); show("bytes");
    recs[k].i = v; recs[k].s[1] = v >> 8; recs[(k + 1) & 3].c = l; mix(recs[0].i); mix(recs[1].s[1]); mix(recs[2].c); mix(recs[k].i); struct rec rc = recs[k]; mix(rc.i); mix(rc.s[1]); show("records");
    matrix[k][i & 3] = v; matrix[i & 3][k] += 3; for (int a = 0; a < 4; a++) for (int b = 0; b < 4; b++) mix(matrix[a][b]); show("matrix");
    for (int a = 0; a < 256; a++) sbox[a] = a * 7 + 3; mix(sbox[l]); mix(sbox[sbox[l]]); sbox[l] = k; mix(sbox[9]); mix(sbox[(unsigned char)v]); show("sbox");
    unsigned u = v; unsigned char *p = (unsigned char *)&u; mix(p[0] + p[3]); p[1] = 9; mix(u); unsigned t1 = u >> 4, t2 = u >> 12; unsigned char two[2]; two[0] = t1; two[1] = t2; unsigned short both; memcpy(&both, two, 2); mix(both); show("pieces");
    char buf[16] = {0}; *(int *)(buf + 1) = v; *(short *)(buf + 6) = v; *(long *)(buf + 7) ^= l; mix_bytes(buf, 16); long un; memcpy(&un, buf + 3, 8); mix(un); mix(*(int *)(buf + 6)); show("unaligned");
    struct node *list = 0; for (int a = 0; a < 5; a++) { struct node *n = malloc(sizeof *n); n->v = in_take(1); n->next = list; list = n; } int s = 0; for (struct node *n = list; n; n = n->next) { s = s * 3 + n->v; if (n->v > 100) mix(1); } mix(s); while (list) { struct node *n = list->next; free(list); list = n; } show("list");
    int *h = calloc(8, 4); h[i & 7] = v; h = realloc(h, 64); h[15] = 3; mix(h[2]); mix(h[i & 7]); memmove(h + 1, h, 20); mix_bytes(h, 32); memset(h, l, 7); mix_bytes(h, 8); free(h); show("heap");
    union { float f; unsigned u; unsigned char c[4]; } x = {.u = v}; x.c[2] ^= 0x40; mix(x.u); tls += k; mix(tls); static int stat[3]; stat[k % 3]++; mix(stat[0]); mix(stat[2]); show("misc");
    if (table[i] == v) mix(1); if (sbox[l] == 2) mix(2); if (both > 1000) mix(3); if (text[3] == 'l') mix(4); if (ctable[j] > 750) mix(5); show("end");
    return 0;
}
