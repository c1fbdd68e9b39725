/* One function of the GNU Scientific Library on numbers from standard input; RUN names which (MuSE, Table 3).
 *
 * Static functions of the library, such as akima's eval_integ, are reached through the interface they belong to.
 */
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_histogram2d.h>
#include <gsl/gsl_interp.h>
#include <gsl/gsl_interp2d.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_sum.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int integral(const gsl_interp_type *type, size_t points)
{
    double data[12] = {0}, x[5], y[5], result = 0;
    fread(data, sizeof *data, 2 * points + 2, stdin);
    memcpy(x, data, points * sizeof *x);
    memcpy(y, data + points, points * sizeof *y);
    for (size_t i = 1; i < points; i++)
        if (!(x[i - 1] < x[i])) return 1;
    gsl_interp *interpolation = gsl_interp_alloc(type, points);
    if (gsl_interp_init(interpolation, x, y, points) != 0) return 2;
    int status = gsl_interp_eval_integ_e(interpolation, x, y, data[2 * points], data[2 * points + 1], NULL, &result);
    printf("%d %g\n", status, result);
    gsl_interp_free(interpolation);
    return status;
}

static int akima_integral(void) { return integral(gsl_interp_akima, 5); }
static int linear_integral(void) { return integral(gsl_interp_linear, 3); }
static int steffen_integral(void) { return integral(gsl_interp_steffen, 3); }

static int linear_derivative(void)
{
    double data[7] = {0}, result = 0;
    fread(data, sizeof *data, COUNT(data), stdin);
    if (!(data[0] < data[1] && data[1] < data[2])) return 1;
    gsl_interp *interpolation = gsl_interp_alloc(gsl_interp_linear, 3);
    gsl_interp_init(interpolation, data, data + 3, 3);
    int status = gsl_interp_eval_deriv_e(interpolation, data, data + 3, data[6], NULL, &result);
    printf("%d %g\n", status, result);
    gsl_interp_free(interpolation);
    return status;
}

static int bilinear_derivative(void)
{
    double data[10] = {0}, result = 0;
    fread(data, sizeof *data, COUNT(data), stdin);
    if (!(data[0] < data[1] && data[2] < data[3])) return 1;
    gsl_interp2d *surface = gsl_interp2d_alloc(gsl_interp2d_bilinear, 2, 2);
    gsl_interp2d_init(surface, data, data + 2, data + 4, 2, 2);
    int status = gsl_interp2d_eval_deriv_y_e(surface, data, data + 2, data + 4, data[8], data[9], NULL, NULL, &result);
    printf("%d %g\n", status, result);
    gsl_interp2d_free(surface);
    return status;
}

static int find_bin(void)
{
    double data[8] = {0};
    fread(data, sizeof *data, COUNT(data), stdin);
    for (size_t i = 1; i < 3; i++)
        if (!(data[i - 1] < data[i] && data[i + 2] < data[i + 3])) return 1;
    size_t i = 0, j = 0;
    gsl_histogram2d *histogram = gsl_histogram2d_alloc(2, 2);
    gsl_histogram2d_set_ranges(histogram, data, 3, data + 3, 3);
    int status = gsl_histogram2d_find(histogram, data[6], data[7], &i, &j);
    printf("%d %zu %zu\n", status, i, j);
    gsl_histogram2d_free(histogram);
    return status;
}

static int histogram_sample(void)
{
    double data[6] = {0}, x = 0, y = 0;
    fread(data, sizeof *data, COUNT(data), stdin);
    gsl_histogram2d *histogram = gsl_histogram2d_alloc(2, 2);
    gsl_histogram2d_pdf *density = gsl_histogram2d_pdf_alloc(2, 2);
    gsl_histogram2d_set_ranges_uniform(histogram, 0, 1, 0, 1);
    memcpy(histogram->bin, data, 4 * sizeof *data);
    if (gsl_histogram2d_pdf_init(density, histogram) != 0) return 2;
    int status = gsl_histogram2d_pdf_sample(density, data[4], data[5], &x, &y);
    printf("%d %g %g\n", status, x, y);
    gsl_histogram2d_pdf_free(density);
    gsl_histogram2d_free(histogram);
    return status;
}

static int eigen_sort(void)
{
    double data[8] = {0};
    unsigned char order = 0;
    fread(data, sizeof *data, COUNT(data), stdin);
    fread(&order, 1, 1, stdin);
    gsl_vector_complex *alpha = gsl_vector_complex_calloc(3);
    gsl_vector *beta = gsl_vector_calloc(3);
    gsl_matrix_complex *vectors = gsl_matrix_complex_calloc(3, 3);
    memcpy(alpha->data, data, 5 * sizeof *data);
    memcpy(beta->data, data + 5, 3 * sizeof *data);
    int status = gsl_eigen_genv_sort(alpha, beta, vectors, (gsl_eigen_sort_t)(order % 4));
    printf("%d\n", status);
    return status;
}

static int fourier(void)
{
    double data[4] = {0};
    unsigned char count = 0;
    fread(data, sizeof *data, COUNT(data), stdin);
    fread(&count, 1, 1, stdin);
    int status = gsl_fft_real_radix2_transform(data, 1, count % 5);
    printf("%d\n", status);
    return status;
}

static int sort_numbers(void)
{
    double data[5] = {0};
    fread(data, sizeof *data, COUNT(data), stdin);
    gsl_sort(data, 1, COUNT(data));
    printf("%g\n", data[0]);
    return 0;
}

static int levin_sum(void)
{
    double data[4] = {0}, sum = 0, error = 0;
    fread(data, sizeof *data, COUNT(data), stdin);
    gsl_sum_levin_u_workspace *space = gsl_sum_levin_u_alloc(COUNT(data));
    int status = gsl_sum_levin_u_minmax(data, COUNT(data), 0, COUNT(data) - 1, space, &sum, &error);
    printf("%d %g %g\n", status, sum, error);
    gsl_sum_levin_u_free(space);
    return status;
}

static int cyclic(int symmetric)
{
    double data[12] = {0}, result[3];
    fread(data, sizeof *data, COUNT(data), stdin);
    gsl_vector_view diagonal = gsl_vector_view_array(data, 3), above = gsl_vector_view_array(data + 3, 3);
    gsl_vector_view below = gsl_vector_view_array(data + 6, 3), right = gsl_vector_view_array(data + 9, 3);
    gsl_vector_view x = gsl_vector_view_array(result, 3);
    int status = symmetric
        ? gsl_linalg_solve_symm_cyc_tridiag(&diagonal.vector, &above.vector, &right.vector, &x.vector)
        : gsl_linalg_solve_cyc_tridiag(&diagonal.vector, &above.vector, &below.vector, &right.vector, &x.vector);
    printf("%d %g\n", status, result[0]);
    return status;
}

static int cyclic_symmetric(void) { return cyclic(1); }
static int cyclic_general(void) { return cyclic(0); }

int main(void)
{
    gsl_set_error_handler_off();
    return RUN() != 0;
}
