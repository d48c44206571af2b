// SPDX-License-Identifier: Apache-2.0
// Censored counts: the terms of the three families. Body: included by stats.h, after stats_tails_count.h and
// stats_interval_count.h.

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
    return NC_N(nc_count_term)(NC_N(nc_interval_one_sided)(tails, censoring == NC_STATS_LEFT), rate, NC_C(1.0));
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
        term = NC_N(nc_count_term)(NC_N(nc_interval_one_sided)(tails, censoring == NC_STATS_LEFT), mu, NC_C(1.0));
    }
    if (term.status == NC_STATS_OK) {
        term.gradient[1] = NC_N(nc_nan)(); // no closed form in phi
        if ((flags & NC_STATS_WANT_GRADIENT) && !(flags & (NC_STATS_SKIP_RESULT << 1))) {
            term.status = NC_STATS_UNSUPPORTED;
        }
    }
    return term;
}

// Both binomials after their parameter was checked; dF = -prefix/divisor/second, by p and q, or by 1 for a logit.
NC_FN NC_N(nc_term) NC_N(nc_binomial_censored)(nc_i64 y, nc_i64 upper, nc_i64 trials, nc_i32 censoring, NC_N(nc_binomial_odds) odds,
                                               NC_REAL divisor, NC_REAL second)
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
            return NC_N(nc_binomial_interval)(y, upper, trials, odds, divisor, second);
        }
        if (y >= 0 && upper < trials) { // all of the probability is at 0 or at n
            return NC_N(nc_term_off_support)();
        }
        censoring = y < 0 ? NC_STATS_LEFT : NC_STATS_RIGHT; // nothing lies outside on one side
        y = y < 0 ? upper : y;
    }
    NC_N(nc_tails) tails = NC_N(nc_binomial_tails)(y, trials, odds);
    return NC_N(nc_count_term)(NC_N(nc_interval_one_sided)(tails, censoring == NC_STATS_LEFT), divisor, second);
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
    return NC_N(nc_binomial_censored)(y, upper, trials, censoring, odds, p, NC_C(1.0) - p);
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
    return NC_N(nc_binomial_censored)(y, upper, trials, censoring, odds, NC_C(1.0), NC_C(1.0));
}
