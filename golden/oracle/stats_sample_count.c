// SPDX-License-Identifier: Apache-2.0
// Replays of count draws: inversion by adding probabilities, and Hormann's transformed rejections.
#include "stats_sample.h"

// Smallest k with u <= F(k), by adding the probabilities of `datum` upward.
static golden_status inverse(int64_t *count, stats_work *w, const stats_draw *d, const stats_datum *datum, int purpose,
                             golden_error *error)
{
    mpfr_ptr u = w->at[0], unused = w->at[1], sum = w->at[2], mass = w->at[3];
    stats_datum at = *datum;
    golden_status status = GOLDEN_OK;
    stats_uniforms(u, unused, d, purpose, 0);
    mpfr_set_zero(sum, 1);
    for (at.count = 0;; ++at.count) {
        bool below = false;
        stats_log_density(mass, DECISION_BITS, &at);
        mpfr_exp(mass, mass, MPFR_RNDN);
        mpfr_add(sum, sum, mass, MPFR_RNDN);
        *count = at.count;
        if (stats_is_count(datum->family) && datum->family == STATS_BINOMIAL && at.count == at.trials) {
            return status;
        }
        status = stats_decide(&below, u, sum, 2.0, d, error);
        if (status != GOLDEN_OK || below) {
            return status;
        }
    }
}

// Hormann's transformed rejection. `datum` holds the target, `mean` its mean; peak is 0 (PTRS) or the log density at the mode
// (BTRS).
typedef struct hat {
    double a, b, shift, quick, factor;
} hat;

static golden_status reject(int64_t *count, stats_work *w, const stats_draw *d, const stats_datum *datum, hat h, const mpfr_t peak,
                            int purpose, golden_error *error)
{
    mpfr_ptr u = w->at[0], v = w->at[1], us = w->at[2], k = w->at[3], whole = w->at[4], density = w->at[5];
    stats_datum at = *datum;
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
        stats_uniforms(u, v, d, purpose, attempt);
        mpfr_sub_d(u, u, 0.5, MPFR_RNDN);
        mpfr_abs(us, u, MPFR_RNDN);
        mpfr_d_sub(us, 0.5, us, MPFR_RNDN);
        mpfr_d_div(k, 2.0 * h.a, us, MPFR_RNDN);
        mpfr_add_d(k, k, h.b, MPFR_RNDN);
        mpfr_mul(k, k, u, MPFR_RNDN);
        mpfr_add_d(k, k, h.shift, MPFR_RNDN);
        mpfr_rint(whole, k, MPFR_RNDN); // the nearest border of floor
        mpfr_sub(density, k, whole, MPFR_RNDN);
        if (!(stats_magnitude(density) > (stats_magnitude(k) + h.shift + h.b) * 0x1p-40)) {
            return stats_too_close(d, error);
        }
        mpfr_floor(k, k);
        bool is_poisson = datum->family == STATS_POISSON;
        if (mpfr_sgn(k) < 0 || (!is_poisson && mpfr_cmp_si(k, at.trials) > 0) ||
            (is_poisson && mpfr_cmp_d(us, 0.013) < 0 && mpfr_cmp(v, us) > 0)) {
            continue;
        }
        at.count = mpfr_get_sj(k, MPFR_RNDN);
        *count = at.count;
        if (mpfr_cmp_d(us, 0.07) >= 0 && mpfr_cmp_d(v, h.quick) <= 0) {
            return GOLDEN_OK;
        }
        mpfr_sqr(whole, us, MPFR_RNDN); // log(v factor / (a/us^2 + b)) <= log density - peak
        mpfr_d_div(whole, h.a, whole, MPFR_RNDN);
        mpfr_add_d(whole, whole, h.b, MPFR_RNDN);
        mpfr_div(whole, v, whole, MPFR_RNDN);
        mpfr_mul_d(whole, whole, h.factor, MPFR_RNDN);
        mpfr_log(whole, whole, MPFR_RNDN);
        stats_log_density(density, DECISION_BITS, &at);
        double size = stats_magnitude(density) + stats_magnitude(peak) + stats_magnitude(whole) + 10.0;
        mpfr_sub(density, density, peak, MPFR_RNDN);
        bool accepted = false;
        golden_status status = stats_decide(&accepted, whole, density, size * 8.0, d, error);
        if (status != GOLDEN_OK || accepted) {
            return status;
        }
    }
    return golden_fail(error, GOLDEN_REFUSED, "draw %llu rejected every attempt.", (unsigned long long)d->index);
}

static double root(double x)
{
    mpfr_t value;
    mpfr_init2(value, 53);
    mpfr_set_d(value, x, MPFR_RNDN);
    mpfr_sqrt(value, value, MPFR_RNDN);
    double result = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return result;
}

static golden_status poisson(int64_t *count, stats_work *w, const stats_draw *d, double mean, int purpose, golden_error *error)
{
    stats_datum at = {.family = STATS_POISSON, .dtype = GOLDEN_F64, .p = {mean}};
    if (mean == 0.0) {
        *count = 0;
        return GOLDEN_OK;
    }
    if (mean < 10.0) {
        return inverse(count, w, d, &at, purpose, error);
    }
    hat h = {.b = 0.931 + 2.53 * root(mean)};
    h.a = -0.059 + 0.02483 * h.b;
    h.shift = mean + 0.43;
    h.quick = 0.9277 - 3.6224 / (h.b - 2.0);
    h.factor = 1.1239 + 1.1328 / (h.b - 3.4);
    mpfr_set_zero(w->at[6], 1);
    return reject(count, w, d, &at, h, w->at[6], purpose, error);
}

// p <= 1/2 is the smaller probability.
static golden_status binomial_lower(int64_t *count, stats_work *w, const stats_draw *d, double p, int64_t trials,
                                    golden_error *error)
{
    stats_datum at = {.family = STATS_BINOMIAL, .dtype = GOLDEN_F64, .p = {p}, .trials = trials};
    double n = (double)trials, mean = n * p, deviation = root(mean * (1.0 - p));
    if (p == 0.0 || trials == 0) {
        *count = 0;
        return GOLDEN_OK;
    }
    if (mean < 10.0) {
        return inverse(count, w, d, &at, PURPOSE_MAIN, error);
    }
    hat h = {.b = 1.15 + 2.53 * deviation};
    h.a = -0.0873 + 0.0248 * h.b + 0.01 * p;
    h.shift = mean + 0.5;
    h.quick = 0.92 - 4.2 / h.b;
    h.factor = (2.83 + 5.1 / h.b) * deviation;
    at.count = (int64_t)((n + 1.0) * p);
    stats_log_density(w->at[6], DECISION_BITS, &at);
    return reject(count, w, d, &at, h, w->at[6], PURPOSE_MAIN, error);
}

// p and q as binary64 pairs are 1 and 1 - p; by logit the smaller one comes from the exponential, rounded to binary64 here: a
// difference of 2^-53 that the margins allow for.
static golden_status binomial(int64_t *count, stats_work *w, const stats_draw *d, golden_error *error)
{
    mpfr_ptr p = w->at[0], q = w->at[1];
    stats_binomial_odds(p, q, &d->datum);
    bool lower = mpfr_cmp(p, q) <= 0;
    double smaller = mpfr_get_d(lower ? p : q, MPFR_RNDN);
    golden_status status = binomial_lower(count, w, d, smaller, d->datum.trials, error);
    *count = lower ? *count : d->datum.trials - *count;
    return status;
}

static golden_status negative_binomial(int64_t *count, stats_work *w, const stats_draw *d, golden_error *error)
{
    mpfr_t rate, factor;
    double units = 0.0, mu = d->datum.p[0], phi = d->datum.p[1];
    if (mu == 0.0) {
        *count = 0;
        return GOLDEN_OK;
    }
    mpfr_inits2(DECISION_BITS, rate, factor, (mpfr_ptr)0);
    golden_status status = stats_log_gamma(rate, w, d, PURPOSE_SHAPE, phi, &units, error);
    mpfr_exp(rate, rate, MPFR_RNDN);
    mpfr_set_d(factor, mu, MPFR_RNDN);
    mpfr_div_d(factor, factor, phi, MPFR_RNDN);
    mpfr_mul(rate, rate, factor, MPFR_RNDN);
    double mean = mpfr_get_d(rate, MPFR_RNDN);
    if (status == GOLDEN_OK && mean > 10.0 - 1e-9 && mean < 10.0 + 1e-9) {
        status = stats_too_close(d, error);
    }
    status = status == GOLDEN_OK ? poisson(count, w, d, mean, PURPOSE_COUNT, error) : status;
    mpfr_clears(rate, factor, (mpfr_ptr)0);
    return status;
}

golden_status stats_draw_count(int64_t *count, const stats_draw *d, golden_error *error)
{
    stats_work w;
    golden_status status;
    stats_work_init(&w, DECISION_BITS);
    if (d->datum.family == STATS_POISSON) {
        status = poisson(count, &w, d, d->datum.p[0], PURPOSE_MAIN, error);
    } else if (d->datum.family == STATS_NEGATIVE_BINOMIAL) {
        status = negative_binomial(count, &w, d, error);
    } else {
        status = binomial(count, &w, d, error);
    }
    stats_work_clear(&w);
    return status;
}
