// SPDX-License-Identifier: Apache-2.0
// Error scales of densities. Each function follows the order of operations in docs/statistics.md: a term's own error, then one unit
// of every inner sum.
#include "stats_scale.h"

static double size(double x)
{
    return x < 0.0 ? -x : x;
}

// What a count loses as a number of the dtype.
static double count_rounding(golden_dtype dtype, double count)
{
    return count <= (dtype == GOLDEN_F32 ? 0x1p24 : 0x1p53) ? 0.0 : 1.0;
}

#define HALF_LOG_2PI 0.9189385332046728

double stats_standard_scale(const stats_datum *datum, double *z)
{
    int first = datum->family == STATS_STUDENT ? 1 : 0;
    double mu = datum->p[first], sigma = datum->p[first + 1];
    if (datum->family == STATS_PRIOR_HALF_NORMAL) {
        *z = datum->y / datum->p[0];
        return scale_rounding(*z);
    }
    if (datum->family == STATS_LOGNORMAL || datum->family == STATS_PRIOR_LOGNORMAL) { // log y to twice the digits, less mu
        double log_y = scale_log(datum->y);
        *z = (log_y - mu) / sigma;
        return (0.1 * size(log_y) + scale_rounding(log_y - mu)) / sigma + scale_rounding(*z);
    }
    *z = (datum->y - mu) / sigma;
    if (!(size(datum->y - mu) < 1e300)) {
        return 2.0 * size(*z);
    }
    return scale_difference_rounding(datum->dtype, datum->y, mu) / sigma + scale_rounding(*z);
}

static double normal_scale(const stats_datum *datum)
{
    bool is_log = datum->family == STATS_LOGNORMAL || datum->family == STATS_PRIOR_LOGNORMAL;
    bool half = datum->family == STATS_PRIOR_HALF_NORMAL;
    double z, error = stats_standard_scale(datum, &z);
    double log_sigma = scale_log(datum->p[half ? 0 : 1]), constant = half ? 0.22579135264472744 : HALF_LOG_2PI;
    double value = 0.5 * z * z + constant, scale = size(z) * error + scale_rounding(value) + ERROR_CONSTANT;
    scale += ERROR_OF(LOG, log_sigma);
    if (is_log) {
        scale += scale_rounding(value + log_sigma) + ERROR_OF(LOG, scale_log(datum->y));
    }
    return scale;
}

// The normalising constant of Student-t, with the rounding of its last sum.
static double student_constant_scale(golden_dtype dtype, double nu, double *constant)
{
    if (nu < (dtype == GOLDEN_F32 ? 0x1p-36 : 0x1p-68)) { // log(nu)/2 - log 2
        *constant = 0.5 * scale_log(nu) - 0.6931471805599453;
        return 0.5 * ERROR_OF(LOG, scale_log(nu)) + 0.5 + scale_rounding(*constant);
    }
    double h = 0.5 * nu, first = scale_stirling(h + 0.5), second = scale_stirling(h), t = 1.0 / nu;
    double bend = scale_log1p(t) - t, rest = h * bend, condition = nu < 1e5 ? t * (t / (1.0 + t)) / size(bend) : 2.0;
    if (!(nu < 1e5)) {
        bend = -0.5 * t * t;
        rest = -0.25 * t;
    }
    *constant = first - second + (rest - HALF_LOG_2PI);
    return scale_stirling_error(h + 0.5) + first + scale_stirling_error(h) + scale_rounding(first - second) +
           h * ERROR_OF(LOG1PMX, bend) + condition * size(rest) + scale_rounding(rest) + ERROR_CONSTANT +
           scale_rounding(rest - HALF_LOG_2PI) + scale_rounding(*constant);
}

double stats_student_standard_scale(const stats_datum *datum, double *log_f)
{
    double nu = datum->p[0], z, half = 0.5 * (nu + 1.0), constant,
           constant_error = student_constant_scale(datum->dtype, nu, &constant);
    double error = stats_standard_scale(datum, &z), relative = z != 0.0 && error < 1e300 ? error / size(z) : 2.0;
    double w = z * (z / nu) < 1e300 ? z * (z / nu) : 1e300;
    double log_z = w < 1e6 ? 0.0 : scale_log(size(datum->y - datum->p[1])) - scale_log(datum->p[2]); // z may overflow
    double log1p_w = w < 1e300 ? scale_log1p(w) : 2.0 * log_z - scale_log(nu);
    if (w < 1e-17) {
        *log_f = constant - 0.5 * z * z;
        return constant_error + 8.0 * z * z + 2.0;
    }
    double power = w / (1.0 + w) * (2.0 * relative + 2.0) + ERROR_OF(LOG1P, log1p_w);
    if (!(w < 1e6)) {
        power = 2.0 + 2.0 * ERROR_OF(LOG, log_z) + ERROR_OF(LOG, scale_log(nu)) + 2.0 * scale_rounding(log1p_w) + 0.1;
    }
    *log_f = constant - half * log1p_w;
    return constant_error + half * power + scale_relative_rounding(nu + 1.0) * half * log1p_w;
}
static double student_scale(const stats_datum *datum)
{
    double log_f, error = stats_student_standard_scale(datum, &log_f);
    return error + scale_rounding(log_f) + ERROR_OF(LOG, scale_log(datum->p[2]));
}

static double lgamma_scale(double a) // 0 < a < 2
{
    double smooth = size(scale_lgamma(a <= 1.0 ? 1.0 + a : a));
    return ERROR_OF(LGAMMA1P, smooth) + (a <= 1.0 ? ERROR_OF(LOG, scale_log(a)) + scale_rounding(scale_lgamma(a)) : 0.0);
}

static double gamma_scale(const stats_datum *datum)
{
    double a = datum->p[0], log_b = scale_log(datum->p[1]), x = datum->y * datum->p[1], k = a - 1.0;
    if (datum->y == 0.0) {
        return a == 1.0 ? ERROR_OF(LOG, log_b) : 0.0;
    }
    double scale = ERROR_OF(LOG, log_b);
    if (a < 2.0) {
        double log_x = scale_log(datum->y) + log_b, power = k * log_x;
        return scale + lgamma_scale(a) + scale_rounding(log_b - scale_lgamma(a)) + size(k) * ERROR_OF(LOG, log_x) +
               scale_difference_rounding(datum->dtype, a, 1.0) * size(log_x) + scale_rounding(power) + scale_rounding(x) +
               scale_rounding(power - x);
    }
    if (!(x > 4.0 * scale_least(datum->dtype))) { // k log x, which dominates, less lgamma(k + 1) by Stirling's formula
        double log_x = scale_log(datum->y) + log_b, power = k * log_x, product = (k + 0.5) * size(scale_log(k));
        return scale + k * ERROR_OF(LOG, log_x) + size(power) * (1.0 + count_rounding(datum->dtype, a)) + scale_stirling_error(k) +
               (ERROR_LOG + 2.0) * product + 4.0 * (product + k + 1.0) + size(power - product);
    }
    double half_log = 0.5 * scale_log(k), peak = half_log + HALF_LOG_2PI + scale_stirling(k);
    return scale + 0.5 * ERROR_OF(LOG, scale_log(k)) + 0.5 * count_rounding(datum->dtype, a) +
           scale_rounding(half_log + HALF_LOG_2PI) + ERROR_CONSTANT + scale_stirling_error(k) + scale_rounding(peak) +
           scale_rounding(log_b - peak) + ERROR_OF(DEVIANCE, scale_deviance(k, x));
}

static double poisson_scale(const stats_datum *datum)
{
    double y = (double)datum->count, rate = datum->p[0];
    if (datum->count == 0 || rate == 0.0) {
        return 0.0;
    }
    double half_log = 0.5 * scale_log(y);
    return 0.5 * ERROR_OF(LOG, scale_log(y)) + 0.5 * count_rounding(datum->dtype, y) + scale_rounding(half_log + HALF_LOG_2PI) +
           ERROR_CONSTANT + scale_stirling_error(y) + scale_rounding(half_log + HALF_LOG_2PI + scale_stirling(y)) +
           ERROR_OF(DEVIANCE, scale_deviance(y, rate));
}

static double negative_binomial_scale(const stats_datum *datum)
{
    double y = (double)datum->count, mu = datum->p[0], phi = datum->p[1];
    if (mu == 0.0) {
        return 0.0;
    }
    if (datum->count == 0) {
        double ratio = mu / phi;
        if (ratio < 0.25 * scale_unit(datum->dtype)) { // -mu, short of half the ratio
            return 0.5 * mu;
        }
        if (!(ratio < scale_exp(datum->dtype == GOLDEN_F32 ? 88.7 : 709.7))) {
            return phi * ((ERROR_LOG + 1.0) * (size(scale_log(mu)) + size(scale_log(phi))));
        }
        return phi * (ERROR_OF(LOG1P, scale_log1p(ratio)) + ratio / (1.0 + ratio) * scale_relative_rounding(ratio));
    }
    double total = y + phi, sum = mu + phi, share = phi / sum, mean = total / sum * mu, deviance = scale_deviance(sum, total);
    double first = share * deviance, first_error = share * ERROR_OF(DEVIANCE, deviance) + first;
    if (!(deviance < 1e300)) { // only phi (log(s/N) - 1) is left
        first = phi * (scale_log(sum) - scale_log(total));
        first_error = 4.0 * first;
    }
    mean = mean < 1e300 ? mean : total * (mu / sum);
    double second = mean > scale_least(datum->dtype) ? scale_deviance(y, mean)
                                                     : y * (scale_log(y) - scale_log(total) + scale_log(sum) - scale_log(mu)) - y;
    double log_share = y / phi < 1e300 ? scale_log1p(y / phi) : scale_log(total) - scale_log(phi), log_y = scale_log(y),
           peak = -0.5 * (log_share + log_y) - HALF_LOG_2PI;
    double s_total = scale_stirling(total), s_phi = scale_stirling(phi), remainders = s_total - s_phi - scale_stirling(y);
    return 0.5 * (ERROR_OF(LOG, log_share) + ERROR_OF(LOG, log_y) + count_rounding(datum->dtype, y) +
                  scale_rounding(log_share + log_y)) +
           ERROR_CONSTANT + scale_rounding(peak) + scale_stirling_error(total) + s_total + scale_stirling_error(phi) +
           scale_stirling_error(y) + scale_rounding(s_total - s_phi) + scale_rounding(remainders) +
           scale_rounding(peak + remainders) + first_error + scale_rounding(first) + ERROR_OF(DEVIANCE, second) +
           scale_rounding(first + second);
}

// log p and log q of either binomial, and p and q.
typedef struct odds {
    double p, q, log_p, log_q, p_error, q_error; // errors of the logarithms
} odds;
static odds binomial_odds(const stats_datum *datum)
{
    odds o;
    if (datum->family == STATS_BINOMIAL) {
        o.p = datum->p[0];
        o.q = 1.0 - o.p;
        o.log_p = o.p > 0.0 ? scale_log(o.p) : 0.0;
        o.log_q = o.q > 0.0 ? scale_log1p(-o.p) : 0.0;
        o.p_error = ERROR_OF(LOG, o.log_p);
        o.q_error = ERROR_OF(LOG1P, o.log_q);
        return o;
    }
    double eta = datum->p[0], power = scale_exp(-size(eta));
    double less = power / (1.0 + power), tail = scale_log1p(power);
    o.p = eta < 0.0 ? less : 1.0 - less;
    o.q = eta < 0.0 ? 1.0 - less : less;
    o.log_p = eta < 0.0 ? eta - tail : -tail;
    o.log_q = eta < 0.0 ? -tail : -eta - tail;
    o.p_error = ERROR_OF(SOFTPLUS, o.log_p);
    o.q_error = ERROR_OF(SOFTPLUS, o.log_q);
    return o;
}

// `inexact`: what the three numbers lose when they are rounded to the dtype.
static double binomial_peak_scale(double n, double y, double rest, double inexact)
{
    double logs = scale_log(n) - scale_log(y), log_rest = scale_log(rest);
    double s_n = scale_stirling(n), s_y = scale_stirling(y), s_rest = scale_stirling(rest);
    double half = 0.5 * (logs - log_rest) - HALF_LOG_2PI, remainders = s_n - s_y - s_rest;
    return 0.5 * (ERROR_OF(LOG, logs) + ERROR_OF(LOG, log_rest) + inexact + scale_rounding(logs - log_rest)) + ERROR_CONSTANT +
           scale_rounding(half) + scale_stirling_error(n) + scale_stirling_error(y) + scale_stirling_error(rest) +
           inexact * (s_n + s_y + s_rest) + scale_rounding(s_n - s_y) + scale_rounding(remainders) +
           scale_rounding(half + remainders);
}

// By logit, p and q are float64 pairs: what exp loses behind its first 53 bits is r^2 Q(r) < 0.07, good to three units of itself.
// Their smaller one enters the deviance by (y - n p)/(n p q).
double stats_logit_units(golden_dtype dtype)
{
    return 0.2 * 0x1p-53 / scale_unit(dtype);
}

static double binomial_scale(const stats_datum *datum)
{
    odds o = binomial_odds(datum);
    double n = (double)datum->trials, y = (double)datum->count, rest = (double)(datum->trials - datum->count);
    double inexact = count_rounding(datum->dtype, n);
    if (datum->trials == 0 || (datum->family == STATS_BINOMIAL && (o.p == 0.0 || o.q == 0.0))) {
        return 0.0;
    }
    if (datum->count == 0 || datum->count == datum->trials) {
        double error = datum->count == 0 ? o.q_error : o.p_error, logarithm = datum->count == 0 ? o.log_q : o.log_p;
        return n * (error + inexact * size(logarithm));
    }
    double peak = binomial_peak_scale(n, y, rest, inexact);
    if (!(n * o.p > scale_least(datum->dtype)) || !(n * o.q > scale_least(datum->dtype))) {
        double choose = y * (scale_log(n) - scale_log(y)) + rest * (scale_log(n) - scale_log(rest));
        double powers = y * size(o.log_p) + rest * size(o.log_q);
        return peak + (ERROR_SOFTPLUS + 2.0) * powers + 4.0 * choose + 4.0;
    }
    double first = scale_deviance(y, n * o.p), second = scale_deviance(rest, n * o.q);
    double wide =
        datum->family == STATS_BINOMIAL ? 0.0 : stats_logit_units(datum->dtype) * size(y - n * o.p) / (o.p > o.q ? o.p : o.q);
    return peak + ERROR_OF(DEVIANCE, first) + ERROR_OF(DEVIANCE, second) + scale_rounding(first + second) + wide;
}

static double log_beta_scale(double a, double b) // a < 2
{
    double ratio = a / b, sum = a + b, log_sum = scale_log(sum), first = scale_lgamma(a), product = a * size(log_sum);
    double bend = b * size(scale_log1p(ratio) - ratio), half = 0.5 * scale_log1p(ratio);
    double s_b = scale_stirling(b), s_sum = scale_stirling(sum), middle = bend + half;
    return lgamma_scale(a) + a + (ERROR_LOG + 1.0) * product + size(first) + product + (ERROR_LOG1PMX + 1.0) * bend +
           b * ratio * ratio / (1.0 + ratio) + ERROR_LOG1P * half + 0.5 * ratio / (1.0 + ratio) + middle +
           ERROR_STIRLING * (s_b + s_sum) + 2.0 * size(s_b - s_sum) + middle + size(first) + product;
}

static double beta_scale(const stats_datum *datum)
{
    double a = datum->p[0], b = datum->p[1], x = datum->y, k = a - 1.0, m = b - 1.0;
    if ((x == 0.0 && k != 0.0) || (x == 1.0 && m != 0.0)) {
        return 0.0;
    }
    double power_x = k == 0.0 ? 0.0 : size(k * scale_log(x)), power_y = m == 0.0 ? 0.0 : size(m * scale_log1p(-x));
    if (k == 0.0 || m == 0.0) {
        return ERROR_LOG * size(scale_log(k == 0.0 ? b : a)) + (ERROR_LOG + 2.0) * (power_x + power_y);
    }
    if (a < 2.0 || b < 2.0) {
        return (ERROR_LOG + 3.0) * (power_x + power_y) + log_beta_scale(a < b ? a : b, a < b ? b : a);
    }
    double n = k + m, log_n = scale_log1p(n), peak = binomial_peak_scale(n, k, m, 1.0);
    double first = scale_deviance(k, n * x), second = scale_deviance(m, n * (1.0 - x));
    return peak + ERROR_LOG1P * log_n + 1.0 + log_n + 2.0 + (ERROR_DEVIANCE + 1.0) * (first + second);
}

double stats_density_scale(const stats_datum *datum)
{
    switch (datum->family) {
    case STATS_STUDENT:
        return student_scale(datum);
    case STATS_GAMMA:
    case STATS_PRIOR_GAMMA:
        return gamma_scale(datum);
    case STATS_POISSON:
        return poisson_scale(datum);
    case STATS_NEGATIVE_BINOMIAL:
        return negative_binomial_scale(datum);
    case STATS_BINOMIAL:
    case STATS_BINOMIAL_LOGIT:
        return binomial_scale(datum);
    case STATS_PRIOR_BETA:
        return beta_scale(datum);
    default:
        return normal_scale(datum);
    }
}
