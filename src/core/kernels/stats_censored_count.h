// SPDX-License-Identifier: Apache-2.0
// Censored counts: P(Y <= k), P(Y > k), P(low < Y <= high). Body: included by stats.h.
//   Poisson            F(k) = Q(k + 1, lambda)               prefix lambda pmf(k)                  dF/dlambda = -prefix/lambda
//   negative binomial  F(k) = I_{phi/s}(phi, k + 1)          prefix (phi + k) (mu/s) pmf(k)        dF/dmu     = -prefix/mu
//   binomial           F(k) = I_q(n - k, k + 1)              prefix (n - k) p pmf(k)               dF/dp      = -prefix/(p q)
// (s = mu + phi; by logit dF/deta = -prefix.)

#define NC_STATS_SUMMED 64 // an interval of at most so many counts is summed

NC_FN_APART NC_N(nc_tails) NC_N(nc_poisson_tails)(nc_i64 k, NC_REAL rate)
{
    if (k < 0) {
        return NC_N(nc_tails_certain)(0);
    }
    if (rate == NC_C(0.0)) {
        return NC_N(nc_tails_certain)(1);
    }
    nc_pair_f64 next = nc_pair_minus_f64(nc_count_pair(k), nc_pair_of_f64(NC_C64(-1.0)));
    NC_REAL deviation = NC_N(nc_narrow)(nc_pair_minus_f64(next, NC_N(nc_wide_of)(rate))).high;
    NC_REAL log_prefix = NC_N(nc_poisson_log_density)(k, rate) + NC_N(nc_log)(rate);
    NC_N(nc_tails) gamma = NC_N(nc_gamma_tails)(NC_N(nc_narrow)(next).high, rate, deviation, log_prefix);
    NC_N(nc_tails) tails = {gamma.log_upper, gamma.log_lower, gamma.upper_ratio, gamma.lower_ratio};
    return tails;
}

NC_FN_APART NC_N(nc_tails) NC_N(nc_negative_binomial_tails)(nc_i64 k, NC_REAL mu, NC_REAL phi)
{
    if (k < 0) {
        return NC_N(nc_tails_certain)(0);
    }
    if (mu == NC_C(0.0)) {
        return NC_N(nc_tails_certain)(1);
    }
    NC_N(nc_beta_point) at;
    NC_N(nc_pair) sum = NC_N(nc_sum_exact)(mu, phi);
    nc_pair_f64 next = nc_pair_minus_f64(nc_count_pair(k), nc_pair_of_f64(NC_C64(-1.0)));
    NC_REAL short_of = NC_N(nc_narrow)(nc_pair_minus_f64(NC_N(nc_wide_of)(mu), next)).high; // mu - (k + 1)
    NC_REAL total = NC_N(nc_narrow)(nc_count_minus(k, NC_N(nc_wide_of)(-phi))).high;        // phi + k
    at.a = phi;
    at.b = NC_N(nc_narrow)(next).high;
    at.x = NC_N(nc_pair_quotient)(NC_N(nc_pair_of)(phi), sum).high;
    at.y = NC_N(nc_pair_quotient)(NC_N(nc_pair_of)(mu), sum).high;
    at.deviation = short_of * at.x; // phi - (phi + k + 1) phi/s
    NC_REAL log_share = NC_N(nc_log_quotient)(NC_N(nc_pair_of)(mu), sum).high;
    NC_REAL log_prefix = NC_N(nc_negative_binomial_log_density)(k, mu, phi) + (NC_N(nc_log)(total) + log_share);
    return NC_N(nc_beta_tails)(at, log_prefix);
}

// A binomial's parameter in whatever form: p = 0 and p = 1 are exact only when they are the parameter itself.
typedef struct NC_N(nc_binomial_odds) {
    NC_REAL log_p, log_q, logit; // logit is used when by_logit
    NC_REAL p;
    nc_i32 by_logit;
} NC_N(nc_binomial_odds);

NC_FN nc_binomial_wide NC_N(nc_binomial_wide_at)(nc_i64 y, nc_i64 trials, NC_N(nc_binomial_odds) odds)
{
    return odds.by_logit ? nc_binomial_by_logit(y, trials, (nc_f64)odds.logit)
                         : nc_binomial_by_probability(y, trials, (nc_f64)odds.p);
}

NC_FN nc_i32 NC_N(nc_binomial_is_certain)(NC_N(nc_binomial_odds) odds)
{
    return !odds.by_logit && (odds.p == NC_C(0.0) || odds.p == NC_C(1.0));
}

NC_FN_APART NC_N(nc_tails) NC_N(nc_binomial_tails)(nc_i64 k, nc_i64 trials, NC_N(nc_binomial_odds) odds)
{
    if (k < 0) {
        return NC_N(nc_tails_certain)(0);
    }
    if (k >= trials || (!odds.by_logit && odds.p == NC_C(0.0))) {
        return NC_N(nc_tails_certain)(1);
    }
    if (!odds.by_logit && odds.p == NC_C(1.0)) {
        return NC_N(nc_tails_certain)(0);
    }
    nc_binomial_wide wide = NC_N(nc_binomial_wide_at)(k, trials, odds);
    NC_N(nc_beta_point) at;
    nc_pair_f64 rest = nc_count_pair(trials - k);
    nc_pair_f64 next = nc_pair_minus_f64(nc_count_pair(k), nc_pair_of_f64(NC_C64(-1.0)));
    at.a = NC_N(nc_narrow)(rest).high;
    at.b = NC_N(nc_narrow)(next).high;
    at.x = NC_N(nc_narrow)(wide.q).high;
    at.y = NC_N(nc_narrow)(wide.p).high;
    // (n - k) - (n + 1) q = -((k - n p) + q)
    nc_pair_f64 deviation = nc_pair_minus_f64(wide.deviation, nc_pair_minus_f64(nc_pair_of_f64(NC_C64(0.0)), wide.q));
    at.deviation = -NC_N(nc_narrow)(deviation).high;
    NC_REAL log_prefix = NC_N(nc_binomial_log_density)(k, trials, wide, odds.log_p, odds.log_q) + (NC_N(nc_log)(at.a) + odds.log_p);
    return NC_N(nc_beta_tails)(at, log_prefix);
}

// What the three families have in common: the term from its interval, or from one tail, and the factor of dF = -factor prefix.
NC_FN NC_N(nc_term) NC_N(nc_count_term)(NC_N(nc_interval) part, NC_REAL factor)
{
    if (NC_N(nc_is_inf)(-part.log_probability)) {
        return NC_N(nc_term_off_support)();
    }
    return NC_N(nc_term_of)(part.log_probability, part.slope == NC_C(0.0) ? NC_C(0.0) : -factor * part.slope, NC_STATS_OK);
}
NC_FN NC_N(nc_interval) NC_N(nc_count_one_sided)(NC_N(nc_tails) tails, nc_i32 is_left)
{
    NC_N(nc_interval) part;
    part.log_probability = is_left ? tails.log_lower : tails.log_upper;
    part.slope = is_left ? tails.lower_ratio : -tails.upper_ratio;
    part.at_low = NC_C(0.0);
    part.at_high = NC_C(0.0);
    return part;
}

// A short interval as a sum over its counts, in units of the density at `reference`.
typedef struct NC_N(nc_count_sum) {
    NC_REAL reference, total, slope;
} NC_N(nc_count_sum);
NC_FN NC_N(nc_count_sum) NC_N(nc_count_sum_add)(NC_N(nc_count_sum) sum, NC_REAL log_density, NC_REAL score)
{
    NC_REAL rise = log_density - sum.reference; // at most a few for 64 counts: far out rounding makes it more than e^x holds
    NC_REAL weight = NC_N(nc_exp)(rise < NC_C(40.0) ? rise : NC_C(40.0));
    sum.total = sum.total + weight;
    sum.slope = weight > NC_C(0.0) ? NC_FMA(weight, score, sum.slope) : sum.slope;
    return sum;
}
NC_FN NC_N(nc_term) NC_N(nc_count_sum_term)(NC_N(nc_count_sum) sum)
{
    if (!NC_N(nc_is_below_inf)(-sum.reference)) {
        return NC_N(nc_term_off_support)();
    }
    return NC_N(nc_term_of)(sum.reference + NC_N(nc_log)(sum.total), sum.slope / sum.total, NC_STATS_OK);
}
// The count of low + 1 ... high at which the density is largest, near enough: the one closest to the mean.
NC_FN nc_i64 NC_N(nc_count_nearest)(nc_i64 low, nc_i64 high, NC_REAL mean)
{
    nc_i64 mode = NC_N(nc_to_i64)(mean);
    return mode < low + 1 ? low + 1 : mode > high ? high : mode;
}

// An interval is summed when it is short and a difference of tails would lose digits: when it lies in one tail or holds less than
// half of the distribution.
NC_FN nc_i32 NC_N(nc_count_is_summed)(nc_i64 low, nc_i64 high, NC_N(nc_tails) below, NC_N(nc_tails) above)
{
    nc_i32 outside = NC_N(nc_exp)(below.log_lower) + NC_N(nc_exp)(above.log_upper) > NC_C(0.5);
    return outside && (nc_u64)high - (nc_u64)low <= (nc_u64)NC_STATS_SUMMED;
}

NC_FN NC_N(nc_term) NC_N(nc_poisson_interval)(nc_i64 low, nc_i64 high, NC_REAL rate)
{
    NC_N(nc_tails) below = NC_N(nc_poisson_tails)(low, rate), above = NC_N(nc_poisson_tails)(high, rate);
    if (!NC_N(nc_count_is_summed)(low, high, below, above)) {
        return NC_N(nc_count_term)(NC_N(nc_interval_between)(below, above), NC_C(1.0) / rate);
    }
    NC_N(nc_count_sum) sum = {NC_C(0.0), NC_C(0.0), NC_C(0.0)};
    sum.reference = NC_N(nc_poisson_log_density)(NC_N(nc_count_nearest)(low, high, rate), rate);
    for (nc_i64 j = low + 1; j <= high; ++j) {
        sum = NC_N(nc_count_sum_add)(sum, NC_N(nc_poisson_log_density)(j, rate), NC_N(nc_poisson_score)(j, rate));
    }
    return NC_N(nc_count_sum_term)(sum);
}

NC_FN NC_N(nc_term) NC_N(nc_negative_binomial_interval)(nc_i64 low, nc_i64 high, NC_REAL mu, NC_REAL phi)
{
    NC_N(nc_tails) below = NC_N(nc_negative_binomial_tails)(low, mu, phi);
    NC_N(nc_tails) above = NC_N(nc_negative_binomial_tails)(high, mu, phi);
    if (!NC_N(nc_count_is_summed)(low, high, below, above)) {
        return NC_N(nc_count_term)(NC_N(nc_interval_between)(below, above), NC_C(1.0) / mu);
    }
    NC_N(nc_count_sum) sum = {NC_C(0.0), NC_C(0.0), NC_C(0.0)};
    sum.reference = NC_N(nc_negative_binomial_log_density)(NC_N(nc_count_nearest)(low, high, mu), mu, phi);
    for (nc_i64 j = low + 1; j <= high; ++j) {
        sum = NC_N(nc_count_sum_add)(sum, NC_N(nc_negative_binomial_log_density)(j, mu, phi),
                                     NC_N(nc_negative_binomial_mean_score)(j, mu, phi));
    }
    return NC_N(nc_count_sum_term)(sum);
}

// 0 <= low + 1, high < trials, and neither p nor q is 0.
NC_FN NC_N(nc_term) NC_N(nc_binomial_interval)(nc_i64 low, nc_i64 high, nc_i64 trials, NC_N(nc_binomial_odds) odds, NC_REAL factor)
{
    NC_N(nc_tails) below = NC_N(nc_binomial_tails)(low, trials, odds), above = NC_N(nc_binomial_tails)(high, trials, odds);
    if (!NC_N(nc_count_is_summed)(low, high, below, above)) {
        return NC_N(nc_count_term)(NC_N(nc_interval_between)(below, above), factor);
    }
    NC_N(nc_count_sum) sum = {NC_C(0.0), NC_C(0.0), NC_C(0.0)};
    NC_REAL mean = NC_N(nc_narrow)(NC_N(nc_binomial_wide_at)(0, trials, odds).successes).high;
    nc_i64 nearest = NC_N(nc_count_nearest)(low, high, mean);
    sum.reference =
        NC_N(nc_binomial_log_density)(nearest, trials, NC_N(nc_binomial_wide_at)(nearest, trials, odds), odds.log_p, odds.log_q);
    for (nc_i64 j = low + 1; j <= high; ++j) {
        nc_binomial_wide wide = NC_N(nc_binomial_wide_at)(j, trials, odds);
        NC_REAL value = NC_N(nc_binomial_log_density)(j, trials, wide, odds.log_p, odds.log_q);
        NC_REAL score = odds.by_logit ? NC_N(nc_narrow)(wide.deviation).high : NC_N(nc_binomial_score)(j, trials, odds.p, wide);
        sum = NC_N(nc_count_sum_add)(sum, value, score);
    }
    return NC_N(nc_count_sum_term)(sum);
}

NC_FN NC_N(nc_term)
    NC_N(nc_poisson_term)(nc_i64 y, nc_i64 upper, NC_REAL rate, NC_REAL unused, nc_i64 trials, nc_i32 censoring, nc_u32 flags)
{
    (void)unused;
    (void)trials;
    if (!NC_N(nc_poisson_is_valid)(rate)) {
        return NC_N(nc_term_invalid)(NC_STATS_INVALID_PARAMETER);
    }
    if (censoring == NC_STATS_OBSERVED) {
        return NC_N(nc_poisson_observed)(y, rate, flags);
    }
    if (censoring == NC_STATS_INTERVAL) {
        if (upper < y) {
            return NC_N(nc_term_invalid)(NC_STATS_INVALID_VALUE);
        }
        if (upper == y || upper < 0) {
            return NC_N(nc_term_off_support)();
        }
        if (y >= 0 && rate > NC_C(0.0)) {
            return NC_N(nc_poisson_interval)(y, upper, rate);
        }
        censoring = y < 0 ? NC_STATS_LEFT : NC_STATS_RIGHT; // nothing lies outside on one side
        y = y < 0 ? upper : y;
    }
    NC_N(nc_tails) tails = NC_N(nc_poisson_tails)(y, rate);
    if (rate == NC_C(0.0) && y >= 0) { // one-sided: F(k) leaves 1 by -1 at k = 0 only, S(k) leaves 0 at once
        NC_N(nc_term) term = NC_N(nc_term_of)(NC_C(0.0), y == 0 ? NC_C(-1.0) : NC_C(0.0), NC_STATS_OK);
        return censoring == NC_STATS_LEFT ? term : NC_N(nc_term_of)(-NC_N(nc_inf)(), NC_N(nc_inf)(), NC_STATS_OFF_SUPPORT);
    }
    return NC_N(nc_count_term)(NC_N(nc_count_one_sided)(tails, censoring == NC_STATS_LEFT), NC_C(1.0) / rate);
}

NC_FN NC_N(nc_term)
    NC_N(nc_negative_binomial_term)(nc_i64 y, nc_i64 upper, NC_REAL mu, NC_REAL phi, nc_i64 trials, nc_i32 censoring, nc_u32 flags)
{
    (void)trials;
    if (!NC_N(nc_negative_binomial_is_valid)(mu, phi)) {
        return NC_N(nc_term_invalid)(NC_STATS_INVALID_PARAMETER);
    }
    if (censoring == NC_STATS_OBSERVED) {
        return NC_N(nc_negative_binomial_observed)(y, mu, phi, flags);
    }
    NC_N(nc_term) term;
    if (censoring == NC_STATS_INTERVAL) {
        if (upper < y) {
            return NC_N(nc_term_invalid)(NC_STATS_INVALID_VALUE);
        }
        if (upper == y || upper < 0) {
            return NC_N(nc_term_off_support)();
        }
        if (y < 0 || mu == NC_C(0.0)) { // nothing lies outside on one side
            censoring = y < 0 ? NC_STATS_LEFT : NC_STATS_RIGHT;
            y = y < 0 ? upper : y;
        }
    }
    if (censoring == NC_STATS_INTERVAL) {
        term = NC_N(nc_negative_binomial_interval)(y, upper, mu, phi);
    } else if (mu == NC_C(0.0) && y >= 0) {
        term = censoring == NC_STATS_LEFT ? NC_N(nc_term_of)(NC_C(0.0), y == 0 ? NC_C(-1.0) : NC_C(0.0), NC_STATS_OK)
                                          : NC_N(nc_term_of)(-NC_N(nc_inf)(), NC_N(nc_inf)(), NC_STATS_OFF_SUPPORT);
    } else {
        NC_N(nc_tails) tails = NC_N(nc_negative_binomial_tails)(y, mu, phi);
        term = NC_N(nc_count_term)(NC_N(nc_count_one_sided)(tails, censoring == NC_STATS_LEFT), NC_C(1.0) / mu);
    }
    if (term.status == NC_STATS_OK) {
        term.gradient[1] = NC_N(nc_nan)(); // no closed form in phi
        if ((flags & NC_STATS_WANT_GRADIENT) && !(flags & (NC_STATS_SKIP_RESULT << 1))) {
            term.status = NC_STATS_UNSUPPORTED;
        }
    }
    return term;
}

// Both binomials after their parameter was checked; `factor` is 1/(p q), or 1 by logit.
NC_FN NC_N(nc_term)
    NC_N(nc_binomial_censored)(nc_i64 y, nc_i64 upper, nc_i64 trials, nc_i32 censoring, NC_N(nc_binomial_odds) odds, NC_REAL factor)
{
    if (censoring == NC_STATS_INTERVAL) {
        if (upper < y) {
            return NC_N(nc_term_invalid)(NC_STATS_INVALID_VALUE);
        }
        if (upper == y || upper < 0 || y >= trials) {
            return NC_N(nc_term_off_support)();
        }
        if (y < 0 && upper >= trials) {
            return NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), NC_STATS_OK);
        }
        if (y >= 0 && upper < trials && !NC_N(nc_binomial_is_certain)(odds)) {
            return NC_N(nc_binomial_interval)(y, upper, trials, odds, factor);
        }
        if (y >= 0 && upper < trials) { // all of the probability is at 0 or at n
            return NC_N(nc_term_off_support)();
        }
        censoring = y < 0 ? NC_STATS_LEFT : NC_STATS_RIGHT; // nothing lies outside on one side
        y = y < 0 ? upper : y;
    }
    NC_N(nc_tails) tails = NC_N(nc_binomial_tails)(y, trials, odds);
    return NC_N(nc_count_term)(NC_N(nc_count_one_sided)(tails, censoring == NC_STATS_LEFT), factor);
}

NC_FN NC_N(nc_term)
    NC_N(nc_binomial_term)(nc_i64 y, nc_i64 upper, NC_REAL p, NC_REAL unused, nc_i64 trials, nc_i32 censoring, nc_u32 flags)
{
    (void)unused;
    if (!NC_N(nc_binomial_is_valid)(p, trials)) {
        return NC_N(nc_term_invalid)(NC_STATS_INVALID_PARAMETER);
    }
    if (censoring == NC_STATS_OBSERVED) {
        return NC_N(nc_binomial_observed)(y, p, trials, flags);
    }
    NC_N(nc_binomial_odds) odds = {NC_N(nc_log)(p), NC_N(nc_log1p)(-p), NC_C(0.0), p, 0};
    return NC_N(nc_binomial_censored)(y, upper, trials, censoring, odds, NC_C(1.0) / p / (NC_C(1.0) - p));
}

NC_FN NC_N(nc_term)
    NC_N(nc_binomial_logit_term)(nc_i64 y, nc_i64 upper, NC_REAL eta, NC_REAL unused, nc_i64 trials, nc_i32 censoring, nc_u32 flags)
{
    (void)unused;
    if (!NC_N(nc_is_finite)(eta) || trials < 0) {
        return NC_N(nc_term_invalid)(NC_STATS_INVALID_PARAMETER);
    }
    if (censoring == NC_STATS_OBSERVED) {
        return NC_N(nc_binomial_logit_observed)(y, eta, trials, flags);
    }
    NC_N(nc_binomial_odds) odds = {NC_C(0.0) - NC_N(nc_softplus)(-eta), NC_C(0.0) - NC_N(nc_softplus)(eta), eta, NC_C(0.0), 1};
    return NC_N(nc_binomial_censored)(y, upper, trials, censoring, odds, NC_C(1.0));
}
