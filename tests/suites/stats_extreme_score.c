// SPDX-License-Identifier: Apache-2.0
#include "stats_extreme_score.h"

#include <float.h>
#include <math.h>

_Static_assert(LDBL_MANT_DIG >= 64 && LDBL_MAX_EXP >= 16384, "scores need the range and the digits of an extended long double");

#define MOST_CANCELLED 0x1p10L
#define LEAST_LOGIT -1000.0L // below, n e^logit is nothing to 1

static const extreme_score unknown = {false, 0.0L, 0.0L};

static long double least_normal(nc_dtype dtype)
{
    return dtype == NC_F32 ? (long double)FLT_MIN : (long double)DBL_MIN;
}
static long double largest(nc_dtype dtype)
{
    return dtype == NC_F32 ? (long double)FLT_MAX : (long double)DBL_MAX;
}

static long double leading_digits(nc_dtype dtype)
{
    return dtype == NC_F32 ? 0x1p-10L : 0x1p-24L;
}

static extreme_score score_of(long double value)
{
    extreme_score score = {true, value, fabsl(value)};
    return score;
}
static extreme_score difference(long double x, long double y)
{
    extreme_score score = {true, x - y, fabsl(x) + fabsl(y)};
    return score;
}
static extreme_score times(extreme_score score, long double factor)
{
    extreme_score product = {score.is_known, score.value * factor, score.size * fabsl(factor)};
    return product;
}

// d mu = z/sigma, d sigma = (z^2 - 1)/sigma; z = deviation/sigma, which is as uncertain as its own terms make it.
static extreme_score score_normal(extreme_score deviation, long double sigma, int k)
{
    extreme_score z = times(deviation, 1.0L / sigma);
    extreme_score square = {true, z.value * z.value - 1.0L, 2.0L * z.size * fabsl(z.value) + 1.0L};
    return times(k == 0 ? z : square, 1.0L / sigma);
}

// y - mu is a difference of two numbers of the dtype, and what it rounds is its own last digit.
static extreme_score score_normal_at(long double y, long double mu, long double sigma, int k)
{
    return score_normal(score_of(y - mu), sigma, k);
}
static extreme_score score_lognormal_at(long double y, long double mu, long double sigma, int k)
{
    return score_normal(difference(logl(y), mu), sigma, k);
}

static extreme_score score_student(long double y, long double nu, long double mu, long double sigma, int k)
{
    long double z = (y - mu) / sigma, square = z * z;
    extreme_score of_mu = score_of((nu + 1.0L) * z / (nu + square) / sigma);
    if (k == 0) {
        return unknown;
    }
    return k == 1 ? of_mu : times(difference(square, 1.0L), nu / (nu + square) / sigma);
}

static extreme_score score_real(nc_family family, const long double *p, long double y, int k)
{
    switch (family) {
    case NC_NORMAL:
        return score_normal_at(y, p[0], p[1], k);
    case NC_LOGNORMAL:
        return score_lognormal_at(y, p[0], p[1], k);
    case NC_STUDENT_T:
        return score_student(y, p[0], p[1], p[2], k);
    default: // gamma
        return k == 0 ? unknown : difference(p[0] / p[1], y);
    }
}

// P(Y = k) = ... p^y q^(n - y): p and q of either parametrisation.
static long double share_of(nc_family family, long double parameter, bool is_success)
{
    if (family == NC_BINOMIAL) {
        return is_success ? parameter : 1.0L - parameter;
    }
    return 1.0L / (1.0L + expl(is_success ? -parameter : parameter));
}

static extreme_score score_count(nc_family family, const long double *p, int64_t count, int64_t trials, int k)
{
    long double y = (long double)count, rest = (long double)(trials - count);
    if (family == NC_POISSON) {
        return score_of((y - p[0]) / p[0]);
    }
    if (family == NC_NEGATIVE_BINOMIAL) {
        return k == 0 ? score_of((y - p[0]) / p[0] * (p[1] / (p[0] + p[1]))) : unknown;
    }
    long double success = share_of(family, p[0], true), failure = share_of(family, p[0], false);
    if (family == NC_BINOMIAL) {
        return difference(count > 0 ? y / success : 0.0L, rest > 0.0L ? rest / failure : 0.0L);
    }
    return difference(y * failure, rest * success);
}

// log f(0).
static long double log_of_none(nc_family family, const long double *p, int64_t trials)
{
    switch (family) {
    case NC_POISSON:
        return -p[0];
    case NC_NEGATIVE_BINOMIAL:
        return -p[1] * log1pl(p[0] / p[1]);
    case NC_BINOMIAL:
        return (long double)trials * log1pl(-p[0]);
    default:
        return -(long double)trials * (p[0] > 0.0L ? p[0] + log1pl(expl(-p[0])) : log1pl(expl(p[0])));
    }
}

extreme_score extreme_score_observation(nc_family family, const extreme_data *d, size_t i, int k)
{
    const long double p[] = {(long double)d->p[0][i], (long double)d->p[1][i], (long double)d->p[2][i]};
    uint8_t kind = d->kind[i];
    if (family < NC_POISSON) {
        return kind == NC_OBSERVED ? score_real(family, p, (long double)d->y[i], k) : unknown;
    }
    bool is_border = family == NC_BINOMIAL && (p[0] == 0.0L || p[0] == 1.0L);
    bool is_one_sided = d->count[i] == 0 && (kind == NC_LEFT || kind == NC_RIGHT);
    if (is_border || (kind != NC_OBSERVED && !is_one_sided)) {
        return unknown;
    }
    extreme_score score = score_count(family, p, d->count[i], d->trials[i], k);
    if (kind != NC_RIGHT || !score.is_known) {
        return score;
    }
    if (family == NC_BINOMIAL_LOGIT && p[0] < LEAST_LOGIT && d->trials[i] > 0) { // P(Y > 0) = n e^logit
        return score_of(1.0L);
    }
    // -f'(0)/(1 - f(0)) = -(score at 0)/(1/f(0) - 1)
    return times(score, -1.0L / expm1l(-log_of_none(family, p, d->trials[i])));
}

extreme_score extreme_score_prior(nc_prior prior, const extreme_data *d, size_t i, int k)
{
    long double a = (long double)d->p[0][i], b = (long double)d->p[1][i], x = (long double)d->y[i];
    bool is_inside = prior == NC_PRIOR_NORMAL || (x > 0.0L && !(prior == NC_PRIOR_BETA && x == 1.0L));
    if (!is_inside) {
        return unknown;
    }
    switch (prior) {
    case NC_PRIOR_NORMAL:
        return k == 0 ? times(score_normal_at(x, a, b, 0), -1.0L) : score_normal_at(x, a, b, k - 1);
    case NC_PRIOR_HALF_NORMAL:
        return k == 0 ? times(score_normal_at(x, 0.0L, a, 0), -1.0L) : score_normal_at(x, 0.0L, a, 1);
    case NC_PRIOR_LOGNORMAL:
        if (k == 0) {
            extreme_score of_mu = score_lognormal_at(x, a, b, 0), sum = {true, -1.0L - of_mu.value, 1.0L + of_mu.size};
            return times(sum, 1.0L / x);
        }
        return score_lognormal_at(x, a, b, k - 1);
    case NC_PRIOR_GAMMA:
        return k == 0 ? difference((a - 1.0L) / x, b) : k == 1 ? unknown : difference(a / b, x);
    default: // beta
        return k == 0 ? difference((a - 1.0L) / x, (b - 1.0L) / (1.0L - x)) : unknown;
    }
}

extreme_agreement extreme_score_compare(nc_dtype dtype, extreme_score score, double gradient)
{
    long double truth = fabsl(score.value), found = fabsl((long double)gradient), digits = leading_digits(dtype),
                margin = digits * truth;
    long double most = largest(dtype), least = least_normal(dtype);
    if (score.size > MOST_CANCELLED * truth) {
        return EXTREME_CANCELS;
    }
    if (found > 0.0L && (score.value < 0.0L) != (gradient < 0.0)) {
        return EXTREME_DIFFERS;
    }
    if (truth < least) {
        return found <= least * (1.0L + digits) ? EXTREME_AGREES : EXTREME_DIFFERS;
    }
    bool is_close = fabsl(found - truth) <= margin;
    bool may_overflow = truth + margin > most, must_overflow = truth - margin > most;
    if (isinf(gradient)) {
        return may_overflow ? EXTREME_AGREES : EXTREME_DIFFERS;
    }
    return is_close && !must_overflow ? EXTREME_AGREES : EXTREME_DIFFERS;
}
