// SPDX-License-Identifier: Apache-2.0
// Error scales of intervals of counts: a sum over the counts, or over few places where they are many, or a difference of tails
// whose prefixes are divided analytically (docs/statistics.md, Intervals of counts).
#include "stats_interval.h"

enum { SHORT = 64, SMOOTH = 128 };

static double size(double x)
{
    return x < 0.0 ? -x : x;
}

// Logarithms may be as large as 2^61: what is wanted is their differences, which MPFR takes.
enum { PRECISION = 320 };

// log f(a) - log f(b)
static double density_difference(const stats_datum *a, const stats_datum *b)
{
    mpfr_t first, second;
    mpfr_inits2(PRECISION, first, second, (mpfr_ptr)0);
    stats_log_density(first, PRECISION, a);
    stats_log_density(second, PRECISION, b);
    mpfr_sub(first, first, second, MPFR_RNDN);
    double result = mpfr_get_d(first, MPFR_RNDN);
    mpfr_clears(first, second, (mpfr_ptr)0);
    return result;
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
// log of the tail at a over that at b
static double tail_difference(const stats_datum *a, const stats_datum *b, stats_censoring side)
{
    const stats_datum *const ends[2] = {a, b};
    golden_error ignored = {""};
    mpfr_t logs[2];
    mpfr_inits2(PRECISION, logs[0], logs[1], (mpfr_ptr)0);
    for (int i = 0; i < 2; ++i) {
        stats_datum at = *ends[i];
        at.censoring = side;
        at.output = 0;
        (void)stats_formula(logs[i], PRECISION, &at, &ignored);
    }
    mpfr_sub(logs[0], logs[0], logs[1], MPFR_RNDN);
    double result = mpfr_get_d(logs[0], MPFR_RNDN);
    mpfr_clears(logs[0], logs[1], (mpfr_ptr)0);
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

// The core's sum, visited at whole numbers: every count of a short interval and every count up to SMOOTH, then STEPS places in each
// panel, which ends at three times its begin. Shares in units of the density at the reference times errors, and what they sum to.
typedef struct visits {
    stats_datum reference; // the count whose density all are taken relative to
    double log_reference;
    double share, error, spread, scores;
} visits;

// `length` counts stand behind the place; `own` units are added to the error of its weight.
static void visit(const stats_interval *at, int64_t count, double length, double own, visits *sum)
{
    stats_datum one = *at->datum;
    one.censoring = STATS_OBSERVED;
    one.count = count;
    double log_term = log_density(&one), rise = density_difference(&one, &sum->reference), share = length * scale_exp(rise);
    bool exact = rise == 0.0 || (2.0 * log_term < sum->log_reference && 2.0 * sum->log_reference < log_term); // Sterbenz
    double error = stats_density_scale(&one) + scale_rounding(log_term) + (exact ? 0.0 : scale_rounding(rise)) + ERROR_EXP + own;
    if (!(share > 1e-30)) { // what is less than that does not show, whatever its error
        return;
    }
    sum->share += share;
    sum->error += share * error;
    if (at->output > 0) {
        double s = score(&one, at->output);
        sum->spread += share * size(s - at->truth) * error;
        sum->scores += share * (stats_score_scale(&one, at->output - 1, s) + 2.0 * size(s));
    }
}

static int64_t nearest(const stats_interval *at)
{
    const stats_datum *datum = at->datum;
    double mean = datum->p[0];
    if (datum->family == STATS_NEGATIVE_BINOMIAL) {
        mean = datum->p[1] < 1.0 ? 0.0 : mean;
    } else if (datum->family == STATS_BINOMIAL) {
        mean *= (double)datum->trials;
    } else if (datum->family == STATS_BINOMIAL_LOGIT) {
        mean = (double)datum->trials / (1.0 + scale_exp(-mean));
    }
    return mean < (double)datum->count + 1.0 ? datum->count + 1 : mean > (double)at->end.count ? at->end.count : (int64_t)mean;
}

// A weight is e^(log density - reference) times its place in the rule: two roundings of the rule's weight, one of the product and
// one unit for the place. The reference's own error cancels, and so does in the gradient what all weights have in common: it is a
// mean of scores. One count alone is its density.
static double sum_scale(const stats_interval *at)
{
    enum { STEPS = 8 };
    int64_t low = at->datum->count, high = at->end.count, single = high - low <= SHORT ? high : low < SMOOTH ? SMOOTH : low;
    single = single < high ? single : high;
    stats_datum one = *at->datum;
    one.censoring = STATS_OBSERVED;
    one.count = nearest(at);
    if (high - low == 1) {
        return at->output == 0 ? stats_density_scale(&one) : stats_score_scale(&one, at->output - 1, at->truth);
    }
    visits sum = {.reference = one, .log_reference = log_density(&one)};
    for (int64_t count = low; count < single;) {
        visit(at, ++count, 1.0, 0.0, &sum);
    }
    double rest = (double)(high - single), length;
    for (double begin = (double)single + 0.5; rest > 0.0; begin += length, rest -= length) {
        length = rest < 2.0 * begin ? rest : 2.0 * begin;
        for (int i = 0; i < STEPS; ++i) {
            visit(at, (int64_t)(begin + length * ((double)i + 0.5) / STEPS), length / STEPS, 4.0, &sum);
        }
    }
    if (at->output == 0) { // the sum's rounding and what the rule leaves out
        return sum.error / sum.share + 1.5 + ERROR_OF(LOG, scale_log(sum.share));
    }
    return (sum.spread + sum.scores) / sum.share + 3.0 * size(at->truth);
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
        if (by_logit) { // of p M/(q K) - 1, from that of the smaller of n p and n q over p M
            double smaller = logit < 0.0 ? log_p : log_p - logit;
            slope_error += stats_logit_units(at->datum->dtype) * (double)at->datum->trials *
                           scale_exp(smaller - log_p - scale_log(near_is_high ? other_high : other_low));
        }
    }
    return 4.0 * terms + distance * slope_error + 6.0 * rest + 2.0;
}

// An interval in one tail: logarithms of the far tail and of the far prefix over the near ones.
typedef struct tail_falls {
    double tail, prefix;
} tail_falls;
static tail_falls falls_of(const stats_interval *at, bool below)
{
    stats_datum low = *at->datum, high = at->end;
    const stats_datum *near = below ? &high : &low, *far = below ? &low : &high;
    tail_falls falls = {.tail = tail_difference(far, near, below ? STATS_LEFT : STATS_RIGHT),
                        .prefix = density_difference(far, near)};
    double distance = (double)(far->count - near->count), other = 0.0; // (phi + k) and (n - k)
    if (low.family == STATS_NEGATIVE_BINOMIAL) {
        other = distance / ((double)near->count + low.p[1]);
    } else if (low.family != STATS_POISSON) {
        other = -distance / (double)(near->trials - near->count);
    }
    falls.prefix += scale_log1p(other);
    return falls;
}

// The near tail less the far one: truth = near share (1 - kept).
static double tail_scale(const stats_interval *at, bool below)
{
    tail_falls falls = falls_of(at, below);
    double near = below ? at->high.log_lower : at->low.log_upper, near_error = below ? at->high.lower : at->low.upper;
    double near_ratio = below ? at->high.lower_ratio : at->low.upper_ratio,
           far_ratio = below ? at->low.lower_ratio : at->high.upper_ratio;
    double rise = rise_error(at, below), share = scale_exp(falls.tail), kept = scale_exp(falls.prefix);
    double log_share = rise + near_ratio + far_ratio + 2.0 + ERROR_LOG * size(falls.tail - falls.prefix) + size(falls.tail);
    double rest = share > 0.0 ? share / (1.0 - share) * log_share + ERROR_EXPM1 : 0.0;
    if (at->output == 0) {
        return near_error + size(near) + rest + ERROR_LOG * size(scale_log1p(-share));
    }
    double change = kept < 1.0 ? 1.0 - kept : kept - 1.0;
    return (near_ratio + rest + ERROR_EXPM1 + 6.0 + kept / change * rise) * size(at->truth);
}

// How far the core is from summing an interval that is not short: -1 it surely takes the difference, 1 it surely sums, 0 rounding
// decides. It sums when more than half of the tail, or 5/8 of everything, is to be taken off, or when the prefixes are nearly
// equal.
static int summed_rather(const stats_interval *at, bool below, bool above)
{
    double slack = 1e-3, unit = scale_unit(at->datum->dtype);
    if (!below && !above) {
        double over = scale_exp(at->low.log_lower) + scale_exp(at->high.log_upper) - 0.625;
        return over > slack ? 1 : over < -slack ? -1 : 0;
    }
    tail_falls falls = falls_of(at, below);
    double over = falls.tail + 0.6931471805599453, equal = 0.5 - size(falls.prefix);
    slack += (rise_error(at, below) + 64.0) * unit;
    if (over > slack || equal > slack) {
        return 1;
    }
    return over < -slack && equal < -slack ? -1 : 0;
}

double stats_count_interval_scale(const stats_interval *at)
{
    bool below = at->high.log_lower < -0.7, above = !below && at->low.log_upper < -0.7;
    double outside = scale_exp(at->low.log_lower) + scale_exp(at->high.log_upper), scale = 0.0;
    bool is_short = at->end.count - at->datum->count <= SHORT;
    int rather = is_short && outside > 0.5 + 1e-3 ? 1 : summed_rather(at, below, above);
    if (rather >= 0 || (is_short && outside > 0.5 - 1e-3)) {
        scale = sum_scale(at);
    }
    if (rather <= 0) {
        double difference = below || above ? tail_scale(at, below) : stats_between_scale(at);
        scale = scale > difference ? scale : difference;
    }
    return scale;
}
