// SPDX-License-Identifier: Apache-2.0
// Error scales of Student-t intervals.
#include "stats_interval.h"

static double size(double x)
{
    return x < 0.0 ? -x : x;
}
static double larger(double x, double y)
{
    return x > y ? x : y;
}

// The bound nearer to 0 and the other one.
typedef struct bounds {
    const stats_tail_errors *inner, *outer;
    double inner_z, outer_z;
    double weight, outer_weight; // f/P/sigma
    double fall, fall_error;     // log f(outer)/f(inner)
    double rise_error;           // the same of |z| f
    double distance_error;       // relative, of the inner bound's distance, by which a weight beyond |z| = 1 is divided
    bool one_side, close;        // close: the gap is below the inner bound
} bounds;

static void bounds_of(const stats_interval *at, bounds *b)
{
    double nu = at->datum->p[0], half = 0.5 * (nu + 1.0), low, high;
    stats_standard_scale(at->datum, &low);
    stats_standard_scale(&at->end, &high);
    bool low_is_inner = size(low) < size(high);
    b->inner = low_is_inner ? &at->low : &at->high;
    b->outer = low_is_inner ? &at->high : &at->low;
    b->inner_z = size(low_is_inner ? low : high);
    b->outer_z = size(low_is_inner ? high : low);
    b->weight = size(low_is_inner ? at->density_low : at->density_high);
    b->outer_weight = size(low_is_inner ? at->density_high : at->density_low);
    double inner_y = low_is_inner ? at->datum->y : at->end.y, distance = size(inner_y - at->datum->p[1]);
    bool plain = distance > 0.0 && distance < 1e300;
    b->distance_error = !(b->inner_z > 1.0) ? 0.0
                        : plain             ? scale_difference_rounding(at->datum->dtype, inner_y, at->datum->p[1]) / distance
                                            : 2.0;
    b->one_side = (low > 0.0 && high > 0.0) || (low < 0.0 && high < 0.0);
    double width = (0.25 * at->datum->upper - 0.25 * at->datum->y) / at->datum->p[2] * 4.0;
    double excess = width * size(low + high) / (nu + b->inner_z * b->inner_z), log_excess = scale_log1p(excess);
    double gap = b->inner_z > 0.0 ? width / b->inner_z : 1e300, x = nu / (nu + b->inner_z * b->inner_z);
    b->close = b->one_side && (gap < 1.0 || x < 0.5);
    b->fall = -half * log_excess;
    b->fall_error = 13.0 * half * log_excess;
    double part = gap < 1e6 ? gap / (1.0 + gap) * (1.0 + 1.0 / (1.0 + gap)) : 1.0;
    b->rise_error = 14.0 * 0.5 * nu * log_excess + 7.0 * x * part / (1.0 - x * part);
}

// What follows from the relative errors of both weights over the probability; `divided`: they are still to be divided by it.
static double gradient_scale(const stats_interval *at, const bounds *b, double inner, double outer, bool divided)
{
    double kept = scale_exp(b->fall), over = divided ? 1.0 : 0.0, changed = kept > 1e-30 ? ERROR_EXPM1 + 1.0 : 0.0;
    if (at->output == 2) {
        return (inner + changed + over + b->distance_error) * size(at->truth) + b->weight * kept * b->fall_error;
    }
    double first = b->inner_z * b->weight, second = b->outer_z * b->outer_weight;
    if (b->close) {
        return (inner + ERROR_EXPM1 + 4.0 + over) * size(at->truth) + second * b->rise_error;
    }
    double prefix = b->inner_z > 1.0 ? 0.0 : 3.0; // |z| times the weight
    return first * (inner + prefix) + second * (outer + 3.0) + stats_subtraction(at) + over * size(at->truth);
}

// Bounds on one side: an integral over log |z| from one of them.
static double one_side_scale(const stats_interval *at, const bounds *b, bool inward)
{
    const stats_tail_errors *start = inward ? b->outer : b->inner;
    double log_integral = at->value - start->log_prefix, log_z = 2.0 * size(scale_log(inward ? b->outer_z : b->inner_z));
    if (at->output == 0) {
        return start->prefix + ERROR_INTEGRAL + 4.0 + ERROR_OF(LOG, log_integral);
    }
    double relative = ERROR_INTEGRAL + 6.0, moved = relative + b->fall_error + ERROR_EXP + log_z;
    return gradient_scale(at, b, inward ? moved : relative, inward ? relative : moved, true);
}

// Both sides of 0, or as good as from it: the sum of F(|z|) - 1/2.
static double middle_scale(const stats_interval *at, const bounds *b)
{
    double sum = larger(b->inner->centre, b->outer->centre) + 1.0;
    if (at->output == 0) {
        return sum + ERROR_BEFORE_LAST(LOG, at->value) +
               (at->datum->p[0] < 1e-10 ? 4.0 * size(scale_log(at->datum->p[0])) + size(at->value) : 0.0);
    }
    return gradient_scale(at, b, b->inner->weight + sum, b->outer->weight + sum, true);
}

// One density times the length.
static double flat_scale(const stats_interval *at)
{
    stats_datum middle = *at->datum;
    if (at->output == 0) {
        double log_f, error = stats_student_standard_scale(&middle, &log_f);
        double log_length = scale_log((middle.upper - middle.y) / middle.p[2]);
        return error + scale_rounding(log_f) + ERROR_OF(LOG, log_length) + 2.0;
    }
    return stats_score_scale(&middle, at->output - 1, at->truth) + 14.0 * size(at->truth);
}

double stats_student_interval_scale(const stats_interval *at)
{
    bounds b;
    bounds_of(at, &b);
    double nu = at->datum->p[0], border = 1e-3, unit = scale_unit(at->datum->dtype), scale = 0.0;
    bool steep = b.inner_z > 1.0 && nu > 4.0, narrow = stats_is_narrow(at, border), surely = stats_is_narrow(at, -border);
    if (-b.fall < unit) {
        scale = flat_scale(at);
    }
    if (b.one_side && (narrow || steep)) {
        bool inward = b.outer_z <= 1.0 && b.outer_z * b.outer_z < nu;
        scale = larger(scale, one_side_scale(at, &b, inward));
    }
    if (narrow && (!b.one_side || b.inner_z < unit)) {
        scale = larger(scale, middle_scale(at, &b));
    }
    if (!surely && !(b.one_side && steep)) {
        stats_between errors;
        stats_between_errors(at, &errors);
        bool low_is_inner = b.inner == &at->low;
        scale = larger(scale, at->output == 0 ? errors.log_probability
                                              : gradient_scale(at, &b, low_is_inner ? errors.at_low : errors.at_high,
                                                               low_is_inner ? errors.at_high : errors.at_low, false));
    }
    double log_inner = b.inner->log_prefix - at->value, log_outer = b.outer->log_prefix - at->value;
    if (at->output > 0 && !b.close && scale_ratio_is_deep(at->datum->dtype, log_inner) >= 0 &&
        scale_ratio_is_deep(at->datum->dtype, log_outer) >= 0) { // both prefixes over the probability from their logarithms
        double common = larger(b.inner->centre, b.outer->centre) + 4.0 + ERROR_EXP + ERROR_FOURTH_POWER;
        scale = larger(scale, gradient_scale(at, &b, b.inner->prefix + scale_rounding(log_inner) + common,
                                             b.outer->prefix + scale_rounding(log_outer) + common, false));
    }
    return scale;
}
