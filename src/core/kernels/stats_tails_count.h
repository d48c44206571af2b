// SPDX-License-Identifier: Apache-2.0
// Censored counts: P(Y <= k), P(Y > k), P(low < Y <= high). Body: included by stats.h.
//   Poisson            F(k) = Q(k + 1, lambda)               prefix lambda pmf(k)                  dF/dlambda = -prefix/lambda
//   negative binomial  F(k) = I_{phi/s}(phi, k + 1)          prefix (phi + k) (mu/s) pmf(k)        dF/dmu     = -prefix/mu
//   binomial           F(k) = I_q(n - k, k + 1)              prefix (n - k) p pmf(k)               dF/dp      = -prefix/(p q)
// (s = mu + phi; by logit dF/deta = -prefix.)

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
    NC_N(nc_tails)
    tails = {gamma.log_upper, gamma.log_lower, gamma.upper_ratio, gamma.lower_ratio, log_prefix, !gamma.lower_is_summed};
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
    NC_N(nc_pair) sum = NC_N(nc_sum_exact)(mu, phi), shape_share, mean_share;
    NC_N(nc_negative_binomial_shares)(mu, phi, &shape_share, &mean_share);
    nc_pair_f64 next = nc_pair_minus_f64(nc_count_pair(k), nc_pair_of_f64(NC_C64(-1.0)));
    NC_REAL short_of = NC_N(nc_narrow)(nc_pair_minus_f64(NC_N(nc_wide_of)(mu), next)).high; // mu - (k + 1)
    NC_REAL total = NC_N(nc_narrow)(nc_count_minus(k, NC_N(nc_wide_of)(-phi))).high;        // phi + k
    at.a = phi;
    at.b = NC_N(nc_narrow)(next).high;
    at.x = shape_share.high;
    at.y = mean_share.high;
    at.deviation = short_of * at.x; // phi - (phi + k + 1) phi/s
    NC_REAL log_share = NC_N(nc_log_quotient)(NC_N(nc_pair_of)(mu), sum).high;
    NC_REAL log_prefix = NC_N(nc_negative_binomial_log_density)(k, mu, phi) + (NC_N(nc_log)(total) + log_share);
    if (phi < NC_C(1.0) && at.x < NC_N(nc_beta_least)()) {
        NC_N(nc_tails) tails = NC_N(nc_beta_tails_far)(at, NC_N(nc_log_quotient)(NC_N(nc_pair_of)(phi), sum).high, log_prefix);
        return tails;
    }
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

// What the three families have in common: the term from its interval, or from one tail; dF = -prefix/divisor/second.
NC_FN NC_N(nc_term) NC_N(nc_count_term)(NC_N(nc_interval) part, NC_REAL divisor, NC_REAL second)
{
    if (NC_N(nc_is_inf)(-part.log_probability)) {
        return NC_N(nc_term_off_support)();
    }
    return NC_N(nc_term_of)(part.log_probability, NC_C(0.0) - NC_N(nc_interval_slope_over)(part, divisor, second), NC_STATS_OK);
}
