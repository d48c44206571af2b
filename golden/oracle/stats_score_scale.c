// SPDX-License-Identifier: Apache-2.0
// Error scales of scores: what each carries into its last rounding.
#include "stats_scale.h"

static double size(double x)
{
    return x < 0.0 ? -x : x;
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}
// The last operation of a count's deviation from `mean` and of 1 - p, relative: 0 where the dtype holds it.
static double deviation_rounding(const stats_datum *datum, double mean)
{
    double difference = (double)datum->count - mean;
    return difference == 0.0 ? 0.0 : scale_difference_rounding(datum->dtype, (double)datum->count, mean) / size(difference);
}
static double complement_rounding(const stats_datum *datum)
{
    double q = 1.0 - datum->p[0];
    return q == 0.0 ? 0.0 : scale_difference_rounding(datum->dtype, 1.0, datum->p[0]) / q;
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

// A bound in standard units with its relative error, and that of the distance.
static double student_z_error(const stats_datum *datum, double *z, double *distance_error)
{
    double error = stats_standard_scale(datum, z), distance = datum->y - datum->p[1];
    bool plain = size(distance) < 1e300 && distance != 0.0;
    *distance_error = plain ? scale_difference_rounding(datum->dtype, datum->y, datum->p[1]) / size(distance) : 1.0;
    return *z != 0.0 && error < 1e300 ? error / size(*z) : 2.0;
}

// (nu + 1) z/(nu + z^2)/sigma: beyond |z| = 1 as (nu + 1)/(nu/z + z), where z is very large as (nu + 1)/distance, within as it
// stands.
static double student_mu_units(const stats_datum *datum)
{
    double nu = datum->p[0], z, distance_error, z_error = student_z_error(datum, &z, &distance_error);
    double first = scale_difference_rounding(datum->dtype, nu, -1.0) / (nu + 1.0), square = z * z;
    if (!(square < 1e290)) {
        return first + distance_error + 3.0;
    }
    double share = square / (nu + square), lever = share > 0.5 ? share + share - 1.0 : 1.0 - share - share;
    if (square > 1.0) {
        return larger(first + 2.0 * (1.0 - share) + 3.0 + lever * z_error, first + distance_error + 1.0);
    }
    return first + 4.0 + share + lever * z_error;
}
// A datum whose z^2 may be below the range: (y - mu) (nu + 1)/(nu sigma^2)/(1 + w) from the parts' mantissas. w = z^2/nu counts
// only where nu is far below the least normal number.
static bool student_is_parts(const stats_datum *datum)
{
    double z, least = datum->dtype == GOLDEN_F32 ? 0x1p-62 : 0x1p-510;
    stats_standard_scale(datum, &z);
    return datum->censoring == STATS_OBSERVED && size(z) < least;
}
static double student_parts_units(const stats_datum *datum)
{
    double nu = datum->p[0], z, distance_error, z_error = student_z_error(datum, &z, &distance_error);
    double first = scale_difference_rounding(datum->dtype, nu, -1.0) / (nu + 1.0), w = z * (z / nu), share = w / (1.0 + w);
    return first + distance_error + 5.0 + (share > scale_unit(datum->dtype) ? 1.0 + share * (2.0 * z_error + 2.0) : 0.0);
}
// nu (z^2 - 1)/(nu + z^2)/sigma, beyond |z| = 1 with 1/z.
static double student_sigma_scale(const stats_datum *datum, double truth)
{
    double nu = datum->p[0], sigma = datum->p[2], z, ignored, z_error = student_z_error(datum, &z, &ignored), square = z * z;
    if (square > 1.0) {
        double far = square < 1e290 ? 1.0 / square : 0.0, share = nu * far / (1.0 + nu * far),
               weight = nu / (1.0 + nu * far) / sigma;
        return weight * (far * (3.0 + 2.0 * z_error) + scale_rounding(1.0 - far)) +
               size(truth) * (3.0 + share * (3.0 + 2.0 * z_error));
    }
    double share = square / (nu + square), weight = nu / (nu + square) / sigma;
    return weight * (square * (1.0 + 2.0 * z_error) + scale_rounding(1.0 - square)) +
           size(truth) * (3.0 + share * (3.0 + 2.0 * z_error));
}

static double student_scale(const stats_datum *datum, int k, double truth)
{
    double nu = datum->p[0], z;
    stats_standard_scale(datum, &z);
    // products of a subnormal nu, over sigma
    double least = nu < 0x1p8 * scale_subnormal(datum->dtype) ? 2.0 * scale_subnormal(datum->dtype) / datum->p[2] : 0.0;
    if (k == 1 && student_is_parts(datum)) {
        return student_parts_units(datum) * size(truth) + 2.0 * scale_subnormal(datum->dtype);
    }
    if (k == 1) {
        least += nu > 0x1p-900 ? scale_subnormal(datum->dtype) * (nu + 1.0) * (1.0 + 1.0 / nu) / datum->p[2] : 0.0; // of z, z/nu
        return student_mu_units(datum) * size(truth) + least;
    }
    if (k == 2) {
        return student_sigma_scale(datum, truth) + least;
    }
    z = z > 1e150 ? 1e150 : z < -1e150 ? -1e150 : z; // beyond, every share has reached its limit
    double w = z * (z / nu) < 1e290 ? z * (z / nu) : 1e290, h = 0.5 * nu;
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
        double quotient = (y - mu) / mu;
        bool plain = datum->count < ((int64_t)1 << 53) && size(quotient) < 1e30;
        double sum_error = scale_difference_rounding(datum->dtype, mu, -phi) / sum;
        return plain ? (deviation_rounding(datum, mu) + scale_relative_rounding(quotient) + sum_error +
                        scale_relative_rounding(phi / sum)) *
                           size(truth)
                     : 4.0 * size(truth);
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
        bool certain = datum->count == 0 || datum->count == datum->trials;
        double mean = (double)datum->trials * datum->p[0], deviation = (double)datum->count - mean;
        double inexact = (double)datum->trials > (datum->dtype == GOLDEN_F32 ? 0x1p24 : 0x1p53) ? 1.0 : 0.0;
        if (certain) { // n over p or q
            return ((datum->count == 0 ? complement_rounding(datum) : 0.0) + inexact) * size(truth);
        }
        bool known = size(deviation) > 1e-6 * (double)datum->count; // to which side of a power of two it lies
        double rounded = known ? scale_relative_rounding(deviation) : 1.0;
        double divided = known ? scale_relative_rounding(deviation / datum->p[0]) : 1.0;
        return (rounded + divided + complement_rounding(datum)) * size(truth);
    }
    double power = scale_exp(-size(datum->p[0])); // the smaller of n p and n q
    return stats_logit_units(datum->dtype) * (double)datum->trials * power / (1.0 + power);
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
                   (0.1 + 8.0 * scale_unit(datum->dtype)) * size(scale_log(datum->y) + scale_log(datum->p[1]) - scale_log(shape)) +
                   8.0 * scale_unit(datum->dtype);
        }
        return size(truth);
    case STATS_POISSON:
        return datum->count < ((int64_t)1 << 53) ? deviation_rounding(datum, shape) * size(truth) : size(truth);
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
