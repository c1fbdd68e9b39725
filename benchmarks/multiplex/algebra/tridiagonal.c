/* Thomas' algorithm for tridiagonal systems, and a count of eigenvalues below a bound (Sturm). */
#include "matrix.h"

#define SIZE 4

static enum status solve(const double *low, double *main_, const double *high, double *b) {
    for (int i = 1; i < SIZE; i++) {
        if (fabs(main_[i - 1]) < EPSILON) return SINGULAR;
        double f = low[i - 1] / main_[i - 1];
        main_[i] -= f * high[i - 1];
        b[i] -= f * b[i - 1];
    }
    if (fabs(main_[SIZE - 1]) < EPSILON) return SINGULAR;
    b[SIZE - 1] /= main_[SIZE - 1];
    for (int i = SIZE - 2; i >= 0; i--) b[i] = (b[i] - high[i] * b[i + 1]) / main_[i];
    return OK;
}

static int below(const double *low, const double *main_, double bound) {
    int count = 0;
    double q = main_[0] - bound;
    if (q < 0) count++;
    for (int i = 1; i < SIZE; i++) {
        if (q == 0) q = 1e-30;
        q = main_[i] - bound - low[i - 1] * low[i - 1] / q;
        if (q < 0) count++;
    }
    return count;
}

int main(void) {
    double low[SIZE - 1], main_[SIZE], high[SIZE - 1], b[SIZE] = {1, 1, 1, 1};
    symbolic(low, SIZE - 1, "low");
    symbolic(main_, SIZE, "main");
    symbolic(high, SIZE - 1, "high");
    int symmetric = low[0] == high[0] && low[1] == high[1] && low[2] == high[2];
    if (symmetric) {
        int count = below(low, main_, 0);
        if (count == 0) puts("positive");
        else if (count == SIZE) puts("negative");
        else if (below(low, main_, 10) == SIZE) puts("all below ten");
    }
    if (solve(low, main_, high, b) != OK) {
        puts("singular");
        return 1;
    }
    if (b[0] == b[SIZE - 1]) puts("the same at both ends");
    if (b[0] > 100 || b[0] < -100) puts("large");
    return 0;
}
