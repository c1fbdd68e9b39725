// Vectors, as extensions and intrinsics give them; also what -O2 makes of loops.
typedef float v4 __attribute__((vector_size(16)));
typedef int i4 __attribute__((vector_size(16)));
typedef long l3 __attribute__((ext_vector_type(3)));
typedef _Bool b8 __attribute__((ext_vector_type(8)));
v4 constant = {1, 2, 3, 4};
i4 same = {7, 7, 7, 7};

v4 arithmetic(v4 a, v4 b, i4 m, int i) {
  v4 r = a * b + constant / 2.0f;
  r[i] = a[0] + (a < b)[1];
  i4 s = m << 3 | __builtin_convertvector(r, i4) & same;
  return __builtin_shufflevector(r, __builtin_convertvector(s, v4), 0, 5, -1, 3);
}
l3 three(l3 a, b8 m) { a.xy += a.zz; return m[2] ? -a : a & 5; }
void loop(int *restrict a, const int *restrict b, int n) { for (int i = 0; i < n; i++) a[i] = b[i] * 3 + i; }
int sum(const unsigned char *p, int n) { int s = 0; while (n--) s += p[n] * p[n]; return s; }
void gather(float *out, float **in, int n) { for (int i = 0; i < n; i++) out[i] = in[i] ? *in[i] : 1.0f; }
