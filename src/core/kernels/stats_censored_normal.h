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

// Whether e^(-z^2/2) is so small that its quotient by sigma is taken through its fourth root, e^(-(z/2)^2/2).
NC_FN nc_i32 NC_N(nc_normal_is_deep)(NC_REAL z)
{
    return NC_N(nc_is_finite)(z) && NC_C(-0.5) * z * z < NC_N(NC_RATIO_LEAST);
}

// Tails of the standard normal at any z, infinities included; the prefix of the ratios is the density.
NC_FN_APART NC_N(nc_tails) NC_N(nc_normal_tails)(NC_REAL z)
{
    NC_N(nc_tails) tails;
    NC_REAL distance = NC_FABS(z);
    if (!(NC_N(nc_is_below_inf)(distance))) {
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
    tails.log_prefix = NC_FMA(NC_C(-0.5) * distance, distance, -NC_N(NC_HALF_LOG_2PI));
    tails.lower_is_summed = !is_upper;
    return tails;
}

// An interval low < y <= high in standard units. Differences that cancel are formed before the bounds are rounded: `middle` is
// their mean, `distance` the interval's length, `width` that over sigma.
typedef struct NC_N(nc_normal_bounds) {
    NC_REAL low, high, middle, distance, width;
} NC_N(nc_normal_bounds);

// log(Phi(high) - Phi(low)) of bounds that are not both infinite, and
//   d mu    = (phi(low) - phi(high))/P/sigma,  d sigma = (low phi(low) - high phi(high))/P/sigma.
// With `near` the bound nearer to 0 and -u = (far^2 - near^2)/2 = -width |middle|, phi(far) = phi(near) e^-u.
NC_FN_APART NC_N(nc_term) NC_N(nc_normal_interval_far)(NC_N(nc_normal_bounds) at, NC_REAL sigma)
{
    nc_i32 reflected = at.middle > NC_C(0.0);
    NC_REAL near = reflected ? -at.low : at.high, far = reflected ? -at.high : at.low; // far < near, |far| >= |near|
    NC_N(nc_tails) begin = NC_N(nc_normal_tails)(far), end = NC_N(nc_normal_tails)(near);
    NC_REAL fall = -(at.width * NC_FABS(at.middle)); // log of phi(far)/phi(near)
    NC_REAL at_near, log_probability, grown = NC_N(nc_expm1)(fall);
    nc_i32 is_deep = near > NC_C(0.0) && NC_N(nc_normal_is_deep)(near);
    if (near <= NC_C(0.0)) { // F(near) (1 - F(far)/F(near)); the ratio without subtracting two large logarithms
        NC_REAL log_ratio = -NC_N(nc_inf)();
        if (NC_N(nc_is_below_inf)(-far)) {
            log_ratio = fall + NC_N(nc_log)(end.lower_ratio / begin.lower_ratio); // erfcx are as 1/hazard
        }
        NC_REAL rest = -NC_N(nc_expm1)(log_ratio);
        log_probability = end.log_lower + NC_N(nc_log)(rest);
        at_near = end.lower_ratio / rest;
    } else {
        NC_REAL outside = NC_N(nc_exp)(begin.log_lower) + NC_N(nc_exp)(end.log_upper);
        log_probability = NC_N(nc_log1p)(-outside);
        at_near = NC_C(0.5) * NC_N(NC_SQRT_2_OVER_PI) / (NC_C(1.0) - outside) * NC_N(nc_normal_kernel)(near);
    }
    if (!(NC_N(nc_is_below_inf)(-log_probability))) { // 0, or so small that its logarithm overflows
        return NC_N(nc_term_off_support)();
    }
    NC_N(nc_term) term = NC_N(nc_term_of)(log_probability, NC_C(0.0), NC_STATS_OK);
    if (is_deep) { // what the bounds leave outside is nothing to 1
        NC_REAL root = NC_N(nc_normal_kernel)(NC_C(0.5) * near), density = NC_C(0.5) * NC_N(NC_SQRT_2_OVER_PI);
        NC_REAL kept = NC_N(nc_exp)(fall), lever = near * grown - (kept > NC_C(0.0) ? at.width * kept : NC_C(0.0));
        term.gradient[0] = NC_N(nc_fourth_power_over)(root, reflected ? -(density * grown) : density * grown, sigma);
        term.gradient[1] = NC_N(nc_fourth_power_over)(root, density * lever, sigma);
        return term;
    }
    NC_REAL slope = at_near * grown, at_far = at_near * NC_N(nc_exp)(fall);
    NC_REAL spread = at_far > NC_C(0.0) ? at.width * at_far : NC_C(0.0);
    term.gradient[0] = (reflected ? -slope : slope) / sigma;
    NC_REAL product = slope == NC_C(0.0) ? NC_C(0.0) : near * slope;
    if (!NC_N(nc_is_finite)(product)) {
        term.gradient[1] = NC_N(nc_product_over)(near, slope, sigma);
    } else if (fall < NC_N(NC_RATIO_LEAST)) { // the far bound shows only where near is as good as 0
        term.gradient[1] = product / sigma - NC_N(nc_exp_over)(fall, at.width * at_near, sigma);
    } else {
        term.gradient[1] = (product - spread) / sigma;
    }
    return term;
}

// sinh(t)/t for |t| < 1.
NC_FN NC_REAL NC_N(nc_sinh_quotient)(NC_REAL t)
{
    if (NC_FABS(t) < NC_N(nc_pow2)(-(NC_MANTISSA_BITS / 2) - 2)) { // t^2/6 is below u/16
        return NC_C(1.0);
    }
    NC_REAL grown = NC_N(nc_expm1)(t);
    return grown * NC_FMA(NC_C(0.5), NC_C(1.0) / (NC_C(1.0) + grown), NC_C(0.5)) / t;
}

NC_FN_APART NC_N(nc_term) NC_N(nc_normal_interval)(NC_N(nc_normal_bounds) at, NC_REAL sigma)
{
    NC_REAL middle = at.middle, width = at.width;
    if (NC_N(nc_is_inf)(-at.low) && NC_N(nc_is_inf)(at.high)) {
        return NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), NC_STATS_OK);
    }
    if (!(width < NC_C(1.0) && width * NC_FABS(middle) < NC_C(1.5))) {
        return NC_N(nc_normal_interval_far)(at, sigma);
    }
    // phi(middle) times width times the mean of e^(-middle u - u^2/2) over |u| < half the width
    NC_REAL mean = NC_C(0.0), reach = NC_C(0.5) * width;
    for (nc_i32 i = 0; i < NC_N(nc_gauss_points); ++i) {
        NC_REAL u = NC_FMA(width, NC_N(nc_gauss)[2 * i], -reach);
        mean = NC_FMA(NC_N(nc_gauss)[2 * i + 1], NC_N(nc_exp)(-u * NC_FMA(NC_C(0.5), u, middle)), mean);
    }
    NC_REAL log_integral = NC_N(nc_log)(width * mean);
    if (!(width > NC_N(nc_pow2)(NC_MANTISSA_BITS + 1 - NC_EXPONENT_BIAS))) { // the width itself may have lost its digits
        log_integral = NC_N(nc_log_quotient)(NC_N(nc_pair_of)(at.distance), NC_N(nc_pair_of)(sigma)).high + NC_N(nc_log)(mean);
    }
    NC_REAL log_probability = NC_FMA(NC_C(-0.5) * middle, middle, log_integral) - NC_N(NC_HALF_LOG_2PI);
    if (!(NC_N(nc_is_below_inf)(-log_probability))) {
        return NC_N(nc_term_off_support)();
    }
    // phi at the bounds is phi(middle) e^(-reach^2/2) e^(-+t), t = middle reach
    NC_N(nc_term) term = NC_N(nc_term_of)(log_probability, NC_C(0.0), NC_STATS_OK);
    NC_REAL edge = NC_N(nc_exp)(NC_C(-0.5) * reach * reach) / mean;
    NC_REAL t = middle * reach, quotient = NC_N(nc_sinh_quotient)(t), grown = NC_N(nc_expm1)(t);
    NC_REAL cosine = NC_FMA(NC_C(0.5) * grown, grown / (NC_C(1.0) + grown), NC_C(1.0)); // cosh t
    term.gradient[0] = edge * middle * quotient / sigma;
    NC_REAL difference = NC_FMA(middle * middle, quotient, -cosine);
    term.gradient[1] = NC_N(nc_is_below_inf)(difference) ? edge * difference / sigma : term.gradient[0] * middle;
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
    if (is_left == (z > NC_C(0.0)) && NC_N(nc_normal_is_deep)(z)) { // nearly all of the distribution: the slope is the density
        NC_REAL root = NC_N(nc_normal_kernel)(NC_C(0.5) * z), density = NC_C(0.5) * NC_N(NC_SQRT_2_OVER_PI);
        density = is_left ? -density : density;
        term.gradient[0] = NC_N(nc_fourth_power_over)(root, density, sigma);
        term.gradient[1] = NC_N(nc_fourth_power_over)(root, density * z, sigma);
        return term;
    }
    term.gradient[0] = slope / sigma;
    term.gradient[1] = slope == NC_C(0.0) ? NC_C(0.0) : NC_N(nc_product_over)(z, slope, sigma);
    return term;
}

// A bound in standard units, infinite or not.
NC_FN NC_REAL NC_N(nc_normal_standard)(NC_REAL y, NC_REAL mu, NC_REAL sigma)
{
    return NC_N(nc_is_finite)(y) ? NC_N(nc_standardise)(y, mu, sigma) : y;
}

// ((low - mu) + (high - mu))/(2 sigma), whose differences cancel; an infinite bound gives an infinity.
NC_FN_APART NC_REAL NC_N(nc_normal_middle)(NC_N(nc_pair) low, NC_N(nc_pair) high, NC_REAL mu, NC_REAL sigma)
{
    if (!NC_N(nc_is_finite)(low.high) || !NC_N(nc_is_finite)(high.high)) {
        return low.high + high.high;
    }
    NC_REAL large = NC_N(nc_pow2)(NC_EXPONENT_BIAS - 3), scale = NC_C(1.0);
    if (NC_FABS(low.high) > large || NC_FABS(high.high) > large || NC_FABS(mu) > large) {
        scale = NC_C(0.125); // none of the four terms may make the sum overflow
    }
    NC_N(nc_pair) first = NC_N(nc_sum_exact)(scale * low.high, -(scale * mu));
    NC_N(nc_pair) second = NC_N(nc_sum_exact)(scale * high.high, -(scale * mu));
    first.low = first.low + scale * low.low;
    second.low = second.low + scale * high.low;
    return NC_C(0.5) / scale * (NC_N(nc_pair_plus)(first, second).high / sigma);
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
    if (censoring != NC_STATS_INTERVAL) {
        return NC_N(nc_normal_one_sided)(NC_N(nc_normal_standard)(y, mu, sigma), sigma, censoring == NC_STATS_LEFT);
    }
    if (!(upper > y)) {
        return upper == y ? NC_N(nc_term_off_support)() : NC_N(nc_term_invalid)(NC_STATS_INVALID_VALUE);
    }
    NC_N(nc_normal_bounds) at;
    at.low = NC_N(nc_normal_standard)(y, mu, sigma);
    at.high = NC_N(nc_normal_standard)(upper, mu, sigma);
    at.distance = upper - y;
    at.width = NC_N(nc_is_finite)(y) && NC_N(nc_is_finite)(upper) ? NC_N(nc_standardise)(upper, y, sigma) : NC_N(nc_inf)();
    at.middle = NC_N(nc_normal_middle)(NC_N(nc_pair_of)(y), NC_N(nc_pair_of)(upper), mu, sigma);
    return NC_N(nc_normal_interval)(at, sigma);
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
    NC_N(nc_normal_bounds) at;
    NC_N(nc_pair) log_low = NC_N(nc_pair_of)(-NC_N(nc_inf)()), log_high = NC_N(nc_pair_of)(NC_N(nc_inf)());
    if (y > NC_C(0.0)) {
        log_low = NC_N(nc_log_pair)(y, NC_C(0.0));
    }
    if (NC_N(nc_is_below_inf)(upper)) {
        log_high = NC_N(nc_log_pair)(upper, NC_C(0.0));
    }
    at.low = z;
    at.high = NC_N(nc_lognormal_standard)(upper, mu, sigma);
    at.distance = NC_N(nc_inf)();
    if (y > NC_C(0.0) && NC_N(nc_is_below_inf)(upper)) {
        at.distance = NC_N(nc_log_quotient)(NC_N(nc_pair_of)(upper), NC_N(nc_pair_of)(y)).high;
    }
    at.width = at.distance / sigma;
    at.middle = NC_N(nc_normal_middle)(log_low, log_high, mu, sigma);
    return NC_N(nc_normal_interval)(at, sigma);
}
