// SPDX-License-Identifier: Apache-2.0
// Tails of counts with large shapes, where expansions need as many terms as the square root of a shape. Coefficients of the
// generating function G(z) = E z^Y, after Abate & Whitt, "Numerical inversion of probability generating functions", 1992: for |z| =
// r < 1 the coefficient of z^k in G(z)/(1 - z) is F(k), for r > 1 that in G(z)/(z - 1) is S(k). With N points on the circle,
//   G(r) r^-k/N sum_j G(z_j)/G(r) e^(-i k t_j)/(1 - z_j) = sum over all whole l of F(k + l N) r^(l N)
// exactly. G(z)/G(r) is the characteristic function of the family's member with mean M = r G'(r)/G(r): next to Gaussian with its
// deviation D. M = k is the saddle point; it is held one deviation away from the pole at 1. N is a number of D that makes
// every l but 0 negligible, save where F is 1 (S is 1): that geometric series is taken off. Nothing is left that depends on the
// mean: some 80 points at 300 bits. Two precisions take different N, so that their agreement holds what is neglected as well.
// A gamma variate exceeds x with the Poisson probability F(a - 1) of mean x: for an a that is not whole the circle is cut at z =
// -r, where the integrand is e^-2x of what it is at r.
#include "stats_work.h"

enum { LEAST_SHAPE = 1 << 16 }; // from here on this costs less than the expansions about the mean

typedef struct inversion {
    const stats_datum *datum;
    mpfr_t place, rate; // k; lambda of a Poisson member
    mpfr_t mean, share; // of the tilted member: M, and M/n or M/phi
    mpfr_t radius, log_prefix;
    mpfr_t step;   // 2 pi/N
    uint64_t size; // N
    bool is_lower, wraps;
} inversion;

static bool is_near(double x, double mean)
{
    return x > 0.0625 * mean && x < 16.0 * mean;
}

bool stats_shapes_are_large(const stats_datum *datum)
{
    double next = (double)datum->count + 1.0, mean = datum->p[0], rest, share;
    mpfr_t p, q;
    switch (datum->family) {
    case STATS_GAMMA:
        return mean > LEAST_SHAPE && is_near(datum->y * datum->p[1], mean);
    case STATS_POISSON:
        return next >= LEAST_SHAPE && is_near(next, mean);
    case STATS_NEGATIVE_BINOMIAL:
        return next >= LEAST_SHAPE && datum->p[1] >= LEAST_SHAPE && is_near(next, mean);
    case STATS_BINOMIAL:
    case STATS_BINOMIAL_LOGIT:
        rest = datum->count < datum->trials ? (double)(datum->trials - datum->count) : 0.0;
        if (!(next >= LEAST_SHAPE && rest >= LEAST_SHAPE)) {
            return false;
        }
        mpfr_inits2(64, p, q, (mpfr_ptr)0);
        stats_binomial_odds(p, q, datum);
        mean = (double)datum->trials * mpfr_get_d(p, MPFR_RNDN);
        share = (double)datum->trials * mpfr_get_d(q, MPFR_RNDN);
        mpfr_clears(p, q, (mpfr_ptr)0);
        return is_near(next, mean) && is_near(rest, share);
    default:
        return false;
    }
}

static double root(double x)
{
    mpfr_t value;
    mpfr_init2(value, 64);
    mpfr_set_d(value, x, MPFR_RNDN);
    mpfr_sqrt(value, value, MPFR_RNDN);
    double result = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return result;
}

// Standard deviation of the family's member with this mean, near enough.
static double deviation_at(const stats_datum *datum, double mean)
{
    switch (datum->family) {
    case STATS_POISSON:
    case STATS_GAMMA:
        return root(mean);
    case STATS_NEGATIVE_BINOMIAL:
        return root(mean) * root(1.0 + mean / datum->p[1]);
    default:
        return root(mean) * root(1.0 - mean / (double)datum->trials);
    }
}

// The radius and log G(r) for the mean M. Poisson: M = r lambda; negative binomial and binomial: the odds of M/phi and M/n are r
// times those of mu and p.
static void tilt(inversion *at, stats_work *w, const mpfr_t p, const mpfr_t q)
{
    const stats_datum *datum = at->datum;
    mpfr_ptr first = w->at[0], second = w->at[1], rest = w->at[2];
    if (datum->family == STATS_POISSON || datum->family == STATS_GAMMA) {
        mpfr_div(at->radius, at->mean, at->rate, MPFR_RNDN);
        mpfr_sub(at->log_prefix, at->mean, at->rate, MPFR_RNDN);
        return;
    }
    if (datum->family == STATS_NEGATIVE_BINOMIAL) { // G(r) = ((1 + M/phi)/(1 + mu/phi))^phi
        mpfr_set_d(first, datum->p[0], MPFR_RNDN);
        mpfr_div_d(first, first, datum->p[1], MPFR_RNDN);
        mpfr_div_d(at->share, at->mean, datum->p[1], MPFR_RNDN);
        mpfr_add_ui(second, at->share, 1, MPFR_RNDN);
        mpfr_mul(second, second, first, MPFR_RNDN);
        mpfr_add_ui(rest, first, 1, MPFR_RNDN);
        mpfr_mul(at->radius, at->share, rest, MPFR_RNDN);
        mpfr_div(at->radius, at->radius, second, MPFR_RNDN);
        mpfr_log1p(first, first, MPFR_RNDN);
        mpfr_log1p(at->log_prefix, at->share, MPFR_RNDN);
        mpfr_sub(at->log_prefix, at->log_prefix, first, MPFR_RNDN);
        mpfr_mul_d(at->log_prefix, at->log_prefix, datum->p[1], MPFR_RNDN);
        return;
    }
    mpfr_set_sj(first, datum->trials, MPFR_RNDN); // G(r) = (q/(1 - M/n))^n
    mpfr_div(at->share, at->mean, first, MPFR_RNDN);
    mpfr_ui_sub(rest, 1, at->share, MPFR_RNDN);
    mpfr_mul(second, rest, p, MPFR_RNDN);
    mpfr_mul(at->radius, at->share, q, MPFR_RNDN);
    mpfr_div(at->radius, at->radius, second, MPFR_RNDN);
    mpfr_div(rest, q, rest, MPFR_RNDN);
    mpfr_log(at->log_prefix, rest, MPFR_RNDN);
    mpfr_mul(at->log_prefix, at->log_prefix, first, MPFR_RNDN);
}

static void inversion_begin(inversion *at, stats_work *w)
{
    const stats_datum *datum = at->datum;
    mpfr_prec_t precision = mpfr_get_prec(at->mean);
    mpfr_ptr p = w->at[3], q = w->at[4], term = w->at[5];
    mpfr_set_sj(at->place, datum->count, MPFR_RNDN);
    mpfr_set_d(at->rate, datum->p[0], MPFR_RNDN);
    if (datum->family == STATS_GAMMA) {
        mpfr_sub_ui(at->place, at->rate, 1, MPFR_RNDN);
        mpfr_set_d(at->rate, datum->y, MPFR_RNDN);
        mpfr_mul_d(at->rate, at->rate, datum->p[1], MPFR_RNDN);
    }
    mpfr_set(at->mean, at->rate, MPFR_RNDN);
    if (datum->family == STATS_BINOMIAL || datum->family == STATS_BINOMIAL_LOGIT) {
        stats_binomial_odds(p, q, datum);
        mpfr_set_sj(at->mean, datum->trials, MPFR_RNDN);
        mpfr_mul(at->mean, at->mean, p, MPFR_RNDN);
    }
    double place = mpfr_get_d(at->place, MPFR_RNDN), mean = mpfr_get_d(at->mean, MPFR_RNDN), away = deviation_at(datum, mean);
    at->is_lower = mpfr_less_p(at->place, at->mean);
    mpfr_add_d(at->mean, at->mean, at->is_lower ? -away : away, MPFR_RNDN);
    if (at->is_lower == (mpfr_less_p(at->place, at->mean) != 0)) {
        mpfr_set(at->mean, at->place, MPFR_RNDN);
    }
    tilt(at, w, p, q);
    mpfr_log(p, at->radius, MPFR_RNDN);
    mpfr_mul(term, at->place, p, MPFR_RNDN);
    mpfr_sub(at->log_prefix, at->log_prefix, term, MPFR_RNDN);
    // A Gaussian falls to 2^-precision within sqrt(2 log 2 precision) deviations; a tenth more for the skewness, at most 1/128.
    double reach = 1.1 * root(1.3862943611198906 * (double)precision);
    at->size = (uint64_t)(reach * deviation_at(datum, mpfr_get_d(at->mean, MPFR_RNDN))) + 1;
    at->wraps = at->is_lower ? place + (double)at->size > mean : place - (double)at->size < mean;
    mpfr_const_pi(at->step, MPFR_RNDN);
    mpfr_mul_2ui(at->step, at->step, 1, MPFR_RNDN);
    mpfr_set_uj(term, at->size, MPFR_RNDN);
    mpfr_div(at->step, at->step, term, MPFR_RNDN);
}

// G(r e^it)/G(r) = e^(real + i angle), from sin t and 2 sin^2(t/2) = 1 - cos t.
static void characteristic(const inversion *at, mpfr_t real, mpfr_t angle, const mpfr_t sine, const mpfr_t bend, mpfr_t work)
{
    const stats_datum *datum = at->datum;
    if (datum->family == STATS_POISSON || datum->family == STATS_GAMMA) { // M (e^it - 1)
        mpfr_mul(real, at->mean, bend, MPFR_RNDN);
        mpfr_neg(real, real, MPFR_RNDN);
        mpfr_mul(angle, at->mean, sine, MPFR_RNDN);
        return;
    }
    bool is_binomial = datum->family != STATS_NEGATIVE_BINOMIAL; // n log(1 - s + s e^it), -phi log(1 + s - s e^it)
    mpfr_mul(work, at->share, bend, MPFR_RNDN);
    if (is_binomial) {
        mpfr_neg(work, work, MPFR_RNDN);
        mpfr_ui_sub(real, 1, at->share, MPFR_RNDN);
    } else {
        mpfr_add_ui(real, at->share, 1, MPFR_RNDN);
    }
    mpfr_mul(real, real, work, MPFR_RNDN);
    mpfr_mul_2ui(real, real, 1, MPFR_RNDN);
    mpfr_log1p(real, real, MPFR_RNDN);
    mpfr_div_2ui(real, real, 1, MPFR_RNDN);
    mpfr_add_ui(work, work, 1, MPFR_RNDN);
    mpfr_mul(angle, at->share, sine, MPFR_RNDN);
    mpfr_atan2(angle, angle, work, MPFR_RNDN);
    if (is_binomial) {
        mpfr_set_sj(work, datum->trials, MPFR_RNDN);
    } else {
        mpfr_set_d(work, datum->p[1], MPFR_RNDN);
    }
    mpfr_mul(angle, angle, work, MPFR_RNDN);
    mpfr_mul(real, real, work, MPFR_RNDN);
    if (!is_binomial) {
        mpfr_neg(real, real, MPFR_RNDN);
    }
}

// 1 - z at the point j, and the real part of G(z)/G(r) e^(-i k t)/(1 - z). Returns false when the point and all behind it are
// nothing.
static bool inversion_term(const inversion *at, stats_work *w, mpfr_t result, unsigned long j)
{
    mpfr_ptr theta = w->at[0], sine = w->at[1], bend = w->at[2], real = w->at[3], angle = w->at[4], work = w->at[5];
    mpfr_mul_ui(theta, at->step, j, MPFR_RNDN);
    mpfr_div_2ui(work, theta, 1, MPFR_RNDN);
    mpfr_sin_cos(bend, sine, work, MPFR_RNDN);
    mpfr_mul(sine, sine, bend, MPFR_RNDN);
    mpfr_mul_2ui(sine, sine, 1, MPFR_RNDN);
    mpfr_sqr(bend, bend, MPFR_RNDN);
    mpfr_mul_2ui(bend, bend, 1, MPFR_RNDN);
    characteristic(at, real, angle, sine, bend, work);
    mpfr_mul(theta, theta, at->place, MPFR_RNDN);
    mpfr_sub(angle, angle, theta, MPFR_RNDN);
    mpfr_exp(real, real, MPFR_RNDN);
    mpfr_ptr u = bend, v = sine, cosine = theta; // 1 - z = u - i v
    mpfr_mul(v, sine, at->radius, MPFR_RNDN);
    mpfr_mul(u, bend, at->radius, MPFR_RNDN);
    mpfr_sub(u, u, at->radius, MPFR_RNDN);
    mpfr_add_ui(u, u, 1, MPFR_RNDN);
    mpfr_sin_cos(work, cosine, angle, MPFR_RNDN);
    mpfr_mul(cosine, cosine, u, MPFR_RNDN);
    mpfr_mul(work, work, v, MPFR_RNDN);
    mpfr_sub(cosine, cosine, work, MPFR_RNDN);
    mpfr_sqr(u, u, MPFR_RNDN);
    mpfr_fma(u, v, v, u, MPFR_RNDN);
    mpfr_div(cosine, cosine, u, MPFR_RNDN);
    mpfr_mul(result, cosine, real, MPFR_RNDN);
    return !mpfr_zero_p(real) && mpfr_get_exp(real) > -mpfr_get_prec(real);
}

// The tail that r was chosen for: the sum, less the series of ones.
static void inversion_sum(const inversion *at, stats_work *w, mpfr_t tail, mpfr_t term)
{
    mpfr_set_zero(tail, 1);
    for (unsigned long j = 1; j <= at->size / 2 && inversion_term(at, w, term, j); ++j) {
        mpfr_add(tail, tail, term, MPFR_RNDN);
    }
    mpfr_mul_2ui(tail, tail, 1, MPFR_RNDN);
    mpfr_ui_sub(term, 1, at->radius, MPFR_RNDN);
    mpfr_ui_div(term, 1, term, MPFR_RNDN);
    mpfr_add(tail, tail, term, MPFR_RNDN);
    if (!at->is_lower) {
        mpfr_neg(tail, tail, MPFR_RNDN);
    }
    mpfr_exp(term, at->log_prefix, MPFR_RNDN);
    mpfr_mul(tail, tail, term, MPFR_RNDN);
    mpfr_set_uj(term, at->size, MPFR_RNDN);
    mpfr_div(tail, tail, term, MPFR_RNDN);
    if (at->wraps) { // r^N/(1 - r^N), or with 1/r
        mpfr_ptr power = w->at[0];
        mpfr_log(power, at->radius, MPFR_RNDN);
        mpfr_mul(power, power, term, MPFR_RNDN);
        if (at->is_lower) {
            mpfr_neg(power, power, MPFR_RNDN);
        }
        mpfr_expm1(power, power, MPFR_RNDN);
        mpfr_ui_div(power, 1, power, MPFR_RNDN);
        mpfr_sub(tail, tail, power, MPFR_RNDN);
    }
}

void stats_large_tails(mpfr_t lower, mpfr_t upper, const stats_datum *datum)
{
    inversion at = {.datum = datum};
    stats_work w;
    mpfr_t tail, term;
    mpfr_prec_t precision = mpfr_get_prec(lower) + 32;
    stats_work_init(&w, precision);
    mpfr_inits2(precision, at.place, at.rate, at.mean, at.share, at.radius, at.log_prefix, at.step, tail, term, (mpfr_ptr)0);
    inversion_begin(&at, &w);
    inversion_sum(&at, &w, tail, term);
    mpfr_set(at.is_lower ? lower : upper, tail, MPFR_RNDN);
    mpfr_ui_sub(at.is_lower ? upper : lower, 1, tail, MPFR_RNDN);
    mpfr_clears(at.place, at.rate, at.mean, at.share, at.radius, at.log_prefix, at.step, tail, term, (mpfr_ptr)0);
    stats_work_clear(&w);
}
