/* Cholesky decomposition of a symmetric matrix, LDL' if it is not positive. */
#include "matrix.h"

static enum status cholesky(double a[N][N], double l[N][N]) {
    if (!is_symmetric(a)) return NOT_SYMMETRIC;
    for (int j = 0; j < N; j++) {
        double d = a[j][j];
        for (int k = 0; k < j; k++) d -= l[j][k] * l[j][k];
        if (d <= EPSILON) return NOT_POSITIVE;
        l[j][j] = sqrt(d);
        for (int i = j + 1; i < N; i++) {
            double s = a[i][j];
            for (int k = 0; k < j; k++) s -= l[i][k] * l[j][k];
            l[i][j] = s / l[j][j];
        }
    }
    return OK;
}

static enum status indefinite(double a[N][N], int *negative) {
    double d[N], l[N][N] = {{0}};
    for (int j = 0; j < N; j++) {
        d[j] = a[j][j];
        for (int k = 0; k < j; k++) d[j] -= l[j][k] * l[j][k] * d[k];
        if (fabs(d[j]) < EPSILON) return SINGULAR;
        if (d[j] < 0) ++*negative;
        for (int i = j + 1; i < N; i++) {
            double s = a[i][j];
            for (int k = 0; k < j; k++) s -= l[i][k] * l[j][k] * d[k];
            l[i][j] = s / d[j];
        }
    }
    return OK;
}

int main(void) {
    double a[N][N], l[N][N] = {{0}};
    int negative = 0;
    symbolic(&a[0][0], N * N, "a");
    enum status status = cholesky(a, l);
    if (status == OK) {
        if (l[0][0] > 10) puts("large");
        if (l[N - 1][N - 1] < 1e-3) puts("nearly singular");
        return 0;
    }
    if (status == NOT_SYMMETRIC) {
        puts("not symmetric");
        return 1;
    }
    if (indefinite(a, &negative) != OK) puts("singular");
    else if (negative == N) puts("negative definite");
    else if (negative > 0) puts("indefinite");
    return 2;
}
