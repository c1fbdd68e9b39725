/* Rank and kernel by elimination with full pivoting. */
#include "matrix.h"

static int eliminate(double a[N][N]) {
    int rank = 0;
    for (int step = 0; step < N; step++) {
        int row = step, column = step;
        for (int i = step; i < N; i++)
            for (int j = step; j < N; j++)
                if (fabs(a[i][j]) > fabs(a[row][column])) { row = i; column = j; }
        if (fabs(a[row][column]) < 1e-8) break;
        rank++;
        for (int j = 0; j < N; j++) {
            double t = a[step][j];
            a[step][j] = a[row][j];
            a[row][j] = t;
        }
        for (int i = 0; i < N; i++) {
            double t = a[i][step];
            a[i][step] = a[i][column];
            a[i][column] = t;
        }
        for (int i = step + 1; i < N; i++) {
            double f = a[i][step] / a[step][step];
            for (int j = step; j < N; j++) a[i][j] -= f * a[step][j];
        }
    }
    return rank;
}

int main(void) {
    double a[N][N];
    symbolic(&a[0][0], N * N, "a");
    int rank = eliminate(a);
    if (rank == 0) puts("zero");
    else if (rank == 1) puts("one direction");
    else if (rank == 2) puts("a plane");
    else puts("full");
    if (rank == N && a[0][0] > 0 && a[1][1] > 0 && a[2][2] > 0) puts("positive pivots");
    if (rank > 1 && a[1][1] == a[0][0]) puts("equal pivots");
    return rank;
}
