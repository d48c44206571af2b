// SPDX-License-Identifier: Apache-2.0
// Error scales of censored terms. A tail is prefix times integral: its logarithm carries the prefix's error, ERROR_INTEGRAL units
// of the quadrature (16 nodes a panel, each with an exponential of an exponent good to a few units) and of one logarithm. The other
// tail is the complement; which of the two is summed follows the documented rule. Ratios prefix/tail carry relative errors.
#include "stats_scale.h"

#define HALF_LOG_2PI 0.9189385332046728

static double size(double x)
{
    return x < 0.0 ? -x : x;
}
typedef stats_tail_errors tails;

// log F and log S at the bound, good to all digits of binary64.
static void truth_at(const stats_datum *bound, tails *at)
{
    golden_error error = {""};
    stats_datum datum = *bound;
    mpfr_t value;
    mpfr_init2(value, 320);
    datum.output = 0;
    datum.censoring = STATS_LEFT;
    (void)stats_formula(value, 320, &datum, &error);
    at->log_lower = mpfr_get_d(value, MPFR_RNDN);
    datum.censoring = STATS_RIGHT;
    (void)stats_formula(value, 320, &datum, &error);
    at->log_upper = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
}

bool stats_tail_is_certain(const tails *at)
{
    return at->log_lower < -1e300 || at->log_upper < -1e300;
}

// The complement of a tail whose logarithm is `log_tail` with error `error`.
static double complement(double log_tail, double log_other, double error)
{
    double odds = scale_exp(log_tail - log_other);
    return odds * (error + size(log_tail) + 1.5) + (log_tail > -0.7 ? 2.0 : 0.0) + ERROR_LOG * size(log_other);
}

// From the log prefix, its error and the side that is summed.
static void from_prefix(tails *at, double log_prefix, double error, bool lower_summed)
{
    double summed = lower_summed ? at->log_lower : at->log_upper, other = lower_summed ? at->log_upper : at->log_lower;
    double log_integral = summed - log_prefix;
    at->prefix = error + size(log_prefix);
    at->log_prefix = log_prefix;
    double own = at->prefix + ERROR_INTEGRAL + ERROR_LOG * size(log_integral);
    double complemented = complement(summed, other, own);
    double ratio = ERROR_INTEGRAL + 1.0;
    double other_ratio = at->prefix + complemented + size(other) + size(log_prefix - other) + ERROR_EXP + 1.0;
    at->lower = lower_summed ? own : complemented;
    at->upper = lower_summed ? complemented : own;
    at->lower_ratio = lower_summed ? ratio : other_ratio;
    at->upper_ratio = lower_summed ? other_ratio : ratio;
}

static void normal_tails(const stats_datum *bound, tails *at)
{
    double z, error = stats_standard_scale(bound, &z), distance = size(z);
    double scaled = scale_erfcx(distance * 0.7071067811865476), log_scaled = scale_log(0.5 * scaled);
    double conditioned = ERROR_ERFCX + 1.7 + (distance > 0.0 ? error / distance : 2.0) * (distance < 1.0 ? distance : 1.0) * 1.2;
    double own = distance * error + conditioned + ERROR_LOG * size(log_scaled);
    double tail = scale_exp(z > 0.0 ? at->log_upper : at->log_lower);
    double relative = conditioned + ERROR_EXP + distance * error + 2.0;
    double other = tail / (1.0 - tail) * relative + ERROR_LOG1P * size(z > 0.0 ? at->log_lower : at->log_upper);
    double ratio = conditioned + 2.0, other_ratio = ERROR_EXP + distance * error + 4.0 + tail / (1.0 - tail) * (relative + 1.0);
    bool upper_summed = z > 0.0;
    at->upper = upper_summed ? own : other;
    at->lower = upper_summed ? other : own;
    at->upper_ratio = upper_summed ? ratio : other_ratio;
    at->lower_ratio = upper_summed ? other_ratio : ratio;
    at->prefix = distance * error;
}

static void student_tails(const stats_datum *bound, tails *at)
{
    double z;
    stats_standard_scale(bound, &z);
    stats_datum standard = *bound;
    double error = stats_density_scale(&standard); // at least that of the standard density
    mpfr_t value;
    mpfr_init2(value, 128);
    stats_log_density(value, 128, bound);
    double log_f = mpfr_get_d(value, MPFR_RNDN) + scale_log(bound->p[2]), log_z = 0.0;
    if (z != 0.0) { // z itself may overflow
        log_z = scale_log(size(bound->y - bound->p[1])) - scale_log(bound->p[2]);
    }
    mpfr_clear(value);
    double beyond = z > 0.0 ? at->log_upper : at->log_lower, before = z > 0.0 ? at->log_lower : at->log_upper;
    double own, other, ratio, other_ratio;
    at->prefix = error + size(log_f) + 2.0 + size(log_z);
    if (z * z > 1.0) {
        own = at->prefix + size(log_f + log_z) + ERROR_INTEGRAL + ERROR_LOG * size(beyond - log_f - log_z);
        double tail = scale_exp(beyond);
        other = tail / (1.0 - tail) * (own + size(beyond) + ERROR_EXP) + ERROR_LOG1P * size(before);
        ratio = ERROR_INTEGRAL + 4.0;
        other_ratio = own + size(beyond) + ERROR_EXP + ratio + tail / (1.0 - tail) * (own + size(beyond) + ERROR_EXP);
    } else {
        double centre = 0.5 - scale_exp(beyond), relative = at->prefix + ERROR_EXP + ERROR_INTEGRAL + 4.0;
        centre = centre > 0.0 ? centre : 0.0;
        own = (centre * relative + 0.5) / (0.5 - centre) + ERROR_LOG * size(beyond);
        other = (centre * relative + 0.5) / (0.5 + centre) + ERROR_LOG * size(before);
        ratio = at->prefix + ERROR_EXP + own + 1.0;
        other_ratio = at->prefix + ERROR_EXP + other + 1.0;
    }
    at->log_prefix = log_f + log_z;
    bool upper = z > 0.0;
    at->upper = upper ? own : other;
    at->lower = upper ? other : own;
    at->upper_ratio = upper ? ratio : other_ratio;
    at->lower_ratio = upper ? other_ratio : ratio;
}

// F = e^(a mean): a power of x is all there is of it.
static void power_tails(double a, double mean, tails *at)
{
    double t = a * mean, fall = scale_exp(t);
    at->prefix = 3.0 * size(t) + ERROR_LOG * size(scale_log(a)) + 3.0;
    at->log_prefix = scale_log(a) + t;
    at->lower = 3.0 * size(t);
    at->lower_ratio = 2.0;
    double complemented =
        size(t) < 1e-15 ? 4.0 + ERROR_LOG * size(scale_log(a)) : 4.0 * size(t) * fall / (1.0 - fall) + ERROR_EXPM1;
    at->upper = complemented + ERROR_LOG * (size(at->log_upper) + size(scale_log(-mean)));
    at->upper_ratio = 6.0 + (size(t) < 1e-15 ? 0.0 : complemented);
}

static void gamma_tails(const stats_datum *bound, tails *at)
{
    if (bound->p[0] < 1.0 && bound->y * bound->p[1] < scale_least(bound->dtype)) { // x may underflow
        double shape = bound->p[0], remainder = shape > 1e-17 ? scale_lgamma(1.0 + shape) / shape : -0.5772156649015329;
        power_tails(shape, scale_log(bound->y) + scale_log(bound->p[1]) - remainder, at);
        return;
    }
    double a = bound->p[0], x = bound->y * bound->p[1], half_log = 0.5 * scale_log(a), remainder = scale_stirling(a);
    double deviance = scale_deviance(a, x), peak = half_log - HALF_LOG_2PI - remainder;
    double error = ERROR_LOG * size(half_log) + size(half_log - HALF_LOG_2PI) + 0.5 + ERROR_STIRLING * remainder + size(peak) +
                   (ERROR_DEVIANCE + 1.0) * deviance;
    bool lower = a > x && !(a < 1.0 && at->log_lower > -0.5);
    from_prefix(at, peak - deviance, error, lower);
}

static double log_density_at(const stats_datum *bound)
{
    mpfr_t value;
    mpfr_init2(value, 320);
    stats_log_density(value, 320, bound);
    double result = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return result;
}

static void count_tails(const stats_datum *bound, tails *at)
{
    double k = (double)bound->count, log_density = log_density_at(bound), error = stats_density_scale(bound) + size(log_density);
    double first = bound->p[0], factor;
    bool lower;
    if (bound->family == STATS_POISSON) {
        factor = scale_log(first);
        error += ERROR_LOG * size(factor);
        lower = !(k + 1.0 > first);
    } else if (bound->family == STATS_NEGATIVE_BINOMIAL) {
        double phi = bound->p[1], log_total = scale_log(phi + k), log_share = -scale_log1p(phi / first);
        factor = log_total + log_share;
        error += (ERROR_LOG + 1.0) * size(log_total) + 1.0 + size(log_share) + size(factor);
        lower = first > k + 1.0 && !(phi < 1.0 && at->log_lower > -0.5);
    } else {
        double log_rest = scale_log((double)(bound->trials - bound->count)), log_p;
        bool by_logit = bound->family == STATS_BINOMIAL_LOGIT;
        log_p =
            by_logit ? (first < 0.0 ? first - scale_log1p(scale_exp(first)) : -scale_log1p(scale_exp(-first))) : scale_log(first);
        factor = log_rest + log_p;
        error += ERROR_LOG * size(log_rest) + 1.0 + (by_logit ? ERROR_SOFTPLUS : ERROR_LOG) * size(log_p) + size(factor);
        lower = ((double)bound->trials + 1.0) * scale_exp(log_p) > k + 1.0;
    }
    from_prefix(at, log_density + factor, error, lower);
}

void stats_tail_errors_at(const stats_datum *bound, tails *at)
{
    *at = (tails){0};
    truth_at(bound, at);
    if (stats_tail_is_certain(at)) {
        return;
    }
    switch (bound->family) {
    case STATS_NORMAL:
    case STATS_LOGNORMAL:
        normal_tails(bound, at);
        break;
    case STATS_STUDENT:
        student_tails(bound, at);
        break;
    case STATS_GAMMA:
        gamma_tails(bound, at);
        break;
    default:
        count_tails(bound, at);
        break;
    }
}

// What multiplies a ratio prefix/tail in a gradient; the ratio itself may be subnormal.
double stats_gradient_factor(const stats_datum *datum)
{
    const double *p = datum->p;
    double z = 1.0;
    switch (datum->family) {
    case STATS_GAMMA:
        return 1.0 / p[1];
    case STATS_POISSON:
    case STATS_NEGATIVE_BINOMIAL:
        return 1.0 / p[0];
    case STATS_BINOMIAL:
        return 1.0 / p[0] / (1.0 - p[0]);
    case STATS_BINOMIAL_LOGIT:
        return 1.0;
    default:
        stats_standard_scale(datum, &z);
        if (datum->family == STATS_STUDENT) {
            // A tail that underflows is multiplied by a ratio of at most nu + 1; beyond |z| = 1 that is of |z| f.
            return (p[0] + 1.0) * 2.0 / (datum->output == 2 && size(z) > 1.0 ? size(datum->y - p[1]) : p[2]);
        }
        return (1.0 + size(z)) / p[1];
    }
}

// What a gradient adds to its ratio: quotients by parameters, p q, z.
static double factor_units(const stats_datum *datum)
{
    return datum->family == STATS_STUDENT || datum->family == STATS_NORMAL || datum->family == STATS_LOGNORMAL ? 6.0 : 4.0;
}

double stats_censored_scale(const stats_datum *datum, double value, double truth)
{
    tails at;
    if (datum->censoring == STATS_INTERVAL) {
        return stats_interval_scale(datum, value, truth);
    }
    stats_tail_errors_at(datum, &at);
    if (stats_tail_is_certain(&at)) {
        return 0.0;
    }
    bool left = datum->censoring == STATS_LEFT;
    if (datum->output == 0) {
        return left ? at.lower : at.upper;
    }
    double z = 0.0, error = 0.0;
    if (datum->family <= STATS_STUDENT) {
        error = stats_standard_scale(datum, &z);
    }
    double units =
        (left ? at.lower_ratio : at.upper_ratio) + factor_units(datum) + (z != 0.0 ? (error < 1e300 ? error / size(z) : 2.0) : 0.0);
    return units * size(truth) + 2.0 * stats_gradient_factor(datum) * scale_subnormal(datum->dtype);
}
