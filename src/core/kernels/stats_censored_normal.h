// SPDX-License-Identifier: Apache-2.0
// Censored normal and log-normal terms. Body: included by stats.h.
// Upper tail at z >= 0: erfcx(z/sqrt 2)/2 e^(-z^2/2); hazard phi(z)/Q(z) = sqrt(2/pi)/erfcx(z/sqrt 2).
//   d mu log F = -phi/F / sigma, d sigma log F = -z phi/F / sigma, and for the upper tail with the other sign

// e^(-z^2/2), with z^2 to twice the digits.
NC_FN NC_REAL NC_N(nc_normal_kernel)(NC_REAL z)
{
    NC_N(nc_pair) square = NC_N(nc_product_exact)(z, z);
    if (!(NC_C(-0.5) * square.high > NC_N(NC_EXP_UNDERFLOW))) {
        return NC_C(0.0);
    }
    nc_i32 exponent;
    NC_N(nc_pair) power = NC_N(nc_exp_pair)(NC_C(-0.5) * square.high, NC_C(-0.5) * square.low, &exponent);
    return NC_N(nc_scale_near)(power.high, exponent);
}

// Tails of the standard normal at any z, infinities included; the prefix of the ratios is the density.
NC_FN_APART NC_N(nc_tails) NC_N(nc_normal_tails)(NC_REAL z)
{
    NC_N(nc_tails) tails;
    NC_REAL distance = NC_FABS(z);
    if (!NC_N(nc_is_below_inf)(distance)) {
        return NC_N(nc_tails_certain)(z > NC_C(0.0));
    }
    NC_REAL scaled = NC_N(nc_erfcx)(distance * NC_N(NC_SQRT_HALF));
    NC_REAL kernel_value = NC_N(nc_normal_kernel)(distance);
    NC_REAL tail = NC_C(0.5) * scaled * kernel_value;
    NC_REAL log_tail = NC_FMA(NC_C(-0.5) * distance, distance, NC_N(nc_log)(NC_C(0.5) * scaled));
    NC_REAL log_other = NC_N(nc_log1p)(-tail);
    NC_REAL hazard = NC_N(NC_SQRT_2_OVER_PI) / scaled;
    NC_REAL other_ratio = NC_C(0.5) * NC_N(NC_SQRT_2_OVER_PI) * kernel_value / (NC_C(1.0) - tail);
    nc_i32 is_upper = z > NC_C(0.0);
    tails.log_upper = is_upper ? log_tail : log_other;
    tails.log_lower = is_upper ? log_other : log_tail;
    tails.upper_ratio = is_upper ? hazard : other_ratio;
    tails.lower_ratio = is_upper ? other_ratio : hazard;
    return tails;
}

// log(Phi(high) - Phi(low)), and phi(low), phi(high) over that difference in gradient[0] and [1].
// `width` is high - low where rounding left nothing of it.
NC_FN_APART NC_N(nc_term) NC_N(nc_normal_interval_far)(NC_REAL low, NC_REAL high, NC_REAL width)
{
    NC_N(nc_term) term = NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), NC_STATS_OK);
    nc_i32 reflected = low + high > NC_C(0.0);
    NC_N(nc_tails) begin = NC_N(nc_normal_tails)(reflected ? -high : low), end = NC_N(nc_normal_tails)(reflected ? -low : high);
    NC_REAL at_begin, at_end;
    NC_REAL end_z = reflected ? -low : high, begin_z = reflected ? -high : low;
    if (end_z <= NC_C(0.0)) { // F(end) (1 - F(begin)/F(end)); the ratio without subtracting two large logarithms
        NC_REAL log_ratio = -NC_N(nc_inf)();
        if (NC_N(nc_is_below_inf)(-begin_z)) {
            NC_REAL distance = end_z > begin_z ? end_z - begin_z : width;
            log_ratio = NC_C(0.5) * distance * (end_z + begin_z) +
                        NC_N(nc_log)(end.lower_ratio / begin.lower_ratio); // erfcx are as 1/hazard
        }
        NC_REAL ratio = NC_N(nc_exp)(log_ratio), rest = -NC_N(nc_expm1)(log_ratio);
        term.log_density = end.log_lower + NC_N(nc_log)(rest);
        at_end = end.lower_ratio / rest;
        at_begin = ratio > NC_C(0.0) ? ratio * begin.lower_ratio / rest : NC_C(0.0);
    } else {
        NC_REAL outside = NC_N(nc_exp)(begin.log_lower) + NC_N(nc_exp)(end.log_upper);
        NC_REAL density = NC_C(0.5) * NC_N(NC_SQRT_2_OVER_PI) / (NC_C(1.0) - outside);
        term.log_density = NC_N(nc_log1p)(-outside);
        at_end = density * NC_N(nc_normal_kernel)(end_z);
        at_begin = density * NC_N(nc_normal_kernel)(begin_z);
    }
    term.gradient[0] = reflected ? at_end : at_begin;
    term.gradient[1] = reflected ? at_begin : at_end;
    return term;
}

// The interval of standard bounds low < high whose distance is `width` (formed before the bounds were rounded).
NC_FN_APART NC_N(nc_term) NC_N(nc_normal_interval)(NC_REAL low, NC_REAL high, NC_REAL width, NC_REAL sigma)
{
    NC_REAL middle = NC_C(0.5) * (low + high), reach = NC_C(0.5) * width;
    if (!(width < NC_C(1.0) && width * NC_FABS(middle) < NC_C(1.5))) {
        NC_N(nc_term) term = NC_N(nc_normal_interval_far)(low, high, width);
        NC_REAL at_low = term.gradient[0], at_high = term.gradient[1];
        term.gradient[0] = (at_low - at_high) / sigma;
        term.gradient[1] =
            ((at_low > NC_C(0.0) ? low * at_low : NC_C(0.0)) - (at_high > NC_C(0.0) ? high * at_high : NC_C(0.0))) / sigma;
        return term;
    }
    // phi(middle) times the integral of e^(-middle u - u^2/2) over |u| < half the width
    NC_REAL sum = NC_C(0.0);
    for (nc_i32 i = 0; i < NC_N(nc_gauss_points); ++i) {
        NC_REAL u = NC_FMA(width, NC_N(nc_gauss)[2 * i], -reach);
        sum = NC_FMA(NC_N(nc_gauss)[2 * i + 1], NC_N(nc_exp)(-u * NC_FMA(NC_C(0.5), u, middle)), sum);
    }
    NC_REAL integral = width * sum;
    NC_N(nc_term) term = NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), NC_STATS_OK);
    term.log_density = NC_FMA(NC_C(-0.5) * middle, middle, NC_N(nc_log)(integral)) - NC_N(NC_HALF_LOG_2PI);
    NC_REAL edge = NC_N(nc_exp)(NC_C(-0.5) * reach * reach) / integral;
    NC_REAL grown = NC_N(nc_expm1)(middle * reach);                                       // e^t - 1
    NC_REAL sine = grown * NC_FMA(NC_C(0.5), NC_C(1.0) / (NC_C(1.0) + grown), NC_C(0.5)); // sinh t
    NC_REAL cosine = NC_FMA(NC_C(0.5) * grown, grown / (NC_C(1.0) + grown), NC_C(1.0));   // cosh t
    term.gradient[0] = NC_C(2.0) * edge * sine / sigma;
    term.gradient[1] = NC_C(2.0) * edge * NC_FMA(middle, sine, -reach * cosine) / sigma;
    return term;
}

// One bound at z: the lower tail for left censoring, the upper for right.
NC_FN_APART NC_N(nc_term) NC_N(nc_normal_one_sided)(NC_REAL z, NC_REAL sigma, nc_i32 is_left)
{
    NC_N(nc_tails) tails = NC_N(nc_normal_tails)(z);
    NC_REAL value = is_left ? tails.log_lower : tails.log_upper;
    if (NC_N(nc_is_inf)(-value)) {
        return NC_N(nc_term_off_support)();
    }
    NC_N(nc_term) term = NC_N(nc_term_of)(value, NC_C(0.0), NC_STATS_OK);
    NC_REAL slope = is_left ? -tails.lower_ratio : tails.upper_ratio;
    term.gradient[0] = slope / sigma;
    term.gradient[1] = slope == NC_C(0.0) ? NC_C(0.0) : z * slope / sigma;
    return term;
}

NC_FN NC_N(nc_term)
    NC_N(nc_normal_term)(NC_REAL y, NC_REAL upper, NC_REAL mu, NC_REAL sigma, NC_REAL unused, nc_i32 censoring, nc_u32 flags)
{
    (void)unused;
    (void)flags;
    if (!NC_N(nc_normal_is_valid)(mu, sigma)) {
        return NC_N(nc_term_invalid)(NC_STATS_INVALID_PARAMETER);
    }
    if (censoring == NC_STATS_OBSERVED) {
        return NC_N(nc_normal_observed)(y, mu, sigma);
    }
    NC_REAL z = (y - mu) / sigma;
    if (censoring != NC_STATS_INTERVAL) {
        return NC_N(nc_normal_one_sided)(z, sigma, censoring == NC_STATS_LEFT);
    }
    if (!(upper > y)) {
        return upper == y ? NC_N(nc_term_off_support)() : NC_N(nc_term_invalid)(NC_STATS_INVALID_VALUE);
    }
    return NC_N(nc_normal_interval)(z, (upper - mu) / sigma, (upper - y) / sigma, sigma);
}

// The bound in standard units: -inf at and below 0.
NC_FN NC_REAL NC_N(nc_lognormal_standard)(NC_REAL y, NC_REAL mu, NC_REAL sigma)
{
    if (!(y > NC_C(0.0))) {
        return -NC_N(nc_inf)();
    }
    return NC_N(nc_is_below_inf)(y) ? NC_N(nc_log_difference)(y, mu) / sigma : y;
}

NC_FN NC_N(nc_term)
    NC_N(nc_lognormal_term)(NC_REAL y, NC_REAL upper, NC_REAL mu, NC_REAL sigma, NC_REAL unused, nc_i32 censoring, nc_u32 flags)
{
    (void)unused;
    (void)flags;
    if (!NC_N(nc_normal_is_valid)(mu, sigma)) {
        return NC_N(nc_term_invalid)(NC_STATS_INVALID_PARAMETER);
    }
    if (censoring == NC_STATS_OBSERVED) {
        return NC_N(nc_lognormal_observed)(y, mu, sigma);
    }
    NC_REAL z = NC_N(nc_lognormal_standard)(y, mu, sigma);
    if (censoring != NC_STATS_INTERVAL) {
        return NC_N(nc_normal_one_sided)(z, sigma, censoring == NC_STATS_LEFT);
    }
    if (!(upper > y)) {
        return upper == y ? NC_N(nc_term_off_support)() : NC_N(nc_term_invalid)(NC_STATS_INVALID_VALUE);
    }
    if (!(upper > NC_C(0.0))) {
        return NC_N(nc_term_off_support)();
    }
    NC_REAL width = NC_N(nc_inf)();
    if (y > NC_C(0.0) && NC_N(nc_is_below_inf)(upper)) {
        width = NC_N(nc_log_quotient)(NC_N(nc_pair_of)(upper), NC_N(nc_pair_of)(y)).high / sigma;
    }
    return NC_N(nc_normal_interval)(z, NC_N(nc_lognormal_standard)(upper, mu, sigma), width, sigma);
}
