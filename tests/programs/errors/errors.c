/* One error per case, beside a twin that is fine.  The input byte 0 chooses the case, byte 1 bad (1) or good (0).
 *
 * The comment of a case is what the bad twin must report: kind, access, region ("-": none), in this very line
 * unless "line of NAME" names a marked line. */
#include <klee/klee.h>
#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int g[4], after[4]; char gs[8]; const int ro[3] = {1, 2, 3}; static int matrix[3][3]; short odd[5]; char one;
struct { char name[6]; int id; } rec; int zero_sized[0]; double gd[2];
int sum(int n, ...) { va_list ap; int s = 0; va_start(ap, n); while (n--) s += va_arg(ap, int); va_end(ap); return s; } // MARK sum
int *returned(int keep) { static int s; int x[2]; x[0] = 3; return keep ? &s : x; }
int *nested(void) { int y = 4; int *p = &y; return p; }
int cmp_bad(const void *a, const void *b) { return ((const int *)a)[4] - *(const int *)b; } // MARK cmp
int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int endless(int n) { volatile char b[500]; b[0] = n; return n == -1 ? 0 : endless(n + 1) + b[0]; } // MARK endless
int simple(int n) { return n == -1 ? 0 : simple(n + 1) + 1; } // MARK simple
int leap(int bad) { void *to = bad ? (void *)g : &&one; if (bad == 2) to = &&two; goto *to; one: return 1; two: return 2; } // MARK leap
jmp_buf env; static int sets(void) { return setjmp(env); }
void fill(char *p, int n) { for (int i = 0; i < n; i++) p[i] = i; } // MARK fill
int total(const int *p, int n) { int s = 0; while (n--) s += *p++; return s; } // MARK total
extern void reach_error(void);
typedef int lanes __attribute__((vector_size(16)));
static void report(int v) { printf("%d\n", v); }

extern char **environ;
int main(int argc, char **argv)
{
    unsigned char in[2]; klee_make_symbolic(in, 2, "in");
    volatile int i = in[1] == 1; int bad = i; int a[4] = {0}; char s[8] = "1234567"; int *h = malloc(16); char *hc = malloc(5), *p; int *q; memset(h, 0, 16);
    switch (in[0]) {
    case 1: report(a[3 + bad]); break; // out-of-bounds read stack
    case 2: a[3 + bad] = 1; break; // out-of-bounds write stack
    case 3: report(a[-bad]); break; // out-of-bounds read stack
    case 4: report(h[3 + bad]); break; // out-of-bounds read heap
    case 5: h[3 + bad] = 1; break; // out-of-bounds write heap
    case 6: h[-bad] = 1; break; // out-of-bounds write heap
    case 7: report(g[3 + bad]); break; // out-of-bounds read global
    case 8: g[3 + bad] = 1; break; // out-of-bounds write global
    case 9: g[-bad] = 1; break; // out-of-bounds write global
    case 10: hc[4 + bad] = 1; break; // out-of-bounds write heap
    case 11: report(hc[4 + bad]); break; // out-of-bounds read heap
    case 12: memcpy(h, g, 16 + bad); break; // out-of-bounds read global
    case 13: memcpy(hc, g, 5 + bad); break; // out-of-bounds write heap
    case 14: memset(gs, 0, 8 + bad); break; // out-of-bounds write global
    case 15: memmove(s, s + 1, 7 + bad); break; // out-of-bounds read stack
    case 16: strcpy(hc, bad ? "12345" : "1234"); break; // out-of-bounds write heap backtrace
    case 17: sprintf(gs, bad ? "%08d" : "%07d", 5); break; // out-of-bounds write global backtrace
    case 18: s[7] = bad ? 'x' : 0; report(strlen(s)); break; // out-of-bounds read stack backtrace
    case 19: strcat(s, bad ? "a" : ""); break; // out-of-bounds write stack backtrace
    case 20: qsort(h, 4, 4, bad ? cmp_bad : cmp); break; // out-of-bounds read heap line of cmp
    case 21: fill(s, 8 + bad); break; // out-of-bounds write stack line of fill
    case 22: report(total(h, 4 + bad)); break; // out-of-bounds read heap line of total
    case 23: free(h); if (bad) report(h[0]); break; // use-after-free read heap
    case 24: free(h); if (bad) h[1] = 2; break; // use-after-free write heap
    case 25: q = realloc(h, 32); report(bad ? h[0] : q[0]); break; // use-after-free read heap
    case 26: free(h); if (bad) free(h); break; // double-free free heap
    case 27: free(bad ? h + 1 : h); break; // invalid-free free heap
    case 28: if (bad) free(a); break; // invalid-free free stack
    case 29: if (bad) free(g); break; // invalid-free free global
    case 30: if (bad) free("literal"); break; // invalid-free free global
    case 31: report(*returned(!bad)); break; // use-after-return read stack
    case 32: { int *r; { int t = 5; r = &t; if (!bad) report(*r); } if (bad) report(*r); break; } // use-after-scope read stack
    case 33: q = bad ? NULL : g; report(*q); break; // null-pointer read -
    case 34: q = bad ? NULL : g; q[2] = 1; break; // null-pointer write -
    case 35: report(7 / (1 - bad)); break; // division-by-zero none -
    case 36: report(7 % (1 - bad)); break; // division-by-zero none -
    case 37: report(7u / (1u - bad)); break; // division-by-zero none -
    case 38: report((-2147483647 - 1) / (bad ? -1 : 1)); break; // overflow none -
    case 39: assert(!bad); break; // assertion none -
    case 40: if (bad) abort(); break; // abort none -
    case 41: if (bad) __builtin_unreachable(); break; // unreachable none -
    case 42: if (bad) report(endless(0)); break; // stack-overflow none - line of endless
    case 43: if (bad) report(simple(0)); break; // stack-overflow none - line of simple
    case 44: *(int *)(bad ? ro : (const int *)g) = 1; break; // read-only write global
    case 45: p = bad ? (char *)"lit" : s; p[0] = 'x'; break; // read-only write global
    case 46: report(sum(2, 1, 2) + (bad ? sum(3, 1, 2) : 0)); break; // out-of-bounds read ? line of sum
    case 47: { int n = 3 + (in[1] & 1); char vla[n]; vla[n - 1 + bad] = 1; break; } // out-of-bounds write stack
    case 48: p = __builtin_alloca(9); p[8 + bad] = 1; break; // out-of-bounds write stack
    case 49: report(*(int *)((char *)h + (bad ? 13 : 12))); break; // out-of-bounds read heap
    case 50: report(matrix[2][2 + bad]); break; // out-of-bounds read global
    case 51: odd[4 + bad] = 1; break; // out-of-bounds write global
    case 52: (&one)[bad] = 1; break; // out-of-bounds write global
    case 53: ((char *)&rec)[sizeof rec - 1 + bad] = 1; break; // out-of-bounds write global
    case 54: q = calloc(3, 4); q[2 + bad] = 1; break; // out-of-bounds write heap
    case 55: p = malloc(0); if (bad) p[0] = 1; break; // out-of-bounds write heap
    case 56: { int (*f)(int) = bad ? (int (*)(int))h : simple; report(f(-1)); break; } // out-of-bounds call heap
    case 57: { int (*f)(int) = bad ? 0 : simple; report(f(-1)); break; } // null-pointer call -
    case 58: sets(); if (bad) longjmp(env, 1); break; // use-after-return none -
    case 59: realloc(bad ? (void *)environ : h, 4); break; // invalid-free free heap
    case 60: write(1, s, 8 + bad * 100); break; // out-of-bounds read stack backtrace
    case 61: puts(bad ? NULL : "fine"); break; // null-pointer read - backtrace

    case 63: klee_make_symbolic(hc, 5 + bad, "more"); break; // symbolic-size write heap
    case 64: gd[1 + bad] = 0.5; break; // out-of-bounds write global
    case 65: { long double *l = malloc(16 + 16 * !bad); l[1] = 1; break; } // out-of-bounds write heap
    case 66: { struct big { char c[40]; } *b = malloc(40 - bad), t = *b; report(t.c[0]); break; } // out-of-bounds read heap
    case 67: a[in[1] + 3] = 1; break; // out-of-bounds write stack
    case 68: report(g[in[1] * 4 - (bad ? 0 : 0)]); break; // out-of-bounds read global
    case 69: report(100 / (in[1] - 1)); break; // division-by-zero none -
    case 70: report(h[in[1] == 1 ? 1 << 20 : 0]); break; // out-of-bounds read heap
    case 71: if (bad) reach_error(); break; // reach-error none -
    case 72: klee_assert(!bad); break; // assertion none -
    case 73: { FILE *f = fopen("none", "r"); if (bad) fclose(f); break; } // null-pointer read - backtrace
    case 74: strncpy(hc, "123456789", 5 + bad); break; // out-of-bounds write heap backtrace
    case 75: report(memcmp(h, g, 16 + bad)); break; // out-of-bounds read ? backtrace
    case 76: report(atoi(bad ? hc + 5 : "7")); break; // out-of-bounds read heap backtrace
    case 77: snprintf(hc, 5 + 3 * bad, "%s", "1234567"); break; // out-of-bounds write heap backtrace
    case 78: sscanf("abcdefgh", bad ? "%s" : "%7s", s); break; // out-of-bounds write stack backtrace
    case 79: p = strdup("abc"); p[3 + bad] = 0; break; // out-of-bounds write heap
    case 80: report(leap(bad)); break; // out-of-bounds call global line of leap
    case 81: { lanes v = {1, 2, 3, 4}; if (bad) report(v[5]); break; } // out-of-bounds none -
    case 82: { lanes v = {1, 2, 3, 4}; v[3 + bad] = 7; report(v[i]); break; } // out-of-bounds none -
    case 90: if (bad) free(argv); break; // invalid-free free heap
    case 91: if (bad) free(argv[0]); break; // invalid-free free heap
    case 92: p = mmap(0, 8, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); if (bad) free(p); break; // invalid-free free heap
    case 83: report(5 << (31 + bad)); break; // overshift none -
    case 84: { volatile long l = 5; report(l >> (bad ? -1 : 63)); break; } // overshift none -
    case 85: report(7u >> (in[1] + 31)); break; // overshift none -
    case 86: { unsigned char c = 200; report(c << (in[1] * 32)); break; } // overshift none -
    case 87: { unsigned u = i; if (bad) u << 32; break; } // overshift none -
    case 88: { int unused = 3 << (i + 31); break; } // overshift none -
    case 89: report((int)((__int128)i << (127 + bad))); break; // overshift none -
    }
    return 0;
}
