/* Complex multiplication and division (C11 annex G), which the compiler calls for `*` and `/`. */
#include <complex.h>
#include <math.h>

#define PART(T, z) (((T *)&(z)))

/* An infinite factor becomes a point of the unit square's border, other NaNs a signed zero. */
#define BOX(x, copysign) ((x) = copysign(isinf(x) ? 1 : 0, (x)))
#define UNNAN(x, copysign) ((x) = isnan(x) ? copysign(0, (x)) : (x))

#define MULTIPLY(NAME, T, copysign) \
    T _Complex NAME(T a, T b, T c, T d) \
    { \
        T ac = a * c, bd = b * d, ad = a * d, bc = b * c; \
        T _Complex z; \
        PART(T, z)[0] = ac - bd; \
        PART(T, z)[1] = ad + bc; \
        if (!isnan(PART(T, z)[0]) || !isnan(PART(T, z)[1])) return z; \
        int again = 0; \
        if (isinf(a) || isinf(b)) { \
            BOX(a, copysign), BOX(b, copysign), UNNAN(c, copysign), UNNAN(d, copysign); \
            again = 1; \
        } \
        if (isinf(c) || isinf(d)) { \
            BOX(c, copysign), BOX(d, copysign), UNNAN(a, copysign), UNNAN(b, copysign); \
            again = 1; \
        } \
        if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) { \
            UNNAN(a, copysign), UNNAN(b, copysign), UNNAN(c, copysign), UNNAN(d, copysign); \
            again = 1; \
        } \
        if (again) { \
            PART(T, z)[0] = (T)INFINITY * (a * c - b * d); \
            PART(T, z)[1] = (T)INFINITY * (a * d + b * c); \
        } \
        return z; \
    }

#define DIVIDE(NAME, T, copysign, logb, scalbn, fmax, fabs) \
    T _Complex NAME(T a, T b, T c, T d) \
    { \
        int scale = 0; \
        T exponent = logb(fmax(fabs(c), fabs(d))); \
        if (isfinite(exponent)) { \
            scale = (int)exponent; \
            c = scalbn(c, -scale), d = scalbn(d, -scale); \
        } \
        T norm = c * c + d * d; \
        T _Complex z; \
        PART(T, z)[0] = scalbn((a * c + b * d) / norm, -scale); \
        PART(T, z)[1] = scalbn((b * c - a * d) / norm, -scale); \
        if (!isnan(PART(T, z)[0]) || !isnan(PART(T, z)[1])) return z; \
        if (norm == 0 && (!isnan(a) || !isnan(b))) { \
            PART(T, z)[0] = copysign((T)INFINITY, c) * a; \
            PART(T, z)[1] = copysign((T)INFINITY, c) * b; \
        } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) { \
            BOX(a, copysign), BOX(b, copysign); \
            PART(T, z)[0] = (T)INFINITY * (a * c + b * d); \
            PART(T, z)[1] = (T)INFINITY * (b * c - a * d); \
        } else if (isinf(exponent) && exponent > 0 && isfinite(a) && isfinite(b)) { \
            BOX(c, copysign), BOX(d, copysign); \
            PART(T, z)[0] = 0 * (a * c + b * d); \
            PART(T, z)[1] = 0 * (b * c - a * d); \
        } \
        return z; \
    }

MULTIPLY(__mulsc3, float, copysignf)
MULTIPLY(__muldc3, double, copysign)
MULTIPLY(__mulxc3, long double, copysignl)
DIVIDE(__divsc3, float, copysignf, logbf, scalbnf, fmaxf, fabsf)
DIVIDE(__divdc3, double, copysign, logb, scalbn, fmax, fabs)
DIVIDE(__divxc3, long double, copysignl, logbl, scalbnl, fmaxl, fabsl)
