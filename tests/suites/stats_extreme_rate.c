// SPDX-License-Identifier: Apache-2.0
// Rates in logarithms, since the rate itself may be anywhere beyond the range of binary64.
#include "stats_extreme_rate.h"

#include <math.h>

#define LOG2_E 1.4426950408889634
#define LOG_ERROR 4e-13 // of a sum of logarithms of binary64 numbers
#define PLAIN_ERROR 1e-15

static double larger(double x, double y)
{
    return x > y ? x : y;
}

double extreme_logarithms(nc_dtype dtype)
{
    return 8.0 * (dtype == NC_F32 ? 149.0 : 1074.0) / LOG2_E;
}

// log2 of e^t - 1 - t.
static double bend_log2(double t)
{
    double bend = fabs(t) < 1e-4 ? 0.5 * t * t * (1.0 + t / 3.0) : expm1(t) - t;
    return t > 700.0 ? t * LOG2_E : log2(bend);
}
// What an error of t does to it, relatively.
static double bend_doubt(double t, double error)
{
    return t == 0.0 ? 0.0 : error * larger(2.0, 2.0 / fabs(t));
}

// scale (e^t - 1 - t), with t = log(m/x) of a deviance: positive t is a datum below m.
static extreme_rate rate_of(double log2_scale, double t, double error)
{
    extreme_rate rate = {log2_scale + bend_log2(t), bend_doubt(t, error), t > 0.0 ? -1 : 1};
    return rate;
}

// z^2/2 from log2 |z|.
static extreme_rate rate_of_square(double log2_z, double doubt, int side)
{
    extreme_rate rate = {2.0 * log2_z - 1.0, 2.0 * doubt + PLAIN_ERROR, side};
    return rate;
}

static double distance_log2(double y, double mu)
{
    return log2(fabs(0.5 * y - 0.5 * mu)) + 1.0;
}
static int side_of(double y, double middle)
{
    return y < middle ? -1 : 1;
}

extreme_rate extreme_rate_real(nc_family family, const double *p, double y)
{
    if (family == NC_NORMAL) {
        return rate_of_square(distance_log2(y, p[0]) - log2(p[1]), LOG_ERROR, side_of(y, p[0]));
    }
    if (family == NC_LOGNORMAL) {
        double distance = log(y) - p[0];
        return rate_of_square(log2(fabs(distance)) - log2(p[1]), LOG_ERROR + LOG_ERROR / larger(fabs(distance), 1e-300),
                              side_of(distance, 0.0));
    }
    if (family == NC_GAMMA) {
        double x = p[1] * y, t = log(p[0]) - log(p[1]) - log(y);
        bool close = x > 0.5 * p[0] && x < 2.0 * p[0] && x > 1e-300;
        extreme_rate rate = rate_of(log2(p[0]), close ? log1p((x - p[0]) / p[0]) : -t, close ? PLAIN_ERROR : LOG_ERROR);
        rate.side = -rate.side; // here t is log(x/a)
        return rate;
    }
    double log_w = 2.0 * (distance_log2(y, p[1]) - log2(p[2])) / LOG2_E - log(p[0]); // z^2/nu
    double log2_log1p = log_w > 40.0 ? log2(log_w) : log_w < -40.0 ? log_w * LOG2_E : log2(log1p(exp(log_w)));
    extreme_rate rate = {log2(p[0]) - 1.0 + log2_log1p, 4.0 * LOG_ERROR, side_of(y, p[1])};
    return rate;
}

// log(m/x), from (m - x)/x where that is small.
static double log_ratio(double more, double log_m, double log_x)
{
    return more > -0.5 && more < 1.0 ? log1p(more) : log_m - log_x;
}
// x log(x/m) - (x - m), x > 0.
static double deviance(double x, double t)
{
    return exp2(log2(x) + bend_log2(t));
}

static extreme_rate rate_of_number(double number, double error, int side)
{
    extreme_rate rate = {log2(number), number > 0.0 ? PLAIN_ERROR + error / number : 0.0, side};
    return rate;
}

extreme_rate extreme_rate_count(nc_family family, const double *p, int64_t count, int64_t trials)
{
    double k = (double)count, n = (double)trials, rest = (double)(trials - count);
    if (family == NC_POISSON) {
        double more = p[0] - k, rate = k > 0.0 ? deviance(k, log_ratio(more / k, log(p[0]), log(k))) : p[0];
        return rate_of_number(rate, LOG_ERROR * k + fabs(more) * PLAIN_ERROR, side_of(k, p[0]));
    }
    if (family == NC_NEGATIVE_BINOMIAL) { // phi/s deviance(s, N) + deviance(k, N mu/s); at k = 0 phi log1p(mu/phi)
        double mu = p[0], phi = p[1], sum = mu + phi, excess = (k - mu) / sum, share = phi / sum;
        double logs = log(mu) - log(phi),
               rate = mu < phi ? exp2(log2(phi) + log2(log1p(mu / phi))) : phi * (logs + log1p(phi / mu));
        if (mu < phi && logs < -30.0) {
            rate = mu;
        }
        if (k > 0.0) {
            double first = log_ratio(excess, log(k + phi), log(sum));
            double second = log_ratio(-share * (k - mu) / k, log(mu) - log(sum) + log(k + phi), log(k));
            rate = exp2(log2(phi) + bend_log2(first)) + deviance(k, second);
        }
        return rate_of_number(rate, LOG_ERROR * (k + phi * fabs(excess)), side_of(k, mu));
    }
    double log_p, log_q;
    if (family == NC_BINOMIAL) {
        log_p = log(p[0]);
        log_q = log1p(-p[0]);
    } else {
        log_p = p[0] < 0.0 ? p[0] - log1p(exp(p[0])) : -log1p(exp(-p[0]));
        log_q = p[0] < 0.0 ? -log1p(exp(p[0])) : -p[0] - log1p(exp(-p[0]));
    }
    // k log(k/(n p)) + (n - k) log((n - k)/(n q))
    double sum = (k > 0.0 ? k * (log(k / n) - log_p) : 0.0) + (rest > 0.0 ? rest * (log(rest / n) - log_q) : 0.0);
    return rate_of_number(larger(sum, 0.0), LOG_ERROR * n, side_of(k, n * exp(log_p)));
}

extreme_rate extreme_rate_beta(double a, double b, double x)
{
    double k = larger(a - 1.0, 0.0), m = larger(b - 1.0, 0.0), n = 0.5 * k + 0.5 * m, share = n > 0.0 ? 0.5 * k / n : 0.5;
    double rest = n > 0.0 ? 0.5 * m / n : 0.5;
    double mean = (k > 0.0 ? share * (log(share) - log(x)) : 0.0) + (m > 0.0 ? rest * (log(rest) - log1p(-x)) : 0.0);
    extreme_rate rate = {log2(larger(mean, 0.0)) + log2(n) + 1.0, mean > 0.0 ? LOG_ERROR / mean : 0.0, 1};
    if (!(n > 0.0)) {
        rate.log2_rate = -(double)INFINITY;
    }
    return rate;
}
