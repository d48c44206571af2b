// SPDX-License-Identifier: Apache-2.0
// Error scales of scores: what each carries into its last rounding.
#include "stats_scale.h"

static double size(double x)
{
    return x < 0.0 ? -x : x;
}

static double normal_scale(const stats_datum *datum, int k)
{
    bool prior = datum->family >= STATS_PRIOR_NORMAL, half = datum->family == STATS_PRIOR_HALF_NORMAL;
    double z, error = stats_standard_scale(datum, &z), sigma = datum->p[half ? 0 : 1];
    int which = prior && !half ? k - 1 : k;                      // -1: the datum itself; 0: mu (or x of the half-normal); 1: sigma
    if (which == -1 && datum->family == STATS_PRIOR_LOGNORMAL) { // -(1 + z/sigma)/x
        return (error / sigma + size(z / sigma) + size(1.0 + z / sigma)) / datum->y;
    }
    if (which < 1) {
        return error / sigma;
    }
    return (2.0 * size(z) * error + size(z * z - 1.0)) / sigma;
}

// log1p(w) - w/(1 + w) for a w with `units` of relative error
static double rest_scale(double w, double units)
{
    if (w < 1.0) {
        double bend = size(scale_log1p(w) - w), share = w * (w / (1.0 + w));
        return ERROR_LOG1PMX * bend + 3.0 * share + units * share / (1.0 + w) + size(share - bend);
    }
    return ERROR_LOG1P * scale_log1p(w) + units + 3.0 + size(scale_log1p(w) - w / (1.0 + w));
}

static double student_scale(const stats_datum *datum, int k, double truth)
{
    double nu = datum->p[0], z;
    stats_standard_scale(datum, &z);
    z = z > 1e150 ? 1e150 : z < -1e150 ? -1e150 : z; // beyond, every share has reached its limit
    double w = z * (z / nu) < 1e290 ? z * (z / nu) : 1e290, h = 0.5 * nu;
    if (k == 1) {
        return 10.0 * size(truth);
    }
    if (k == 2) { // (z^2 - 1) cancels at 1: five units of z^2
        double share = nu / (nu + z * z) / datum->p[2];
        return 6.0 * size(truth) + (z * z < 1.0 ? 5.0 * z * z * share : 6.0 * nu / (nu + z * z) / datum->p[2]);
    }
    double rho = scale_digamma(h), rho_half = scale_digamma(h + 0.5), inverse = 1.0 / nu;
    double rest = scale_log1p(inverse) - inverse / (1.0 + inverse), tail = scale_log1p(w) - w / (1.0 + w);
    double share = w / (1.0 + w) * inverse, score = rest + (rho - rho_half);
    return 0.5 * (rest_scale(inverse, 1.0) + ERROR_DIGAMMA * (rho + rho_half) + size(rho - rho_half) + size(score) +
                  rest_scale(w, 6.0) + size(score - tail) + 9.0 * share);
}

static double negative_binomial_scale(const stats_datum *datum, int k, double truth)
{
    double y = (double)datum->count, mu = datum->p[0], phi = datum->p[1], total = y + phi, sum = mu + phi;
    if (k == 0) {
        return 4.0 * size(truth);
    }
    double excess = (y - mu) / sum, log_part = scale_log(total) - scale_log(sum) - excess;
    if (size(excess) < 1e-4) {
        log_part = -0.5 * excess * excess;
    }
    double error = excess > 1e100   ? 4.0 * size(log_part)
                   : excess > -0.25 ? ERROR_LOG1PMX * size(log_part) + excess * excess / (1.0 + excess)
                                    : size(log_part) + 8.0 * scale_unit(datum->dtype);
    if (datum->count == 0) { // no digamma is left
        return error;
    }
    double middle = 0.5 * (y / total) / phi, first = scale_digamma(phi), second = scale_digamma(total);
    return error + 3.0 * middle + ERROR_DIGAMMA * (first + second) + size(first - second) + size(middle + first - second);
}

static double binomial_scale(const stats_datum *datum, double truth)
{
    if (datum->family == STATS_BINOMIAL) {
        return 3.0 * size(truth);
    }
    double power = scale_exp(-size(datum->p[0])); // the smaller of n p and n q, known to 2^-58
    return 0.1 * (double)datum->trials * power / (1.0 + power);
}

static double beta_scale(const stats_datum *datum, int k, double truth)
{
    if (k == 0) {
        return 3.0 * size(truth);
    }
    double a = datum->p[k - 1], b = datum->p[2 - k], sum = a + b;
    double middle = 0.5 * b / sum / a, first = scale_digamma(a), second = scale_digamma(sum);
    return 3.0 * middle + ERROR_DIGAMMA * (first + second) + size(first - second) + 2.0 * size(middle + first - second) +
           0.1 * size(scale_log(k == 1 ? datum->y : 1.0 - datum->y) - scale_log(a / sum)) +
           8.0 * scale_unit(datum->dtype) * (1.0 + size(scale_log(a / sum)));
}

double stats_score_scale(const stats_datum *datum, int k, double truth)
{
    double shape = datum->p[0];
    switch (datum->family) {
    case STATS_STUDENT:
        return student_scale(datum, k, truth);
    case STATS_GAMMA:
    case STATS_PRIOR_GAMMA:
        if (k == (datum->family == STATS_GAMMA ? 0 : 1)) {
            double middle = 0.5 / shape, remainder = scale_digamma(shape);
            return middle + ERROR_DIGAMMA * remainder + 2.0 * (middle + remainder) +
                   (0.1 + 8.0 * scale_unit(datum->dtype)) * size(scale_log(datum->y * datum->p[1] / shape)) +
                   8.0 * scale_unit(datum->dtype);
        }
        return size(truth);
    case STATS_POISSON:
        return size(truth);
    case STATS_NEGATIVE_BINOMIAL:
        return negative_binomial_scale(datum, k, truth);
    case STATS_BINOMIAL:
    case STATS_BINOMIAL_LOGIT:
        return binomial_scale(datum, truth);
    case STATS_PRIOR_BETA:
        return beta_scale(datum, k, truth);
    default:
        return normal_scale(datum, k);
    }
}
