/* Singular values by one-sided Jacobi rotations (Hestenes). */
#include "matrix.h"

static int sweep(double a[N][N]) {
    int rotated = 0;
    for (int p = 0; p < N - 1; p++)
        for (int q = p + 1; q < N; q++) {
            double alpha = 0, beta = 0, gamma = 0;
            for (int i = 0; i < N; i++) {
                alpha += a[i][p] * a[i][p];
                beta += a[i][q] * a[i][q];
                gamma += a[i][p] * a[i][q];
            }
            if (fabs(gamma) <= EPSILON * sqrt(alpha * beta)) continue;
            double zeta = (beta - alpha) / (2 * gamma), t;
            if (zeta > 0) t = 1 / (zeta + sqrt(1 + zeta * zeta));
            else t = -1 / (-zeta + sqrt(1 + zeta * zeta));
            double c = 1 / sqrt(1 + t * t), s = c * t;
            for (int i = 0; i < N; i++) {
                double x = a[i][p];
                a[i][p] = c * x - s * a[i][q];
                a[i][q] = s * x + c * a[i][q];
            }
            rotated++;
        }
    return rotated;
}

int main(void) {
    double a[N][N], values[N];
    int rounds = 0, rank = 0;
    symbolic(&a[0][0], N * N, "a");
    if (!is_finite(&a[0][0], N * N)) return BAD_INPUT;
    while (rounds < 3 && sweep(a)) rounds++;
    for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int i = 0; i < N; i++) sum += a[i][j] * a[i][j];
        values[j] = sqrt(sum);
        if (values[j] > EPSILON) rank++;
    }
    if (rounds == 3) puts("not yet there");
    if (rank == 0) puts("zero matrix");
    else if (rank < N) puts("rank deficient");
    else if (values[0] == values[1]) puts("a double value");
    else if (values[0] > values[1] && values[1] > values[2]) puts("falling");
    return 0;
}
