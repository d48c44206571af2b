// SPDX-License-Identifier: Apache-2.0
// Error scales of intervals. They follow the path that docs/statistics.md gives for the interval at hand, with an absolute error
// for every logarithm and a relative one for every factor; what truly cancels (a gradient near its zero, a difference of tails)
// enters as the size of the terms that cancel. Near the border of two paths the larger scale holds, since rounding may choose
// either.
#include "stats_interval.h"

#define NEAR_BORDER 1e-3 // relative distance from a border at which rounding may choose the other side

static double size(double x)
{
    return x < 0.0 ? -x : x;
}
static double larger(double x, double y)
{
    return x > y ? x : y;
}

// F(high) - F(low) as a difference of tails (nc_interval_between): its logarithm's error, and for each bound its share of the
// probability with its relative error.
void stats_between_errors(const stats_interval *at, stats_between *out)
{
    const stats_tail_errors *low = &at->low, *high = &at->high;
    bool below = high->log_lower < -0.7, above = !below && low->log_upper < -0.7;
    double low_ratio = above ? low->upper_ratio : low->lower_ratio, high_ratio = below ? high->lower_ratio : high->upper_ratio;
    double rest, low_weight = 0.0, high_weight = 0.0;
    if (below || above) {
        double near = below ? high->log_lower : low->log_upper, far = below ? low->log_lower : high->log_upper;
        double near_error = below ? high->lower : low->upper, far_error = below ? low->lower : high->upper;
        double share = far > -1e300 ? scale_exp(far - near) : 0.0;
        double difference = near_error + scale_rounding(near) + far_error + scale_rounding(far) + scale_rounding(far - near);
        difference = share > 0.0 ? difference : 0.0;
        rest = share > 0.0 ? share / (1.0 - share) * difference + ERROR_EXPM1 : 0.0;
        out->log_probability = near_error + scale_rounding(near) + rest + ERROR_OF(LOG, at->value - near);
        low_weight = below ? difference + ERROR_EXP : 0.0;
        high_weight = above ? difference + ERROR_EXP : 0.0;
    } else {
        double first = low->log_lower > -1e300 ? scale_exp(low->log_lower) : 0.0;
        double second = high->log_upper > -1e300 ? scale_exp(high->log_upper) : 0.0;
        low_weight = first > 0.0 ? low->lower + scale_rounding(low->log_lower) + ERROR_EXP : 0.0;
        high_weight = second > 0.0 ? high->upper + scale_rounding(high->log_upper) + ERROR_EXP : 0.0;
        double outside = first * low_weight + second * high_weight;
        outside += first > 0.0 && second > 0.0 ? scale_rounding(first + second) : 0.0;
        rest = outside / scale_exp(at->value) + 1.0;
        out->log_probability = outside / scale_exp(at->value) + ERROR_BEFORE_LAST(LOG1P, at->value) +
                               scale_subnormal(at->datum->dtype); // of two subnormal tails each is rounded
    }
    // a product and a quotient, unless by 1
    double quotient = rest > 0.0 ? 1.0 : 0.0;
    out->at_low = low_ratio + low_weight + rest + quotient + (above ? 0.0 : 1.0);
    out->at_high = high_ratio + high_weight + rest + quotient + (below ? 0.0 : 1.0);
    // a prefix over the probability from its logarithm, where the weight or both prefixes are so small
    double log_low = low->log_prefix - at->value, log_high = high->log_prefix - at->value,
           error = out->log_probability + scale_rounding(at->value) + ERROR_EXP;
    bool both = scale_ratio_is_deep(at->datum->dtype, log_low) >= 0 && scale_ratio_is_deep(at->datum->dtype, log_high) >= 0;
    if (both || (!above && scale_ratio_is_deep(at->datum->dtype, low->log_lower - (below ? high->log_lower : 0.0)) >= 0)) {
        out->at_low = larger(out->at_low, low->prefix + scale_rounding(log_low) + error);
    }
    if (both || (!below && scale_ratio_is_deep(at->datum->dtype, high->log_upper - (above ? low->log_upper : 0.0)) >= 0)) {
        out->at_high = larger(out->at_high, high->prefix + scale_rounding(log_high) + error);
    }
    out->at_low += both ? ERROR_FOURTH_POWER : 0.0;
    out->at_high += both ? ERROR_FOURTH_POWER : 0.0;
}

bool stats_is_narrow(const stats_interval *at, double slack)
{
    if (at->high.log_lower < -0.7) {
        return at->high.log_lower - at->low.log_lower < 0.7 + slack;
    }
    if (at->low.log_upper < -0.7) {
        return at->low.log_upper - at->high.log_upper < 0.7 + slack;
    }
    return scale_exp(at->low.log_lower) + scale_exp(at->high.log_upper) > 0.5 - slack;
}

// The rounding of a difference of two slopes: at most the smaller one, which may be nothing to the other.
double stats_subtraction(const stats_interval *at)
{
    double low = size(at->slope_low), high = size(at->slope_high),
           smaller = (low < high ? low : high) / scale_unit(at->datum->dtype);
    return smaller < size(at->truth) ? smaller : size(at->truth);
}

double stats_between_scale(const stats_interval *at)
{
    stats_between errors;
    stats_between_errors(at, &errors);
    if (at->output == 0) {
        return errors.log_probability;
    }
    double after = stats_factor_units(at->datum, at->truth) * size(at->truth); // what follows the difference
    return errors.at_low * size(at->slope_low) + errors.at_high * size(at->slope_high) + stats_subtraction(at) + after;
}

// ---- Normal and log-normal -----------------------------------------------------------------------------------------------------

typedef struct bounds {
    double low, high, middle, width;  // standard units
    double middle_error, width_error; // absolute, relative
    double near, near_error;          // of the two the one nearer to 0; absolute
} bounds;

static void bounds_of(const stats_interval *at, bounds *b)
{
    stats_datum low = *at->datum, high = at->end;
    double sigma = low.p[1], low_error = stats_standard_scale(&low, &b->low), high_error = stats_standard_scale(&high, &b->high);
    bool is_log = low.family == STATS_LOGNORMAL;
    double ratio = high.y / low.y;
    double log_ratio = ratio < 2.0 ? scale_log1p((high.y - low.y) / low.y) : scale_log(high.y) - scale_log(low.y);
    b->width = is_log ? log_ratio / sigma : high.y / sigma - low.y / sigma;
    if (!is_log && b->width < 1e300) {
        b->width = (high.y - low.y) / sigma < 1e300 ? (high.y - low.y) / sigma : b->width;
    }
    b->middle = 0.5 * (b->low + b->high);
    b->middle_error = 2.0 * size(b->middle);
    if (is_log) {
        b->middle_error += 0.1 * larger(size(scale_log(low.y)), size(scale_log(high.y))) / sigma;
    }
    b->width_error =
        is_log || !(high.y - low.y < 1e300) ? 2.5 : 1.0 + scale_difference_rounding(low.dtype, high.y, low.y) / (high.y - low.y);
    bool low_is_near = size(b->low) < size(b->high);
    b->near = low_is_near ? b->low : b->high;
    b->near_error = low_is_near ? low_error : high_error;
}

// The mean over the interval is summed in one go, from exponents of at most `deep`.
static double normal_mean(const stats_interval *at, double reach, double m, double change)
{
    double nodes = scale_nodes(at->datum->dtype), uneven = scale_exp(2.0 * reach * m), sums = 0.5 * (nodes + 1.0) * uneven;
    return (sums < nodes ? sums : nodes) + 1.0 + ERROR_EXP + 5.0 * reach * (0.5 * reach + m) + reach * change;
}

static double normal_narrow(const stats_interval *at, const bounds *b)
{
    double sigma = at->datum->p[1], reach = 0.5 * b->width, m = size(b->middle), change = b->middle_error;
    double mean_error = normal_mean(at, reach, m, change);
    bool is_plain = m * reach < (at->datum->dtype == GOLDEN_F32 ? 0x1p-15 : 0x1p-29); // sinh t/t and cosh t are 1
    if (at->output == 0) {
        double log_integral = at->value + 0.5 * m * m + 0.9189385332046728;
        return m * change + mean_error + b->width_error + 1.0 + ERROR_OF(LOG, log_integral) +
               scale_rounding(at->value + 0.9189385332046728) + ERROR_CONSTANT +
               size(scale_log(b->width)) * (b->width < 1e-30 ? 2.0 : 0.0);
    }
    double edge = mean_error + ERROR_EXP + 1.3; // e^(-reach^2/2)/mean is below 1, cosh and sinh t/t below 1.3
    double quotient = is_plain ? 0.1 : 8.0;
    if (at->output == 1) {
        return (edge + quotient + 2.0) * size(at->truth) + 1.3 * change / sigma;
    }
    double inner = is_plain ? 1.1 * m * m + 1.0 : quotient * (1.3 * m * m + 1.3);
    return (edge + 2.0) * size(at->truth) + (inner + 2.6 * m * change) / sigma;
}

static double normal_far(const stats_interval *at, const bounds *b)
{
    bool low_is_near = size(b->low) < size(b->high), one_side = (b->low > 0.0) == (b->high > 0.0);
    const stats_tail_errors *near = low_is_near ? &at->low : &at->high, *far = low_is_near ? &at->high : &at->low;
    double fall = b->width * size(b->middle);
    double fall_error = fall * (b->width_error + 1.0) + b->width * b->middle_error;
    double kept = scale_exp(-fall), inner, rest;
    if (one_side) {
        bool up = b->low > 0.0;
        double log_near = up ? near->log_upper : near->log_lower, log_far = up ? far->log_upper : far->log_lower;
        double near_ratio = up ? near->upper_ratio : near->lower_ratio, far_ratio = up ? far->upper_ratio : far->lower_ratio;
        double share = scale_exp(log_far - log_near);
        double log_share = fall_error + near_ratio + far_ratio + 1.0 + ERROR_OF(LOG, log_far - log_near + fall) +
                           scale_rounding(log_far - log_near);
        rest = share > 1e-30 ? share / (1.0 - share) * log_share + ERROR_EXPM1 : 0.0;
        inner = near_ratio + rest + (rest > 0.0 ? 1.0 : 0.0);
        if (at->output == 0) {
            return (up ? near->upper : near->lower) + scale_rounding(log_near) + rest + ERROR_OF(LOG, at->value - log_near);
        }
    } else {
        stats_between errors;
        stats_between_errors(at, &errors);
        if (at->output == 0) {
            return errors.log_probability;
        }
        double low_tail = scale_exp(at->low.log_lower), high_tail = scale_exp(at->high.log_upper);
        double outside = low_tail * (at->low.lower + scale_rounding(at->low.log_lower) + ERROR_EXP + 1.0) +
                         high_tail * (at->high.upper + scale_rounding(at->high.log_upper) + ERROR_EXP + 1.0);
        inner = ERROR_EXP + size(b->near) * b->near_error + outside / scale_exp(at->value) + 3.7;
        inner += scale_ratio_is_deep(at->datum->dtype, -0.5 * b->near * b->near) >= 0 ? ERROR_FOURTH_POWER : 0.0;
    }
    double at_near = size(low_is_near ? at->slope_low : at->slope_high); // phi(near)/P/sigma, for sigma times |near|
    double changed = kept > 1e-30 ? ERROR_EXPM1 + kept / (1.0 - kept) * fall_error : 0.0; // of expm1(fall), else -1
    double slope = inner + changed + (kept > 1e-30 ? 1.0 : 0.0);
    if (at->output == 1) {
        return slope * size(at->truth);
    }
    double ratio = b->near != 0.0 ? at_near / size(b->near) : size(low_is_near ? at->density_low : at->density_high);
    bool is_deep = scale_ratio_is_deep(at->datum->dtype, -fall) >= 0; // then it is subtracted after the division by sigma
    double fourth = is_deep ? ERROR_FOURTH_POWER : 0.0, least = is_deep ? scale_subnormal(at->datum->dtype) : 0.0;
    double lever = size(b->near) * ratio * (1.0 - kept), spread = (kept > 0.0 ? b->width * ratio * kept : 0.0);
    return lever * (slope + 1.0) + ratio * (1.0 - kept) * b->near_error +
           spread * (inner + fall_error + ERROR_EXP + 2.0 + b->width_error + fourth) + (kept > 1e-30 ? size(at->truth) : 0.0) +
           least;
}

static double normal_scale(const stats_interval *at)
{
    bounds b;
    bounds_of(at, &b);
    double product = b.width * size(b.middle), slack = NEAR_BORDER;
    bool may_be_narrow = b.width < 1.0 + slack && product < 1.5 + slack,
         may_be_far = !(b.width < 1.0 - slack && product < 1.5 - slack);
    double narrow = may_be_narrow ? normal_narrow(at, &b) : 0.0, far = may_be_far ? normal_far(at, &b) : 0.0;
    return larger(narrow, far);
}

// ---- Gamma ---------------------------------------------------------------------------------------------------------------------

static double gamma_integral(const stats_interval *at)
{
    double a = at->datum->p[0], rate = at->datum->p[1], width = scale_log1p((at->end.y - at->datum->y) / at->datum->y);
    double low_x = at->datum->y * rate, high_x = at->end.y * rate;
    bool upward = a <= low_x || (a < high_x && at->low.log_prefix > at->high.log_prefix);
    const stats_tail_errors *near = upward ? &at->low : &at->high;
    double x = upward ? low_x : high_x, log_integral = at->value - near->log_prefix;
    double linear = size(a - x) * width, t = upward ? width : -width;
    double bend = x * (size(t) < 1e-3 ? 0.5 * t * t : t < 700.0 ? scale_exp(t) - 1.0 - t : 1e300);
    double rise = ((upward ? at->high.log_prefix : at->low.log_prefix) - near->log_prefix),
           rise_error = 4.0 * linear + (7.0 + 2.0 * width) * bend;
    double kept = rise > -700.0 ? scale_exp(rise) : 0.0;
    double deep = (linear + bend < 700.0 ? linear + bend : 700.0);
    double at_near = scale_exp(-log_integral), error = scale_panels(at->datum->dtype, deep) + 3.0;
    error += 2.0 * width * kept * at_near; // the integral's end, where the width is rounded
    if (at->output == 0) {
        return near->prefix + error + ERROR_OF(LOG, log_integral);
    }
    return (error + ERROR_EXPM1 + 4.0) * size(at->truth) + (kept > 0.0 ? kept * at_near / rate * rise_error : 0.0);
}

static double gamma_scale(const stats_interval *at)
{
    bool one_tail = at->low.log_upper < -0.7 - NEAR_BORDER || (at->high.log_lower < -0.7 - NEAR_BORDER && at->datum->p[0] > 2.0);
    bool may_be_one_tail =
        at->low.log_upper < -0.7 + NEAR_BORDER || (at->high.log_lower < -0.7 + NEAR_BORDER && at->datum->p[0] > 2.0);
    double scale = 0.0;
    if (may_be_one_tail || stats_is_narrow(at, NEAR_BORDER)) {
        scale = gamma_integral(at);
    }
    if (!one_tail && !stats_is_narrow(at, -NEAR_BORDER)) {
        scale = larger(scale, stats_between_scale(at));
    }
    return scale;
}

// ---- All -----------------------------------------------------------------------------------------------------------------------

// dF/dtheta at one bound over the probability, and the same for the first parameter without its z.
static double slope_over(const stats_datum *bound, int output, double value)
{
    stats_datum one = *bound;
    golden_error ignored = {""};
    mpfr_t slope, log_tail;
    mpfr_inits2(320, slope, log_tail, (mpfr_ptr)0);
    one.censoring = STATS_LEFT;
    one.output = 0;
    (void)stats_formula(log_tail, 320, &one, &ignored);
    one.output = output;
    (void)stats_formula(slope, 320, &one, &ignored);
    mpfr_sub_d(log_tail, log_tail, value, MPFR_RNDN);
    mpfr_exp(log_tail, log_tail, MPFR_RNDN);
    mpfr_mul(slope, slope, log_tail, MPFR_RNDN);
    double result = mpfr_get_d(slope, MPFR_RNDN);
    mpfr_clears(slope, log_tail, (mpfr_ptr)0);
    return result;
}

static double one_sided(const stats_interval *at, bool low_is_certain)
{
    stats_datum rest = low_is_certain ? at->end : *at->datum;
    rest.censoring = low_is_certain ? STATS_LEFT : STATS_RIGHT;
    rest.output = at->output;
    const stats_tail_errors *errors = low_is_certain ? &at->high : &at->low;
    double tail = low_is_certain ? errors->log_upper : errors->log_lower, error = low_is_certain ? errors->upper : errors->lower;
    double scale = stats_censored_scale(&rest, at->value, at->truth), odds = scale_exp(tail - at->value);
    bool is_real = at->datum->family == STATS_NORMAL || at->datum->family == STATS_LOGNORMAL || at->datum->family == STATS_GAMMA;
    if (!is_real || at->value < -0.7 - NEAR_BORDER) { // the tail itself
        return scale + (at->output == 0 ? 0.0 : 4.0 * size(at->truth));
    }
    double other = odds * (error + scale_rounding(tail) + ERROR_EXP + 1.0); // log1p of the other tail
    return scale +
           (at->output == 0 ? other + ERROR_OF(LOG1P, at->value) : (other + ERROR_EXP + size(at->value) + 3.0) * size(at->truth));
}

double stats_interval_scale(const stats_datum *datum, double value, double truth)
{
    stats_interval at = {.datum = datum, .end = *datum, .value = value, .truth = truth, .output = datum->output};
    at.end.y = datum->upper;
    at.end.count = datum->upper_count;
    stats_tail_errors_at(datum, &at.low);
    stats_tail_errors_at(&at.end, &at.high);
    bool low_is_certain = stats_tail_is_certain(&at.low), high_is_certain = stats_tail_is_certain(&at.high);
    if (low_is_certain && high_is_certain) {
        return 0.0;
    }
    double least = datum->output > 0 ? stats_gradient_least(datum) : 0.0;
    if (low_is_certain || high_is_certain) {
        return one_sided(&at, low_is_certain) + least;
    }
    if (datum->output > 0) {
        at.slope_low = slope_over(datum, datum->output, value);
        at.slope_high = slope_over(&at.end, datum->output, value);
        if (datum->family <= STATS_STUDENT) {
            int mu = datum->family == STATS_STUDENT ? 2 : 1;
            at.density_low = slope_over(datum, mu, value);
            at.density_high = slope_over(&at.end, mu, value);
        }
    }
    switch (datum->family) {
    case STATS_NORMAL:
    case STATS_LOGNORMAL:
        return normal_scale(&at) + least;
    case STATS_STUDENT:
        return stats_student_interval_scale(&at) + least;
    case STATS_GAMMA:
        return gamma_scale(&at) + least;
    default:
        return stats_count_interval_scale(&at) + least;
    }
}
