// Every scalar type, cast and operator that C has on x86-64.
typedef __int128 i128;
typedef unsigned _BitInt(37) u37;
typedef _BitInt(200) s200;

_Bool flag;
i128 wide = ((i128)1 << 100) - 7;
u37 odd = 0x1fffffffffuwb;
s200 huge = -1wb;
float small = 1.5f;
double inf = __builtin_inf(), nan_value = __builtin_nan("3");
long double extended = 0.1L;
_Float16 half_value = 1.25;
__float128 quad = 0.1Q;
__bf16 brain;

int integers(int a, unsigned b, long c, char d, short e) {
  int r = a + (int)b * 3 - (d << 2) / (e ? e : 1);
  r ^= a % 7 | b % 5u & ~a;
  r += (a < d) + (b > 3u) + (c <= -1) + (c >= 5) + (a == e) + (b != 9u);
  return r >> 1 | (int)(b >> 3) | !a;
}

i128 very_wide(i128 x, unsigned long y) { return x * y + (x >> 65) - wide; }
s200 bits(s200 x, u37 y) { return x * y + huge + odd; }

double floats(float f, double d, long double l, _Float16 h, __float128 q) {
  float g = f * 2 + small - (float)d;
  l += d / 3 + extended;
  q = q * l;
  int ordered = f < g && d >= l && d != d;
  return -d + g + (double)l + (double)h + (double)q + ordered + (int)f + (unsigned char)d;
}

__attribute__((optnone, noinline)) float fast(float a, float b) {
#pragma clang fp reassociate(on) contract(fast)
  return a * b + a;
}

double conversions(long a, unsigned long b, _Bool c) {
  return (double)a + (float)b + (long double)c + (_Float16)a + (double)(unsigned)b;
}
#pragma STDC FENV_ACCESS ON
double rounded(double a, double b) { return a / b + (float)a; }
