/* Eigenvalues of a symmetric matrix by Jacobi rotations; of any matrix, the dominant one by iteration. */
#include "matrix.h"

static enum status rotations(double a[N][N]) {
    for (int round = 0; round < 4; round++) {
        double off = 0;
        for (int p = 0; p < N; p++)
            for (int q = p + 1; q < N; q++) off += fabs(a[p][q]);
        if (off < EPSILON) return OK;
        for (int p = 0; p < N; p++)
            for (int q = p + 1; q < N; q++) {
                if (fabs(a[p][q]) < EPSILON) continue;
                double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                double t = theta >= 0 ? 1 / (theta + sqrt(theta * theta + 1)) : 1 / (theta - sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < N; k++) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < N; k++) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                }
            }
    }
    return NO_CONVERGENCE;
}

static enum status power(double a[N][N], double *value) {
    double x[N] = {1, 1, 1}, y[N];
    for (int round = 0; round < 5; round++) {
        double largest = 0;
        for (int i = 0; i < N; i++) {
            y[i] = 0;
            for (int j = 0; j < N; j++) y[i] += a[i][j] * x[j];
            if (fabs(y[i]) > fabs(largest)) largest = y[i];
        }
        if (largest == 0) return SINGULAR;
        for (int i = 0; i < N; i++) x[i] = y[i] / largest;
        if (fabs(largest - *value) < 1e-6) return OK;
        *value = largest;
    }
    return NO_CONVERGENCE;
}

int main(void) {
    double a[N][N], value = 0;
    symbolic(&a[0][0], N * N, "a");
    if (!is_finite(&a[0][0], N * N)) return BAD_INPUT;
    if (is_symmetric(a)) {
        if (rotations(a) != OK) puts("not yet diagonal");
        if (a[0][0] > 0 && a[1][1] > 0 && a[2][2] > 0) puts("positive");
        else if (a[0][0] < 0 && a[1][1] < 0 && a[2][2] < 0) puts("negative");
        return 0;
    }
    switch (power(a, &value)) {
    case OK: puts(value > 0 ? "positive dominant" : "negative dominant"); break;
    case SINGULAR: puts("falls to zero"); break;
    default: puts("no convergence");
    }
    return 1;
}
