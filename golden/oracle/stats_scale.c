// SPDX-License-Identifier: Apache-2.0
// What all error scales are made of: functions that MPFR rounds, what one rounding loses, and errors of elementary functions.
#include "stats_scale.h"

#include <math.h>

static double unary(double x, int function(mpfr_t, const mpfr_t, mpfr_rnd_t))
{
    mpfr_t value;
    mpfr_init2(value, 64);
    mpfr_set_d(value, x, MPFR_RNDN);
    function(value, value, MPFR_RNDN);
    double result = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return result;
}
double scale_log(double x)
{
    return unary(x, mpfr_log);
}
double scale_log1p(double x)
{
    return unary(x, mpfr_log1p);
}
double scale_exp(double x)
{
    return unary(x, mpfr_exp);
}
double scale_lgamma(double x)
{
    return unary(x, mpfr_lngamma);
}
double scale_erfcx(double x)
{
    return x > 20.0 ? 0.5641895835477563 / x : scale_exp(x * x) * unary(x, mpfr_erfc);
}

double scale_stirling(double x)
{
    if (x > 16.0) {
        return 1.0 / (12.0 * x);
    }
    return scale_lgamma(x + 1.0) - (x + 0.5) * scale_log(x) + x - 0.9189385332046728;
}
double scale_digamma(double x)
{
    return x > 16.0 ? 1.0 / (12.0 * x * x) : scale_log(x) - 0.5 / x - unary(x, mpfr_digamma);
}
double scale_deviance(double x, double m)
{
    double d = x - m, s = d / (x + m);
    if (x == 0.0) {
        return m;
    }
    if (s < 0.01 && s > -0.01) {
        return d * s * (1.0 + s);
    }
    return x * (scale_log(x) - scale_log(m)) - d;
}
double scale_least(golden_dtype dtype)
{
    return dtype == GOLDEN_F32 ? 0x1p-79 : 0x1p-917;
}

double scale_unit(golden_dtype dtype)
{
    return dtype == GOLDEN_F32 ? 0x1p-24 : 0x1p-53;
}
double scale_subnormal(golden_dtype dtype)
{
    return dtype == GOLDEN_F32 ? 0x1p-126 : 0x1p-1022;
}

static double size(double x)
{
    return x < 0.0 ? -x : x;
}

// A computed number just below a power of two may lie above it.
double scale_rounding(double x)
{
    double magnitude = size(x) * (1.0 + 0x1p-12);
    if (!(magnitude > 0.0 && magnitude < 1e300)) {
        return size(x);
    }
    int exponent;
    (void)frexp(magnitude, &exponent);
    return ldexp(1.0, exponent - 1);
}
double scale_relative_rounding(double x)
{
    return x == 0.0 ? 0.0 : scale_rounding(x) / size(x);
}
double scale_error(double value, double relative, double ulp)
{
    double first = relative * size(value), second = 2.0 * ulp * scale_rounding(value);
    return first < second ? first : second;
}
double scale_difference_rounding(golden_dtype dtype, double a, double b)
{
    double difference = a - b, other = difference - a, lost = (a - (difference - other)) + (-b - other);
    bool held = dtype == GOLDEN_F64 || (double)(float)difference == difference;
    return lost == 0.0 && held ? 0.0 : scale_rounding(difference);
}
// From 1/4 on the last rounding, and the polynomial's own error.
double scale_stirling_error(double x)
{
    double value = scale_stirling(x);
    return x >= 0.25 ? scale_rounding(value) + INNER_STIRLING * value : ERROR_STIRLING * value;
}
double scale_digamma_error(double x)
{
    double value = scale_digamma(x);
    return x >= 0.25 ? scale_rounding(value) + INNER_DIGAMMA * value : ERROR_DIGAMMA * value;
}
double scale_erfcx_error(double x)
{
    double value = scale_erfcx(x), inner = x < 0.51 ? INNER_ERFCX_NEAR : INNER_ERFCX;
    return x < 15.9 ? scale_rounding(value) + inner * value : ERROR_ERFCX * value;
}
