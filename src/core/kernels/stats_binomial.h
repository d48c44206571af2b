// SPDX-License-Identifier: Apache-2.0
// Binomial density by probability or by logit. Body: included by stats.h. With q = 1 - p (Loader 2000):
//   y = 0: n log q;  y = n: n log p
//   else S(n) - S(y) - S(n - y) - deviance(y, n p) - deviance(n - y, n q) + (log(n/y) - log(n - y) - log(2 pi))/2
//   d p = (y - n p)/(p q), d logit = y - n p
// By logit, p and q are a pair each from one exponential, and log p = -softplus(-eta).

NC_FN nc_i32 NC_N(nc_binomial_is_valid)(NC_REAL p, nc_i64 trials)
{
    return p >= NC_C(0.0) && p <= NC_C(1.0) && trials >= 0;
}

// The part that n and y share: S(n) - S(y) - S(n - y) + (log(n/y) - log(n - y) - log(2 pi))/2, 0 < y < n.
NC_FN NC_REAL NC_N(nc_binomial_peak)(NC_N(nc_pair) n, NC_N(nc_pair) y, NC_N(nc_pair) rest)
{
    NC_REAL remainders = (NC_N(nc_stirling)(n.high) - NC_N(nc_stirling)(y.high)) - NC_N(nc_stirling)(rest.high);
    NC_REAL logs = NC_N(nc_log_quotient)(n, y).high - NC_N(nc_log)(rest.high);
    return NC_FMA(NC_C(0.5), logs, -NC_N(NC_HALF_LOG_2PI)) + remainders;
}

// y log(n/y) for y <= n = y + rest. The quotient is nearly 1 where rest is small.
NC_FN_APART NC_REAL NC_N(nc_binomial_entropy)(NC_N(nc_pair) n, NC_N(nc_pair) y, NC_N(nc_pair) rest)
{
    NC_REAL share = rest.high / n.high;
    return y.high * (share < NC_C(0.25) ? -NC_N(nc_log1p)(-share) : NC_N(nc_log_quotient)(n, y).high);
}

// Log density for 0 <= y <= n = y + rest; log_p and log_q are the logarithms of the probabilities.
NC_FN_APART NC_REAL NC_N(nc_binomial_log_density_at)(nc_pair_f64 count, nc_pair_f64 others, nc_i64 trials, nc_binomial_wide wide,
                                                     NC_REAL log_p, NC_REAL log_q)
{
    NC_N(nc_pair) n = NC_N(nc_narrow)(nc_count_pair(trials));
    if (trials == 0) {
        return NC_C(0.0);
    }
    if (count.high == NC_C64(0.0)) {
        return n.high * log_q;
    }
    if (others.high == NC_C64(0.0)) {
        return n.high * log_p;
    }
    NC_N(nc_pair) y = NC_N(nc_narrow)(count), rest = NC_N(nc_narrow)(others);
    NC_N(nc_pair) successes = NC_N(nc_narrow)(wide.successes), failures = NC_N(nc_narrow)(wide.failures);
    NC_REAL least = NC_N(nc_pow2)(2 * NC_MANTISSA_BITS + 2 - NC_EXPONENT_BIAS); // below, low parts underflow
    NC_REAL peak = NC_N(nc_binomial_peak)(n, y, rest);
    if (!(successes.high > least && failures.high > least)) { // y log p + (n - y) log q dominates: nothing cancels
        NC_REAL choose = NC_N(nc_binomial_entropy)(n, y, rest) + NC_N(nc_binomial_entropy)(n, rest, y);
        return NC_FMA(y.high, log_p, rest.high * log_q) + (choose + peak);
    }
    NC_N(nc_pair) deviation = NC_N(nc_narrow)(wide.deviation);
    NC_N(nc_pair) opposite = NC_N(nc_narrow)(nc_pair_minus_f64(nc_pair_of_f64(NC_C64(0.0)), wide.deviation));
    return peak - (NC_N(nc_deviance)(y, successes, deviation) + NC_N(nc_deviance)(rest, failures, opposite));
}
NC_FN NC_REAL NC_N(nc_binomial_log_density)(nc_i64 count, nc_i64 trials, nc_binomial_wide wide, NC_REAL log_p, NC_REAL log_q)
{
    nc_pair_f64 others = nc_count_pair(trials - count);
    return NC_N(nc_binomial_log_density_at)(nc_count_pair(count), others, trials, wide, log_p, log_q);
}

// d log f / d p.
NC_FN_APART NC_REAL NC_N(nc_binomial_score)(nc_i64 count, nc_i64 trials, NC_REAL p, nc_binomial_wide wide)
{
    NC_REAL q = NC_N(nc_narrow)(wide.q).high, n = NC_N(nc_narrow)(nc_count_pair(trials)).high;
    if (trials == 0) {
        return NC_C(0.0);
    }
    if (count == 0) {
        return -n / q;
    }
    if (count == trials) {
        return n / p;
    }
    return NC_N(nc_narrow)(wide.deviation).high / p / q;
}

NC_FN NC_N(nc_term) NC_N(nc_binomial_observed)(nc_i64 y, NC_REAL p, nc_i64 trials, nc_u32 flags)
{
    if (y < 0 || y > trials) {
        return NC_N(nc_term_off_support)();
    }
    nc_i32 impossible = (p == NC_C(0.0) && y > 0) || (p == NC_C(1.0) && y < trials);
    NC_N(nc_term) term = NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), impossible ? NC_STATS_OFF_SUPPORT : NC_STATS_OK);
    nc_binomial_wide wide = nc_binomial_by_probability(y, trials, (nc_f64)p);
    if (flags & NC_STATS_WANT_GRADIENT) {
        term.gradient[0] = NC_N(nc_binomial_score)(y, trials, p, wide);
    } else if (impossible) {
        term.log_density = -NC_N(nc_inf)();
    } else {
        NC_REAL log_q = NC_C(0.0) + NC_N(nc_log1p)(-p); // +0 at p = 0, so that a certain outcome has +0
        term.log_density = NC_N(nc_binomial_log_density)(y, trials, wide, NC_N(nc_log)(p), log_q);
    }
    return term;
}

NC_FN NC_N(nc_term) NC_N(nc_binomial_logit_observed)(nc_i64 y, NC_REAL eta, nc_i64 trials, nc_u32 flags)
{
    if (y < 0 || y > trials) {
        return NC_N(nc_term_off_support)();
    }
    NC_N(nc_term) term = NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), NC_STATS_OK);
    nc_binomial_wide wide = nc_binomial_by_logit(y, trials, (nc_f64)eta);
    if (flags & NC_STATS_WANT_GRADIENT) {
        term.gradient[0] = NC_N(nc_narrow)(wide.deviation).high;
    } else {
        NC_REAL log_p = NC_C(0.0) - NC_N(nc_softplus)(-eta), log_q = NC_C(0.0) - NC_N(nc_softplus)(eta);
        term.log_density = NC_N(nc_binomial_log_density)(y, trials, wide, log_p, log_q);
    }
    return term;
}
