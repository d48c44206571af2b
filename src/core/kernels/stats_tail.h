// SPDX-License-Identifier: Apache-2.0
// Tails of the gamma and beta distributions that do not underflow. Body: included by stats.h.
//
// In u = log t (gamma) or u = logit t (beta) a tail is the density at its bound, once, times an integral of order 1:
//   tail = prefix J,  J = integral over v >= 0 of e^E(v),  E(v) = -slope v - curve (e^(sv) - 1 - sv) - total log1pmx(share (e^(sv)
//   - 1))
// with s = -1 downward and +1 upward, total = 0 for the gamma. E is formed without cancellation and log tail = log prefix + log J,
// so nothing underflows. J is summed by Gauss-Legendre panels; all its terms are positive. docs/statistics.md derives it.
// A small first shape decays too slowly for that: there J is a power series with positive terms.

typedef struct NC_N(nc_tail) {
    NC_REAL sign, slope, curve, total, share;
} NC_N(nc_tail);

NC_FN NC_REAL NC_N(nc_tail_exponent)(NC_N(nc_tail) tail, NC_REAL v)
{
    NC_REAL t = tail.sign * v;
    NC_REAL bend = NC_N(nc_expm1mx)(t);
    if (!(tail.total > NC_C(0.0))) {
        return NC_FMA(-tail.slope, v, -(tail.curve * bend));
    }
    NC_REAL growth = tail.share * (t + bend);
    if (!(NC_N(nc_is_below_inf)(growth))) { // e^v itself overflows: log1p(growth) = v + log share
        return NC_FMA((tail.curve - tail.slope) - tail.total, v, -(tail.total * NC_N(nc_log)(tail.share)));
    }
    if (growth > NC_C(1.0)) { // far up both terms are large: (curve - slope) v - total log1p(growth), the same number
        return NC_FMA(tail.curve - tail.slope, v, -(tail.total * NC_N(nc_log1p)(growth)));
    }
    return NC_FMA(-tail.total, NC_N(nc_log1pmx)(growth), NC_FMA(-tail.slope, v, -(tail.curve * bend)));
}

// Where e^E no longer matters: between NC_TAIL_DEEP and about twice that deep, or at most `limit`.
#ifdef NC_REAL_IS_F32
#define NC_TAIL_DEEP_f32 NC_C(-20.0)
#else
#define NC_TAIL_DEEP_f64 NC_C(-41.0)
#endif
#define NC_TAIL_STEPS 1100 // halvings or doublings; more than any exponent range
NC_FN_APART NC_REAL NC_N(nc_tail_reach)(NC_N(nc_tail) tail, NC_REAL limit)
{
    NC_REAL reach = limit < NC_C(1.0) ? limit : NC_C(1.0);
    if (NC_N(nc_tail_exponent)(tail, reach) > NC_N(NC_TAIL_DEEP)) {
        for (nc_i32 step = 0; step < NC_TAIL_STEPS && reach < limit; ++step) {
            reach = NC_C(1.5) * reach;
            if (!(NC_N(nc_tail_exponent)(tail, reach) > NC_N(NC_TAIL_DEEP))) {
                break;
            }
        }
        return reach < limit ? reach : limit;
    }
    for (nc_i32 step = 0; step < NC_TAIL_STEPS; ++step) {
        if (NC_N(nc_tail_exponent)(tail, NC_C(0.5) * reach) > NC_N(NC_TAIL_DEEP)) {
            break;
        }
        reach = NC_C(0.5) * reach;
    }
    return reach;
}

// J up to v = limit. The panels grow from an eighth of the reach, and none is wider than 2, the scale of e^v.
#define NC_TAIL_PANELS 1024
NC_FN_APART NC_REAL NC_N(nc_tail_integral)(NC_N(nc_tail) tail, NC_REAL limit)
{
    NC_REAL reach = NC_N(nc_tail_reach)(tail, limit);
    NC_REAL begin = NC_C(0.0), width = NC_C(0.125) * reach, sum = NC_C(0.0);
    for (nc_i32 panel = 0; panel < NC_TAIL_PANELS && begin < reach; ++panel) {
        width = width < NC_C(2.0) ? width : NC_C(2.0);
        NC_REAL length = begin + width < reach ? width : reach - begin;
        NC_REAL part = NC_C(0.0);
        for (nc_i32 i = 0; i < NC_N(nc_gauss_points); ++i) {
            NC_REAL v = NC_FMA(length, NC_N(nc_gauss)[2 * i], begin);
            part = NC_FMA(NC_N(nc_gauss)[2 * i + 1], NC_N(nc_exp)(NC_N(nc_tail_exponent)(tail, v)), part);
        }
        sum = NC_FMA(length, part, sum);
        begin = begin + length;
        width = panel == 0 ? width : NC_C(2.0) * width;
    }
    return sum;
}

#define NC_SERIES_TERMS 256
// J of the lower gamma tail for 0 <= x <= a <= 2: sum of x^n/(a (a + 1) ... (a + n)).
NC_FN NC_REAL NC_N(nc_gamma_series)(NC_REAL a, NC_REAL x)
{
    NC_REAL term = NC_C(1.0) / a, sum = term;
    for (nc_i32 n = 1; n < NC_SERIES_TERMS && term > NC_C(0.25) * NC_UNIT_ROUNDOFF * sum; ++n) {
        term = term * (x / (a + (NC_REAL)n));
        sum = sum + term;
    }
    return sum;
}
// J of the lower beta tail for a <= 2, x <= 1/2 and x at most the mean: 2F1(a + b, 1; a + 1; x)/a. The ratios stay below 2/3.
NC_FN NC_REAL NC_N(nc_beta_series)(NC_REAL a, NC_REAL b, NC_REAL x)
{
    NC_REAL term = NC_C(1.0) / a, sum = term, shape = a + b;
    for (nc_i32 n = 0; n < NC_SERIES_TERMS && term > NC_C(0.25) * NC_UNIT_ROUNDOFF * sum; ++n) {
        term = term * ((shape + (NC_REAL)n) * x / (a + (NC_REAL)(n + 1)));
        sum = sum + term;
    }
    return sum;
}

// Both tails: their logarithms, and prefix/tail, which gradients need. The ratio of the tail that is not summed is e^(log prefix -
// log tail), and may underflow.
typedef struct NC_N(nc_tails) {
    NC_REAL log_lower, log_upper, lower_ratio, upper_ratio, log_prefix;
    nc_i32 lower_is_summed;
} NC_N(nc_tails);

// From J of one tail; the other tail is its complement.
NC_FN_APART NC_N(nc_tails) NC_N(nc_tails_of)(NC_REAL log_prefix, NC_REAL integral, nc_i32 is_lower)
{
    NC_N(nc_tails) tails;
    NC_REAL log_tail = log_prefix + NC_N(nc_log)(integral);
    log_tail = log_tail < NC_C(0.0) ? log_tail : NC_C(0.0);
    NC_REAL log_other = NC_N(nc_log1mexp)(log_tail);
    NC_REAL ratio = NC_C(1.0) / integral, other_ratio = NC_N(nc_exp)(log_prefix - log_other);
    tails.log_lower = is_lower ? log_tail : log_other;
    tails.log_upper = is_lower ? log_other : log_tail;
    tails.lower_ratio = is_lower ? ratio : other_ratio;
    tails.upper_ratio = is_lower ? other_ratio : ratio;
    tails.log_prefix = log_prefix;
    tails.lower_is_summed = is_lower;
    return tails;
}

// What is certain at an end of the support.
NC_FN NC_N(nc_tails) NC_N(nc_tails_certain)(nc_i32 is_lower)
{
    NC_N(nc_tails) tails;
    tails.log_lower = is_lower ? NC_C(0.0) : -NC_N(nc_inf)();
    tails.log_upper = is_lower ? -NC_N(nc_inf)() : NC_C(0.0);
    tails.lower_ratio = NC_C(0.0);
    tails.upper_ratio = NC_C(0.0);
    tails.log_prefix = -NC_N(nc_inf)();
    tails.lower_is_summed = is_lower;
    return tails;
}

// Tails of F = e^(a mean) with prefix a F: a distribution whose first shape a is below 1, at a bound so small that the power is all
// there is of F. mean < 0 is a logarithm's size.
NC_FN_APART NC_N(nc_tails) NC_N(nc_tails_of_power)(NC_REAL a, NC_REAL mean)
{
    NC_N(nc_tails) tails;
    NC_REAL log_lower = a * mean;
    tails.log_lower = log_lower;
    tails.lower_ratio = a;
    tails.log_prefix = NC_N(nc_log)(a) + log_lower;
    tails.lower_is_summed = 1;
    if (log_lower > -NC_C(0.25) * NC_UNIT_ROUNDOFF) { // 1 - F = -a mean, which may be subnormal
        tails.log_upper = NC_N(nc_log)(a) + NC_N(nc_log)(-mean);
        tails.upper_ratio = NC_C(-1.0) / mean;
    } else {
        NC_REAL upper = -NC_N(nc_expm1)(log_lower);
        tails.log_upper = NC_N(nc_log1mexp)(log_lower);
        tails.upper_ratio = a * NC_N(nc_exp)(log_lower) / upper;
    }
    return tails;
}

// Gamma(a, 1) at x > 0, lower tail P(a, x), upper tail Q(a, x). deviation = a - x, log_prefix = log(x^a e^-x / Gamma(a)).
NC_FN_APART NC_REAL NC_N(nc_gamma_integral)(NC_REAL a, NC_REAL x, NC_REAL deviation, nc_i32 is_lower, NC_REAL limit)
{
    NC_N(nc_tail) tail;
    if (is_lower && a <= NC_C(2.0) && !NC_N(nc_is_below_inf)(limit)) {
        return NC_N(nc_gamma_series)(a, x);
    }
    tail.sign = is_lower ? NC_C(-1.0) : NC_C(1.0);
    tail.slope = is_lower ? deviation : -deviation;
    tail.curve = x;
    tail.total = NC_C(0.0);
    tail.share = NC_C(0.0);
    return NC_N(nc_tail_integral)(tail, limit);
}

NC_FN_APART NC_N(nc_tails) NC_N(nc_gamma_tails)(NC_REAL a, NC_REAL x, NC_REAL deviation, NC_REAL log_prefix)
{
    nc_i32 is_lower = deviation > NC_C(0.0);
    NC_REAL integral = NC_N(nc_gamma_integral)(a, x, deviation, is_lower, NC_N(nc_inf)());
    if (is_lower && a < NC_C(1.0) && log_prefix + NC_N(nc_log)(integral) > NC_C(-0.5)) {
        is_lower = 0; // the lower tail is nearly 1 already: sum the upper one
        integral = NC_N(nc_gamma_integral)(a, x, deviation, 0, NC_N(nc_inf)());
    }
    return NC_N(nc_tails_of)(log_prefix, integral, is_lower);
}

// A point of a beta distribution: x and y = 1 - x, both given, and deviation = a - (a + b) x.
typedef struct NC_N(nc_beta_point) {
    NC_REAL a, b, x, y, deviation;
} NC_N(nc_beta_point);

NC_FN NC_N(nc_beta_point) NC_N(nc_beta_reflect)(NC_N(nc_beta_point) at)
{
    NC_N(nc_beta_point) reflected = {at.b, at.a, at.y, at.x, -at.deviation};
    return reflected;
}

// J of the lower tail at the point.
NC_FN_APART NC_REAL NC_N(nc_beta_integral)(NC_N(nc_beta_point) at)
{
    NC_N(nc_tail) tail;
    nc_i32 is_low = at.x <= NC_C(0.5);
    if (is_low && at.a <= NC_C(2.0) && at.deviation >= NC_C(0.0)) {
        return NC_N(nc_beta_series)(at.a, at.b, at.x);
    }
    tail.sign = is_low ? NC_C(-1.0) : NC_C(1.0);
    tail.slope = at.deviation;
    tail.total = at.a + at.b;
    tail.share = is_low ? at.x : at.y;
    tail.curve = tail.total * tail.share;
    return NC_N(nc_tail_integral)(tail, NC_N(nc_inf)());
}

// log_prefix = log(x^a y^b / B(a, b)).
NC_FN_APART NC_N(nc_tails) NC_N(nc_beta_tails)(NC_N(nc_beta_point) at, NC_REAL log_prefix)
{
    nc_i32 is_lower = at.deviation > NC_C(0.0);
    NC_N(nc_beta_point) primary = at;
    if (!is_lower) {
        primary = NC_N(nc_beta_reflect)(at);
    }
    NC_REAL integral = NC_N(nc_beta_integral)(primary);
    if (primary.a < NC_C(1.0) && log_prefix + NC_N(nc_log)(integral) > NC_C(-0.5)) {
        is_lower = !is_lower; // this tail is nearly 1 already: sum the other one
        integral = NC_N(nc_beta_integral)(NC_N(nc_beta_reflect)(primary));
    }
    return NC_N(nc_tails_of)(log_prefix, integral, is_lower);
}

// Bounds below this underflow or lose digits: the tails are taken from here and continued downward, where x^a is all that varies.
NC_FN NC_REAL NC_N(nc_beta_least)(void)
{
    return NC_N(nc_pow2)(2 * NC_MANTISSA_BITS + 2 - NC_EXPONENT_BIAS);
}
// J of the upper tail. With V the logarithm of what x is short of that, it is the integral of e^(a v) over v < V, and e^(a V) J
// there.
NC_FN_APART NC_REAL NC_N(nc_beta_upper_integral)(NC_N(nc_beta_point) at, NC_REAL log_x)
{
    if (at.x >= NC_N(nc_beta_least)()) {
        return NC_N(nc_beta_integral)(NC_N(nc_beta_reflect)(at));
    }
    at.x = NC_N(nc_beta_least)();
    at.y = NC_C(1.0) - at.x;
    at.deviation = NC_FMA(-(at.a + at.b), at.x, at.a);
    NC_REAL reach = NC_N(nc_log)(at.x) - log_x, rise = at.a * reach;
    NC_REAL plain = rise > NC_UNIT_ROUNDOFF ? NC_N(nc_expm1)(rise) / at.a : reach;
    return NC_FMA(NC_N(nc_exp)(rise), NC_N(nc_beta_integral)(NC_N(nc_beta_reflect)(at)), plain);
}
// Both tails at a point with a < 1 whose x is below that, from log x.
NC_FN_APART NC_N(nc_tails) NC_N(nc_beta_tails_far)(NC_N(nc_beta_point) at, NC_REAL log_x, NC_REAL log_prefix)
{
    NC_REAL lower = NC_C(1.0) / at.a;
    if (NC_N(nc_is_below_inf)(lower) && !(log_prefix + NC_N(nc_log)(lower) > NC_C(-0.5))) {
        return NC_N(nc_tails_of)(log_prefix, lower, 1);
    }
    return NC_N(nc_tails_of)(log_prefix, NC_N(nc_beta_upper_integral)(at, log_x), 0);
}

// log(F(high) - F(low)) from the tails at both bounds, and the prefixes there over that probability; slope is their difference.
// The logarithms of those two are for where they underflow.
typedef struct NC_N(nc_interval) {
    NC_REAL log_probability, at_low, at_high, slope, log_at_low, log_at_high;
} NC_N(nc_interval);

// factor e^x/divisor where e^x underflows and the quotient need not: `root` is the fourth root of e^x, which does not.
NC_FN NC_REAL NC_N(nc_fourth_power_over)(NC_REAL root, NC_REAL factor, NC_REAL divisor)
{
    return root > NC_C(0.0) ? factor * root / divisor * root * root * root : NC_C(0.0);
}
NC_FN_APART NC_REAL NC_N(nc_exp_over)(NC_REAL x, NC_REAL factor, NC_REAL divisor)
{
    return NC_N(nc_fourth_power_over)(NC_N(nc_exp)(NC_C(0.25) * x), factor, divisor);
}

// Below e^this a ratio has lost digits, or may have beside one that has. A quarter of it over any divisor is finite.
#ifdef NC_REAL_IS_F32
#define NC_RATIO_LEAST_f32 NC_C(-69.0)
#else
#define NC_RATIO_LEAST_f64 NC_C(-670.0)
#endif
// slope/divisor/second, of which the second is at most 1 and the first one then not small, or the other way round.
NC_FN NC_REAL NC_N(nc_interval_slope_over)(NC_N(nc_interval) part, NC_REAL divisor, NC_REAL second)
{
    if (part.log_at_low < NC_N(NC_RATIO_LEAST) && part.log_at_high < NC_N(NC_RATIO_LEAST)) {
        NC_REAL both = divisor * second;
        return NC_N(nc_exp_over)(part.log_at_high, NC_C(1.0), both) - NC_N(nc_exp_over)(part.log_at_low, NC_C(1.0), both);
    }
    return part.slope == NC_C(0.0) ? NC_C(0.0) : part.slope / divisor / second;
}

// One tail as an interval.
NC_FN NC_N(nc_interval) NC_N(nc_interval_one_sided)(NC_N(nc_tails) tails, nc_i32 is_left)
{
    NC_N(nc_interval) part;
    nc_i32 is_summed = (tails.lower_is_summed != 0) == (is_left != 0);
    part.log_probability = is_left ? tails.log_lower : tails.log_upper;
    part.at_low = is_left ? NC_C(0.0) : tails.upper_ratio;
    part.at_high = is_left ? tails.lower_ratio : NC_C(0.0);
    part.slope = is_left ? tails.lower_ratio : -tails.upper_ratio;
    NC_REAL log_ratio = is_summed ? NC_C(0.0) : tails.log_prefix - part.log_probability; // a summed tail's ratio does not underflow
    part.log_at_low = is_left ? -NC_N(nc_inf)() : log_ratio;
    part.log_at_high = is_left ? log_ratio : -NC_N(nc_inf)();
    return part;
}

NC_FN_APART NC_N(nc_interval) NC_N(nc_interval_between)(NC_N(nc_tails) low, NC_N(nc_tails) high)
{
    NC_N(nc_interval) interval;
    NC_REAL low_weight, high_weight, rest; // a prefix over the probability is weight times ratio over rest
    if (!(NC_N(nc_is_below_inf)(-high.log_lower) && NC_N(nc_is_below_inf)(-low.log_upper))) { // the logarithm itself overflows
        interval.log_probability = -NC_N(nc_inf)();
        interval.at_low = NC_C(0.0);
        interval.at_high = NC_C(0.0);
        interval.slope = NC_C(0.0);
        interval.log_at_low = -NC_N(nc_inf)();
        interval.log_at_high = -NC_N(nc_inf)();
        return interval;
    }
    if (high.log_lower < NC_C(-0.7)) { // both below the middle: F(high) (1 - F(low)/F(high))
        low_weight = NC_N(nc_exp)(low.log_lower - high.log_lower);
        high_weight = NC_C(1.0);
        rest = -NC_N(nc_expm1)(low.log_lower - high.log_lower);
        interval.log_probability = high.log_lower + NC_N(nc_log)(rest);
    } else if (low.log_upper < NC_C(-0.7)) { // both above it
        low_weight = NC_C(1.0);
        high_weight = NC_N(nc_exp)(high.log_upper - low.log_upper);
        rest = -NC_N(nc_expm1)(high.log_upper - low.log_upper);
        interval.log_probability = low.log_upper + NC_N(nc_log)(rest);
    } else { // 1 - F(low) - S(high)
        low_weight = NC_N(nc_exp)(low.log_lower);
        high_weight = NC_N(nc_exp)(high.log_upper);
        rest = NC_C(1.0) - (low_weight + high_weight);
        interval.log_probability = NC_N(nc_log1p)(-(low_weight + high_weight));
    }
    nc_i32 is_above = low.log_upper < NC_C(-0.7) && !(high.log_lower < NC_C(-0.7));
    nc_i32 is_below = high.log_lower < NC_C(-0.7);
    NC_REAL low_ratio = is_above ? low.upper_ratio : low.lower_ratio;
    NC_REAL high_ratio = is_below ? high.lower_ratio : high.upper_ratio;
    NC_REAL least =
        NC_N(nc_exp)(NC_N(NC_RATIO_LEAST)); // below, a weight may have lost digits that its product with a large ratio needs
    interval.log_at_low = low.log_prefix - interval.log_probability;
    interval.log_at_high = high.log_prefix - interval.log_probability;
    interval.at_low = low_weight < least ? NC_N(nc_exp)(interval.log_at_low) : low_weight * low_ratio / rest;
    interval.at_high = high_weight < least ? NC_N(nc_exp)(interval.log_at_high) : high_weight * high_ratio / rest;
    interval.slope = interval.at_high - interval.at_low;
    return interval;
}

// True when an interval holds so little of a tail, or of the middle, that a difference of tails would lose digits.
NC_FN nc_i32 NC_N(nc_interval_is_narrow)(NC_N(nc_tails) low, NC_N(nc_tails) high)
{
    if (high.log_lower < NC_C(-0.7)) {
        return high.log_lower - low.log_lower < NC_C(0.7);
    }
    if (low.log_upper < NC_C(-0.7)) {
        return low.log_upper - high.log_upper < NC_C(0.7);
    }
    return NC_N(nc_exp)(low.log_lower) + NC_N(nc_exp)(high.log_upper) > NC_C(0.5);
}
