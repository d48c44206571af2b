// SPDX-License-Identifier: Apache-2.0
// Censored Student-t terms. Body: included by stats.h.
// ---- Student-t: S(z) = I_x(nu/2, 1/2)/2 at x = nu/(nu + z^2), z > 0; the prefix of I is z f(z) -------------------------------

typedef struct NC_N(nc_student_tail) {
    NC_REAL log_lower, log_upper, lower_ratio, upper_ratio; // ratios f/F and f/S, f the standard density
    NC_REAL density, centre;                                // f(z) and F(|z|) - 1/2
} NC_N(nc_student_tail);

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

NC_FN_APART NC_N(nc_student_tail) NC_N(nc_student_tails)(NC_N(nc_student) at, NC_REAL nu)
{
    NC_N(nc_student_tail) tails;
    NC_N(nc_beta_point) point = NC_N(nc_student_point)(at, nu);
    NC_REAL log_f = NC_N(nc_student_standard)(at, nu);
    NC_REAL log_tail, log_other, ratio, other_ratio; // beyond |z|, and before it
    tails.density = NC_N(nc_exp)(log_f);
    if (point.deviation > NC_C(0.0)) {
        NC_REAL integral = NC_C(0.5) * NC_N(nc_beta_integral)(point);
        log_tail = (log_f + NC_N(nc_student_log_z)(at.distance, at.sigma)) + NC_N(nc_log)(integral);
        NC_REAL tail = NC_N(nc_exp)(log_tail);
        log_other = NC_N(nc_log1p)(-tail);
        ratio = NC_C(1.0) / integral / NC_FABS(at.z);
        other_ratio = tails.density / (NC_C(1.0) - tail);
        tails.centre = NC_C(0.5) - tail;
    } else {
        NC_REAL integral = NC_C(0.5) * NC_N(nc_beta_integral)(NC_N(nc_beta_reflect)(point));
        tails.centre = NC_FABS(at.z) * tails.density * integral;
        log_tail = NC_N(nc_log)(NC_C(0.5) - tails.centre);
        log_other = NC_N(nc_log)(NC_C(0.5) + tails.centre);
        ratio = tails.density / (NC_C(0.5) - tails.centre);
        other_ratio = tails.density / (NC_C(0.5) + tails.centre);
    }
    nc_i32 is_upper = at.z > NC_C(0.0);
    tails.log_upper = is_upper ? log_tail : log_other;
    tails.log_lower = is_upper ? log_other : log_tail;
    tails.upper_ratio = is_upper ? ratio : other_ratio;
    tails.lower_ratio = is_upper ? other_ratio : ratio;
    return tails;
}

// log(F(high) - F(low)) of two finite bounds, with f(low) and f(high) over that difference in gradient[0] and [1].
NC_FN_APART NC_N(nc_term) NC_N(nc_student_interval)(NC_N(nc_student) low, NC_N(nc_student) high, NC_REAL width, NC_REAL nu)
{
    NC_N(nc_term) term = NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), NC_STATS_OK);
    NC_N(nc_student_tail) below = NC_N(nc_student_tails)(low, nu), above = NC_N(nc_student_tails)(high, nu);
    NC_N(nc_tails) begin = {below.log_lower, below.log_upper, below.lower_ratio, below.upper_ratio};
    NC_N(nc_tails) end = {above.log_lower, above.log_upper, above.lower_ratio, above.upper_ratio};
    nc_i32 narrow = NC_N(nc_interval_is_narrow)(begin, end);
    if (narrow && low.z <= NC_C(0.0) && high.z >= NC_C(0.0)) { // the middle on both sides
        NC_REAL probability = below.centre + above.centre;
        term.log_density = NC_N(nc_log)(probability);
        term.gradient[0] = below.density / probability;
        term.gradient[1] = above.density / probability;
        return term;
    }
    if (narrow) { // outward from the bound nearer to 0: v = 2 log |z/near|
        NC_N(nc_student) near = low.z > NC_C(0.0) ? low : high;
        NC_N(nc_beta_point) point = NC_N(nc_student_point)(near, nu);
        NC_REAL near_z = NC_FABS(near.z), far_z = near_z + width;
        NC_REAL reach = NC_C(2.0) * NC_N(nc_log1p)(width / near_z);
        NC_N(nc_tail) tail;
        tail.sign = point.x <= NC_C(0.5) ? NC_C(-1.0) : NC_C(1.0);
        tail.slope = point.deviation;
        tail.total = point.a + point.b;
        tail.share = point.x <= NC_C(0.5) ? point.x : point.y;
        tail.curve = tail.total * tail.share;
        NC_REAL integral = NC_C(0.5) * NC_N(nc_tail_integral)(tail, reach);
        NC_REAL near_ratio = NC_C(1.0) / integral / near_z;
        // f(far)/f(near)
        NC_REAL fall = NC_C(-0.5) * (nu + NC_C(1.0)) * NC_N(nc_log1p)(width / near_z * ((far_z + near_z) / near_z) * point.y);
        NC_REAL far_ratio = near_ratio * NC_N(nc_exp)(fall);
        NC_REAL log_z = NC_N(nc_student_log_z)(near.distance, near.sigma);
        term.log_density = (NC_N(nc_student_standard)(near, nu) + log_z) + NC_N(nc_log)(integral);
        term.gradient[0] = low.z > NC_C(0.0) ? near_ratio : far_ratio;
        term.gradient[1] = low.z > NC_C(0.0) ? far_ratio : near_ratio;
        return term;
    }
    NC_N(nc_interval) interval = NC_N(nc_interval_between)(begin, end);
    term.log_density = interval.log_probability;
    term.gradient[0] = interval.at_low;
    term.gradient[1] = interval.at_high;
    return term;
}

// One finite bound: d mu and d sigma of log F or log S.
NC_FN_APART NC_N(nc_term) NC_N(nc_student_one_sided)(NC_N(nc_student) at, NC_REAL nu, NC_REAL sigma, nc_i32 is_left)
{
    NC_N(nc_student_tail) tails = NC_N(nc_student_tails)(at, nu);
    NC_REAL slope = is_left ? -tails.lower_ratio : tails.upper_ratio;
    NC_N(nc_term) term = NC_N(nc_term_of)(is_left ? tails.log_lower : tails.log_upper, NC_C(0.0), NC_STATS_OK);
    term.gradient[1] = slope / sigma;
    if (NC_N(nc_is_below_inf)(NC_FABS(at.z))) {
        term.gradient[2] = at.z * slope / sigma;
    } else { // z f(z)/S(z) tends to nu
        term.gradient[2] = is_left == (at.z < NC_C(0.0)) ? nu / sigma : NC_C(0.0);
    }
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
            NC_N(nc_student) low = NC_N(nc_student_at)(y, nu, mu, sigma), high = NC_N(nc_student_at)(upper, nu, mu, sigma);
            NC_N(nc_term) ends = NC_N(nc_student_interval)(low, high, (upper - y) / sigma, nu);
            NC_REAL at_low = ends.gradient[0], at_high = ends.gradient[1];
            ends.gradient[1] = (at_low - at_high) / sigma;
            ends.gradient[2] =
                ((at_low > NC_C(0.0) ? low.z * at_low : NC_C(0.0)) - (at_high > NC_C(0.0) ? high.z * at_high : NC_C(0.0))) / sigma;
            return ends;
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
    return NC_N(nc_student_one_sided)(NC_N(nc_student_at)(y, nu, mu, sigma), nu, sigma, censoring == NC_STATS_LEFT);
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
