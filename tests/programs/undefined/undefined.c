/* Undefined behaviour, one kind per case; one value of 65,536 (or of 2^32) shows each.
 *
 * The first object chooses the case.  The comment of a case is the kind of error that must be found in its line, or in
 * the line marked with its number. */
#include <klee/klee.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct pair { int a[4]; };
struct narrow { unsigned few : 4; };
static int object, rows[4][4];
static int *maybe[2] = {&object, 0};
static _Alignas(16) char bytes[64];
static struct narrow narrow;

__attribute__((nonnull)) static int wants(int *p) { return p != 0; }
__attribute__((returns_nonnull)) static int *gives(int i) { return maybe[i]; } // MARK 24
static int expects(int *_Nonnull p) { return p != 0; }
static int *_Nonnull promises(int i) { return maybe[i]; } // MARK 27
static int whole(int x) { return x; }
static double real(double x) { return x; }
static void *functions[2] = {(void *)whole, (void *)real};

int main(void)
{
    unsigned char number; unsigned v;
    klee_make_symbolic(&number, 1, "number");
    klee_make_symbolic(&v, sizeof v, "v");
    int s = (int)(v & 0xffff), last = s / 65535; /* 1 only for the last value */
    volatile int sink = 0; volatile unsigned usink = 0; volatile double dsink = 0;
    char *high = (char *)-65536L; unsigned char raw = (unsigned char)(1 + last);
    struct pair *small = malloc(last ? 8 : 16); signed char tiny; unsigned char utiny;
    switch (number) {
    case 1: sink = s + 0x7fff0001; break; // overflow
    case 2: sink = -s - 0x7fff0002; break; // overflow
    case 3: sink = s * 32769; break; // overflow
    case 4: sink = -(int)v; break; // overflow
    case 5: sink = INT_MIN / (int)(s | 0xffff0000); break; // overflow
    case 6: sink = 10 / (s - 0x1234); break; // division-by-zero
    case 7: usink = 1u << (s * 32ll / 65535); break; // overshift
    case 8: sink = 1 << (s * 31ll / 65535); break; // shift
    case 9: sink = -last << 1; break; // shift
    case 10: sink = rows[1][s * 4ll / 65535]; break; // array-index
    case 11: sink = high + (s + 1ul) == 0; break; // pointer-overflow
    case 12: sink = *(int *)(bytes + last); break; // misaligned
    case 13: sink = *maybe[last]; break; // null-pointer
    case 14: sink = small->a[0]; break; // object-size
    case 15: sink = *(_Bool *)&raw; break; // invalid-value
    case 17: sink = (int)(s * 32769.0); break; // float-cast
    case 18: dsink = 1 / (s - 4660.0); break; // float-division-by-zero
    case 19: tiny = s * 128ll / 65535; sink = tiny; break; // implicit-conversion
    case 20: utiny = s * 256ull / 65535; sink = utiny; break; // implicit-conversion
    case 21: usink = -last; break; // implicit-conversion
    case 22: narrow.few = s * 16ull / 65535; break; // implicit-conversion
    case 23: sink = wants(maybe[last]); break; // nonnull
    case 24: sink = gives(last) != 0; break; // nonnull
    case 25: sink = expects(maybe[last]); break; // nonnull
    case 26: { int *_Nonnull p = maybe[last]; sink = p != 0; break; } // nonnull
    case 27: sink = promises(last) != 0; break; // nonnull
    case 29: if (s == 4660) __builtin_unreachable(); break; // unreachable
    case 30: { int n = 1 - last; char a[n]; sink = sizeof a != 1; break; } // vla-bound
    case 31: sink = __builtin_clz((unsigned)(s ^ 4660)); break; // invalid-builtin
    case 32: sink = ((int (*)(int))functions[last])(1); break; // function-type
    case 33: usink = s + 0xffff0001u; break; // unsigned-overflow
    case 34: usink = 2u << (s * 31ll / 65535); break; // shift
    case 35: sink = *(char *)__builtin_assume_aligned(bytes + last, 8); break; // misaligned
    case 36: { __int128 wide = (__int128)s << 111; wide = wide + ((__int128)1 << 126); wide += (__int128)1 << 126; sink = wide > 0; break; } // overflow
    }
    free(small);
    return 0;
}
