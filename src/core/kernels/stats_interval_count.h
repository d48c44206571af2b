// SPDX-License-Identifier: Apache-2.0
// Intervals of counts, P(low < Y <= high). Body: included by stats.h, after stats_count_walk.h.
// An interval that holds most of its tail, or of the middle, is a difference of tails; any other one is summed
// (stats_count_walk.h). The two prefixes of a difference are divided analytically, so that large logarithms are not subtracted:
// with K = k + 1 a prefix is, but for what does not depend on k,
//   Poisson lambda^K/Gamma(K), negative binomial Gamma(K + phi)/Gamma(K) (mu/s)^K, binomial (p/q)^K/(Gamma(K) Gamma(n - k)).

// Where an interval's bounds lie: both below the middle, both above it, or one on each side.
NC_FN nc_i32 NC_N(nc_count_side)(NC_N(nc_tails) below, NC_N(nc_tails) above)
{
    return above.log_lower < NC_C(-0.7) ? -1 : below.log_upper < NC_C(-0.7) ? 1 : 0;
}

// Two bounds low < high, as k + 1. `near` is the one nearer to the middle, at which the other's prefix is taken apart:
//   x log x - x at low, less that at high = deviance(low, high) - distance log high = -deviance(high, low) - distance log low
typedef struct NC_N(nc_count_span) {
    nc_pair_f64 low_count, high_count; // exact
    NC_N(nc_pair) low, high, distance; // rounded
    nc_i32 near_is_high;
} NC_N(nc_count_span);

NC_FN_APART NC_N(nc_count_span) NC_N(nc_count_span_of)(nc_i64 low, nc_i64 high, nc_i32 side)
{
    NC_N(nc_count_span) span;
    nc_pair_f64 one = nc_pair_of_f64(NC_C64(1.0));
    span.low_count = nc_pair_plus_f64(nc_count_pair(low), one);
    span.high_count = nc_pair_plus_f64(nc_count_pair(high), one);
    span.low = NC_N(nc_narrow)(span.low_count);
    span.high = NC_N(nc_narrow)(span.high_count);
    span.distance = NC_N(nc_narrow)(nc_count_pair(high - low));
    span.near_is_high = side < 0;
    return span;
}
// That deviance with its sign. `low` and `high` differ by `distance`.
NC_FN_APART NC_REAL NC_N(nc_count_bend)(NC_N(nc_pair) low, NC_N(nc_pair) high, NC_N(nc_pair) distance, nc_i32 near_is_high)
{
    if (near_is_high) {
        return NC_N(nc_deviance)(low, high, NC_N(nc_pair_minus)(NC_N(nc_pair_of)(NC_C(0.0)), distance));
    }
    return -NC_N(nc_deviance)(high, low, distance);
}
// log x/2 - S(x) at low, less that at high: what (x log x - x) leaves of -lgamma(x).
NC_FN_APART NC_REAL NC_N(nc_count_rest)(NC_N(nc_pair) low, NC_N(nc_pair) high)
{
    return NC_FMA(NC_C(0.5), NC_N(nc_log_quotient)(low, high).high, NC_N(nc_stirling)(high.high) - NC_N(nc_stirling)(low.high));
}

// An interval as a difference of tails; rise is the logarithm of the prefix at low over that at high. UNSUPPORTED where digits
// would be lost: more than half of its tail, or 5/8 of the distribution, is to be taken off, or prefixes are subtracted that are
// nearly equal. Then the interval is summed.
#define NC_STATS_MOST_OF_TAIL NC_C(0.5)
#define NC_STATS_MOST_OF_ALL NC_C(0.625)
#define NC_STATS_LEAST_FALL NC_C(0.5)
NC_FN_APART NC_N(nc_term)
    NC_N(nc_count_between)(NC_N(nc_tails) below, NC_N(nc_tails) above, nc_i32 side, NC_REAL rise, NC_REAL divisor, NC_REAL second)
{
    if (!(NC_N(nc_is_below_inf)(-above.log_lower) &&
          NC_N(nc_is_below_inf)(-below.log_upper))) { // so little that its logarithm overflows
        return NC_N(nc_term_off_support)();
    }
    if (side == 0) {
        if (!(NC_N(nc_exp)(below.log_lower) + NC_N(nc_exp)(above.log_upper) <= NC_STATS_MOST_OF_ALL)) {
            return NC_N(nc_term_invalid)(NC_STATS_UNSUPPORTED);
        }
        return NC_N(nc_count_term)(NC_N(nc_interval_between)(below, above), divisor, second);
    }
    NC_REAL near = side < 0 ? above.log_lower : below.log_upper, far = side < 0 ? below.log_lower : above.log_upper;
    NC_REAL near_ratio = side < 0 ? above.lower_ratio : below.upper_ratio;
    NC_REAL far_ratio = side < 0 ? below.lower_ratio : above.upper_ratio, fall = side < 0 ? rise : -rise;
    NC_REAL log_share = -NC_N(nc_inf)(); // of the far tail in the near one: prefix/ratio over prefix/ratio
    if (NC_N(nc_is_below_inf)(-far) && NC_N(nc_is_below_inf)(-fall)) {
        log_share = fall + NC_N(nc_log)(near_ratio / far_ratio);
    }
    if (!(NC_N(nc_exp)(log_share) <= NC_STATS_MOST_OF_TAIL) || NC_FABS(fall) < NC_STATS_LEAST_FALL) {
        return NC_N(nc_term_invalid)(NC_STATS_UNSUPPORTED);
    }
    NC_REAL rest = -NC_N(nc_expm1)(log_share), slope = -near_ratio * NC_N(nc_expm1)(fall) / rest;
    NC_N(nc_interval) part;
    part.log_probability = near + NC_N(nc_log)(rest);
    part.slope = side < 0 ? slope : -slope;
    part.at_low = NC_C(0.0);
    part.at_high = NC_C(0.0);
    part.log_at_low = below.log_prefix - part.log_probability;
    part.log_at_high = above.log_prefix - part.log_probability;
    return NC_N(nc_count_term)(part, divisor, second);
}
// An interval as a sum, in units of the density at `reference`.
typedef struct NC_N(nc_count_sum) {
    NC_REAL reference;
    NC_N(nc_pair) total, slope; // with the rounding errors of the additions
} NC_N(nc_count_sum);
NC_FN NC_N(nc_count_sum) NC_N(nc_count_sum_at)(NC_REAL reference)
{
    NC_N(nc_count_sum) sum;
    sum.reference = reference;
    sum.total = NC_N(nc_pair_of)(NC_C(0.0));
    sum.slope = NC_N(nc_pair_of)(NC_C(0.0));
    return sum;
}
NC_FN NC_N(nc_pair) NC_N(nc_count_sum_step)(NC_N(nc_pair) sum, NC_REAL term)
{
    NC_N(nc_pair) next = NC_N(nc_sum_exact)(sum.high, term);
    next.low = NC_N(nc_is_finite)(next.high) ? next.low + sum.low : NC_C(0.0);
    return next;
}
NC_FN_APART NC_N(nc_count_sum) NC_N(nc_count_sum_add)(NC_N(nc_count_sum) sum, NC_REAL weight, NC_REAL log_density, NC_REAL score)
{
    NC_REAL rise = log_density - sum.reference; // at most a few, but far out rounding makes it more than e^x holds
    NC_REAL part = weight * NC_N(nc_exp)(rise < NC_C(40.0) ? rise : NC_C(40.0));
    sum.total = NC_N(nc_count_sum_step)(sum.total, part);
    if (part != NC_C(0.0)) {
        sum.slope = NC_N(nc_count_sum_step)(sum.slope, part * score);
    }
    return sum;
}
NC_FN NC_N(nc_term) NC_N(nc_count_sum_term)(NC_N(nc_count_sum) sum)
{
    if (!(NC_N(nc_is_below_inf)(-sum.reference))) {
        return NC_N(nc_term_off_support)();
    }
    NC_REAL total = sum.total.high + sum.total.low;
    return NC_N(nc_term_of)(sum.reference + NC_N(nc_log)(total), (sum.slope.high + sum.slope.low) / total, NC_STATS_OK);
}
// The count of low + 1 ... high at which the density is largest, near enough: the one closest to the mean or mode.
NC_FN nc_pair_f64 NC_N(nc_count_nearest)(nc_i64 low, nc_i64 high, nc_f64 mean)
{
    nc_i64 mode = nc_to_i64_f64(mean);
    return nc_count_pair(mode < low + 1 ? low + 1 : mode > high ? high : mode);
}

// A short interval is summed when it lies in one tail or holds less than half of the distribution, whatever a difference would
// keep.
NC_FN nc_i32 NC_N(nc_count_is_short)(nc_i64 low, nc_i64 high, NC_N(nc_tails) below, NC_N(nc_tails) above)
{
    nc_i32 outside = NC_N(nc_exp)(below.log_lower) + NC_N(nc_exp)(above.log_upper) > NC_C(0.5);
    return outside && high - low <= NC_WALK_SHORT;
}

// lambda pmf(low)/(lambda pmf(high)), as a logarithm.
NC_FN_APART NC_REAL NC_N(nc_poisson_rise)(NC_N(nc_count_span) span, NC_REAL rate)
{
    NC_N(nc_pair) near = span.near_is_high ? span.high : span.low;
    NC_REAL slope = NC_N(nc_log_quotient)(near, NC_N(nc_pair_of)(rate)).high;
    NC_REAL bend = NC_N(nc_count_bend)(span.low, span.high, span.distance, span.near_is_high);
    return NC_FMA(span.distance.high, slope, NC_N(nc_count_rest)(span.low, span.high) - bend);
}

NC_FN_APART NC_N(nc_term) NC_N(nc_poisson_sum)(nc_i64 low, nc_i64 high, NC_REAL rate)
{
    NC_N(nc_count_walk) walk = NC_N(nc_count_walk_of)(low, high);
    nc_pair_f64 nearest = NC_N(nc_count_nearest)(low, high, (nc_f64)rate);
    NC_N(nc_count_sum) sum = NC_N(nc_count_sum_at)(NC_N(nc_poisson_log_density_at)(nearest, rate));
    while (NC_N(nc_count_walk_next)(&walk)) {
        NC_REAL value = NC_N(nc_poisson_log_density_at)(walk.at, rate);
        sum = NC_N(nc_count_sum_add)(sum, walk.weight, value, NC_N(nc_poisson_score)(walk.at, rate));
    }
    return NC_N(nc_count_sum_term)(sum);
}
NC_FN NC_N(nc_term) NC_N(nc_poisson_interval)(nc_i64 low, nc_i64 high, NC_REAL rate)
{
    NC_N(nc_tails) below = NC_N(nc_poisson_tails)(low, rate), above = NC_N(nc_poisson_tails)(high, rate);
    if (!NC_N(nc_count_is_short)(low, high, below, above)) {
        nc_i32 side = NC_N(nc_count_side)(below, above);
        NC_REAL rise = NC_N(nc_poisson_rise)(NC_N(nc_count_span_of)(low, high, side), rate);
        NC_N(nc_term) term = NC_N(nc_count_between)(below, above, side, rise, rate, NC_C(1.0));
        if (term.status != NC_STATS_UNSUPPORTED) {
            return term;
        }
    }
    return NC_N(nc_poisson_sum)(low, high, rate);
}

// x log x - x at x + phi less that at x, without phi log x: x log1pmx(phi/x) + phi log1p(phi/x).
NC_FN NC_REAL NC_N(nc_negative_binomial_bend)(NC_REAL x, NC_REAL phi)
{
    return NC_FMA(x, NC_N(nc_log1pmx)(phi / x), phi * NC_N(nc_log1p)(phi / x));
}
// The same of (phi + k) (mu/s) pmf(k), as Gamma(K + phi)/Gamma(K) (mu/s)^K at K = k + 1.
NC_FN_APART NC_REAL NC_N(nc_negative_binomial_rise)(NC_N(nc_count_span) span, NC_REAL mu, NC_REAL phi)
{
    nc_pair_f64 shape = NC_N(nc_wide_of)(phi);
    NC_N(nc_pair) low_total = NC_N(nc_narrow)(nc_pair_plus_f64(span.low_count, shape));
    NC_N(nc_pair) high_total = NC_N(nc_narrow)(nc_pair_plus_f64(span.high_count, shape));
    NC_N(nc_pair) near = span.near_is_high ? span.high : span.low, shape_share, mean_share;
    NC_REAL rest = NC_N(nc_count_rest)(span.low, span.high) - NC_N(nc_count_rest)(low_total, high_total);
    NC_REAL log_share = phi < mu ? -NC_N(nc_log1p)(phi / mu) : NC_N(nc_log)(mu / phi) - NC_N(nc_log1p)(mu / phi); // log(mu/s)
    if (span.distance.high > NC_C(2.0) * phi) { // the deviances below would cancel
        NC_REAL bend = NC_N(nc_negative_binomial_bend)(span.low.high, phi) - NC_N(nc_negative_binomial_bend)(span.high.high, phi);
        NC_REAL power = phi * NC_N(nc_log_quotient)(span.low, span.high).high;
        return NC_FMA(-span.distance.high, log_share, power + (bend + rest));
    }
    NC_N(nc_negative_binomial_shares)(mu, phi, &shape_share, &mean_share);
    NC_REAL short_of = NC_N(nc_pair_minus)(NC_N(nc_pair_of)(mu), near).high;
    NC_REAL excess = shape_share.high * (short_of / near.high), slope = NC_N(nc_log1p)(excess); // N mu/(K s) - 1 at the near bound
    if (!(excess > NC_C(-0.5) && excess < NC_C(1.0))) {
        slope = NC_N(nc_log_quotient)(span.near_is_high ? high_total : low_total, near).high + log_share;
    }
    NC_REAL bend = NC_N(nc_count_bend)(low_total, high_total, span.distance, span.near_is_high) -
                   NC_N(nc_count_bend)(span.low, span.high, span.distance, span.near_is_high);
    return NC_FMA(-span.distance.high, slope, bend + rest);
}

// With phi below 1 the density falls from 0 on.
NC_FN_APART NC_N(nc_term) NC_N(nc_negative_binomial_sum)(nc_i64 low, nc_i64 high, NC_REAL mu, NC_REAL phi)
{
    NC_N(nc_count_walk) walk = NC_N(nc_count_walk_of)(low, high);
    nc_pair_f64 nearest = NC_N(nc_count_nearest)(low, high, phi < NC_C(1.0) ? NC_C64(0.0) : (nc_f64)mu);
    NC_N(nc_count_sum) sum = NC_N(nc_count_sum_at)(NC_N(nc_negative_binomial_log_density_at)(nearest, mu, phi));
    while (NC_N(nc_count_walk_next)(&walk)) {
        NC_REAL value = NC_N(nc_negative_binomial_log_density_at)(walk.at, mu, phi);
        sum = NC_N(nc_count_sum_add)(sum, walk.weight, value, NC_N(nc_negative_binomial_mean_score)(walk.at, mu, phi));
    }
    return NC_N(nc_count_sum_term)(sum);
}
NC_FN NC_N(nc_term) NC_N(nc_negative_binomial_interval)(nc_i64 low, nc_i64 high, NC_REAL mu, NC_REAL phi)
{
    NC_N(nc_tails) below = NC_N(nc_negative_binomial_tails)(low, mu, phi);
    NC_N(nc_tails) above = NC_N(nc_negative_binomial_tails)(high, mu, phi);
    if (!NC_N(nc_count_is_short)(low, high, below, above)) {
        nc_i32 side = NC_N(nc_count_side)(below, above);
        NC_REAL rise = NC_N(nc_negative_binomial_rise)(NC_N(nc_count_span_of)(low, high, side), mu, phi);
        NC_N(nc_term) term = NC_N(nc_count_between)(below, above, side, rise, mu, NC_C(1.0));
        if (term.status != NC_STATS_UNSUPPORTED) {
            return term;
        }
    }
    return NC_N(nc_negative_binomial_sum)(low, high, mu, phi);
}

// The same of (n - k) p pmf(k), as (p/q)^K/(Gamma(K) Gamma(M)) at K = k + 1, M = n - k.
NC_FN_APART NC_REAL NC_N(nc_binomial_rise)(nc_i64 low, nc_i64 high, nc_i32 side, nc_i64 trials, NC_N(nc_binomial_odds) odds)
{
    NC_N(nc_count_span) span = NC_N(nc_count_span_of)(low, high, side);
    NC_N(nc_pair)
    low_rest = NC_N(nc_narrow)(nc_count_pair(trials - low)), high_rest = NC_N(nc_narrow)(nc_count_pair(trials - high));
    NC_N(nc_pair) near = span.near_is_high ? span.high : span.low, near_rest = span.near_is_high ? high_rest : low_rest;
    nc_binomial_wide wide = NC_N(nc_binomial_wide_at)(span.near_is_high ? high : low, trials, odds);
    NC_REAL excess = -NC_N(nc_narrow)(nc_pair_plus_f64(wide.deviation, wide.q)).high / NC_N(nc_narrow)(wide.q).high / near.high;
    NC_REAL slope = NC_N(nc_log1p)(excess); // p M/(q K) - 1
    if (!(excess > NC_C(-0.5) && excess < NC_C(1.0))) {
        slope = (odds.log_p - odds.log_q) + NC_N(nc_log_quotient)(near_rest, near).high;
    }
    NC_REAL bend = NC_N(nc_count_bend)(span.low, span.high, span.distance, span.near_is_high) -
                   NC_N(nc_count_bend)(high_rest, low_rest, span.distance, !span.near_is_high);
    NC_REAL rest = NC_N(nc_count_rest)(span.low, span.high) + NC_N(nc_count_rest)(low_rest, high_rest);
    return NC_FMA(-span.distance.high, slope, rest - bend);
}

NC_FN_APART NC_N(nc_term) NC_N(nc_binomial_sum)(nc_i64 low, nc_i64 high, nc_i64 trials, NC_N(nc_binomial_odds) odds)
{
    NC_N(nc_count_walk) walk = NC_N(nc_count_walk_of)(low, high);
    nc_binomial_wide wide = NC_N(nc_binomial_wide_at)(0, trials, odds);
    nc_pair_f64 n = nc_count_pair(trials), nearest = NC_N(nc_count_nearest)(low, high, wide.successes.high);
    nc_pair_f64 rest = nc_pair_minus_f64(n, nearest);
    NC_REAL q = NC_N(nc_narrow)(wide.q).high;
    wide.deviation = nc_binomial_move(wide, nearest, rest);
    NC_N(nc_count_sum)
    sum = NC_N(nc_count_sum_at)(NC_N(nc_binomial_log_density_at)(nearest, rest, trials, wide, odds.log_p, odds.log_q));
    while (NC_N(nc_count_walk_next)(&walk)) {
        rest = nc_pair_minus_f64(n, walk.at);
        if (!(rest.high > NC_C64(0.0))) { // n more and beyond, where the density's continuation is 0
            continue;
        }
        wide.deviation = nc_binomial_move(wide, walk.at, rest);
        NC_REAL value = NC_N(nc_binomial_log_density_at)(walk.at, rest, trials, wide, odds.log_p, odds.log_q);
        NC_REAL deviation = NC_N(nc_narrow)(wide.deviation).high;
        sum = NC_N(nc_count_sum_add)(sum, walk.weight, value, odds.by_logit ? deviation : deviation / odds.p / q);
    }
    return NC_N(nc_count_sum_term)(sum);
}

// 0 <= low + 1, high < trials, and neither p nor q is 0.
NC_FN NC_N(nc_term)
    NC_N(nc_binomial_interval)(nc_i64 low, nc_i64 high, nc_i64 trials, NC_N(nc_binomial_odds) odds, NC_REAL divisor, NC_REAL second)
{
    NC_N(nc_tails) below = NC_N(nc_binomial_tails)(low, trials, odds), above = NC_N(nc_binomial_tails)(high, trials, odds);
    if (!NC_N(nc_count_is_short)(low, high, below, above)) {
        nc_i32 side = NC_N(nc_count_side)(below, above);
        NC_REAL rise = NC_N(nc_binomial_rise)(low, high, side, trials, odds);
        NC_N(nc_term) term = NC_N(nc_count_between)(below, above, side, rise, divisor, second);
        if (term.status != NC_STATS_UNSUPPORTED) {
            return term;
        }
    }
    return NC_N(nc_binomial_sum)(low, high, trials, odds);
}
