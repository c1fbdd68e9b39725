/* QR decomposition by Householder reflections. */
#include "matrix.h"

static enum status reflect(double a[N][N], double diagonal[N]) {
    for (int k = 0; k < N; k++) {
        double length = 0;
        for (int i = k; i < N; i++) length += a[i][k] * a[i][k];
        length = sqrt(length);
        if (length < EPSILON) return SINGULAR;
        if (a[k][k] < 0) length = -length;
        for (int i = k; i < N; i++) a[i][k] /= length;
        a[k][k] += 1;
        for (int j = k + 1; j < N; j++) {
            double s = 0;
            for (int i = k; i < N; i++) s += a[i][k] * a[i][j];
            s = -s / a[k][k];
            for (int i = k; i < N; i++) a[i][j] += s * a[i][k];
        }
        diagonal[k] = -length;
    }
    return OK;
}

int main(void) {
    double a[N][N], diagonal[N];
    symbolic(&a[0][0], N * N, "a");
    if (!is_finite(&a[0][0], N * N)) return BAD_INPUT;
    if (reflect(a, diagonal) == SINGULAR) {
        puts("rank deficient");
        return 1;
    }
    int positive = 0;
    for (int i = 0; i < N; i++)
        if (diagonal[i] > 0) positive++;
    if (positive == N) puts("all positive");
    else if (positive == 0) puts("all negative");
    if (fabs(diagonal[0]) > 1e6 * fabs(diagonal[N - 1])) puts("badly conditioned");
    return 0;
}
