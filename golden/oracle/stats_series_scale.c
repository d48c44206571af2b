// SPDX-License-Identifier: Apache-2.0
// Errors of J, the integral of a tail whose prefix stands before it: a power series where the first shape is at most 2 and the
// bound lies below the middle, else the quadrature. Relative, in units u, before nothing: the last addition is counted.
#include "stats_scale.h"

#define NEAR_BORDER 1e-3 // relative distance from a border of the series at which rounding may choose the quadrature

static double larger(double x, double y)
{
    return x > y ? x : y;
}

// sum of t_n, t_0 = 1/a, t_n = t_(n-1) x/(a + n) for the gamma (b < 0), x (a + b + n - 1)/(a + n) for the beta. A term takes three
// roundings a step for the gamma, five and the rounding of a + b for the beta, and n times the error of x; every addition is
// rounded; what is left out is a geometric series at most.
double scale_series(golden_dtype dtype, double a, double b, double x, double x_error)
{
    double term = 1.0 / a, sum = term, carried = scale_rounding(term), additions = 0.0, ratio = 0.0;
    double each = (b < 0.0 ? 3.0 : 6.0) + x_error, unit = scale_unit(dtype);
    for (int n = 1; n < 257 && term > 0.25 * unit * sum; ++n) {
        ratio = b < 0.0 ? x / (a + n) : x * (a + b + (n - 1)) / (a + n);
        term *= ratio;
        sum += term;
        carried += term * (1.0 + each * n);
        additions += scale_rounding(sum);
    }
    return (carried + additions + term * ratio / (1.0 - ratio) / unit) / sum;
}

double scale_nodes(golden_dtype dtype)
{
    return dtype == GOLDEN_F32 ? 8.0 : 16.0;
}

// An integral whose exponents are at most `deep`: in a panel of nearly equal terms the additions lose half of their number, four
// panels follow each other, weights and lengths lose three units and an exponential its own, an exponent a dozen of itself.
double scale_panels(golden_dtype dtype, double deep)
{
    if (!(deep < 1.0)) {
        return ERROR_INTEGRAL;
    }
    double error = 0.5 * (scale_nodes(dtype) + 1.0) * scale_exp(deep) + 2.0 + 3.0 + ERROR_EXP + 12.0 * deep;
    return error < ERROR_INTEGRAL ? error : ERROR_INTEGRAL;
}

double scale_gamma_integral(golden_dtype dtype, double a, double x, double x_error, bool lower)
{
    return lower && a <= 2.0 ? scale_series(dtype, a, -1.0, x, x_error) : ERROR_INTEGRAL;
}

double scale_beta_integral(golden_dtype dtype, double a, double b, double x, double x_error)
{
    double mean = a / (a + b);
    if (!(a <= 2.0 && x <= 0.5 * (1.0 + NEAR_BORDER) && x <= mean * (1.0 + NEAR_BORDER))) {
        return ERROR_INTEGRAL;
    }
    double series = scale_series(dtype, a, b, x, x_error);
    bool border = x > 0.5 * (1.0 - NEAR_BORDER) || x > mean * (1.0 - NEAR_BORDER);
    return border ? larger(series, ERROR_INTEGRAL) : series;
}
