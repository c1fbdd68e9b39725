/* Least squares by normal equations: a line through points, with a test of how well it fits. */
#include "matrix.h"

#define POINTS 5

static enum status fit(const double x[], const double y[], double *slope, double *offset) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < POINTS; i++) {
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        sxy += x[i] * y[i];
    }
    double d = POINTS * sxx - sx * sx;
    if (fabs(d) < EPSILON) return SINGULAR;
    *slope = (POINTS * sxy - sx * sy) / d;
    *offset = (sy - *slope * sx) / POINTS;
    return OK;
}

int main(void) {
    double x[POINTS], y[POINTS], slope, offset, rest = 0;
    symbolic(x, POINTS, "x");
    symbolic(y, POINTS, "y");
    if (!is_finite(x, POINTS) || !is_finite(y, POINTS)) return BAD_INPUT;
    for (int i = 1; i < POINTS; i++)
        if (x[i] < x[i - 1]) {
            puts("not sorted");
            break;
        }
    if (fit(x, y, &slope, &offset) != OK) {
        puts("all in one place");
        return 1;
    }
    for (int i = 0; i < POINTS; i++) rest += (y[i] - slope * x[i] - offset) * (y[i] - slope * x[i] - offset);
    if (rest < 1e-9) puts("exact");
    else if (rest > 100) puts("bad");
    if (slope > 1) puts("steep");
    else if (slope < 0) puts("falling");
    else if (slope == 0) puts("level");
    if (fabs(offset) < 1e-6) puts("through the origin");
    return 0;
}
