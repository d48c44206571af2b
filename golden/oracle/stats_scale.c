// SPDX-License-Identifier: Apache-2.0
// Error scales of densities. Each function follows the order of operations in docs/statistics.md: a term's own error, then one unit
// of every inner sum.
#include "stats_scale.h"

static double unary(double x, int function(mpfr_t, const mpfr_t, mpfr_rnd_t))
{
    mpfr_t value;
    mpfr_init2(value, 64);
    mpfr_set_d(value, x, MPFR_RNDN);
    function(value, value, MPFR_RNDN);
    double result = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return result;
}
double scale_log(double x)
{
    return unary(x, mpfr_log);
}
double scale_log1p(double x)
{
    return unary(x, mpfr_log1p);
}
double scale_exp(double x)
{
    return unary(x, mpfr_exp);
}
double scale_lgamma(double x)
{
    return unary(x, mpfr_lngamma);
}
double scale_erfcx(double x)
{
    return x > 20.0 ? 0.5641895835477563 / x : scale_exp(x * x) * unary(x, mpfr_erfc);
}

double scale_stirling(double x)
{
    if (x > 16.0) {
        return 1.0 / (12.0 * x);
    }
    return scale_lgamma(x + 1.0) - (x + 0.5) * scale_log(x) + x - 0.9189385332046728;
}
double scale_digamma(double x)
{
    return x > 16.0 ? 1.0 / (12.0 * x * x) : scale_log(x) - 0.5 / x - unary(x, mpfr_digamma);
}
double scale_deviance(double x, double m)
{
    double d = x - m, s = d / (x + m);
    if (x == 0.0) {
        return m;
    }
    if (s < 0.01 && s > -0.01) {
        return d * s * (1.0 + s);
    }
    return x * (scale_log(x) - scale_log(m)) - d;
}
double scale_least(golden_dtype dtype)
{
    return dtype == GOLDEN_F32 ? 0x1p-79 : 0x1p-917;
}

double scale_unit(golden_dtype dtype)
{
    return dtype == GOLDEN_F32 ? 0x1p-24 : 0x1p-53;
}
double scale_subnormal(golden_dtype dtype)
{
    return dtype == GOLDEN_F32 ? 0x1p-126 : 0x1p-1022;
}

static double size(double x)
{
    return x < 0.0 ? -x : x;
}

#define HALF_LOG_2PI 0.9189385332046728

double stats_standard_scale(const stats_datum *datum, double *z)
{
    int first = datum->family == STATS_STUDENT ? 1 : 0;
    double mu = datum->p[first], sigma = datum->p[first + 1];
    if (datum->family == STATS_PRIOR_HALF_NORMAL) {
        *z = datum->y / datum->p[0];
        return size(*z);
    }
    if (datum->family == STATS_LOGNORMAL || datum->family == STATS_PRIOR_LOGNORMAL) { // log y to twice the digits, less mu
        double log_y = scale_log(datum->y);
        *z = (log_y - mu) / sigma;
        return 0.1 * size(log_y) / sigma + 2.0 * size(*z);
    }
    *z = (datum->y - mu) / sigma;
    return 2.0 * size(*z);
}

static double normal_scale(const stats_datum *datum)
{
    bool is_log = datum->family == STATS_LOGNORMAL || datum->family == STATS_PRIOR_LOGNORMAL;
    double z, error = stats_standard_scale(datum, &z), square = 0.5 * z * z;
    double sigma = datum->p[datum->family == STATS_PRIOR_HALF_NORMAL ? 0 : 1], log_sigma = scale_log(sigma);
    double scale = size(z) * error + (square + HALF_LOG_2PI) + 0.5 * HALF_LOG_2PI + ERROR_LOG * size(log_sigma);
    if (is_log) {
        scale += size(square + HALF_LOG_2PI + log_sigma) + ERROR_LOG * size(scale_log(datum->y));
    }
    return scale;
}

// The normalising constant of Student-t.
static double student_constant_scale(double nu)
{
    double h = 0.5 * nu, first = scale_stirling(h + 0.5), second = scale_stirling(h);
    double rest = h * (scale_log1p(1.0 / nu) - 1.0 / nu);
    double inner = rest - HALF_LOG_2PI;
    return ERROR_STIRLING * (first + second) + size(first - second) + (ERROR_LOG1PMX + 2.0) * size(rest) + 0.5 * HALF_LOG_2PI +
           size(inner) + size(first - second + inner);
}

static double student_scale(const stats_datum *datum)
{
    double nu = datum->p[0], z, half = 0.5 * (nu + 1.0);
    stats_standard_scale(datum, &z);
    double w = z * (z / nu) < 1e300 ? z * (z / nu) : 1e300;
    double log_z = w < 1e6 ? 0.0 : scale_log(size(datum->y - datum->p[1])) - scale_log(datum->p[2]); // z may overflow
    double log1p_w = w < 1e300 ? scale_log1p(w) : 2.0 * log_z - scale_log(nu);
    double error = 6.0 * w / (1.0 + w) + ERROR_LOG1P * log1p_w;
    if (!(w < 1e6)) {
        error = 3.0 + 2.0 * size(log_z) + ERROR_LOG * size(scale_log(nu)) + 2.0 * size(log1p_w);
    }
    if (w < 1e-17) {
        return student_constant_scale(nu) + 8.0 * z * z + ERROR_LOG * size(scale_log(datum->p[2])) + 2.0;
    }
    double standard = half * log1p_w + 2.0 + size(scale_log(nu)); // at least |constant| and the sum
    return half * error + half * log1p_w + student_constant_scale(nu) + standard + ERROR_LOG * size(scale_log(datum->p[2]));
}

static double lgamma_scale(double a) // 0 < a < 2
{
    double smooth = size(scale_lgamma(a <= 1.0 ? 1.0 + a : a));
    return a <= 1.0 ? ERROR_LGAMMA1P * smooth + ERROR_LOG * size(scale_log(a)) + size(scale_lgamma(a)) : ERROR_LGAMMA1P * smooth;
}

static double gamma_scale(const stats_datum *datum)
{
    double a = datum->p[0], log_b = scale_log(datum->p[1]), x = datum->y * datum->p[1], k = a - 1.0;
    if (datum->y == 0.0) {
        return a == 1.0 ? ERROR_LOG * size(log_b) : 0.0;
    }
    if (a < 2.0) {
        double power = size(k * (scale_log(datum->y) + log_b));
        double front = size(log_b - scale_lgamma(a));
        return ERROR_LOG * size(log_b) + lgamma_scale(a) + front + 3.0 * power + x + power + x;
    }
    double half_log = 0.5 * scale_log(k), remainder = scale_stirling(k);
    double peak = half_log + HALF_LOG_2PI + remainder;
    return ERROR_LOG * (size(log_b) + size(half_log)) + (half_log + HALF_LOG_2PI) + 0.5 * HALF_LOG_2PI +
           ERROR_STIRLING * remainder + peak + size(log_b - peak) + ERROR_DEVIANCE * scale_deviance(k, x);
}

static double poisson_scale(const stats_datum *datum)
{
    double y = (double)datum->count, rate = datum->p[0];
    if (datum->count == 0 || rate == 0.0) {
        return 0.0;
    }
    double half_log = 0.5 * scale_log(y), remainder = scale_stirling(y);
    return ERROR_LOG * half_log + 1.0 + (half_log + HALF_LOG_2PI) + ERROR_STIRLING * remainder +
           (half_log + HALF_LOG_2PI + remainder) + ERROR_DEVIANCE * scale_deviance(y, rate);
}

static double negative_binomial_scale(const stats_datum *datum)
{
    double y = (double)datum->count, mu = datum->p[0], phi = datum->p[1];
    if (mu == 0.0) {
        return 0.0;
    }
    if (datum->count == 0) {
        double ratio = mu / phi;
        if (!(ratio < scale_exp(datum->dtype == GOLDEN_F32 ? 88.7 : 709.7))) {
            return phi * ((ERROR_LOG + 1.0) * (size(scale_log(mu)) + size(scale_log(phi))));
        }
        return phi * (ERROR_LOG1P * scale_log1p(ratio) + ratio / (1.0 + ratio));
    }
    double total = y + phi, sum = mu + phi, share = phi / sum, mean = total / sum * mu;
    double first = share * scale_deviance(sum, total), second = scale_deviance(y, mean);
    double log_share = scale_log1p(y / phi), log_y = scale_log(y), peak = 0.5 * (log_share + log_y) + HALF_LOG_2PI;
    double s_total = scale_stirling(total), s_phi = scale_stirling(phi), s_y = scale_stirling(y);
    double remainders = size(s_total - s_phi - s_y);
    return 0.5 * (log_share + ERROR_LOG * log_y + 1.0 + (log_share + log_y)) + 0.5 * HALF_LOG_2PI + peak +
           ERROR_STIRLING * (s_total + s_phi + s_y) + size(s_total - s_phi) + remainders + size(peak - remainders) +
           (ERROR_DEVIANCE + 2.0) * first + ERROR_DEVIANCE * second + (first + second);
}

// log p and log q of either binomial, and p and q.
typedef struct odds {
    double p, q, log_p, log_q, error;
} odds;
static odds binomial_odds(const stats_datum *datum)
{
    odds o;
    if (datum->family == STATS_BINOMIAL) {
        o.p = datum->p[0];
        o.q = 1.0 - o.p;
        o.log_p = o.p > 0.0 ? scale_log(o.p) : 0.0;
        o.log_q = o.q > 0.0 ? scale_log1p(-o.p) : 0.0;
        o.error = ERROR_LOG;
        return o;
    }
    double eta = datum->p[0], power = scale_exp(-size(eta));
    double less = power / (1.0 + power), tail = scale_log1p(power);
    o.p = eta < 0.0 ? less : 1.0 - less;
    o.q = eta < 0.0 ? 1.0 - less : less;
    o.log_p = eta < 0.0 ? eta - tail : -tail;
    o.log_q = eta < 0.0 ? -tail : -eta - tail;
    o.error = ERROR_SOFTPLUS;
    return o;
}

static double binomial_peak_scale(double n, double y, double rest)
{
    double logs = scale_log(n) - scale_log(y), log_rest = scale_log(rest);
    double s_n = scale_stirling(n), s_y = scale_stirling(y), s_rest = scale_stirling(rest);
    double half = 0.5 * (logs - log_rest) - HALF_LOG_2PI, remainders = s_n - s_y - s_rest;
    return 0.5 * (logs + ERROR_LOG * size(log_rest) + 1.0 + size(logs - log_rest)) + 0.5 * HALF_LOG_2PI + size(half) +
           ERROR_STIRLING * (s_n + s_y + s_rest) + size(s_n - s_y) + size(remainders) + size(half + remainders);
}

static double binomial_scale(const stats_datum *datum)
{
    odds o = binomial_odds(datum);
    double n = (double)datum->trials, y = (double)datum->count, rest = (double)(datum->trials - datum->count);
    if (datum->trials == 0 || (datum->family == STATS_BINOMIAL && (o.p == 0.0 || o.q == 0.0))) {
        return 0.0;
    }
    if (datum->count == 0 || datum->count == datum->trials) {
        return (o.error + 1.0) * n * size(datum->count == 0 ? o.log_q : o.log_p);
    }
    double peak = binomial_peak_scale(n, y, rest);
    if (!(n * o.p > scale_least(datum->dtype)) || !(n * o.q > scale_least(datum->dtype))) {
        double choose = y * (scale_log(n) - scale_log(y)) + rest * (scale_log(n) - scale_log(rest));
        double powers = y * size(o.log_p) + rest * size(o.log_q);
        return peak + (o.error + 2.0) * powers + 4.0 * choose + 4.0;
    }
    double first = scale_deviance(y, n * o.p), second = scale_deviance(rest, n * o.q);
    double inexact = datum->family == STATS_BINOMIAL ? 0.0 : 0.2 * size(y - n * o.p); // p and q to 2^-58
    return peak + (ERROR_DEVIANCE + 1.0) * (first + second) + inexact;
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
    double n = k + m, log_n = scale_log1p(n), peak = binomial_peak_scale(n, k, m);
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
