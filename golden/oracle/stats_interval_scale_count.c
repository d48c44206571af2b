// SPDX-License-Identifier: Apache-2.0
// Error scales of intervals of counts: a sum over at most 64 counts, or a difference of tails whose prefixes are divided
// analytically, or a sum over at most 4096 counts where that difference would keep less than half of the digits.
#include "stats_interval.h"

enum { SUMMED = 64, SUMMED_LONG = 4096 };

static double size(double x)
{
    return x < 0.0 ? -x : x;
}

static double log_density(const stats_datum *datum)
{
    mpfr_t value;
    mpfr_init2(value, 160);
    stats_log_density(value, 160, datum);
    double result = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return result;
}
static double score(const stats_datum *datum, int output)
{
    mpfr_t value;
    mpfr_init2(value, 160);
    stats_score(value, 160, datum, output - 1);
    double result = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return result;
}

// A term's weight is e^(log density - reference): the reference's own error cancels. d of the sum is a mean of scores.
static double sum_scale(const stats_interval *at)
{
    stats_datum one = *at->datum;
    double worst = 0.0, spread = 0.0, scores = 0.0;
    one.censoring = STATS_OBSERVED;
    for (one.count = at->datum->count + 1;; ++one.count) {
        double log_term = log_density(&one), share = scale_exp(log_term - at->value);
        double error = stats_density_scale(&one) + 2.0 * size(log_term) + ERROR_EXP;
        if (share > 1e-30) { // what is less than that does not show, whatever its error
            worst = error > worst ? error : worst;
            if (at->output > 0) {
                double s = score(&one, at->output), own = stats_score_scale(&one, at->output - 1, s);
                spread += share * size(s - at->truth);
                scores += share * (own + 2.0 * size(s));
            }
        }
        if (one.count == at->end.count) {
            break;
        }
    }
    if (at->output == 0) {
        return worst + 3.0 + size(at->value) + ERROR_LOG * scale_log((double)(at->end.count - at->datum->count) + 2.0);
    }
    return worst * spread + scores + 5.0 * size(at->truth);
}

// Error of log prefix(low)/prefix(high): deviances, and the distance times the logarithm of the ratio of neighbours at `near`.
static double rise_error(const stats_interval *at, bool near_is_high)
{
    const double *p = at->datum->p;
    double low = (double)at->datum->count + 1.0, high = (double)at->end.count + 1.0, near = near_is_high ? high : low;
    double distance = (double)(at->end.count - at->datum->count);
    double terms = near_is_high ? scale_deviance(low, high) : scale_deviance(high, low), slope_error = 0.0;
    double rest = 0.5 * scale_log1p(distance / low) + scale_stirling(low);
    if (at->datum->family == STATS_POISSON) {
        slope_error = 2.0 * size(scale_log(near) - scale_log(p[0]));
    } else if (at->datum->family == STATS_NEGATIVE_BINOMIAL) {
        double mu = p[0], phi = p[1], log_share = -scale_log1p(phi / mu);
        if (distance > 2.0 * phi) {
            double power = phi * scale_log1p(distance / low);
            double bends = (scale_log1p(phi / low) * (low + phi) - phi) + (scale_log1p(phi / high) * (high + phi) - phi);
            return 4.0 * distance * size(log_share) + 4.0 * power + 6.0 * size(bends) + 6.0 * rest + 4.0 * phi + 2.0;
        }
        double ratio = scale_log1p(phi / near), slope = ratio + log_share;
        terms += near_is_high ? scale_deviance(low + phi, high + phi) : scale_deviance(high + phi, low + phi);
        slope_error = size(slope) < 0.3 ? 8.0 * size(slope) : 2.0 * (ratio + size(log_share));
    } else {
        bool by_logit = at->datum->family == STATS_BINOMIAL_LOGIT;
        double logit = by_logit ? p[0] : scale_log(p[0]) - scale_log1p(-p[0]);
        double log_p = by_logit ? (p[0] < 0.0 ? p[0] : 0.0) - scale_log1p(scale_exp(-size(p[0]))) : scale_log(p[0]);
        double other_low = (double)(at->datum->trials - at->datum->count), other_high = (double)(at->datum->trials - at->end.count);
        double ratio = scale_log(near_is_high ? other_high : other_low) - scale_log(near), slope = logit + ratio;
        terms += near_is_high ? scale_deviance(other_low, other_high) : scale_deviance(other_high, other_low);
        rest += 0.5 * (scale_log(other_low) - scale_log(other_high)) + scale_stirling(other_high);
        slope_error = size(slope) < 0.3 ? 10.0 * size(slope) : 4.0 * (size(log_p) + size(log_p - logit) + size(ratio));
    }
    return 4.0 * terms + distance * slope_error + 6.0 * rest + 2.0;
}

static double tail_scale(const stats_interval *at, bool below)
{
    double near = below ? at->high.log_lower : at->low.log_upper, far = below ? at->low.log_lower : at->high.log_upper;
    double near_error = below ? at->high.lower : at->low.upper;
    double near_ratio = below ? at->high.lower_ratio : at->low.upper_ratio,
           far_ratio = below ? at->low.lower_ratio : at->high.upper_ratio;
    double rise = rise_error(at, below),
           fall = below ? at->low.log_prefix - at->high.log_prefix : at->high.log_prefix - at->low.log_prefix;
    double share = far > -1e300 ? scale_exp(far - near) : 0.0, kept = fall > -700.0 ? scale_exp(fall) : 0.0;
    double log_share = rise + near_ratio + far_ratio + 2.0 + ERROR_LOG * size(far - near - fall) + size(far - near);
    double rest = share > 0.0 ? share / (1.0 - share) * log_share + ERROR_EXPM1 : 0.0;
    if (at->output == 0) {
        return near_error + size(near) + rest + ERROR_LOG * size(at->value - near);
    }
    double inner = size(below ? at->slope_high : at->slope_low);
    return (near_ratio + rest + ERROR_EXPM1 + 6.0) * size(at->truth) + inner * kept * rise;
}

// The relative error that the core expects of the difference, over half of the digits: above 1 it is not taken.
static double digits_lost(const stats_interval *at, bool below, bool above)
{
    double unit = scale_unit(at->datum->dtype), digits = at->datum->dtype == GOLDEN_F32 ? 0x1p-11 : 0x1p-26, error, share;
    if (below || above) {
        double near = below ? at->high.log_lower : at->low.log_upper, far = below ? at->low.log_lower : at->high.log_upper;
        share = scale_exp(far - near);
        error = share * (64.0 + near - far);
    } else {
        double low = scale_exp(at->low.log_lower), high = scale_exp(at->high.log_upper);
        share = low + high;
        error = low * (32.0 - at->low.log_lower) + high * (32.0 - at->high.log_upper);
    }
    return error * unit / (digits * (1.0 - share));
}

double stats_count_interval_scale(const stats_interval *at)
{
    bool below = at->high.log_lower < -0.7, above = !below && at->low.log_upper < -0.7;
    double outside = scale_exp(at->low.log_lower) + scale_exp(at->high.log_upper), scale = 0.0;
    double counts = (double)at->end.count - (double)at->datum->count, lost = digits_lost(at, below, above);
    bool is_short = counts <= (double)SUMMED;
    if ((is_short && outside > 0.5 - 1e-3) || (counts <= (double)SUMMED_LONG && lost > 0.5)) {
        scale = sum_scale(at);
    }
    if ((!is_short || outside < 0.5 + 1e-3) && !(lost > 2.0)) {
        double difference = below || above ? tail_scale(at, below) : stats_between_scale(at);
        scale = scale > difference ? scale : difference;
    }
    return scale;
}
