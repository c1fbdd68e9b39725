/* One function of the GNU Scientific Library on arguments from standard input; RUN names which (MuSE, Table 3).
 *
 * The paper calls these functions by under-constrained execution: every argument is input, sizes, strides and unordered
 * data included.  So it is here: the input begins with small numbers (sizes, strides, flags), doubles follow.  Sizes end
 * where the arrays do.  Static functions are called through the table of functions (interpolation) or the public function
 * that they belong to.  The state of an interpolation is the one thing that is not free: the library computes it.
 */
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_histogram.h>
#include <gsl/gsl_histogram2d.h>
#include <gsl/gsl_interp.h>
#include <gsl/gsl_interp2d.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_sum.h>
#include <stdio.h>

static unsigned char choices[16];
static double numbers[40];

static void take(size_t count)
{
    fread(choices, 1, sizeof choices, stdin);
    fread(numbers, sizeof *numbers, count, stdin);
}

static size_t choose(int which, size_t least, size_t most) { return least + choices[which] % (most - least + 1); }

static gsl_interp_accel *accelerator(gsl_interp_accel *place, int which, size_t size)
{
    if (!(choices[which] & 1)) return NULL;
    place->cache = choose(which + 1, 0, size - 2);
    return place;
}

static void *interpolated(const gsl_interp_type *type, size_t size)
{
    void *state = type->alloc != NULL ? type->alloc(size) : NULL;
    type->init(state, numbers, numbers + 8, size);
    return state;
}

static int integral(const gsl_interp_type *type)
{
    double result = 0;
    gsl_interp_accel place = {0};
    take(18);
    size_t size = choose(0, type->min_size, type->min_size + 3);
    gsl_interp_accel *found = accelerator(&place, 1, size);
    void *state = interpolated(type, size);
    return type->eval_integ(state, numbers, numbers + 8, size, found, numbers[16], numbers[17], &result);
}

static int akima_integral(void) { return integral(gsl_interp_akima); }
static int linear_integral(void) { return integral(gsl_interp_linear); }
static int steffen_integral(void) { return integral(gsl_interp_steffen); }

static int linear_derivative(void)
{
    double result = 0;
    gsl_interp_accel place = {0};
    take(17);
    size_t size = choose(0, 2, 5);
    gsl_interp_accel *found = accelerator(&place, 1, size);
    void *state = interpolated(gsl_interp_linear, size);
    return gsl_interp_linear->eval_deriv(state, numbers, numbers + 8, size, numbers[16], found, &result);
}

static int bilinear_derivative(void)
{
    double result = 0, *x = numbers, *y = numbers + 4, *z = numbers + 8;
    gsl_interp_accel places[2] = {{0}, {0}};
    take(26);
    size_t columns = choose(0, 2, 4), rows = choose(1, 2, 4);
    gsl_interp_accel *in_x = accelerator(places, 2, columns), *in_y = accelerator(places + 1, 4, rows);
    const gsl_interp2d_type *type = gsl_interp2d_bilinear;
    return type->eval_deriv_y(NULL, x, y, z, columns, rows, numbers[24], numbers[25], in_x, in_y, &result);
}

static int find_bin(void)
{
    size_t found = 0;
    double bins[8] = {0};
    take(10);
    gsl_histogram histogram = {choose(0, 1, 8), numbers, bins};
    return gsl_histogram_find(&histogram, numbers[9], &found);
}

static int histogram_sample(void)
{
    double x = 0, y = 0;
    take(20);
    gsl_histogram2d_pdf density = {choose(0, 1, 3), choose(1, 1, 3), numbers, numbers + 4, numbers + 8};
    return gsl_histogram2d_pdf_sample(&density, numbers[18], numbers[19], &x, &y);
}

static int eigen_sort(void)
{
    static double entries[2 * 4 * 4];
    take(24);
    gsl_vector_complex alpha = {choose(0, 1, 4), choose(1, 1, 2), numbers, NULL, 0};
    gsl_vector beta = {choose(2, 1, 4), choose(3, 1, 2), numbers + 16, NULL, 0};
    gsl_matrix_complex vectors = {choose(4, 1, 4), choose(5, 1, 4), 4, entries, NULL, 0};
    return gsl_eigen_genv_sort(&alpha, &beta, &vectors, (gsl_eigen_sort_t)choose(6, 0, 4));
}

static int fourier(void)
{
    take(32);
    return gsl_fft_real_radix2_transform(numbers, choose(0, 1, 2), choose(1, 0, 16));
}

static int sort_numbers(void)
{
    take(16);
    gsl_sort(numbers, choose(0, 1, 2), choose(1, 0, 8));
    return 0;
}

static int levin_sum(void)
{
    double sum = 0, error = 0;
    take(6);
    gsl_sum_levin_u_workspace *space = gsl_sum_levin_u_alloc(6);
    return gsl_sum_levin_u_minmax(numbers, choose(0, 0, 6), choose(1, 0, 6), choose(2, 0, 6), space, &sum, &error);
}

static gsl_vector vector(int which, double *data)
{
    return (gsl_vector){choose(which, 2, 5), choose(which + 1, 1, 2), data, NULL, 0};
}

static int cyclic(int symmetric)
{
    static double result[10];
    take(40);
    gsl_vector diagonal = vector(0, numbers), above = vector(2, numbers + 10), below = vector(4, numbers + 20);
    gsl_vector right = vector(6, numbers + 30), x = vector(8, result);
    return symmetric ? gsl_linalg_solve_symm_cyc_tridiag(&diagonal, &above, &right, &x)
                     : gsl_linalg_solve_cyc_tridiag(&diagonal, &above, &below, &right, &x);
}

static int cyclic_symmetric(void) { return cyclic(1); }
static int cyclic_general(void) { return cyclic(0); }

int main(void)
{
    gsl_set_error_handler_off();
    return RUN() != 0;
}
