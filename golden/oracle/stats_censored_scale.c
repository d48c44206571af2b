// SPDX-License-Identifier: Apache-2.0
// Error scales of censored terms. A tail is prefix times integral: its logarithm carries the prefix's error, the integral's (of its
// power series, or ERROR_INTEGRAL units of the quadrature) and that of one logarithm. The other tail is the complement; which of
// the two is summed follows the documented rule. Ratios prefix/tail carry relative errors.
#include "stats_scale.h"

#define HALF_LOG_2PI 0.9189385332046728
#define NEAR_MEAN 1e-13 // relative distance from the mean whose sign is rounding here; the core takes it from pairs
#define FAR_LOG 0x1p40  // beyond, a binary64 logarithm is too coarse for differences

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

static double larger(double x, double y)
{
    return x > y ? x : y;
}

// log(1 - e^x) of a tail's logarithm x with error `error`, before the last rounding: log1p(-e^x), or log(-expm1(x)) above -0.7.
static double complement(double log_tail, double log_other, double error)
{
    double odds = scale_exp(log_tail - log_other);
    return odds * (error + scale_rounding(log_tail)) + (log_tail < -0.699 ? odds * ERROR_EXP : 0.0) +
           (log_tail > -0.701 ? ERROR_EXPM1 : 0.0) + ERROR_BEFORE_LAST(LOG, log_other);
}

// From the log prefix, its error, the side that is summed and the relative error of its integral.
static void from_prefix(tails *at, double log_prefix, double error, bool lower_summed, double integral)
{
    double summed = lower_summed ? at->log_lower : at->log_upper, other = lower_summed ? at->log_upper : at->log_lower;
    at->prefix = error + scale_rounding(log_prefix);
    at->log_prefix = log_prefix;
    double own = at->prefix + integral + ERROR_OF(LOG, summed - log_prefix);
    double complemented = complement(summed, other, own);
    double ratio = integral + (size(summed) < FAR_LOG ? scale_relative_rounding(scale_exp(log_prefix - summed)) : 1.0);
    double other_ratio = at->prefix + complemented + scale_rounding(other) + scale_rounding(log_prefix - other) + ERROR_EXP;
    at->lower = lower_summed ? own : complemented;
    at->upper = lower_summed ? complemented : own;
    at->lower_ratio = lower_summed ? ratio : other_ratio;
    at->upper_ratio = lower_summed ? other_ratio : ratio;
}
// Near a border either side may be summed.
static void from_either_side(tails *at, double log_prefix, double error, double lower_integral, double upper_integral)
{
    tails other = *at;
    from_prefix(at, log_prefix, error, true, lower_integral);
    from_prefix(&other, log_prefix, error, false, upper_integral);
    at->lower = larger(at->lower, other.lower);
    at->upper = larger(at->upper, other.upper);
    at->lower_ratio = larger(at->lower_ratio, other.lower_ratio);
    at->upper_ratio = larger(at->upper_ratio, other.upper_ratio);
}

// A tail whose first shape is below 1 and that holds more than e^-1/2 is left for the other one; 1: certainly, 0: near that border.
static int is_left(double shape, double log_tail)
{
    return shape < 1.0 && log_tail > -0.5 + 1e-3 ? 1 : shape < 1.0 && log_tail > -0.5 - 1e-3 ? 0 : -1;
}

// Constants of the normal tail, sqrt(1/2) and sqrt(2/pi), are good to 0.7 u.
static void normal_tails(const stats_datum *bound, tails *at)
{
    double z, error = stats_standard_scale(bound, &z), distance = size(z), t = distance * 0.7071067811865476;
    double scaled = scale_erfcx(t), log_scaled = scale_log(0.5 * scaled), hazard = 0.7978845608028654 / scaled;
    double condition = t < 10.0 ? 1.1283791670955126 * t / scaled - 2.0 * t * t : 1.0; // of erfcx, t |erfcx'|/erfcx
    double argument = 0.7 + scale_relative_rounding(t) + (distance > 0.0 && error < 1e300 ? error / distance : 0.0);
    double conditioned = scale_erfcx_error(t) / scaled + argument * condition;
    double own = distance * error + conditioned + ERROR_OF(LOG, log_scaled);
    double tail = scale_exp(z > 0.0 ? at->log_upper : at->log_lower), log_other = z > 0.0 ? at->log_lower : at->log_upper;
    double kernel = ERROR_EXP + distance * error, relative = conditioned + kernel + scale_relative_rounding(tail);
    double share = tail / (1.0 - tail) * relative;
    double other = share + ERROR_BEFORE_LAST(LOG1P, log_other);
    double ratio = conditioned + 0.7 + scale_relative_rounding(hazard), other_ratio = kernel + 0.7 + 3.0 + share;
    bool upper_summed = z > 0.0;
    at->upper = upper_summed ? own : other;
    at->lower = upper_summed ? other : own;
    at->upper_ratio = upper_summed ? ratio : other_ratio;
    at->lower_ratio = upper_summed ? other_ratio : ratio;
    at->prefix = distance * error;
    at->log_prefix = -0.5 * z * z - HALF_LOG_2PI;
}

// The bound of a Student-t tail: z, its relative error, w = z^2/nu with its, and log |z|.
typedef struct student_point {
    double z, z_error, w, w_error, distance_error, log_z;
} student_point;
static void student_point_at(const stats_datum *bound, student_point *at)
{
    double error = stats_standard_scale(bound, &at->z), nu = bound->p[0], distance = bound->y - bound->p[1];
    bool plain = size(distance) < 1e300 && distance != 0.0;
    at->z_error = at->z != 0.0 && error < 1e300 ? error / size(at->z) : 2.0;
    at->distance_error = plain ? scale_difference_rounding(bound->dtype, bound->y, bound->p[1]) / size(distance) : 1.0;
    at->w = at->z * (at->z / nu) < 1e300 ? at->z * (at->z / nu) : 1e300;
    at->w_error = 2.0 * at->z_error + 2.0;
    at->log_z = at->z != 0.0 ? scale_log(size(distance)) - scale_log(bound->p[2]) : 0.0; // z itself may overflow
}

// Beyond |z| = 1: the tail is prefix J/2.
static void student_far(const stats_datum *bound, const student_point *p, double log_f, double f_error, tails *at)
{
    bool upper = p->z > 0.0;
    double beyond = upper ? at->log_upper : at->log_lower, before = upper ? at->log_lower : at->log_upper;
    double share = p->w / (1.0 + p->w), x_error = p->w < 1.0 ? share * p->w_error + 2.0 : share * (p->w_error + 1.0) + 2.0;
    double integral = scale_beta_integral(bound->dtype, 0.5 * bound->p[0], 0.5, 1.0 / (1.0 + p->w), x_error);
    at->log_prefix = log_f + p->log_z;
    at->prefix = f_error + p->distance_error + ERROR_OF(LOG, p->log_z) + scale_rounding(at->log_prefix);
    double own = at->prefix + integral + ERROR_OF(LOG, beyond - at->log_prefix);
    double tail = scale_exp(beyond), relative = own + scale_rounding(beyond) + ERROR_EXP, odds = tail / (1.0 - tail) * relative;
    double other = odds + ERROR_BEFORE_LAST(LOG1P, before), ratio = integral + 1.0, other_ratio = relative + ratio + 3.0 + odds;
    at->weight = relative + ratio + 1.0;
    at->centre = tail <= 0.25 ? tail * relative / (0.5 - tail) + 1.0 : at->weight + ERROR_INTEGRAL + 1.0;
    if (tail > 0.2499 && tail < 0.2501) {
        at->centre = larger(relative + 1.0, at->weight + ERROR_INTEGRAL + 1.0);
    }
    at->upper = upper ? own : other;
    at->lower = upper ? other : own;
    at->upper_ratio = upper ? ratio : other_ratio;
    at->lower_ratio = upper ? other_ratio : ratio;
}

// Within: F(|z|) - 1/2 is |z| f J/2, with the series of the reflected point where y = w/(1 + w) is at most 1/2.
static void student_near(const stats_datum *bound, const student_point *p, double log_f, double f_error, tails *at)
{
    bool upper = p->z > 0.0;
    double beyond = upper ? at->log_upper : at->log_lower, before = upper ? at->log_lower : at->log_upper;
    double y_error = p->w_error / (1.0 + p->w) + 2.0, y = p->w / (1.0 + p->w);
    double integral = scale_beta_integral(bound->dtype, 0.5, 0.5 * bound->p[0], y, y_error);
    double centre = 0.5 - scale_exp(beyond);
    centre = centre > 0.0 ? centre : 0.0;
    at->log_prefix = log_f + p->log_z;
    at->prefix = f_error + (p->z != 0.0 ? p->distance_error + ERROR_OF(LOG, p->log_z) + scale_rounding(at->log_prefix) : 0.0);
    at->weight = f_error + ERROR_EXP;
    at->centre = p->z_error + at->weight + integral + 2.0;
    double own = (centre * at->centre + scale_rounding(0.5 - centre)) / (0.5 - centre);
    double other = (centre * at->centre + scale_rounding(0.5 + centre)) / (0.5 + centre);
    double ratio = at->weight + own + 1.0, other_ratio = at->weight + other + 1.0;
    own += ERROR_BEFORE_LAST(LOG, beyond);
    other += ERROR_BEFORE_LAST(LOG, before);
    at->upper = upper ? own : other;
    at->lower = upper ? other : own;
    at->upper_ratio = upper ? ratio : other_ratio;
    at->lower_ratio = upper ? other_ratio : ratio;
}

static void student_tails(const stats_datum *bound, tails *at)
{
    student_point p;
    double log_f, error = stats_student_standard_scale(bound, &log_f);
    student_point_at(bound, &p);
    error += scale_rounding(log_f);
    if (p.z * p.z > 1.0) {
        student_far(bound, &p, log_f, error, at);
    } else {
        student_near(bound, &p, log_f, error, at);
    }
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
    double error = 0.5 * ERROR_OF(LOG, scale_log(a)) + scale_rounding(half_log - HALF_LOG_2PI) + ERROR_CONSTANT +
                   scale_stirling_error(a) + scale_rounding(peak) + ERROR_OF(DEVIANCE, deviance);
    if (!(x > 4.0 * scale_least(bound->dtype))) { // a log(a/x) - (a - x) as it stands
        double logs = scale_log(a) - scale_log(bound->y) - scale_log(bound->p[1]);
        error += a * scale_rounding(logs) + scale_rounding(a - x);
    }
    double x_error = scale_relative_rounding(x), lower = scale_gamma_integral(bound->dtype, a, x, x_error, true);
    int left = is_left(a, at->log_lower);
    if (left == 0 || size(a - x) < NEAR_MEAN * a) {
        from_either_side(at, peak - deviance, error, lower, ERROR_INTEGRAL);
    } else {
        bool is_lower = a > x && left < 0;
        from_prefix(at, peak - deviance, error, is_lower, is_lower ? lower : ERROR_INTEGRAL);
    }
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

// The point of the beta distribution whose lower tail is P(Y <= k): shapes, x, 1 - x, the relative error of both, and the absolute
// one of the deviation a - (a + b) x beyond its rounding.
typedef struct beta_point {
    double a, b, x, y, error, deviation;
} beta_point;

// Tails of a beta distribution: the one beyond the mean is summed, unless its first shape is below 1 and it holds nearly all. In
// the exponent of J the deviation stands before v, whose mean is at most J (e^E is log-concave, E(0) = 0), and J at most one over
// it.
static void beta_tails(const stats_datum *bound, const beta_point *p, double log_prefix, double error, tails *at)
{
    double below = scale_beta_integral(bound->dtype, p->a, p->b, p->x, p->error);
    double above = scale_beta_integral(bound->dtype, p->b, p->a, p->y, p->error);
    double deviation = p->a * p->y - p->b * p->x, least = 1.0 / size(deviation);
    if (p->deviation > 0.0) {
        below += p->deviation * (size(at->log_lower) < FAR_LOG ? scale_exp(at->log_lower - log_prefix) : least);
        above += p->deviation * (size(at->log_upper) < FAR_LOG ? scale_exp(at->log_upper - log_prefix) : least);
    }
    bool is_lower = deviation > 0.0;
    int left = is_lower ? is_left(p->a, at->log_lower) : is_left(p->b, at->log_upper);
    if (left == 0 || size(deviation) < NEAR_MEAN * p->a * p->y + p->deviation * scale_unit(bound->dtype)) {
        from_either_side(at, log_prefix, error, below, above);
    } else {
        is_lower = left > 0 ? !is_lower : is_lower;
        from_prefix(at, log_prefix, error, is_lower, is_lower ? below : above);
    }
}

static void poisson_tails(const stats_datum *bound, tails *at)
{
    double next = (double)bound->count + 1.0, rate = bound->p[0], log_density = log_density_at(bound), factor = scale_log(rate);
    double error = stats_density_scale(bound) + scale_rounding(log_density) + ERROR_OF(LOG, factor);
    double series = scale_gamma_integral(bound->dtype, next, rate, 0.0, true); // the upper tail is the gamma's lower one
    if (size(next - rate) < NEAR_MEAN * next) {
        from_either_side(at, log_density + factor, error, ERROR_INTEGRAL, series);
    } else {
        from_prefix(at, log_density + factor, error, !(next > rate), next > rate ? series : ERROR_INTEGRAL);
    }
}

static void negative_binomial_tails(const stats_datum *bound, tails *at)
{
    double k = (double)bound->count, mu = bound->p[0], phi = bound->p[1], sum = mu + phi, log_density = log_density_at(bound);
    double log_total = scale_log(phi + k), log_share = -scale_log1p(phi / mu), factor = log_total + log_share;
    double error = stats_density_scale(bound) + scale_rounding(log_density) + ERROR_OF(LOG, log_total) + 1.0 +
                   ERROR_OF(LOG, log_share) + scale_rounding(factor);
    beta_point p = {phi, k + 1.0, phi / sum, mu / sum, 1.0, 0.0};
    beta_tails(bound, &p, log_density + factor, error, at);
}

static void binomial_tails(const stats_datum *bound, tails *at)
{
    double k = (double)bound->count, first = bound->p[0], rest = (double)(bound->trials - bound->count), log_p, p_error;
    double log_density = log_density_at(bound), log_rest = scale_log(rest), power = scale_exp(-size(first));
    beta_point p = {rest, k + 1.0, 1.0 - first, first, 1.0, 0.0};
    if (bound->family == STATS_BINOMIAL_LOGIT) {
        log_p = first < 0.0 ? first - scale_log1p(power) : -scale_log1p(power);
        p_error = ERROR_OF(SOFTPLUS, log_p);
        p.x = first < 0.0 ? 1.0 / (1.0 + power) : power / (1.0 + power);
        p.y = first < 0.0 ? power / (1.0 + power) : 1.0 / (1.0 + power);
        p.deviation = stats_logit_units(bound->dtype) * (double)bound->trials * power / (1.0 + power);
    } else {
        log_p = scale_log(first);
        p_error = ERROR_OF(LOG, log_p);
    }
    double factor = log_rest + log_p, inexact = rest > (bound->dtype == GOLDEN_F32 ? 0x1p24 : 0x1p53) ? 1.0 : 0.0;
    double error = stats_density_scale(bound) + scale_rounding(log_density) + ERROR_OF(LOG, log_rest) + inexact + p_error +
                   scale_rounding(factor);
    beta_tails(bound, &p, log_density + factor, error, at);
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
    case STATS_POISSON:
        poisson_tails(bound, at);
        break;
    case STATS_NEGATIVE_BINOMIAL:
        negative_binomial_tails(bound, at);
        break;
    default:
        binomial_tails(bound, at);
        break;
    }
}

// What a one-sided gradient adds to its ratio before its last operation, relative.
double stats_factor_units(const stats_datum *datum, double ratio)
{
    double z, error, q;
    bool held;
    student_point p;
    switch (datum->family) {
    case STATS_NORMAL:
    case STATS_LOGNORMAL:
        error = stats_standard_scale(datum, &z);
        return datum->output == 1 ? 0.0 : 1.0 + (z != 0.0 && error < 1e300 ? error / size(z) : 2.0);
    case STATS_STUDENT:
        student_point_at(datum, &p);
        if (p.z * p.z > 1.0) {
            return datum->output == 2 ? p.distance_error + (size(datum->y - datum->p[1]) < 1e300 ? 0.0 : 1.0) : 0.0;
        }
        return datum->output == 2 ? 0.0 : 1.0 + p.z_error;
    case STATS_BINOMIAL: // over p and over q
        q = 1.0 - datum->p[0];
        held = 1.0 - q == datum->p[0] && (datum->dtype == GOLDEN_F64 || (double)(float)q == q);
        return held ? 1.0 : 1.0 + scale_relative_rounding(q);
    case STATS_BINOMIAL_LOGIT: // the ratio is the last operation
        return -scale_relative_rounding(ratio);
    default:
        return 0.0;
    }
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
    double units = left ? at.lower_ratio : at.upper_ratio, log_ratio = size(value) < FAR_LOG ? at.log_prefix - value : 0.0;
    if (scale_ratio_is_deep(datum->dtype, log_ratio) >= 0) {
        bool is_normal = datum->family == STATS_NORMAL || datum->family == STATS_LOGNORMAL; // e^(-z^2/2) with all digits
        units = larger(units, is_normal ? 0.0 : at.prefix + 2.0 * scale_rounding(log_ratio) + ERROR_EXP) + ERROR_FOURTH_POWER;
    }
    units += stats_factor_units(datum, truth);
    return units * size(truth) + stats_gradient_least(datum);
}
