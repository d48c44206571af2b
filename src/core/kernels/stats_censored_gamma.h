// SPDX-License-Identifier: Apache-2.0
// Censored gamma terms. Body: included by stats.h.

// The prefix of the tails is x^a e^-x / Gamma(a) at x = b y, and dF/db = prefix/b.

typedef struct NC_N(nc_gamma_point) {
    NC_REAL x, log_x, deviation, log_prefix; // deviation = a - x; log_x where x is small
} NC_N(nc_gamma_point);

NC_FN_APART NC_N(nc_gamma_point) NC_N(nc_gamma_at)(NC_REAL y, NC_REAL a, NC_REAL b)
{
    NC_N(nc_gamma_point) at;
    NC_N(nc_pair) x = NC_N(nc_product_exact)(b, y), shape = NC_N(nc_pair_of)(a);
    NC_N(nc_pair) deviation = NC_N(nc_pair_minus)(shape, x);
    NC_REAL deviance;
    at.log_x = NC_C(0.0);
    if (x.high > NC_N(nc_pow2)(2 * NC_MANTISSA_BITS + 2 - NC_EXPONENT_BIAS)) {
        deviance = NC_N(nc_deviance)(shape, x, deviation);
    } else { // the product's low part underflows: a is far above x
        NC_N(nc_pair) log_x = NC_N(nc_log_product)(b, y, x);
        NC_N(nc_pair) logs = NC_N(nc_pair_minus)(NC_N(nc_log_pair)(a, NC_C(0.0)), log_x);
        at.log_x = log_x.high;
        deviance = NC_FMA(a, logs.high, -deviation.high);
    }
    at.x = x.high;
    at.deviation = deviation.high;
    at.log_prefix = (NC_FMA(NC_C(0.5), NC_N(nc_log)(a), -NC_N(NC_HALF_LOG_2PI)) - NC_N(nc_stirling)(a)) - deviance;
    return at;
}

NC_FN_APART NC_N(nc_tails) NC_N(nc_gamma_tails_at)(NC_REAL y, NC_REAL a, NC_REAL b)
{
    if (!(y > NC_C(0.0))) {
        return NC_N(nc_tails_certain)(0);
    }
    NC_N(nc_gamma_point) at = NC_N(nc_gamma_at)(y, a, b);
    if (!(NC_N(nc_is_below_inf)(at.x))) { // the upper tail is e^-deviance, to all digits; prefix/tail is x - a, and overflows
        NC_N(nc_tails) tails = NC_N(nc_tails_certain)(1);
        tails.log_upper = -NC_N(nc_gamma_large_deviance)(y, a, b);
        tails.upper_ratio = NC_N(nc_inf)();
        return tails;
    }
    if (a < NC_C(1.0) && at.log_x < NC_C(0.0)) { // x may have underflowed: F = x^a/Gamma(a + 1)
        NC_REAL mean = a > NC_UNIT_ROUNDOFF ? NC_N(nc_lgamma1p)(a) / a : -NC_N(NC_EULER);
        return NC_N(nc_tails_of_power)(a, at.log_x - mean);
    }
    return NC_N(nc_gamma_tails)(a, at.x, at.deviation, at.log_prefix);
}

// P(low < Y <= high) as one prefix and an integral, from the bound nearer to the mode: low upward or high downward.
NC_FN_APART NC_N(nc_interval) NC_N(nc_gamma_between)(NC_N(nc_gamma_point) low, NC_N(nc_gamma_point) high, NC_REAL width)
{
    NC_N(nc_interval) interval;
    nc_i32 upward = low.deviation <= NC_C(0.0) || (high.deviation < NC_C(0.0) && low.log_prefix > high.log_prefix);
    NC_N(nc_gamma_point) near = low;
    if (!upward) {
        near = high;
    }
    NC_N(nc_tail) tail = {NC_C(-1.0), near.deviation, near.x, NC_C(0.0), NC_C(0.0)};
    if (upward) {
        tail.sign = NC_C(1.0);
        tail.slope = -near.deviation;
    }
    NC_REAL plain = NC_C(0.0), grown = NC_C(0.0), least = NC_N(nc_pow2)(2 * NC_MANTISSA_BITS + 2 - NC_EXPONENT_BIAS);
    if (upward && low.x < least) { // up to `least` only x^a varies: e^(a v)
        NC_REAL reach = NC_N(nc_log)(least) - low.log_x, a = low.deviation;
        reach = reach < width ? reach : width;
        grown = a * reach;
        plain = grown > NC_UNIT_ROUNDOFF ? NC_N(nc_expm1)(grown) / a : reach;
        tail.slope = least - a;
        tail.curve = least;
        width = width - reach;
    }
    NC_REAL integral = plain, rise = grown; // rise: log of the far prefix over the near one
    if (width > NC_C(0.0)) {
        integral = NC_FMA(NC_N(nc_exp)(grown), NC_N(nc_tail_integral)(tail, width), plain);
        rise = grown + NC_N(nc_tail_exponent)(tail, width);
    }
    NC_REAL at_near = NC_C(1.0) / integral, at_far = NC_N(nc_exp)(rise) / integral, slope = NC_N(nc_expm1)(rise) / integral;
    interval.log_probability = near.log_prefix + NC_N(nc_log)(integral);
    interval.at_low = upward ? at_near : at_far;
    interval.at_high = upward ? at_far : at_near;
    interval.slope = upward ? slope : -slope;
    interval.log_at_low = low.log_prefix - interval.log_probability;
    interval.log_at_high = high.log_prefix - interval.log_probability;
    return interval;
}

// A difference of tails where it keeps its digits: about the middle when little lies outside, and where a lower tail decays so
// slowly that the integral would be long.
NC_FN_APART NC_N(nc_interval) NC_N(nc_gamma_interval)(NC_REAL low, NC_REAL high, NC_REAL a, NC_REAL b)
{
    NC_N(nc_tails) below = NC_N(nc_gamma_tails_at)(low, a, b), above = NC_N(nc_gamma_tails_at)(high, a, b);
    nc_i32 in_upper = below.log_upper < NC_C(-0.7), in_lower = above.log_lower < NC_C(-0.7) && a > NC_C(2.0);
    if (!(low > NC_C(0.0)) || !(NC_N(nc_is_below_inf)(high)) || !(NC_N(nc_is_below_inf)(b * high)) ||
        !(in_upper || in_lower || NC_N(nc_interval_is_narrow)(below, above))) {
        return NC_N(nc_interval_between)(below, above);
    }
    NC_REAL width = NC_N(nc_log_quotient)(NC_N(nc_pair_of)(high), NC_N(nc_pair_of)(low)).high;
    return NC_N(nc_gamma_between)(NC_N(nc_gamma_at)(low, a, b), NC_N(nc_gamma_at)(high, a, b), width);
}

NC_FN NC_N(nc_term)
    NC_N(nc_gamma_term)(NC_REAL y, NC_REAL upper, NC_REAL a, NC_REAL b, NC_REAL unused, nc_i32 censoring, nc_u32 flags)
{
    (void)unused;
    if (!NC_N(nc_gamma_is_valid)(a, b)) {
        return NC_N(nc_term_invalid)(NC_STATS_INVALID_PARAMETER);
    }
    if (censoring == NC_STATS_OBSERVED) {
        return NC_N(nc_gamma_observed)(y, a, b, flags);
    }
    NC_N(nc_interval) part;
    if (censoring == NC_STATS_INTERVAL) {
        if (!(upper >= y)) {
            return NC_N(nc_term_invalid)(NC_STATS_INVALID_VALUE);
        }
        if (upper == y || !(upper > NC_C(0.0))) {
            return NC_N(nc_term_off_support)();
        }
        part = NC_N(nc_gamma_interval)(y, upper, a, b);
    } else {
        part = NC_N(nc_interval_one_sided)(NC_N(nc_gamma_tails_at)(y, a, b), censoring == NC_STATS_LEFT);
    }
    if (NC_N(nc_is_inf)(-part.log_probability)) {
        return NC_N(nc_term_off_support)();
    }
    NC_N(nc_term) term = NC_N(nc_term_of)(part.log_probability, NC_C(0.0), NC_STATS_OK);
    term.gradient[0] = NC_N(nc_nan)(); // no closed form in the shape
    term.gradient[1] =
        NC_N(nc_is_inf)(-part.slope) ? a / b - y : NC_N(nc_interval_slope_over)(part, b, NC_C(1.0)); // or the density's, far up
    if ((flags & NC_STATS_WANT_GRADIENT) && !(flags & NC_STATS_SKIP_RESULT)) {
        term.status = NC_STATS_UNSUPPORTED;
    }
    return term;
}
