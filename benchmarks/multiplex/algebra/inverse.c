/* Inverse by Gauss-Jordan elimination, and what kind of matrix it is. */
#include "matrix.h"

static enum status invert(double a[N][N], double b[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) b[i][j] = i == j;
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
        if (fabs(a[pivot][k]) < EPSILON) return SINGULAR;
        for (int j = 0; pivot != k && j < N; j++) {
            double t = a[k][j], u = b[k][j];
            a[k][j] = a[pivot][j], a[pivot][j] = t;
            b[k][j] = b[pivot][j], b[pivot][j] = u;
        }
        double d = a[k][k];
        for (int j = 0; j < N; j++) a[k][j] /= d, b[k][j] /= d;
        for (int i = 0; i < N; i++) {
            if (i == k) continue;
            double f = a[i][k];
            for (int j = 0; j < N; j++) a[i][j] -= f * a[k][j], b[i][j] -= f * b[k][j];
        }
    }
    return OK;
}

static int same(double a[N][N], double b[N][N], int transposed) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (fabs(a[i][j] - (transposed ? b[j][i] : b[i][j])) > 1e-6) return 0;
    return 1;
}

int main(void) {
    double a[N][N], copy[N][N], b[N][N];
    symbolic(&a[0][0], N * N, "a");
    memcpy(copy, a, sizeof a);
    if (invert(a, b) != OK) {
        puts("singular");
        return 1;
    }
    if (same(copy, b, 0)) puts("its own inverse");
    if (same(copy, b, 1)) puts("orthogonal");
    return 0;
}
