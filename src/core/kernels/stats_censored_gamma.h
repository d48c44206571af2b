// SPDX-License-Identifier: Apache-2.0
// Censored gamma terms. Body: included by stats.h.

// The prefix of the tails is x^a e^-x / Gamma(a) at x = b y, and dF/db = prefix/b.

typedef struct NC_N(nc_gamma_point) {
    NC_REAL x, deviation, log_prefix; // deviation = a - x
} NC_N(nc_gamma_point);

NC_FN_APART NC_N(nc_gamma_point) NC_N(nc_gamma_at)(NC_REAL y, NC_REAL a, NC_REAL b)
{
    NC_N(nc_gamma_point) at;
    NC_N(nc_pair) x = NC_N(nc_product_exact)(b, y), shape = NC_N(nc_pair_of)(a);
    NC_N(nc_pair) deviation = NC_N(nc_pair_minus)(shape, x);
    NC_REAL deviance;
    if (x.high > NC_N(nc_pow2)(2 * NC_MANTISSA_BITS + 2 - NC_EXPONENT_BIAS)) {
        deviance = NC_N(nc_deviance)(shape, x, deviation);
    } else { // the product's low part underflows: a is far above x
        NC_N(nc_pair) logs = NC_N(nc_pair_minus)(NC_N(nc_log_pair)(a, NC_C(0.0)), NC_N(nc_log_product)(b, y, x));
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
    if (!NC_N(nc_is_below_inf)(at.x)) {
        return NC_N(nc_tails_certain)(1);
    }
    return NC_N(nc_gamma_tails)(a, at.x, at.deviation, at.log_prefix);
}

NC_FN_APART NC_N(nc_interval) NC_N(nc_gamma_interval)(NC_REAL low, NC_REAL high, NC_REAL a, NC_REAL b)
{
    NC_N(nc_tails) below = NC_N(nc_gamma_tails_at)(low, a, b), above = NC_N(nc_gamma_tails_at)(high, a, b);
    if (!(low > NC_C(0.0)) || !NC_N(nc_is_below_inf)(high) || !NC_N(nc_interval_is_narrow)(below, above)) {
        return NC_N(nc_interval_between)(below, above);
    }
    NC_N(nc_gamma_point) at = NC_N(nc_gamma_at)(high, a, b);
    NC_REAL width = NC_N(nc_log_quotient)(NC_N(nc_pair_of)(high), NC_N(nc_pair_of)(low)).high;
    NC_N(nc_tail) tail = {NC_C(-1.0), at.deviation, at.x, NC_C(0.0), NC_C(0.0)};
    NC_REAL integral = NC_N(nc_tail_integral)(tail, width);
    NC_N(nc_interval) interval;
    interval.log_probability = at.log_prefix + NC_N(nc_log)(integral);
    NC_REAL rise = NC_N(nc_tail_exponent)(tail, width); // log of prefix(low)/prefix(high)
    interval.at_high = NC_C(1.0) / integral;
    interval.at_low = NC_N(nc_exp)(rise) / integral;
    interval.slope = -NC_N(nc_expm1)(rise) / integral;
    return interval;
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
        NC_N(nc_tails) tails = NC_N(nc_gamma_tails_at)(y, a, b);
        part.log_probability = censoring == NC_STATS_LEFT ? tails.log_lower : tails.log_upper;
        part.slope = censoring == NC_STATS_LEFT ? tails.lower_ratio : -tails.upper_ratio;
    }
    if (NC_N(nc_is_inf)(-part.log_probability)) {
        return NC_N(nc_term_off_support)();
    }
    NC_N(nc_term) term = NC_N(nc_term_of)(part.log_probability, NC_C(0.0), NC_STATS_OK);
    term.gradient[0] = NC_N(nc_nan)(); // no closed form in the shape
    term.gradient[1] = part.slope / b;
    if ((flags & NC_STATS_WANT_GRADIENT) && !(flags & NC_STATS_SKIP_RESULT)) {
        term.status = NC_STATS_UNSUPPORTED;
    }
    return term;
}
