/* Complex multiplication and division (C11 annex G), which the compiler calls for `*` and `/`. */
#include <complex.h>
#include <float.h>
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

/* A quotient of NaNs that has a better value: by zero, of infinities, by infinities. */
#define RECOVER(T, copysign) \
    if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) { \
        x = copysign((T)INFINITY, c) * a; \
        y = copysign((T)INFINITY, c) * b; \
    } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) { \
        BOX(a, copysign), BOX(b, copysign); \
        x = (T)INFINITY * (a * c + b * d); \
        y = (T)INFINITY * (b * c - a * d); \
    } else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) { \
        BOX(c, copysign), BOX(d, copysign); \
        x = 0 * (a * c + b * d); \
        y = 0 * (b * c - a * d); \
    }

/* Smith's method, scaled so that nothing overflows or vanishes on the way (Baudin and Smith, 2012).  Divided by -i, a
 * fraction keeps its value and its denominator's parts are exchanged: the real one is then the larger. */
#define DIVIDE(NAME, T, copysign, fabs, MAX, MIN, EPSILON) \
    T _Complex NAME(T a, T b, T c, T d) \
    { \
        int turned = fabs(c) < fabs(d); \
        T p = turned ? b : a, q = turned ? -a : b, r = turned ? d : c, s = turned ? -c : d, large = MAX / 2 * EPSILON; \
        if (fabs(r) >= MAX / 2) p /= 2, q /= 2, r /= 2, s /= 2; \
        if (fabs(r) < EPSILON || (fabs(r) < large && ((fabs(p) < MIN && fabs(q) < large) || \
                                                      (fabs(q) < MIN && fabs(p) < large)))) \
            p /= EPSILON, q /= EPSILON, r /= EPSILON, s /= EPSILON; \
        T ratio = s / r, norm = r + s * ratio; \
        int normal = fabs(ratio) > MIN; \
        T x = (normal ? p + q * ratio : p + s * (q / r)) / norm, y = (normal ? q - p * ratio : q - s * (p / r)) / norm; \
        if (isnan(x) && isnan(y)) { RECOVER(T, copysign) } \
        T _Complex z; \
        PART(T, z)[0] = x, PART(T, z)[1] = y; \
        return z; \
    }

MULTIPLY(__mulsc3, float, copysignf)
MULTIPLY(__muldc3, double, copysign)
MULTIPLY(__mulxc3, long double, copysignl)
DIVIDE(__divdc3, double, copysign, fabs, DBL_MAX, DBL_MIN, DBL_EPSILON)
DIVIDE(__divxc3, long double, copysignl, fabsl, LDBL_MAX, LDBL_MIN, LDBL_EPSILON)

/* No product of two floats leaves the range of a double. */
float _Complex __divsc3(float a, float b, float c, float d)
{
    double norm = (double)c * c + (double)d * d;
    float x = (float)(((double)a * c + (double)b * d) / norm), y = (float)(((double)b * c - (double)a * d) / norm);
    if (isnan(x) && isnan(y)) { RECOVER(float, copysignf) }
    float _Complex z;
    PART(float, z)[0] = x, PART(float, z)[1] = y;
    return z;
}
