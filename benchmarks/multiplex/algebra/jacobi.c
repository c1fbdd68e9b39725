/* Jacobi iteration for a linear system, with its check of diagonal dominance. */
#include "matrix.h"

static int dominant(double a[N][N]) {
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < N; j++)
            if (j != i) sum += fabs(a[i][j]);
        if (fabs(a[i][i]) <= sum) return 0;
    }
    return 1;
}

static enum status solve(double a[N][N], const double b[N], double x[N], int most) {
    for (int i = 0; i < N; i++)
        if (a[i][i] == 0) return SINGULAR;
    for (int round = 0; round < most; round++) {
        double next[N], change = 0;
        for (int i = 0; i < N; i++) {
            double s = b[i];
            for (int j = 0; j < N; j++)
                if (j != i) s -= a[i][j] * x[j];
            next[i] = s / a[i][i];
            double step = fabs(next[i] - x[i]);
            if (step > change) change = step;
        }
        memcpy(x, next, sizeof next);
        if (change < 1e-6) return OK;
        if (change > 1e12) return NO_CONVERGENCE;
    }
    return NO_CONVERGENCE;
}

int main(void) {
    double a[N][N], b[N], x[N] = {0};
    symbolic(&a[0][0], N * N, "a");
    symbolic(b, N, "b");
    if (!is_finite(&a[0][0], N * N) || !is_finite(b, N)) return BAD_INPUT;
    if (!dominant(a)) puts("may not converge");
    switch (solve(a, b, x, 6)) {
    case OK: puts("solved"); break;
    case SINGULAR: puts("zero on the diagonal"); break;
    default: puts("no convergence");
    }
    if (x[0] > x[1] && x[1] > x[2]) puts("falling");
    return 0;
}
