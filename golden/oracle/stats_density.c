// SPDX-License-Identifier: Apache-2.0
// Log densities and scores from the textbook definitions, with lgamma and digamma; oracle_settle raises the precision until what
// cancels no longer matters. Parametrisations: docs/statistics.md.
#include "stats_work.h"

// result = log(2 pi)/2
static void half_log_2pi(mpfr_t result)
{
    mpfr_const_pi(result, MPFR_RNDN);
    mpfr_mul_2ui(result, result, 1, MPFR_RNDN);
    mpfr_log(result, result, MPFR_RNDN);
    mpfr_div_2ui(result, result, 1, MPFR_RNDN);
}

// result += k lgamma(x + shift)
static void add_lgamma(mpfr_t result, const mpfr_t x, long shift, int k, mpfr_t scratch)
{
    mpfr_add_si(scratch, x, shift, MPFR_RNDN);
    mpfr_lngamma(scratch, scratch, MPFR_RNDN);
    if (k > 0) {
        mpfr_add(result, result, scratch, MPFR_RNDN);
    } else {
        mpfr_sub(result, result, scratch, MPFR_RNDN);
    }
}

// result = y log x, 0 for y = 0
static void y_log_x(mpfr_t result, const mpfr_t y, const mpfr_t x)
{
    if (mpfr_zero_p(y)) {
        mpfr_set_zero(result, 1);
        return;
    }
    mpfr_log(result, x, MPFR_RNDN);
    mpfr_mul(result, result, y, MPFR_RNDN);
}

static void normal_density(mpfr_t result, stats_work *w, const stats_datum *datum, bool is_log)
{
    stats_standardise(w->at[0], datum, 0, is_log);
    mpfr_sqr(result, w->at[0], MPFR_RNDN);
    mpfr_div_si(result, result, -2, MPFR_RNDN);
    half_log_2pi(w->at[1]);
    mpfr_sub(result, result, w->at[1], MPFR_RNDN);
    mpfr_set_d(w->at[1], datum->p[1], MPFR_RNDN);
    mpfr_log(w->at[1], w->at[1], MPFR_RNDN);
    mpfr_sub(result, result, w->at[1], MPFR_RNDN);
    if (is_log) {
        mpfr_set_d(w->at[1], datum->y, MPFR_RNDN);
        mpfr_log(w->at[1], w->at[1], MPFR_RNDN);
        mpfr_sub(result, result, w->at[1], MPFR_RNDN);
    }
}

static void half_normal_density(mpfr_t result, stats_work *w, const stats_datum *datum)
{
    stats_datum at = *datum;
    at.p[0] = 0.0;
    at.p[1] = datum->p[0];
    normal_density(result, w, &at, false);
    mpfr_const_log2(w->at[0], MPFR_RNDN);
    mpfr_add(result, result, w->at[0], MPFR_RNDN);
}

static void student_density(mpfr_t result, stats_work *w, const stats_datum *datum)
{
    mpfr_ptr nu = w->at[0], z = w->at[1], half = w->at[2], term = w->at[3];
    mpfr_set_d(nu, datum->p[0], MPFR_RNDN);
    stats_standardise(z, datum, 1, false);
    mpfr_set_zero(result, 1);
    mpfr_add_ui(half, nu, 1, MPFR_RNDN);
    mpfr_div_2ui(half, half, 1, MPFR_RNDN);
    add_lgamma(result, half, 0, 1, term);
    mpfr_div_2ui(half, nu, 1, MPFR_RNDN);
    add_lgamma(result, half, 0, -1, term);
    mpfr_const_pi(term, MPFR_RNDN);
    mpfr_mul(term, term, nu, MPFR_RNDN);
    mpfr_log(term, term, MPFR_RNDN);
    mpfr_div_2ui(term, term, 1, MPFR_RNDN);
    mpfr_sub(result, result, term, MPFR_RNDN);
    mpfr_set_d(term, datum->p[2], MPFR_RNDN);
    mpfr_log(term, term, MPFR_RNDN);
    mpfr_sub(result, result, term, MPFR_RNDN);
    mpfr_sqr(term, z, MPFR_RNDN);
    mpfr_div(term, term, nu, MPFR_RNDN);
    mpfr_log1p(term, term, MPFR_RNDN);
    mpfr_add_ui(half, nu, 1, MPFR_RNDN);
    mpfr_div_2ui(half, half, 1, MPFR_RNDN);
    mpfr_mul(term, term, half, MPFR_RNDN);
    mpfr_sub(result, result, term, MPFR_RNDN);
}

static void gamma_density(mpfr_t result, stats_work *w, const stats_datum *datum)
{
    mpfr_ptr a = w->at[0], b = w->at[1], y = w->at[2], term = w->at[3];
    mpfr_set_d(a, datum->p[0], MPFR_RNDN);
    mpfr_set_d(b, datum->p[1], MPFR_RNDN);
    mpfr_set_d(y, datum->y, MPFR_RNDN);
    y_log_x(result, a, b);
    mpfr_sub_ui(term, a, 1, MPFR_RNDN);
    y_log_x(w->at[4], term, y);
    mpfr_add(result, result, w->at[4], MPFR_RNDN);
    mpfr_mul(term, b, y, MPFR_RNDN);
    mpfr_sub(result, result, term, MPFR_RNDN);
    add_lgamma(result, a, 0, -1, term);
}

static void poisson_density(mpfr_t result, stats_work *w, const stats_datum *datum)
{
    mpfr_ptr y = w->at[0], rate = w->at[1], term = w->at[2];
    mpfr_set_sj(y, datum->count, MPFR_RNDN);
    mpfr_set_d(rate, datum->p[0], MPFR_RNDN);
    y_log_x(result, y, rate);
    mpfr_sub(result, result, rate, MPFR_RNDN);
    add_lgamma(result, y, 1, -1, term);
}

static void negative_binomial_density(mpfr_t result, stats_work *w, const stats_datum *datum)
{
    mpfr_ptr y = w->at[0], mu = w->at[1], phi = w->at[2], sum = w->at[3], term = w->at[4], share = w->at[5];
    mpfr_set_sj(y, datum->count, MPFR_RNDN);
    mpfr_set_d(mu, datum->p[0], MPFR_RNDN);
    mpfr_set_d(phi, datum->p[1], MPFR_RNDN);
    mpfr_set_zero(result, 1);
    mpfr_add(sum, y, phi, MPFR_RNDN);
    add_lgamma(result, sum, 0, 1, term);
    add_lgamma(result, phi, 0, -1, term);
    add_lgamma(result, y, 1, -1, term);
    mpfr_div(share, mu, phi, MPFR_RNDN);
    mpfr_log1p(share, share, MPFR_RNDN);
    mpfr_mul(share, share, phi, MPFR_RNDN);
    mpfr_sub(result, result, share, MPFR_RNDN);
    mpfr_add(sum, mu, phi, MPFR_RNDN);
    mpfr_div(share, mu, sum, MPFR_RNDN);
    y_log_x(term, y, share);
    mpfr_add(result, result, term, MPFR_RNDN);
}

// log p and log q; by logit from e^-|eta|, which may be nothing beside 1.
static void binomial_logs(mpfr_t log_p, mpfr_t log_q, const stats_datum *datum)
{
    if (datum->family == STATS_BINOMIAL) {
        stats_binomial_odds(log_p, log_q, datum);
        mpfr_log(log_p, log_p, MPFR_RNDN);
        mpfr_log(log_q, log_q, MPFR_RNDN);
        return;
    }
    bool below = datum->p[0] < 0.0;
    mpfr_ptr large = below ? log_q : log_p, small = below ? log_p : log_q;
    mpfr_set_d(small, datum->p[0], MPFR_RNDN);
    mpfr_setsign(small, small, 1, MPFR_RNDN);
    mpfr_exp(large, small, MPFR_RNDN);
    mpfr_log1p(large, large, MPFR_RNDN);
    mpfr_neg(large, large, MPFR_RNDN);
    mpfr_add(small, small, large, MPFR_RNDN);
}

static void binomial_density(mpfr_t result, stats_work *w, const stats_datum *datum)
{
    mpfr_ptr y = w->at[0], rest = w->at[1], n = w->at[2], log_p = w->at[3], log_q = w->at[4], term = w->at[5];
    mpfr_set_sj(y, datum->count, MPFR_RNDN);
    mpfr_set_sj(n, datum->trials, MPFR_RNDN);
    mpfr_sub(rest, n, y, MPFR_RNDN);
    binomial_logs(log_p, log_q, datum);
    mpfr_set_zero(result, 1);
    add_lgamma(result, n, 1, 1, term);
    add_lgamma(result, y, 1, -1, term);
    add_lgamma(result, rest, 1, -1, term);
    if (!mpfr_zero_p(y)) { // 0 log 0 is 0
        mpfr_fma(result, y, log_p, result, MPFR_RNDN);
    }
    if (!mpfr_zero_p(rest)) {
        mpfr_fma(result, rest, log_q, result, MPFR_RNDN);
    }
}

static void beta_density(mpfr_t result, stats_work *w, const stats_datum *datum)
{
    mpfr_ptr a = w->at[0], b = w->at[1], x = w->at[2], y = w->at[3], term = w->at[4];
    mpfr_set_d(a, datum->p[0], MPFR_RNDN);
    mpfr_set_d(b, datum->p[1], MPFR_RNDN);
    mpfr_set_d(x, datum->y, MPFR_RNDN);
    mpfr_ui_sub(y, 1, x, MPFR_RNDN);
    mpfr_set_zero(result, 1);
    mpfr_add(term, a, b, MPFR_RNDN);
    add_lgamma(result, term, 0, 1, w->at[5]);
    add_lgamma(result, a, 0, -1, term);
    add_lgamma(result, b, 0, -1, term);
    mpfr_sub_ui(a, a, 1, MPFR_RNDN);
    mpfr_sub_ui(b, b, 1, MPFR_RNDN);
    y_log_x(term, a, x);
    mpfr_add(result, result, term, MPFR_RNDN);
    y_log_x(term, b, y);
    mpfr_add(result, result, term, MPFR_RNDN);
}

void stats_log_density(mpfr_t result, mpfr_prec_t precision, const stats_datum *datum)
{
    stats_work w;
    stats_work_init(&w, precision);
    switch (datum->family) {
    case STATS_NORMAL:
    case STATS_PRIOR_NORMAL:
        normal_density(result, &w, datum, false);
        break;
    case STATS_LOGNORMAL:
    case STATS_PRIOR_LOGNORMAL:
        normal_density(result, &w, datum, true);
        break;
    case STATS_PRIOR_HALF_NORMAL:
        half_normal_density(result, &w, datum);
        break;
    case STATS_STUDENT:
        student_density(result, &w, datum);
        break;
    case STATS_GAMMA:
    case STATS_PRIOR_GAMMA:
        gamma_density(result, &w, datum);
        break;
    case STATS_POISSON:
        poisson_density(result, &w, datum);
        break;
    case STATS_NEGATIVE_BINOMIAL:
        negative_binomial_density(result, &w, datum);
        break;
    case STATS_BINOMIAL:
    case STATS_BINOMIAL_LOGIT:
        binomial_density(result, &w, datum);
        break;
    case STATS_PRIOR_BETA:
        beta_density(result, &w, datum);
        break;
    }
    stats_work_clear(&w);
}
