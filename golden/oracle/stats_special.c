// SPDX-License-Identifier: Apache-2.0
// Incomplete gamma and beta functions. Abramowitz & Stegun 6.5.29, 6.5.31, 26.5.8; continued fractions by Lentz's recurrences.
#include "stats.h"

enum { STATS_TERMS = 4000000 };

static golden_status did_not_converge(golden_error *error)
{
    return golden_fail(error, GOLDEN_REFUSED, "an expansion of %d terms did not converge: choose other inputs.", STATS_TERMS);
}

// log of x^a e^-x / Gamma(a + 1)
static void gamma_prefix(mpfr_t result, const mpfr_t a, const mpfr_t x)
{
    mpfr_t term;
    mpfr_init2(term, mpfr_get_prec(result));
    mpfr_add_ui(term, a, 1, MPFR_RNDN);
    mpfr_lngamma(term, term, MPFR_RNDN);
    mpfr_log(result, x, MPFR_RNDN);
    mpfr_mul(result, result, a, MPFR_RNDN);
    mpfr_sub(result, result, x, MPFR_RNDN);
    mpfr_sub(result, result, term, MPFR_RNDN);
    mpfr_clear(term);
}

// P = prefix sum x^n / ((a + 1) ... (a + n))
static golden_status gamma_series(mpfr_t result, const mpfr_t a, const mpfr_t x, golden_error *error)
{
    mpfr_prec_t precision = mpfr_get_prec(result);
    mpfr_t term, sum, shape;
    mpfr_inits2(precision, term, sum, shape, (mpfr_ptr)0);
    mpfr_set_ui(term, 1, MPFR_RNDN);
    mpfr_set_ui(sum, 1, MPFR_RNDN);
    int n = 1;
    for (; n < STATS_TERMS && mpfr_get_exp(term) > mpfr_get_exp(sum) - precision - 8; ++n) {
        mpfr_add_ui(shape, a, (unsigned long)n, MPFR_RNDN);
        mpfr_mul(term, term, x, MPFR_RNDN);
        mpfr_div(term, term, shape, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    gamma_prefix(result, a, x);
    mpfr_exp(result, result, MPFR_RNDN);
    mpfr_mul(result, result, sum, MPFR_RNDN);
    mpfr_clears(term, sum, shape, (mpfr_ptr)0);
    return n < STATS_TERMS ? GOLDEN_OK : did_not_converge(error);
}

// One step of Lentz's method for b0 + a1/(b1 + a2/(b2 + ...)); true when the factor is 1 to the precision.
typedef struct lentz {
    mpfr_t value, c, d, factor;
} lentz;

static void lentz_begin(lentz *state, mpfr_prec_t precision, const mpfr_t b0)
{
    mpfr_inits2(precision, state->value, state->c, state->d, state->factor, (mpfr_ptr)0);
    mpfr_set(state->value, b0, MPFR_RNDN);
    mpfr_set(state->c, b0, MPFR_RNDN);
    mpfr_set_zero(state->d, 1);
}

static bool lentz_step(lentz *state, const mpfr_t a, const mpfr_t b)
{
    mpfr_fma(state->d, a, state->d, b, MPFR_RNDN);
    mpfr_ui_div(state->d, 1, state->d, MPFR_RNDN);
    mpfr_div(state->c, a, state->c, MPFR_RNDN);
    mpfr_add(state->c, state->c, b, MPFR_RNDN);
    mpfr_mul(state->factor, state->c, state->d, MPFR_RNDN);
    mpfr_mul(state->value, state->value, state->factor, MPFR_RNDN);
    mpfr_sub_ui(state->factor, state->factor, 1, MPFR_RNDN);
    return mpfr_zero_p(state->factor) || mpfr_get_exp(state->factor) < -mpfr_get_prec(state->value) + 4;
}

static void lentz_end(lentz *state)
{
    mpfr_clears(state->value, state->c, state->d, state->factor, (mpfr_ptr)0);
}

// Q = a prefix / (x + 1 - a - 1 (1 - a)/(x + 3 - a - 2 (2 - a)/(x + 5 - a - ...)))
static golden_status gamma_fraction(mpfr_t result, const mpfr_t a, const mpfr_t x, golden_error *error)
{
    mpfr_prec_t precision = mpfr_get_prec(result);
    mpfr_t numerator, denominator;
    lentz state;
    mpfr_inits2(precision, numerator, denominator, (mpfr_ptr)0);
    mpfr_sub(denominator, x, a, MPFR_RNDN);
    mpfr_add_ui(denominator, denominator, 1, MPFR_RNDN);
    lentz_begin(&state, precision, denominator);
    int n = 1;
    for (bool done = false; n < STATS_TERMS && !done; ++n) {
        mpfr_sub_si(numerator, a, n, MPFR_RNDN);
        mpfr_mul_si(numerator, numerator, n, MPFR_RNDN);
        mpfr_add_ui(denominator, denominator, 2, MPFR_RNDN);
        done = mpfr_zero_p(numerator) || lentz_step(&state, numerator, denominator); // the fraction of a whole number ends
    }
    gamma_prefix(result, a, x);
    mpfr_exp(result, result, MPFR_RNDN);
    mpfr_mul(result, result, a, MPFR_RNDN);
    mpfr_div(result, result, state.value, MPFR_RNDN);
    lentz_end(&state);
    mpfr_clears(numerator, denominator, (mpfr_ptr)0);
    return n < STATS_TERMS ? GOLDEN_OK : did_not_converge(error);
}

golden_status stats_gamma_tails(mpfr_t lower, mpfr_t upper, const mpfr_t a, const mpfr_t x, golden_error *error)
{
    mpfr_t border;
    mpfr_init2(border, mpfr_get_prec(a));
    mpfr_add_ui(border, a, 1, MPFR_RNDN);
    bool below = mpfr_less_p(x, border);
    golden_status status = below ? gamma_series(lower, a, x, error) : gamma_fraction(upper, a, x, error);
    mpfr_ui_sub(below ? upper : lower, 1, below ? lower : upper, MPFR_RNDN);
    mpfr_clear(border);
    return status;
}

// log of x^a y^b / B(a, b)
static void beta_prefix(mpfr_t result, const mpfr_t a, const mpfr_t b, const mpfr_t x, const mpfr_t y)
{
    mpfr_t term;
    mpfr_init2(term, mpfr_get_prec(result));
    mpfr_add(term, a, b, MPFR_RNDN);
    mpfr_lngamma(result, term, MPFR_RNDN);
    mpfr_lngamma(term, a, MPFR_RNDN);
    mpfr_sub(result, result, term, MPFR_RNDN);
    mpfr_lngamma(term, b, MPFR_RNDN);
    mpfr_sub(result, result, term, MPFR_RNDN);
    mpfr_log(term, x, MPFR_RNDN);
    mpfr_mul(term, term, a, MPFR_RNDN);
    mpfr_add(result, result, term, MPFR_RNDN);
    mpfr_log(term, y, MPFR_RNDN);
    mpfr_mul(term, term, b, MPFR_RNDN);
    mpfr_add(result, result, term, MPFR_RNDN);
    mpfr_clear(term);
}

// Coefficient m >= 1 of the fraction for I_x(a, b): d_2k = k (b - k) x / ((a + 2k - 1)(a + 2k)),
// d_2k+1 = -(a + k)(a + b + k) x / ((a + 2k)(a + 2k + 1))
static void beta_coefficient(mpfr_t d, int m, const mpfr_t a, const mpfr_t b, const mpfr_t x, mpfr_t work)
{
    int k = m / 2;
    if (m % 2 == 0) {
        mpfr_sub_si(d, b, k, MPFR_RNDN);
        mpfr_mul_si(d, d, k, MPFR_RNDN);
    } else {
        mpfr_add_si(d, a, k, MPFR_RNDN);
        mpfr_add(work, d, b, MPFR_RNDN);
        mpfr_mul(d, d, work, MPFR_RNDN);
        mpfr_neg(d, d, MPFR_RNDN);
    }
    mpfr_mul(d, d, x, MPFR_RNDN);
    mpfr_add_si(work, a, m - 1, MPFR_RNDN);
    mpfr_div(d, d, work, MPFR_RNDN);
    mpfr_add_ui(work, work, 1, MPFR_RNDN);
    mpfr_div(d, d, work, MPFR_RNDN);
}

// I_x(a, b) = prefix / (a (1 + d1/(1 + d2/(1 + ...)))), for x < (a + 1)/(a + b + 2)
static golden_status beta_fraction(mpfr_t result, const mpfr_t a, const mpfr_t b, const mpfr_t x, const mpfr_t y,
                                   golden_error *error)
{
    mpfr_prec_t precision = mpfr_get_prec(result);
    mpfr_t coefficient, one, work;
    lentz state;
    mpfr_inits2(precision, coefficient, one, work, (mpfr_ptr)0);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    lentz_begin(&state, precision, one);
    int m = 1;
    for (bool done = false; m < STATS_TERMS && !done; ++m) {
        beta_coefficient(coefficient, m, a, b, x, work);
        done = mpfr_zero_p(coefficient) || lentz_step(&state, coefficient, one);
    }
    beta_prefix(result, a, b, x, y);
    mpfr_exp(result, result, MPFR_RNDN);
    mpfr_div(result, result, a, MPFR_RNDN);
    mpfr_div(result, result, state.value, MPFR_RNDN);
    lentz_end(&state);
    mpfr_clears(coefficient, one, work, (mpfr_ptr)0);
    return m < STATS_TERMS ? GOLDEN_OK : did_not_converge(error);
}

golden_status stats_beta_tails(mpfr_t lower, mpfr_t upper, const mpfr_t a, const mpfr_t b, const mpfr_t x, const mpfr_t y,
                               golden_error *error)
{
    mpfr_t left, right; // x (a + b + 2) against a + 1
    mpfr_inits2(mpfr_get_prec(lower), left, right, (mpfr_ptr)0);
    mpfr_add(left, a, b, MPFR_RNDN);
    mpfr_add_ui(left, left, 2, MPFR_RNDN);
    mpfr_mul(left, left, x, MPFR_RNDN);
    mpfr_add_ui(right, a, 1, MPFR_RNDN);
    bool below = mpfr_less_p(left, right);
    golden_status status = below ? beta_fraction(lower, a, b, x, y, error) : beta_fraction(upper, b, a, y, x, error);
    mpfr_ui_sub(below ? upper : lower, 1, below ? lower : upper, MPFR_RNDN);
    mpfr_clears(left, right, (mpfr_ptr)0);
    return status;
}
