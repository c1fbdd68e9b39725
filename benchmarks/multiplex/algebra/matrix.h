/* Small dense matrices for the benchmark's routines. */
#ifndef MATRIX_H
#define MATRIX_H

#include <klee/klee.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 3
#define EPSILON 1e-10

enum status { OK, SINGULAR, NOT_SYMMETRIC, NOT_POSITIVE, NO_CONVERGENCE, BAD_INPUT };

static inline int is_symmetric(double a[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            if (fabs(a[i][j] - a[j][i]) > EPSILON) return 0;
    return 1;
}

static inline int is_finite(double *a, int n) {
    for (int i = 0; i < n; i++)
        if (!(a[i] - a[i] == 0)) return 0;
    return 1;
}

static inline double norm(const double *v, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

static inline void symbolic(double *a, int n, const char *name) { klee_make_symbolic(a, (size_t)n * sizeof *a, name); }

#endif
