// SPDX-License-Identifier: Apache-2.0
#include "fit.h"

void fit_polynomial_init(fit_polynomial *polynomial, int degree)
{
    polynomial->degree = degree;
    mpfr_init2(polynomial->centre, FIT_PRECISION);
    for (int i = 0; i <= degree; ++i) {
        mpfr_init2(polynomial->coefficient[i], FIT_PRECISION);
    }
}

void fit_polynomial_clear(fit_polynomial *polynomial)
{
    mpfr_clear(polynomial->centre);
    for (int i = 0; i <= polynomial->degree; ++i) {
        mpfr_clear(polynomial->coefficient[i]);
    }
}

// Node i of n in [low, high]: the middle plus the half width times cos((2i + 1) pi / 2n).
static void chebyshev_node(mpfr_t node, int i, int n, double low, double high)
{
    mpfr_t half;
    mpfr_init2(half, FIT_PRECISION);
    mpfr_const_pi(node, MPFR_RNDN);
    mpfr_mul_si(node, node, 2 * i + 1, MPFR_RNDN);
    mpfr_div_si(node, node, 2 * n, MPFR_RNDN);
    mpfr_cos(node, node, MPFR_RNDN);
    mpfr_set_d(half, high, MPFR_RNDN);
    mpfr_sub_d(half, half, low, MPFR_RNDN);
    mpfr_div_2ui(half, half, 1, MPFR_RNDN);
    mpfr_mul(node, node, half, MPFR_RNDN);
    mpfr_add(node, node, half, MPFR_RNDN);
    mpfr_add_d(node, node, low, MPFR_RNDN);
    mpfr_clear(half);
}

// Newton's divided differences, then the nested form is expanded in powers of (x - centre).
void fit_interpolate(fit_polynomial *polynomial, fit_function function, double low, double high, double centre)
{
    int n = polynomial->degree + 1;
    mpfr_t node[FIT_MAX_DEGREE + 1], difference[FIT_MAX_DEGREE + 1], step;
    mpfr_init2(step, FIT_PRECISION);
    mpfr_set_d(polynomial->centre, centre, MPFR_RNDN);
    for (int i = 0; i < n; ++i) {
        mpfr_inits2(FIT_PRECISION, node[i], difference[i], (mpfr_ptr)0);
        chebyshev_node(node[i], i, n, low, high);
        function(difference[i], node[i]);
    }
    for (int order = 1; order < n; ++order) {
        for (int i = n - 1; i >= order; --i) {
            mpfr_sub(difference[i], difference[i], difference[i - 1], MPFR_RNDN);
            mpfr_sub(step, node[i], node[i - order], MPFR_RNDN);
            mpfr_div(difference[i], difference[i], step, MPFR_RNDN);
        }
    }
    for (int i = 0; i < n; ++i) {
        mpfr_set_zero(polynomial->coefficient[i], 1);
    }
    for (int i = n - 1; i >= 0; --i) { // c(x) := c(x) (x - node[i]) + difference[i]
        mpfr_sub(step, node[i], polynomial->centre, MPFR_RNDN);
        for (int j = n - 1; j >= 0; --j) {
            mpfr_mul(polynomial->coefficient[j], polynomial->coefficient[j], step, MPFR_RNDN);
            mpfr_neg(polynomial->coefficient[j], polynomial->coefficient[j], MPFR_RNDN);
            if (j > 0) {
                mpfr_add(polynomial->coefficient[j], polynomial->coefficient[j], polynomial->coefficient[j - 1], MPFR_RNDN);
            }
        }
        mpfr_add(polynomial->coefficient[0], polynomial->coefficient[0], difference[i], MPFR_RNDN);
    }
    for (int i = 0; i < n; ++i) {
        mpfr_clears(node[i], difference[i], (mpfr_ptr)0);
    }
    mpfr_clear(step);
}

void fit_round(fit_polynomial *polynomial, int bits, mpfr_t constant_low)
{
    mpfr_set(constant_low, polynomial->coefficient[0], MPFR_RNDN);
    for (int i = 0; i <= polynomial->degree; ++i) {
        mpfr_t rounded;
        mpfr_init2(rounded, bits);
        mpfr_set(rounded, polynomial->coefficient[i], MPFR_RNDN);
        mpfr_set(polynomial->coefficient[i], rounded, MPFR_RNDN);
        if (i == 0) {
            mpfr_sub(constant_low, constant_low, rounded, MPFR_RNDN);
            mpfr_set(rounded, constant_low, MPFR_RNDN);
            mpfr_set(constant_low, rounded, MPFR_RNDN);
        }
        mpfr_clear(rounded);
    }
}

double fit_error(const fit_polynomial *polynomial, const mpfr_t constant_low, fit_function function, double low, double high)
{
    const int points = 64;
    mpfr_t x, power, sum, truth, worst;
    mpfr_inits2(FIT_PRECISION, x, power, sum, truth, worst, (mpfr_ptr)0);
    mpfr_set_zero(worst, 1);
    for (int p = 0; p <= points; ++p) {
        mpfr_set_d(x, high, MPFR_RNDN);
        mpfr_sub_d(x, x, low, MPFR_RNDN);
        mpfr_mul_si(x, x, p, MPFR_RNDN);
        mpfr_div_si(x, x, points, MPFR_RNDN);
        mpfr_add_d(x, x, low, MPFR_RNDN);
        function(truth, x);
        mpfr_sub(power, x, polynomial->centre, MPFR_RNDN);
        mpfr_set_zero(sum, 1);
        for (int i = polynomial->degree; i >= 0; --i) {
            mpfr_fma(sum, sum, power, polynomial->coefficient[i], MPFR_RNDN);
        }
        mpfr_add(sum, sum, constant_low, MPFR_RNDN);
        mpfr_sub(sum, sum, truth, MPFR_RNDN);
        mpfr_div(sum, sum, truth, MPFR_RNDN);
        mpfr_abs(sum, sum, MPFR_RNDN);
        if (mpfr_cmp(sum, worst) > 0) {
            mpfr_set(worst, sum, MPFR_RNDN);
        }
    }
    double result = mpfr_get_d(worst, MPFR_RNDU);
    mpfr_clears(x, power, sum, truth, worst, (mpfr_ptr)0);
    return result;
}
