/* LU decomposition with partial pivoting, the determinant from it, and a solution. */
#include "matrix.h"

static int sign = 1;

static enum status decompose(double a[N][N], int permutation[N]) {
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
        if (fabs(a[pivot][k]) < EPSILON) return SINGULAR;
        permutation[k] = pivot;
        if (pivot != k) {
            sign = -sign;
            for (int j = 0; j < N; j++) {
                double t = a[k][j];
                a[k][j] = a[pivot][j];
                a[pivot][j] = t;
            }
        }
        for (int i = k + 1; i < N; i++) {
            if (a[i][k] == 0) continue;
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < N; j++) a[i][j] -= a[i][k] * a[k][j];
        }
    }
    return OK;
}

static void substitute(double a[N][N], const int permutation[N], double b[N]) {
    for (int k = 0; k < N; k++) {
        double t = b[permutation[k]];
        b[permutation[k]] = b[k];
        b[k] = t;
        for (int i = k + 1; i < N; i++) b[i] -= a[i][k] * b[k];
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++) b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

int main(void) {
    double a[N][N], b[N] = {1, 2, 3};
    int permutation[N];
    symbolic(&a[0][0], N * N, "a");
    if (decompose(a, permutation) != OK) {
        puts("singular");
        return 1;
    }
    double determinant = sign;
    for (int i = 0; i < N; i++) determinant *= a[i][i];
    if (determinant > 0) puts("keeps orientation");
    else puts("turns orientation");
    if (fabs(determinant) == 1) puts("keeps volume");
    substitute(a, permutation, b);
    if (b[0] > 0 && b[1] > 0 && b[2] > 0) puts("positive solution");
    else if (b[0] == 0 || b[1] == 0 || b[2] == 0) puts("a zero in the solution");
    return 0;
}
