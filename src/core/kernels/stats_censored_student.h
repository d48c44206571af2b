// SPDX-License-Identifier: Apache-2.0
// Censored Student-t terms. Body: included by stats.h.
// S(z) = I_x(nu/2, 1/2)/2 at x = nu/(nu + z^2), z > 0, and F(z) - 1/2 = I_y(1/2, nu/2)/2 at y = 1 - x; the prefix of both is |z|
// f(z). At nu = 0 every bound has a tail of 1/2, and f(z) = nu/(2 sqrt(nu + z^2)), F(|z|) - 1/2 = nu/2 asinh(|z|/sqrt(nu)).

// Weights and ratios of a bound are |z| f(z) beyond |z| = 1 and f(z) within, so that neither z nor f need be in range.
typedef struct NC_N(nc_student_tail) {
    NC_REAL log_lower, log_upper, lower_ratio, upper_ratio; // ratios weight/F and weight/S
    NC_REAL weight, centre;                                 // weight and F(|z|) - 1/2, in units of `scale`
    NC_REAL scale, log_prefix;                              // log(|z| f(z)) beyond |z| = 1
    nc_i32 lower_is_summed;
} NC_N(nc_student_tail);

NC_FN NC_N(nc_tails) NC_N(nc_student_as_tails)(NC_N(nc_student_tail) tail)
{
    NC_N(nc_tails)
    tails = {tail.log_lower, tail.log_upper, tail.lower_ratio, tail.upper_ratio, tail.log_prefix, tail.lower_is_summed};
    return tails;
}

NC_FN nc_i32 NC_N(nc_student_is_far)(NC_N(nc_student) at)
{
    return NC_FABS(at.z) > NC_C(1.0);
}
// f/sigma and |z| f of a bound, from a multiple of its weight.
NC_FN NC_REAL NC_N(nc_student_mu_part)(NC_N(nc_student) at, NC_REAL weight)
{
    return NC_N(nc_student_is_far)(at) ? weight / NC_FABS(at.distance) / at.factor : weight / at.sigma;
}
NC_FN NC_REAL NC_N(nc_student_prefix)(NC_N(nc_student) at, NC_REAL weight)
{
    return NC_N(nc_student_is_far)(at) ? weight : NC_FABS(at.z) * weight;
}

NC_FN NC_N(nc_beta_point) NC_N(nc_student_point)(NC_N(nc_student) at, NC_REAL nu)
{
    NC_N(nc_beta_point) point;
    NC_REAL inverse = NC_C(1.0) / at.w, square = at.z * at.z;
    point.a = NC_C(0.5) * nu;
    point.b = NC_C(0.5);
    point.x = at.w < NC_C(1.0) ? NC_C(1.0) / (NC_C(1.0) + at.w) : inverse / (inverse + NC_C(1.0));
    point.y = at.w < NC_C(1.0) ? at.w / (NC_C(1.0) + at.w) : NC_C(1.0) / (inverse + NC_C(1.0));
    // (nu/2)(z^2 - 1)/(nu + z^2)
    point.deviation =
        square < NC_C(1.0) ? NC_C(0.5) * (square - NC_C(1.0)) * point.x : point.a * (NC_C(1.0) - NC_C(1.0) / square) * point.y;
    return point;
}

// log(|z| f(z)); 0 at nu = 0, where it is not needed.
NC_FN NC_REAL NC_N(nc_student_log_prefix)(NC_N(nc_student) at, NC_REAL nu)
{
    return nu < NC_N(NC_STATS_TINY) ? NC_C(0.0) : NC_N(nc_student_standard)(at, nu) + NC_N(nc_student_log_z)(at);
}

// The limit nu = 0, in units of nu/2.
NC_FN_APART NC_N(nc_student_tail) NC_N(nc_student_tiny_tails)(NC_N(nc_student) at, NC_REAL nu)
{
    NC_N(nc_student_tail) tails;
    NC_REAL root = NC_SQRT(NC_C(1.0) + (at.w < NC_C(1.0) ? at.w : NC_C(1.0) / at.w)), s = NC_SQRT(at.w);
    tails.scale = NC_C(0.5) * nu;
    if (at.w < NC_C(1.0)) {
        tails.weight = NC_C(1.0) / (NC_SQRT(nu) * root);
        tails.centre = NC_N(nc_log1p)(s + at.w / (NC_C(1.0) + root)); // asinh s
    } else {
        tails.weight = NC_C(1.0) / (NC_N(nc_student_is_far)(at) ? root : NC_FABS(at.z) * root);
        tails.centre = NC_FMA(NC_C(0.5), at.log1p_w, NC_N(nc_log1p)(NC_C(1.0) / root));
    }
    tails.log_lower = -(NC_N(NC_LN2_HIGH) + NC_N(NC_LN2_LOW));
    tails.log_upper = tails.log_lower;
    tails.lower_ratio = nu * tails.weight;
    tails.upper_ratio = tails.lower_ratio;
    tails.log_prefix = NC_C(0.0);
    tails.lower_is_summed = 0;
    return tails;
}

NC_FN_APART NC_N(nc_student_tail) NC_N(nc_student_tails)(NC_N(nc_student) at, NC_REAL nu)
{
    NC_N(nc_student_tail) tails;
    if (nu < NC_N(NC_STATS_TINY)) {
        return NC_N(nc_student_tiny_tails)(at, nu);
    }
    NC_N(nc_beta_point) point = NC_N(nc_student_point)(at, nu);
    NC_REAL log_f = NC_N(nc_student_standard)(at, nu);
    NC_REAL log_tail, log_other, ratio, other_ratio, log_half = -(NC_N(NC_LN2_HIGH) + NC_N(NC_LN2_LOW));
    tails.scale = NC_C(1.0);
    if (NC_N(nc_student_is_far)(at)) {
        NC_REAL integral = NC_C(0.5) * NC_N(nc_beta_integral)(point);
        tails.log_prefix = log_f + NC_N(nc_student_log_z)(at);
        log_tail = tails.log_prefix + NC_N(nc_log)(integral);
        log_tail = log_tail < log_half ? log_tail : log_half;
        NC_REAL tail = NC_N(nc_exp)(log_tail);
        log_other = NC_N(nc_log1p)(-tail);
        ratio = NC_C(1.0) / integral;
        tails.weight = tail > NC_C(0.0) ? tail * ratio : NC_C(0.0);
        other_ratio = tails.weight / (NC_C(1.0) - tail);
        tails.centre = NC_C(0.5) - tail;
        if (tail > NC_C(0.25)) { // that cancels
            tails.centre = NC_C(0.5) * tails.weight * NC_N(nc_beta_upper_integral)(point, -at.log1p_w);
        }
    } else {
        NC_REAL integral = NC_C(0.5) * NC_N(nc_beta_upper_integral)(point, -at.log1p_w);
        tails.log_prefix = NC_C(0.0);
        tails.weight = NC_N(nc_exp)(log_f);
        tails.centre = NC_FABS(at.z) * tails.weight * integral;
        log_tail = NC_N(nc_log)(NC_C(0.5) - tails.centre);
        log_other = NC_N(nc_log)(NC_C(0.5) + tails.centre);
        ratio = tails.weight / (NC_C(0.5) - tails.centre);
        other_ratio = tails.weight / (NC_C(0.5) + tails.centre);
    }
    nc_i32 is_upper = at.z > NC_C(0.0);
    tails.log_upper = is_upper ? log_tail : log_other;
    tails.log_lower = is_upper ? log_other : log_tail;
    tails.upper_ratio = is_upper ? ratio : other_ratio;
    tails.lower_ratio = is_upper ? other_ratio : ratio;
    tails.lower_is_summed = !is_upper;
    return tails;
}

// Two finite bounds: `inner` is the one nearer to 0, gap = (upper - y)/|inner distance|. On a flat interval f is one number.
typedef struct NC_N(nc_student_bounds) {
    NC_N(nc_student) inner, outer;
    NC_REAL gap, log_reach; // log_reach: log of |outer z/inner z| for bounds on one side
    NC_REAL fall, rise;     // log of f(outer)/f(inner), and of |z| f there for close bounds
    NC_REAL middle;         // the bounds' mean in standard units
    nc_i32 inner_is_low, on_one_side, is_flat, is_close;
} NC_N(nc_student_bounds);

NC_FN_APART NC_N(nc_student_bounds) NC_N(nc_student_bounds_of)(NC_REAL y, NC_REAL upper, NC_REAL nu, NC_REAL mu, NC_REAL sigma)
{
    NC_N(nc_student_bounds) at;
    at.middle = NC_N(nc_normal_middle)(NC_N(nc_pair_of)(y), NC_N(nc_pair_of)(upper), mu, sigma);
    at.inner_is_low = at.middle > NC_C(0.0);
    at.inner = NC_N(nc_student_at)(at.inner_is_low ? y : upper, nu, mu, sigma);
    at.outer = NC_N(nc_student_at)(at.inner_is_low ? upper : y, nu, mu, sigma);
    at.on_one_side = at.inner_is_low ? at.inner.distance > NC_C(0.0) : at.inner.distance < NC_C(0.0);
    NC_REAL size = NC_FABS(at.inner.distance);
    at.gap = NC_N(nc_standardise)(upper, y, size) / at.inner.factor;
    NC_REAL excess, power = NC_C(0.5) * (nu + NC_C(1.0)); // excess: (outer^2 - inner^2)/(nu + inner^2)
    if (NC_N(nc_student_is_far)(at.inner)) {
        NC_REAL mean = NC_N(nc_normal_middle)(NC_N(nc_pair_of)(y), NC_N(nc_pair_of)(upper), mu, size) / at.inner.factor;
        excess = at.gap * (NC_C(2.0) * NC_FABS(mean)) * NC_N(nc_student_point)(at.inner, nu).y;
        at.fall = -power * NC_N(nc_log1p)(excess);
    } else {
        NC_REAL square = at.inner.z * at.inner.z, width = NC_N(nc_standardise)(upper, y, sigma);
        NC_REAL spread = NC_C(2.0) * NC_FABS(at.middle);
        nc_i32 plain = square > NC_N(nc_pow2)(1 - NC_EXPONENT_BIAS);
        excess = plain ? width * spread / (nu + square) : width / nu * spread / (NC_C(1.0) + at.inner.w);
        at.fall = -power * NC_N(nc_log1p)(excess);
        if (excess < NC_C(0.25) * NC_UNIT_ROUNDOFF) { // it may be subnormal where nu is large
            at.fall =
                plain ? -(power / (nu + square) * spread) * width : -(power * (spread / nu)) * width / (NC_C(1.0) + at.inner.w);
        }
    }
    if (!(NC_N(nc_is_below_inf)(excess))) {
        at.fall = -power * (at.outer.log1p_w - at.inner.log1p_w);
    }
    at.log_reach = NC_N(nc_log1p)(at.gap);
    if (!(NC_N(nc_is_below_inf)(at.gap))) {
        at.log_reach = NC_N(nc_student_log_z)(at.outer) - NC_N(nc_student_log_z)(at.inner);
    }
    NC_REAL far = NC_C(1.0) + at.gap; // log far - log1p(y (far^2 - 1))/2 = -log1p(-x (1 - far^-2))/2, which cancels if subtracted
    NC_N(nc_beta_point) point = NC_N(nc_student_point)(at.inner, nu);
    NC_REAL part = at.gap / far * (NC_C(1.0) + NC_C(1.0) / far);
    at.rise = NC_FMA(at.fall, nu / (nu + NC_C(1.0)), NC_C(-0.5) * NC_N(nc_log1p)(-point.x * part));
    at.is_close = at.on_one_side && NC_N(nc_is_below_inf)(at.gap) && (at.gap < NC_C(1.0) || point.x < NC_C(0.5));
    NC_REAL little = NC_C(0.25) * NC_UNIT_ROUNDOFF;
    at.is_flat = -at.fall < little && (at.on_one_side || power * at.inner.w < little);
    return at;
}

// Weights of both bounds and what they are to be divided by, so that they are over the probability between the bounds.
typedef struct NC_N(nc_student_ends) {
    NC_REAL log_probability, inner, outer, sum;
} NC_N(nc_student_ends);

// The outer weight from the inner one.
NC_FN NC_REAL NC_N(nc_student_outer)(NC_N(nc_student_bounds) at, NC_REAL inner)
{
    NC_REAL rise = at.fall;
    if (NC_N(nc_student_is_far)(at.inner)) {
        rise = rise + at.log_reach;
    } else if (NC_N(nc_student_is_far)(at.outer)) {
        rise = rise + NC_N(nc_student_log_z)(at.outer);
    }
    return inner * NC_N(nc_exp)(rise);
}

// Bounds on one side: an integral over v = 2 log |z|, from the bound where |z| f is larger, near enough.
NC_FN_APART NC_N(nc_student_ends) NC_N(nc_student_between)(NC_N(nc_student_bounds) at, NC_REAL nu)
{
    NC_N(nc_student_ends) ends;
    nc_i32 inward = !NC_N(nc_student_is_far)(at.outer) && at.outer.w < NC_C(1.0);
    NC_N(nc_student) start = at.inner;
    if (inward) {
        start = at.outer;
    }
    NC_N(nc_beta_point) point = NC_N(nc_student_point)(start, nu);
    if (inward) {
        point = NC_N(nc_beta_reflect)(point);
    }
    NC_N(nc_tail) tail;
    tail.sign = point.x <= NC_C(0.5) ? NC_C(-1.0) : NC_C(1.0);
    tail.slope = point.deviation;
    tail.total = point.a + point.b;
    tail.share = point.x <= NC_C(0.5) ? point.x : point.y;
    tail.curve = tail.total * tail.share;
    if (point.x > NC_C(0.5) && !inward && nu > NC_C(1.0)) { // z^2/nu may underflow
        NC_REAL square = start.z * start.z;
        tail.curve = tail.total / (nu + square) * square;
    }
    NC_REAL integral = NC_C(0.5) * NC_N(nc_tail_integral)(tail, NC_C(2.0) * at.log_reach);
    NC_REAL weight = NC_N(nc_student_is_far)(start) ? NC_C(1.0) : NC_C(1.0) / NC_FABS(start.z); // |z| f is 1
    ends.sum = integral;
    ends.log_probability = (NC_N(nc_student_standard)(start, nu) + NC_N(nc_student_log_z)(start)) + NC_N(nc_log)(integral);
    ends.inner = inward ? weight * NC_N(nc_exp)(-at.fall) : weight;
    ends.outer = inward ? weight : NC_N(nc_student_outer)(at, weight);
    return ends;
}

NC_FN_APART NC_N(nc_student_ends) NC_N(nc_student_ends_of)(NC_N(nc_student_bounds) at, NC_REAL nu)
{
    NC_N(nc_student_ends) ends;
    NC_N(nc_student_tail) inner = NC_N(nc_student_tails)(at.inner, nu), outer = NC_N(nc_student_tails)(at.outer, nu);
    NC_N(nc_tails) first = NC_N(nc_student_as_tails)(inner), second = NC_N(nc_student_as_tails)(outer);
    nc_i32 narrow = at.inner_is_low ? NC_N(nc_interval_is_narrow)(first, second) : NC_N(nc_interval_is_narrow)(second, first);
    NC_REAL least = NC_C(0.25) * NC_UNIT_ROUNDOFF * (nu < NC_C(1.0) ? NC_SQRT(nu) : NC_C(1.0));
    if (narrow &&
        (!at.on_one_side || ((NC_N(nc_student_is_far)(at.outer) || at.outer.w >= NC_C(1.0)) && NC_FABS(at.inner.z) < least))) {
        // the middle on both sides, or as good as from 0
        NC_REAL sum = at.on_one_side ? outer.centre : inner.centre + outer.centre;
        ends.log_probability = NC_N(nc_log)(sum);
        if (nu < NC_N(NC_STATS_TINY)) {
            ends.log_probability = ends.log_probability + (NC_N(nc_log)(nu) - (NC_N(NC_LN2_HIGH) + NC_N(NC_LN2_LOW)));
        }
        ends.inner = inner.weight;
        ends.outer = outer.weight;
        ends.sum = sum;
        return ends;
    }
    if (at.on_one_side && (narrow || (NC_N(nc_student_is_far)(at.inner) && nu > NC_C(4.0)))) {
        return NC_N(nc_student_between)(at, nu);
    }
    NC_N(nc_interval) part = at.inner_is_low ? NC_N(nc_interval_between)(first, second) : NC_N(nc_interval_between)(second, first);
    ends.log_probability = part.log_probability;
    ends.inner = at.inner_is_low ? part.at_low : part.at_high;
    ends.outer = at.inner_is_low ? part.at_high : part.at_low;
    ends.sum = NC_C(1.0);
    return ends;
}

// log(F(high) - F(low)) of two finite bounds. d mu = (f(low) - f(high))/P/sigma, d sigma = (low f(low) - high f(high))/P/sigma.
NC_FN_APART NC_N(nc_term) NC_N(nc_student_interval)(NC_REAL y, NC_REAL upper, NC_REAL nu, NC_REAL mu, NC_REAL sigma)
{
    NC_N(nc_student_bounds) at = NC_N(nc_student_bounds_of)(y, upper, nu, mu, sigma);
    if (at.is_flat) { // the density times the length
        NC_REAL distance = upper - y;
        NC_N(nc_pair) length = NC_N(nc_log_quotient)(NC_N(nc_pair_of)(distance), NC_N(nc_pair_of)(sigma));
        NC_N(nc_term) flat = NC_N(nc_term_of)(NC_N(nc_student_standard)(at.inner, nu) + length.high, NC_C(0.0), NC_STATS_OK);
        flat.gradient[1] = NC_N(nc_student_mu_score)(at.inner, nu, at.middle);
        flat.gradient[2] = NC_N(nc_student_sigma_score)(at.inner, nu);
        return NC_N(nc_is_below_inf)(-flat.log_density) ? flat : NC_N(nc_term_off_support)();
    }
    NC_N(nc_student_ends) ends = NC_N(nc_student_ends_of)(at, nu);
    if (!(NC_N(nc_is_below_inf)(-ends.log_probability))) {
        return NC_N(nc_term_off_support)();
    }
    NC_N(nc_term) term = NC_N(nc_term_of)(ends.log_probability, NC_C(0.0), NC_STATS_OK);
    NC_REAL change = ends.inner > NC_C(0.0) ? ends.inner * NC_N(nc_expm1)(at.fall) / ends.sum : NC_C(0.0);
    NC_REAL slope = NC_N(nc_student_mu_part)(at.inner, change);
    NC_REAL inner = NC_N(nc_student_prefix)(at.inner, ends.inner), outer = NC_N(nc_student_prefix)(at.outer, ends.outer);
    NC_REAL difference = at.on_one_side ? inner - outer : -(inner + outer);
    if (at.is_close) {
        difference = -inner * NC_N(nc_expm1)(at.rise);
    }
    term.gradient[1] = at.inner_is_low ? -slope : slope;
    term.gradient[2] = difference / ends.sum / sigma;
    NC_REAL log_inner = NC_N(nc_student_log_prefix)(at.inner, nu) - ends.log_probability;
    NC_REAL log_outer = NC_N(nc_student_log_prefix)(at.outer, nu) - ends.log_probability;
    if (!at.is_close && log_inner < NC_N(NC_RATIO_LEAST) && log_outer < NC_N(NC_RATIO_LEAST)) { // nearly all lies between
        inner = NC_N(nc_exp_over)(log_inner, NC_C(1.0), sigma);
        outer = NC_N(nc_exp_over)(log_outer, NC_C(1.0), sigma);
        term.gradient[2] = at.on_one_side ? inner - outer : -(inner + outer);
        if (NC_N(nc_student_is_far)(at.inner)) {
            slope = NC_N(nc_exp_over)(log_inner, NC_N(nc_expm1)(at.fall) / at.inner.factor, NC_FABS(at.inner.distance));
            term.gradient[1] = at.inner_is_low ? -slope : slope;
        }
    }
    return term;
}

// One finite bound: d mu and d sigma of log F or log S.
NC_FN_APART NC_N(nc_term) NC_N(nc_student_one_sided)(NC_N(nc_student) at, NC_REAL nu, nc_i32 is_left)
{
    NC_N(nc_student_tail) tails = NC_N(nc_student_tails)(at, nu);
    NC_REAL slope = is_left ? -tails.lower_ratio : tails.upper_ratio, value = is_left ? tails.log_lower : tails.log_upper;
    if (!(NC_N(nc_is_below_inf)(-value))) {
        return NC_N(nc_term_off_support)();
    }
    NC_N(nc_term) term = NC_N(nc_term_of)(value, NC_C(0.0), NC_STATS_OK);
    NC_REAL sign = is_left ? NC_C(-1.0) : NC_C(1.0), log_ratio = tails.log_prefix - value;
    if ((tails.lower_is_summed != 0) != (is_left != 0) && log_ratio < NC_N(NC_RATIO_LEAST)) { // nearly all of the distribution
        term.gradient[1] = NC_N(nc_exp_over)(log_ratio, sign / at.factor, NC_FABS(at.distance));
        term.gradient[2] = NC_N(nc_exp_over)(log_ratio, NC_COPYSIGN(NC_C(1.0), at.z) * sign, at.sigma);
        return term;
    }
    NC_REAL unit = NC_C(1.0);
    if (nu < NC_N(NC_STATS_TINY) && NC_FABS(slope) < NC_N(nc_exp)(NC_N(NC_RATIO_LEAST))) { // nu itself may be subnormal
        unit = NC_C(0x1p-64);
        slope = sign * (NC_C(0x1p64) * nu) * tails.weight;
    }
    term.gradient[1] = unit * NC_N(nc_student_mu_part)(at, slope);
    term.gradient[2] = unit * (NC_COPYSIGN(NC_C(1.0), at.z) * NC_N(nc_student_prefix)(at, slope) / at.sigma);
    return term;
}

NC_FN NC_N(nc_term) NC_N(nc_student_censored)(NC_REAL y, NC_REAL upper, NC_REAL nu, NC_REAL mu, NC_REAL sigma, nc_i32 censoring)
{
    nc_i32 below = NC_N(nc_is_inf)(-y), above = NC_N(nc_is_inf)(upper);
    if (censoring == NC_STATS_INTERVAL) {
        if (!(upper >= y)) {
            return NC_N(nc_term_invalid)(NC_STATS_INVALID_VALUE);
        }
        if (upper == y) {
            return NC_N(nc_term_off_support)();
        }
        if (!below && !above) {
            return NC_N(nc_student_interval)(y, upper, nu, mu, sigma);
        }
        if (below && above) {
            return NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), NC_STATS_OK);
        }
        y = below ? upper : y;
        censoring = below ? NC_STATS_LEFT : NC_STATS_RIGHT;
    }
    if (!NC_N(nc_is_finite)(y)) { // F or S is 0 or 1
        nc_i32 certain = censoring == NC_STATS_LEFT ? y > NC_C(0.0) : y < NC_C(0.0);
        return certain ? NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), NC_STATS_OK) : NC_N(nc_term_off_support)();
    }
    return NC_N(nc_student_one_sided)(NC_N(nc_student_at)(y, nu, mu, sigma), nu, censoring == NC_STATS_LEFT);
}

NC_FN NC_N(nc_term)
    NC_N(nc_student_term)(NC_REAL y, NC_REAL upper, NC_REAL nu, NC_REAL mu, NC_REAL sigma, nc_i32 censoring, nc_u32 flags)
{
    if (!NC_N(nc_student_is_valid)(nu, mu, sigma)) {
        return NC_N(nc_term_invalid)(NC_STATS_INVALID_PARAMETER);
    }
    if (censoring == NC_STATS_OBSERVED) {
        return NC_N(nc_student_observed)(y, nu, mu, sigma, flags);
    }
    NC_N(nc_term) term = NC_N(nc_student_censored)(y, upper, nu, mu, sigma, censoring);
    if (term.status == NC_STATS_OK) {
        term.gradient[0] = NC_N(nc_nan)(); // no closed form in nu
        if ((flags & NC_STATS_WANT_GRADIENT) && !(flags & NC_STATS_SKIP_RESULT)) {
            term.status = NC_STATS_UNSUPPORTED;
        }
    }
    return term;
}
