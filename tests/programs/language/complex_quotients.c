/* Quotients of complex numbers whose parts are near the ends of the range, or infinite, or no numbers. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#define TRY(T, A, B, C, D) do { \
        T a = (A), b = (B), c = (C), d = (D); \
        T _Complex z = CMPLX(a, b), w = CMPLX(c, d), q = z / w; \
        printf("%.6Lg %.6Lg\n", (long double)creall(q), (long double)cimagl(q)); \
    } while (0)
#undef CMPLX
#define CMPLX(x, y) __builtin_complex(x, y)

int main(void)
{
    TRY(double, 1.5, 2.5, 3.0, -4.0);
    TRY(double, 0x1p651, -0x1.8p-860, -0x1.2p245, -0x1p-1060);
    TRY(double, 0x1p1000, 0x1p1000, 0x1p1023, 0x1p1023);
    TRY(double, 0x1p-1070, 0x1p-1060, 0x1p-1068, 0x1p-1072);
    TRY(double, 0x1p-846, -0x1p-1040, 0x1p-820, -0x1.4p-584);
    TRY(double, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MIN);
    TRY(double, 1.0, 2.0, 0.0, 0.0);
    TRY(double, INFINITY, 1.0, 2.0, 3.0);
    TRY(double, 1.0, 2.0, INFINITY, 3.0);
    TRY(float, 0x1p100f, 0x1p-100f, 0x1p120f, 0x1p-140f);
    TRY(float, 3.0f, INFINITY, 1.0f, 1.0f);
    TRY(float, 1.0f, 1.0f, 0.0f, 0.0f);
    TRY(long double, 0x1p10000L, 0x1p-9000L, 0x1p12000L, -0x1p16000L);
    TRY(long double, 0x1p-16440L, 0x1p-16439L, 0x1p-16438L, 0x1p-16441L);
    return 0;
}
