// SPDX-License-Identifier: Apache-2.0
// Scores (derivatives of log densities) from the textbook definitions, with digamma. Parametrisations: docs/statistics.md.
#include "stats_work.h"

// k 0: d mu = z/sigma; 1: d sigma = (z^2 - 1)/sigma, with sigma = p[scale]
static void normal_score(mpfr_t result, stats_work *w, const stats_datum *datum, bool is_log, int k)
{
    stats_standardise(w->at[0], datum, 0, is_log);
    if (k == 0) {
        mpfr_set(result, w->at[0], MPFR_RNDN);
    } else {
        mpfr_sqr(result, w->at[0], MPFR_RNDN);
        mpfr_sub_ui(result, result, 1, MPFR_RNDN);
    }
    mpfr_div_d(result, result, datum->p[1], MPFR_RNDN);
}

static void student_score(mpfr_t result, stats_work *w, const stats_datum *datum, int k)
{
    mpfr_ptr nu = w->at[0], z = w->at[1], square = w->at[2], sum = w->at[3], term = w->at[4];
    mpfr_set_d(nu, datum->p[0], MPFR_RNDN);
    stats_standardise(z, datum, 1, false);
    mpfr_sqr(square, z, MPFR_RNDN);
    mpfr_add(sum, nu, square, MPFR_RNDN);
    if (k == 1) { // (nu + 1) z / ((nu + z^2) sigma)
        mpfr_add_ui(result, nu, 1, MPFR_RNDN);
        mpfr_mul(result, result, z, MPFR_RNDN);
    } else if (k == 2) { // nu (z^2 - 1) / ((nu + z^2) sigma)
        mpfr_sub_ui(result, square, 1, MPFR_RNDN);
        mpfr_mul(result, result, nu, MPFR_RNDN);
    }
    if (k > 0) {
        mpfr_div(result, result, sum, MPFR_RNDN);
        mpfr_div_d(result, result, datum->p[2], MPFR_RNDN);
        return;
    }
    // (psi((nu + 1)/2) - psi(nu/2) - 1/nu - log1p(z^2/nu) + (nu + 1) z^2/(nu (nu + z^2)))/2
    mpfr_add_ui(term, nu, 1, MPFR_RNDN);
    mpfr_div_2ui(term, term, 1, MPFR_RNDN);
    mpfr_digamma(result, term, MPFR_RNDN);
    mpfr_div_2ui(term, nu, 1, MPFR_RNDN);
    mpfr_digamma(term, term, MPFR_RNDN);
    mpfr_sub(result, result, term, MPFR_RNDN);
    mpfr_ui_div(term, 1, nu, MPFR_RNDN);
    mpfr_sub(result, result, term, MPFR_RNDN);
    mpfr_div(term, square, nu, MPFR_RNDN);
    mpfr_log1p(term, term, MPFR_RNDN);
    mpfr_sub(result, result, term, MPFR_RNDN);
    mpfr_add_ui(term, nu, 1, MPFR_RNDN);
    mpfr_mul(term, term, square, MPFR_RNDN);
    mpfr_div(term, term, nu, MPFR_RNDN);
    mpfr_div(term, term, sum, MPFR_RNDN);
    mpfr_add(result, result, term, MPFR_RNDN);
    mpfr_div_2ui(result, result, 1, MPFR_RNDN);
}

// k 0: d a = log b + log y - psi(a); 1: d b = a/b - y; -1: d y = (a - 1)/y - b
static void gamma_score(mpfr_t result, stats_work *w, const stats_datum *datum, int k)
{
    mpfr_ptr a = w->at[0], b = w->at[1], y = w->at[2], term = w->at[3];
    mpfr_set_d(a, datum->p[0], MPFR_RNDN);
    mpfr_set_d(b, datum->p[1], MPFR_RNDN);
    mpfr_set_d(y, datum->y, MPFR_RNDN);
    if (k == 0) {
        mpfr_log(result, b, MPFR_RNDN);
        mpfr_log(term, y, MPFR_RNDN);
        mpfr_add(result, result, term, MPFR_RNDN);
        mpfr_digamma(term, a, MPFR_RNDN);
        mpfr_sub(result, result, term, MPFR_RNDN);
    } else if (k == 1) {
        mpfr_div(result, a, b, MPFR_RNDN);
        mpfr_sub(result, result, y, MPFR_RNDN);
    } else {
        mpfr_sub_ui(result, a, 1, MPFR_RNDN);
        mpfr_div(result, result, y, MPFR_RNDN);
        mpfr_sub(result, result, b, MPFR_RNDN);
    }
}

static void negative_binomial_score(mpfr_t result, stats_work *w, const stats_datum *datum, int k)
{
    mpfr_ptr y = w->at[0], mu = w->at[1], phi = w->at[2], sum = w->at[3], term = w->at[4];
    mpfr_set_sj(y, datum->count, MPFR_RNDN);
    mpfr_set_d(mu, datum->p[0], MPFR_RNDN);
    mpfr_set_d(phi, datum->p[1], MPFR_RNDN);
    mpfr_add(sum, mu, phi, MPFR_RNDN);
    if (k == 0) { // y/mu - (y + phi)/(mu + phi)
        mpfr_div(result, y, mu, MPFR_RNDN);
        mpfr_add(term, y, phi, MPFR_RNDN);
        mpfr_div(term, term, sum, MPFR_RNDN);
        mpfr_sub(result, result, term, MPFR_RNDN);
        return;
    }
    // psi(y + phi) - psi(phi) + log(phi/(mu + phi)) + 1 - (y + phi)/(mu + phi)
    mpfr_add(term, y, phi, MPFR_RNDN);
    mpfr_digamma(result, term, MPFR_RNDN);
    mpfr_div(term, term, sum, MPFR_RNDN);
    mpfr_sub(result, result, term, MPFR_RNDN);
    mpfr_digamma(term, phi, MPFR_RNDN);
    mpfr_sub(result, result, term, MPFR_RNDN);
    mpfr_div(term, phi, sum, MPFR_RNDN);
    mpfr_log(term, term, MPFR_RNDN);
    mpfr_add(result, result, term, MPFR_RNDN);
    mpfr_add_ui(result, result, 1, MPFR_RNDN);
}

// d p = y/p - (n - y)/q; d logit = y - n p
static void binomial_score(mpfr_t result, stats_work *w, const stats_datum *datum)
{
    mpfr_ptr y = w->at[0], n = w->at[1], p = w->at[2], q = w->at[3], term = w->at[4];
    mpfr_set_sj(y, datum->count, MPFR_RNDN);
    mpfr_set_sj(n, datum->trials, MPFR_RNDN);
    stats_binomial_odds(p, q, datum);
    if (datum->family == STATS_BINOMIAL_LOGIT) {
        mpfr_mul(term, n, p, MPFR_RNDN);
        mpfr_sub(result, y, term, MPFR_RNDN);
        return;
    }
    mpfr_set_zero(result, 1);
    if (!mpfr_zero_p(y)) {
        mpfr_div(result, y, p, MPFR_RNDN);
    }
    mpfr_sub(term, n, y, MPFR_RNDN);
    if (!mpfr_zero_p(term)) {
        mpfr_div(term, term, q, MPFR_RNDN);
        mpfr_sub(result, result, term, MPFR_RNDN);
    }
}

// k -1: d x = (a - 1)/x - (b - 1)/(1 - x); 0: d a = log x - psi(a) + psi(a + b); 1: d b likewise at 1 - x
static void beta_score(mpfr_t result, stats_work *w, const stats_datum *datum, int k)
{
    mpfr_ptr a = w->at[0], b = w->at[1], x = w->at[2], y = w->at[3], term = w->at[4];
    mpfr_set_d(a, datum->p[0], MPFR_RNDN);
    mpfr_set_d(b, datum->p[1], MPFR_RNDN);
    mpfr_set_d(x, datum->y, MPFR_RNDN);
    mpfr_ui_sub(y, 1, x, MPFR_RNDN);
    if (k < 0) {
        mpfr_sub_ui(result, a, 1, MPFR_RNDN);
        mpfr_div(result, result, x, MPFR_RNDN);
        mpfr_sub_ui(term, b, 1, MPFR_RNDN);
        mpfr_div(term, term, y, MPFR_RNDN);
        mpfr_sub(result, result, term, MPFR_RNDN);
        return;
    }
    mpfr_add(term, a, b, MPFR_RNDN);
    mpfr_digamma(result, term, MPFR_RNDN);
    mpfr_digamma(term, k == 0 ? a : b, MPFR_RNDN);
    mpfr_sub(result, result, term, MPFR_RNDN);
    mpfr_log(term, k == 0 ? x : y, MPFR_RNDN);
    mpfr_add(result, result, term, MPFR_RNDN);
}

// 0 at the mode is +0.
static void negate(mpfr_t result)
{
    mpfr_neg(result, result, MPFR_RNDN);
    if (mpfr_zero_p(result)) {
        mpfr_set_zero(result, 1);
    }
}

// Priors of the normal kind: d x = -d mu, for the log-normal -(1 + d mu)/x.
static void prior_value_score(mpfr_t result, stats_work *w, const stats_datum *datum)
{
    normal_score(result, w, datum, datum->family == STATS_PRIOR_LOGNORMAL, 0);
    negate(result);
    if (datum->family == STATS_PRIOR_LOGNORMAL) {
        mpfr_sub_ui(result, result, 1, MPFR_RNDN);
        mpfr_div_d(result, result, datum->y, MPFR_RNDN);
    }
}

static void prior_score(mpfr_t result, stats_work *w, const stats_datum *datum, int k)
{
    stats_datum half = *datum;
    half.p[0] = 0.0;
    half.p[1] = datum->p[0];
    switch (datum->family) {
    case STATS_PRIOR_HALF_NORMAL:
        normal_score(result, w, &half, false, k);
        if (k == 0) {
            negate(result);
        }
        break;
    case STATS_PRIOR_GAMMA:
        gamma_score(result, w, datum, k - 1);
        break;
    case STATS_PRIOR_BETA:
        beta_score(result, w, datum, k - 1);
        break;
    default:
        if (k == 0) {
            prior_value_score(result, w, datum);
        } else {
            normal_score(result, w, datum, datum->family == STATS_PRIOR_LOGNORMAL, k - 1);
        }
        break;
    }
}

void stats_score(mpfr_t result, mpfr_prec_t precision, const stats_datum *datum, int parameter)
{
    stats_work w;
    stats_work_init(&w, precision);
    switch (datum->family) {
    case STATS_NORMAL:
    case STATS_LOGNORMAL:
        normal_score(result, &w, datum, datum->family == STATS_LOGNORMAL, parameter);
        break;
    case STATS_STUDENT:
        student_score(result, &w, datum, parameter);
        break;
    case STATS_GAMMA:
        gamma_score(result, &w, datum, parameter);
        break;
    case STATS_POISSON: // y/lambda - 1
        mpfr_set_sj(w.at[0], datum->count, MPFR_RNDN);
        mpfr_div_d(result, w.at[0], datum->p[0], MPFR_RNDN);
        mpfr_sub_ui(result, result, 1, MPFR_RNDN);
        break;
    case STATS_NEGATIVE_BINOMIAL:
        negative_binomial_score(result, &w, datum, parameter);
        break;
    case STATS_BINOMIAL:
    case STATS_BINOMIAL_LOGIT:
        binomial_score(result, &w, datum);
        break;
    default:
        prior_score(result, &w, datum, parameter);
        break;
    }
    stats_work_clear(&w);
}
