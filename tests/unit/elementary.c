// SPDX-License-Identifier: Apache-2.0
#include "elementary.h"

#include "dialect/dialect.h"

#include "elementary_errors.h"

#include "dialect/real_f32.h"
#include "kernels/elementary.h"

#include "dialect/real_f64.h"
#include "kernels/elementary.h"

#include "dialect/real_undef.h"

#include <math.h>

// Bits for what cancels: log1p(x) - x at 2^-1074 loses 1074 bits twice.
#define WIDE 2400

static void wide(mpfr_t result, const mpfr_t x, void form(mpfr_t wide_result, const mpfr_t x))
{
    mpfr_t value;
    mpfr_init2(value, WIDE);
    form(value, x);
    mpfr_set(result, value, MPFR_RNDN);
    mpfr_clear(value);
}

static void truth_log(mpfr_t r, const mpfr_t x)
{
    mpfr_log(r, x, MPFR_RNDN);
}
static void truth_log1p(mpfr_t r, const mpfr_t x)
{
    mpfr_log1p(r, x, MPFR_RNDN);
}
static void log1pmx_wide(mpfr_t r, const mpfr_t x)
{
    mpfr_log1p(r, x, MPFR_RNDN);
    mpfr_sub(r, r, x, MPFR_RNDN);
}
static void truth_log1pmx(mpfr_t r, const mpfr_t x)
{
    wide(r, x, log1pmx_wide);
}
static void d0_wide(mpfr_t r, const mpfr_t x)
{
    mpfr_t sum;
    if (mpfr_cmp_si(x, -1) == 0) {
        mpfr_set_ui(r, 1, MPFR_RNDN);
        return;
    }
    mpfr_init2(sum, WIDE);
    mpfr_add_ui(sum, x, 1, MPFR_RNDN);
    mpfr_log1p(r, x, MPFR_RNDN);
    mpfr_mul(r, r, sum, MPFR_RNDN);
    mpfr_sub(r, r, x, MPFR_RNDN);
    mpfr_clear(sum);
}
static void truth_d0(mpfr_t r, const mpfr_t x)
{
    wide(r, x, d0_wide);
}
static void truth_exp(mpfr_t r, const mpfr_t x)
{
    mpfr_exp(r, x, MPFR_RNDN);
}
static void truth_expm1(mpfr_t r, const mpfr_t x)
{
    mpfr_expm1(r, x, MPFR_RNDN);
}
static void expm1mx_wide(mpfr_t r, const mpfr_t x)
{
    mpfr_expm1(r, x, MPFR_RNDN);
    mpfr_sub(r, r, x, MPFR_RNDN);
}
static void truth_expm1mx(mpfr_t r, const mpfr_t x)
{
    wide(r, x, expm1mx_wide);
}
static void truth_erfc(mpfr_t r, const mpfr_t x)
{
    mpfr_erfc(r, x, MPFR_RNDN);
}
static void truth_erfcx(mpfr_t r, const mpfr_t x)
{
    mpfr_t square;
    if (mpfr_cmp_ui(x, 10000) > 0) { // (1 - 1/(2 x^2) + 3/(4 x^4) - ...)/(x sqrt pi): three terms are within x^-6
        mpfr_init2(square, 200);
        mpfr_sqr(square, x, MPFR_RNDN);
        mpfr_ui_div(square, 1, square, MPFR_RNDN);
        mpfr_mul_d(r, square, 0.75, MPFR_RNDN);
        mpfr_sub_d(r, r, 0.5, MPFR_RNDN);
        mpfr_mul(r, r, square, MPFR_RNDN);
        mpfr_add_ui(r, r, 1, MPFR_RNDN);
        mpfr_div(r, r, x, MPFR_RNDN);
        mpfr_const_pi(square, MPFR_RNDN);
        mpfr_sqrt(square, square, MPFR_RNDN);
        mpfr_div(r, r, square, MPFR_RNDN);
        mpfr_clear(square);
        return;
    }
    mpfr_init2(square, 400);
    mpfr_sqr(square, x, MPFR_RNDN);
    mpfr_exp(square, square, MPFR_RNDN);
    mpfr_erfc(r, x, MPFR_RNDN);
    mpfr_mul(r, r, square, MPFR_RNDN);
    mpfr_clear(square);
}

// Where lgamma and digamma cancel against the logarithm, bits grow with the argument.
static mpfr_prec_t large_bits(const mpfr_t x)
{
    mpfr_exp_t exponent = mpfr_get_exp(x);
    return 300 + 4 * (mpfr_prec_t)(exponent > 0 ? exponent : -exponent);
}
static void truth_stirling(mpfr_t r, const mpfr_t x)
{
    mpfr_t sum, term;
    mpfr_inits2(large_bits(x), sum, term, (mpfr_ptr)0);
    mpfr_add_ui(term, x, 1, MPFR_RNDN);
    mpfr_lngamma(sum, term, MPFR_RNDN);
    mpfr_add(sum, sum, x, MPFR_RNDN);
    mpfr_log(term, x, MPFR_RNDN);
    mpfr_mul(term, term, x, MPFR_RNDN);
    mpfr_sub(sum, sum, term, MPFR_RNDN);
    mpfr_const_pi(term, MPFR_RNDN); // log(2 pi x)/2
    mpfr_mul_2ui(term, term, 1, MPFR_RNDN);
    mpfr_mul(term, term, x, MPFR_RNDN);
    mpfr_log(term, term, MPFR_RNDN);
    mpfr_div_2ui(term, term, 1, MPFR_RNDN);
    mpfr_sub(r, sum, term, MPFR_RNDN);
    mpfr_clears(sum, term, (mpfr_ptr)0);
}
static void truth_digamma_remainder(mpfr_t r, const mpfr_t x)
{
    mpfr_t sum, term;
    mpfr_inits2(large_bits(x), sum, term, (mpfr_ptr)0);
    mpfr_log(sum, x, MPFR_RNDN);
    mpfr_ui_div(term, 1, x, MPFR_RNDN);
    mpfr_div_2ui(term, term, 1, MPFR_RNDN);
    mpfr_sub(sum, sum, term, MPFR_RNDN);
    mpfr_digamma(term, x, MPFR_RNDN);
    mpfr_sub(r, sum, term, MPFR_RNDN);
    mpfr_clears(sum, term, (mpfr_ptr)0);
}
static void lgamma1p_wide(mpfr_t r, const mpfr_t x)
{
    mpfr_add_ui(r, x, 1, MPFR_RNDN);
    mpfr_lngamma(r, r, MPFR_RNDN);
}
static void truth_lgamma1p(mpfr_t r, const mpfr_t x)
{
    wide(r, x, lgamma1p_wide);
}
static void truth_softplus(mpfr_t r, const mpfr_t x)
{
    if (mpfr_cmp_ui(x, 4000) > 0) {
        mpfr_set(r, x, MPFR_RNDN);
        return;
    }
    mpfr_exp(r, x, MPFR_RNDN);
    mpfr_log1p(r, r, MPFR_RNDN);
}
static void truth_sigmoid(mpfr_t r, const mpfr_t x)
{
    mpfr_neg(r, x, MPFR_RNDN);
    mpfr_exp(r, r, MPFR_RNDN);
    mpfr_add_ui(r, r, 1, MPFR_RNDN);
    mpfr_ui_div(r, 1, r, MPFR_RNDN);
}

#define ELEMENTARY(name, bound32, bound64, relative, low, high)                                                                    \
    {#name, nc_##name##_f32, nc_##name##_f64, truth_##name, bound32, bound64, relative, low, high},
const elementary_function elementary_functions[] = {
#include "elementary.def"
};
const size_t elementary_count = sizeof elementary_functions / sizeof elementary_functions[0];

double elementary_error(double got, const mpfr_t truth, int mantissa_bits, long least_exponent)
{
    if (mpfr_nan_p(truth)) {
        return isnan(got) ? 0.0 : HUGE_VAL;
    }
    if (isnan(got)) {
        return HUGE_VAL;
    }
    long largest = -least_exponent + 1;
    if (isinf(got) || mpfr_inf_p(truth)) { // right where the truth rounds beyond the largest finite number
        mpfr_t border;
        mpfr_init2(border, 64);
        mpfr_set_ui_2exp(border, 1, largest + 1, MPFR_RNDN);
        mpfr_t half_step;
        mpfr_init2(half_step, 64);
        mpfr_set_ui_2exp(half_step, 1, largest - mantissa_bits - 1, MPFR_RNDN);
        mpfr_sub(border, border, half_step, MPFR_RNDN);
        bool beyond = mpfr_cmpabs(truth, border) >= 0;
        mpfr_clears(border, half_step, (mpfr_ptr)0);
        return isinf(got) && beyond && (got < 0.0) == (mpfr_sgn(truth) < 0) ? 0.0 : HUGE_VAL;
    }
    if (mpfr_zero_p(truth)) {
        return got == 0.0 ? 0.0 : HUGE_VAL;
    }
    long exponent = mpfr_get_exp(truth) - 1;
    exponent = exponent < least_exponent ? least_exponent : exponent;
    mpfr_t difference;
    mpfr_init2(difference, 64);
    mpfr_sub_d(difference, truth, got, MPFR_RNDN);
    mpfr_mul_2si(difference, difference, mantissa_bits - exponent, MPFR_RNDN);
    double error = fabs(mpfr_get_d(difference, MPFR_RNDU));
    mpfr_clear(difference);
    return error;
}
