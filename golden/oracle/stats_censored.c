// SPDX-License-Identifier: Apache-2.0
// Censored terms: log F(c), log S(c) or log(F(upper) - F(lower)), and their derivatives from the identities
//   normal            dF/dmu = -phi(z)/sigma, dF/dsigma = -z phi(z)/sigma; Student-t the same with its density
//   gamma             dF/db = (c/b) f(c)
//   Poisson           dF/dlambda = -pmf(k)
//   negative binomial dF/dmu = -(phi + k)/(phi + mu) pmf(k)
//   binomial          dF/dp = -(n - k)/q pmf(k), dF/dlogit = p q dF/dp
// All are evaluated as they stand; what cancels is settled by precision.
#include "stats_work.h"

#include <math.h>

// F and S at a bound, and dF in the parameter asked for.
typedef struct bound {
    mpfr_t lower, upper, slope;
} bound;

static void bound_init(bound *at, mpfr_prec_t precision)
{
    mpfr_inits2(precision, at->lower, at->upper, at->slope, (mpfr_ptr)0);
}
static void bound_clear(bound *at)
{
    mpfr_clears(at->lower, at->upper, at->slope, (mpfr_ptr)0);
}
// The end of the support: F = 0 or F = 1, and no slope.
static void bound_certain(bound *at, bool below)
{
    mpfr_set_ui(at->lower, below ? 0 : 1, MPFR_RNDN);
    mpfr_set_ui(at->upper, below ? 1 : 0, MPFR_RNDN);
    mpfr_set_zero(at->slope, 1);
}

// slope = factor exp(log density of the datum), times -z for a scale parameter
static void slope_from_density(bound *at, const stats_datum *datum, const mpfr_t factor)
{
    mpfr_t density;
    mpfr_init2(density, mpfr_get_prec(at->slope));
    stats_log_density(density, mpfr_get_prec(at->slope), datum);
    mpfr_exp(density, density, MPFR_RNDN);
    mpfr_mul(at->slope, density, factor, MPFR_RNDN);
    mpfr_clear(density);
}

// Normal and log-normal. dF/dmu = -f_z/sigma; the density of a log-normal datum has the factor 1/(y sigma).
static golden_status normal_bound(bound *at, stats_work *w, const stats_datum *datum)
{
    bool is_log = datum->family == STATS_LOGNORMAL;
    mpfr_ptr z = w->at[0], term = w->at[1];
    if ((is_log && !(datum->y > 0.0)) || datum->y == -1.0 / 0.0 || datum->y == 1.0 / 0.0) {
        bound_certain(at, !(datum->y > 0.0));
        return GOLDEN_OK;
    }
    stats_standardise(z, datum, 0, is_log);
    mpfr_set_ui(term, 2, MPFR_RNDN);
    mpfr_sqrt(term, term, MPFR_RNDN);
    mpfr_div(term, z, term, MPFR_RNDN);
    mpfr_erfc(at->upper, term, MPFR_RNDN);
    mpfr_div_2ui(at->upper, at->upper, 1, MPFR_RNDN);
    mpfr_neg(term, term, MPFR_RNDN);
    mpfr_erfc(at->lower, term, MPFR_RNDN);
    mpfr_div_2ui(at->lower, at->lower, 1, MPFR_RNDN);
    mpfr_sqr(term, z, MPFR_RNDN); // -e^(-z^2/2)/sqrt(2 pi)/sigma
    mpfr_div_si(term, term, -2, MPFR_RNDN);
    mpfr_exp(at->slope, term, MPFR_RNDN);
    mpfr_const_pi(term, MPFR_RNDN);
    mpfr_mul_2ui(term, term, 1, MPFR_RNDN);
    mpfr_rec_sqrt(term, term, MPFR_RNDN);
    mpfr_mul(at->slope, at->slope, term, MPFR_RNDN);
    mpfr_div_d(at->slope, at->slope, -datum->p[1], MPFR_RNDN);
    if (datum->output == 2) {
        mpfr_mul(at->slope, at->slope, z, MPFR_RNDN);
    }
    return GOLDEN_OK;
}

static golden_status student_bound(bound *at, stats_work *w, const stats_datum *datum, golden_error *error)
{
    mpfr_ptr nu = w->at[0], z = w->at[1], x = w->at[2], y = w->at[3], half = w->at[4];
    if (datum->y == -1.0 / 0.0 || datum->y == 1.0 / 0.0) {
        bound_certain(at, datum->y < 0.0);
        return GOLDEN_OK;
    }
    mpfr_set_d(nu, datum->p[0], MPFR_RNDN);
    stats_standardise(z, datum, 1, false);
    mpfr_sqr(y, z, MPFR_RNDN);
    mpfr_add(x, y, nu, MPFR_RNDN);
    mpfr_div(y, y, x, MPFR_RNDN);
    mpfr_div(x, nu, x, MPFR_RNDN);
    golden_status status = GOLDEN_OK;
    if (mpfr_zero_p(z)) {
        mpfr_set_d(at->lower, 0.5, MPFR_RNDN);
        mpfr_set_d(at->upper, 0.5, MPFR_RNDN);
    } else { // beyond |z|: I_x(nu/2, 1/2)/2
        mpfr_div_2ui(nu, nu, 1, MPFR_RNDN);
        mpfr_set_d(half, 0.5, MPFR_RNDN);
        status = stats_beta_tails(at->upper, at->lower, nu, half, x, y, error);
        mpfr_div_2ui(at->upper, at->upper, 1, MPFR_RNDN);
        mpfr_ui_sub(at->lower, 1, at->upper, MPFR_RNDN);
        if (mpfr_sgn(z) < 0) {
            mpfr_swap(at->lower, at->upper);
        }
    }
    mpfr_set_si(half, -1, MPFR_RNDN); // the density of y holds the 1/sigma
    if (datum->output == 3) {
        mpfr_neg(half, z, MPFR_RNDN);
    }
    slope_from_density(at, datum, half);
    return status;
}

static golden_status gamma_bound(bound *at, stats_work *w, const stats_datum *datum, golden_error *error)
{
    mpfr_ptr a = w->at[0], x = w->at[1];
    if (!(datum->y > 0.0) || datum->y == 1.0 / 0.0) {
        bound_certain(at, !(datum->y > 0.0));
        return GOLDEN_OK;
    }
    mpfr_set_d(a, datum->p[0], MPFR_RNDN);
    mpfr_set_d(x, datum->y, MPFR_RNDN);
    mpfr_mul_d(x, x, datum->p[1], MPFR_RNDN);
    golden_status status = GOLDEN_OK;
    if (stats_shapes_are_large(datum)) {
        stats_large_tails(at->upper, at->lower, datum);
    } else {
        status = stats_gamma_tails(at->lower, at->upper, a, x, error);
    }
    mpfr_set_d(a, datum->y, MPFR_RNDN);
    mpfr_div_d(a, a, datum->p[1], MPFR_RNDN);
    slope_from_density(at, datum, a);
    return status;
}

static golden_status poisson_bound(bound *at, stats_work *w, const stats_datum *datum, golden_error *error)
{
    mpfr_ptr next = w->at[0], rate = w->at[1];
    if (datum->count < 0) {
        bound_certain(at, true);
        return GOLDEN_OK;
    }
    mpfr_set_sj(next, datum->count, MPFR_RNDN);
    mpfr_add_ui(next, next, 1, MPFR_RNDN);
    mpfr_set_d(rate, datum->p[0], MPFR_RNDN);
    golden_status status = GOLDEN_OK;
    if (stats_shapes_are_large(datum)) {
        stats_large_tails(at->lower, at->upper, datum);
    } else {
        status = stats_gamma_tails(at->upper, at->lower, next, rate, error);
    }
    mpfr_set_si(rate, -1, MPFR_RNDN);
    slope_from_density(at, datum, rate);
    return status;
}

static golden_status negative_binomial_bound(bound *at, stats_work *w, const stats_datum *datum, golden_error *error)
{
    mpfr_ptr phi = w->at[0], next = w->at[1], x = w->at[2], y = w->at[3], sum = w->at[4];
    if (datum->count < 0) {
        bound_certain(at, true);
        return GOLDEN_OK;
    }
    mpfr_set_d(phi, datum->p[1], MPFR_RNDN);
    mpfr_add_d(sum, phi, datum->p[0], MPFR_RNDN);
    mpfr_div(x, phi, sum, MPFR_RNDN);
    mpfr_set_d(y, datum->p[0], MPFR_RNDN);
    mpfr_div(y, y, sum, MPFR_RNDN);
    mpfr_set_sj(next, datum->count, MPFR_RNDN);
    mpfr_add_ui(next, next, 1, MPFR_RNDN);
    golden_status status = GOLDEN_OK;
    if (stats_shapes_are_large(datum)) {
        stats_large_tails(at->lower, at->upper, datum);
    } else {
        status = stats_beta_tails(at->lower, at->upper, phi, next, x, y, error);
    }
    mpfr_sub_ui(next, next, 1, MPFR_RNDN);
    mpfr_add(next, next, phi, MPFR_RNDN);
    mpfr_div(next, next, sum, MPFR_RNDN);
    mpfr_neg(next, next, MPFR_RNDN);
    slope_from_density(at, datum, next);
    return status;
}

static golden_status binomial_bound(bound *at, stats_work *w, const stats_datum *datum, golden_error *error)
{
    mpfr_ptr rest = w->at[0], next = w->at[1], p = w->at[2], q = w->at[3];
    if (datum->count < 0 || datum->count >= datum->trials) {
        bound_certain(at, datum->count < 0);
        return GOLDEN_OK;
    }
    stats_binomial_odds(p, q, datum);
    mpfr_set_sj(rest, datum->trials - datum->count, MPFR_RNDN);
    mpfr_set_sj(next, datum->count, MPFR_RNDN);
    mpfr_add_ui(next, next, 1, MPFR_RNDN);
    golden_status status = GOLDEN_OK;
    if (stats_shapes_are_large(datum)) {
        stats_large_tails(at->lower, at->upper, datum);
    } else {
        status = stats_beta_tails(at->lower, at->upper, rest, next, q, p, error);
    }
    if (datum->family == STATS_BINOMIAL) {
        mpfr_div(rest, rest, q, MPFR_RNDN);
    } else {
        mpfr_mul(rest, rest, p, MPFR_RNDN);
    }
    mpfr_neg(rest, rest, MPFR_RNDN);
    slope_from_density(at, datum, rest);
    return status;
}

static golden_status bound_at(bound *at, const stats_datum *datum, golden_error *error)
{
    stats_work w;
    golden_status status = GOLDEN_OK;
    stats_work_init(&w, mpfr_get_prec(at->lower));
    switch (datum->family) {
    case STATS_NORMAL:
    case STATS_LOGNORMAL:
        status = normal_bound(at, &w, datum);
        break;
    case STATS_STUDENT:
        status = student_bound(at, &w, datum, error);
        break;
    case STATS_GAMMA:
        status = gamma_bound(at, &w, datum, error);
        break;
    case STATS_POISSON:
        status = poisson_bound(at, &w, datum, error);
        break;
    case STATS_NEGATIVE_BINOMIAL:
        status = negative_binomial_bound(at, &w, datum, error);
        break;
    default:
        status = binomial_bound(at, &w, datum, error);
        break;
    }
    stats_work_clear(&w);
    return status;
}

// Into the low bound: F(upper) - F(lower) from whichever tails are smaller, so that little precision is lost, what lies outside,
// and the difference of slopes.
static void interval_probability(bound *low, const bound *high)
{
    mpfr_t outside;
    mpfr_init2(outside, mpfr_get_prec(low->lower));
    mpfr_add(outside, low->lower, high->upper, MPFR_RNDN);
    if (mpfr_cmp_d(low->upper, 0.5) < 0) {
        mpfr_sub(low->lower, low->upper, high->upper, MPFR_RNDN);
    } else {
        mpfr_sub(low->lower, high->lower, low->lower, MPFR_RNDN);
    }
    mpfr_swap(low->upper, outside);
    mpfr_sub(low->slope, high->slope, low->slope, MPFR_RNDN);
    mpfr_clear(outside);
}

// Bits that 1 and a tail, or two bounds, may have in common: the whole exponent range of binary64 and its digits.
enum { COMMON_BITS = 2200 };

// What the logarithm of a density of large counts loses where lgammas cancel: 2^63 log 2^63 beside 1.
enum { COUNT_BITS = 72 };

// Where a number lies hundreds of binades from 1, nu + 1 is nu and y + phi is phi at every precision below that: what cancels then
// comes out alike at two of them, and wrong.
static mpfr_prec_t span_bits(const stats_datum *datum)
{
    int binades = 0, exponent;
    const double numbers[] = {datum->y, datum->upper, datum->p[0], datum->p[1], datum->p[2]};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        double x = numbers[i] < 0.0 ? -numbers[i] : numbers[i];
        if (x > 0x1p64 || (x > 0.0 && x < 0x1p-64)) {
            (void)frexp(x, &exponent);
            exponent = exponent < 0 ? -exponent : exponent;
            binades = exponent > binades ? exponent : binades;
        }
    }
    if (stats_shapes_are_large(datum)) {
        return COUNT_BITS + 2 * binades;
    }
    return binades > 0 ? COMMON_BITS : datum->count >= (1 << 16) || datum->p[0] >= 0x1p16 ? COUNT_BITS : 0;
}

golden_status stats_formula(mpfr_t result, mpfr_prec_t precision, const void *context, golden_error *error)
{
    const stats_datum *datum = context;
    precision += span_bits(datum);
    if (datum->censoring == STATS_OBSERVED) {
        if (datum->output == 0) {
            stats_log_density(result, precision, datum);
        } else {
            stats_score(result, precision, datum, datum->output - 1);
        }
        return GOLDEN_OK;
    }
    bound low, high;
    mpfr_clear_underflow();
    bound_init(&low, precision);
    bound_init(&high, precision);
    golden_status status = bound_at(&low, datum, error);
    if (datum->censoring == STATS_INTERVAL) {
        stats_datum end = *datum;
        end.y = datum->upper;
        end.count = datum->upper_count;
        status = status == GOLDEN_OK ? bound_at(&high, &end, error) : status;
        interval_probability(&low, &high);
    } else if (datum->censoring == STATS_RIGHT) {
        mpfr_swap(low.lower, low.upper);
        mpfr_neg(low.slope, low.slope, MPFR_RNDN);
    }
    bool lost = mpfr_zero_p(low.lower) || (datum->output > 0 && mpfr_zero_p(low.slope));
    if (status == GOLDEN_OK && lost && stats_is_count(datum->family) && mpfr_underflow_p()) {
        status = golden_fail(error, GOLDEN_REFUSED, "a probability is less than MPFR's least number: choose other inputs.");
    }
    if (status == GOLDEN_OK && mpfr_zero_p(low.lower) && precision < 2 * COMMON_BITS) { // certain, or all digits cancelled
        bound_clear(&low);
        bound_clear(&high);
        return stats_formula(result, precision + COMMON_BITS, context, error);
    }
    if (datum->output == 0) { // 1 - tiny: log1p of what is left out keeps what log loses
        if (mpfr_cmp_d(low.lower, 0.5) > 0) {
            mpfr_neg(low.upper, low.upper, MPFR_RNDN);
            mpfr_log1p(result, low.upper, MPFR_RNDN);
        } else {
            mpfr_log(result, low.lower, MPFR_RNDN);
        }
    } else {
        mpfr_div(result, low.slope, low.lower, MPFR_RNDN);
    }
    bound_clear(&low);
    bound_clear(&high);
    return status;
}
