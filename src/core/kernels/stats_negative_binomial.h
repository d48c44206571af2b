// SPDX-License-Identifier: Apache-2.0
// Negative binomial with mean mu and dispersion phi, variance mu + mu^2/phi. Body: included by stats.h. With N = y + phi and
// s = mu + phi, after Loader 2000 (the binomial form of phi successes in N trials, from which phi may be any real number):
//   y = 0  -phi log1p(mu/phi)
//   y > 0  log(phi/N)/2 - log(2 pi y)/2 + S(N) - S(phi) - S(y) - (phi/s) deviance(s, N) - deviance(y, N mu/s)
//   d mu   = phi (y - mu)/(mu s)
//   d phi  = log(N/s) - (y - mu)/s + y/(2 phi N) + rho(phi) - rho(N)
// The differences s - N = mu - y and y - N mu/s = phi (y - mu)/s come from one deviation y - mu. No Poisson cutoff is needed.

NC_FN nc_i32 NC_N(nc_negative_binomial_is_valid)(NC_REAL mu, NC_REAL phi)
{
    return mu >= NC_C(0.0) && NC_N(nc_is_positive)(phi) && NC_N(nc_is_below_inf)(mu + phi);
}

typedef struct NC_N(nc_negative_binomial) {
    NC_N(nc_pair) count, total, sum, deviation; // y, N, s, y - mu
    NC_N(nc_pair) shape_share, mean_share;      // phi/s, mu/s
} NC_N(nc_negative_binomial);

// phi/s and mu/s. Near the least normal number 1/s overflows and low parts underflow, so the quotients are scaled.
NC_FN_APART void NC_N(nc_negative_binomial_shares)(NC_REAL mu, NC_REAL phi, NC_PRIVATE NC_N(nc_pair) * shape_share,
                                                   NC_PRIVATE NC_N(nc_pair) * mean_share)
{
    NC_REAL scale = NC_C(1.0);
    if (mu + phi < NC_N(nc_pow2)(2 * NC_MANTISSA_BITS + 2 - NC_EXPONENT_BIAS)) {
        scale = NC_N(nc_pow2)(2 * NC_MANTISSA_BITS + 2);
    }
    NC_N(nc_pair) sum = NC_N(nc_sum_exact)(scale * mu, scale * phi);
    *shape_share = NC_N(nc_pair_quotient)(NC_N(nc_pair_of)(scale * phi), sum);
    *mean_share = NC_N(nc_pair_quotient)(NC_N(nc_pair_of)(scale * mu), sum);
}

NC_FN_APART NC_N(nc_negative_binomial) NC_N(nc_negative_binomial_at)(nc_pair_f64 y, NC_REAL mu, NC_REAL phi)
{
    NC_N(nc_negative_binomial) at;
    nc_pair_f64 minus_phi = NC_N(nc_wide_of)(-phi);
    at.count = NC_N(nc_narrow)(y);
    at.total = NC_N(nc_narrow)(nc_pair_minus_f64(y, minus_phi));
    at.sum = NC_N(nc_sum_exact)(mu, phi);
    at.deviation = NC_N(nc_narrow)(nc_pair_minus_f64(y, NC_N(nc_wide_of)(mu)));
    NC_N(nc_negative_binomial_shares)(mu, phi, &at.shape_share, &at.mean_share);
    return at;
}

// deviance(y, N mu/s). Where the mean underflows, or its low part, y log(s/mu) dominates: nothing cancels.
NC_FN_APART NC_REAL NC_N(nc_negative_binomial_deviance)(NC_N(nc_negative_binomial) at, NC_N(nc_pair) mean, NC_REAL mu)
{
    NC_N(nc_pair) difference = NC_N(nc_pair_product)(at.shape_share, at.deviation);
    if (mean.high > NC_N(nc_pow2)(2 * NC_MANTISSA_BITS + 2 - NC_EXPONENT_BIAS)) {
        return NC_N(nc_deviance)(at.count, mean, difference);
    }
    NC_N(nc_pair) log_share = NC_N(nc_log_quotient)(NC_N(nc_pair_of)(mu), at.sum);
    NC_N(nc_pair) logs = NC_N(nc_pair_minus)(NC_N(nc_log_quotient)(at.count, at.total), log_share);
    return NC_FMA(at.count.high, logs.high, NC_FMA(at.count.high, logs.low, at.count.low * logs.high) - difference.high);
}

NC_FN_APART NC_REAL NC_N(nc_negative_binomial_log_density_at)(nc_pair_f64 y, NC_REAL mu, NC_REAL phi)
{
    if (y.high == NC_C64(0.0)) {
        NC_REAL ratio = mu / phi;
        if (ratio < NC_C(0.25) * NC_UNIT_ROUNDOFF) { // phi log1p(mu/phi) = mu, and the quotient may underflow
            return NC_C(0.0) - mu;
        }
        return NC_N(nc_is_below_inf)(ratio) ? NC_C(0.0) - phi * NC_N(nc_log1p)(ratio)
                                            : -phi * (NC_N(nc_log)(mu) - NC_N(nc_log)(phi));
    }
    if (mu == NC_C(0.0)) {
        return -NC_N(nc_inf)();
    }
    NC_N(nc_negative_binomial) at = NC_N(nc_negative_binomial_at)(y, mu, phi);
    NC_N(nc_pair) shape = NC_N(nc_pair_of)(phi);
    NC_N(nc_pair) share = at.shape_share, ratio = NC_N(nc_pair_quotient)(at.total, at.sum);
    NC_N(nc_pair) mean = NC_N(nc_pair_product)(ratio, NC_N(nc_pair_of)(mu));
    if (!(NC_N(nc_is_below_inf)(ratio.high))) { // so large that mu/s does not underflow
        mean = NC_N(nc_pair_product)(at.total, at.mean_share);
    }
    NC_REAL first = NC_N(nc_deviance)(at.sum, at.total, NC_N(nc_pair_minus)(NC_N(nc_pair_of)(NC_C(0.0)), at.deviation));
    if (NC_N(nc_is_below_inf)(first)) {
        first = share.high * first;
    } else { // s is so large that only phi (log(s/N) - 1) is left of the product
        first = phi * (NC_N(nc_log_quotient)(at.sum, at.total).high - NC_C(1.0));
    }
    NC_REAL second = NC_N(nc_negative_binomial_deviance)(at, mean, mu);
    NC_REAL peak = NC_C(0.5) * (NC_N(nc_log_quotient)(shape, at.total).high - NC_N(nc_log)(at.count.high)) - NC_N(NC_HALF_LOG_2PI);
    NC_REAL remainders = (NC_N(nc_stirling)(at.total.high) - NC_N(nc_stirling)(phi)) - NC_N(nc_stirling)(at.count.high);
    return (peak + remainders) - (first + second);
}
NC_FN NC_REAL NC_N(nc_negative_binomial_log_density)(nc_i64 y, NC_REAL mu, NC_REAL phi)
{
    return NC_N(nc_negative_binomial_log_density_at)(nc_count_pair(y), mu, phi);
}

NC_FN_APART NC_REAL NC_N(nc_negative_binomial_dispersion_score)(nc_i64 y, NC_REAL mu, NC_REAL phi)
{
    NC_N(nc_negative_binomial) at = NC_N(nc_negative_binomial_at)(nc_count_pair(y), mu, phi);
    if (y == 0) { // log(phi/s) + mu/s
        NC_N(nc_pair) sum = NC_N(nc_pair_plus)(NC_N(nc_log_quotient)(NC_N(nc_pair_of)(phi), at.sum), at.mean_share);
        return at.mean_share.high < NC_C(0.25) ? NC_N(nc_log1pmx)(-at.mean_share.high) : sum.high;
    }
    NC_N(nc_pair) excess = NC_N(nc_pair_quotient)(at.deviation, at.sum); // N/s - 1
    if (!(NC_N(nc_is_below_inf)(NC_FABS(excess.high)))) {                // 1/phi - y/s is all that shows
        return NC_FMA(-at.count.high, at.shape_share.high, NC_C(1.0)) / phi;
    }
    NC_REAL log_part;
    if (excess.high > NC_C(-0.25)) {
        log_part = NC_N(nc_log1pmx)(excess.high);
    } else {
        NC_N(nc_pair) ratio = NC_N(nc_log_quotient)(at.total, at.sum);
        NC_N(nc_pair) difference = NC_N(nc_pair_minus)(ratio, excess);
        log_part = difference.high;
    }
    NC_REAL remainder = NC_N(nc_digamma_remainder)(phi) - NC_N(nc_digamma_remainder)(at.total.high);
    return log_part + (NC_C(0.5) * (at.count.high / at.total.high) / phi + remainder);
}

NC_FN NC_REAL NC_N(nc_negative_binomial_mean_score)(nc_pair_f64 y, NC_REAL mu, NC_REAL phi)
{
    if (mu == NC_C(0.0)) {
        return y.high == NC_C64(0.0) ? NC_C(-1.0) : NC_N(nc_inf)();
    }
    NC_REAL deviation = NC_N(nc_narrow)(nc_pair_minus_f64(y, NC_N(nc_wide_of)(mu))).high;
    NC_REAL quotient = deviation / mu, share = phi / (mu + phi);
    if (share < NC_N(nc_pow2)(1 - NC_EXPONENT_BIAS) && NC_N(nc_is_finite)(quotient)) { // it may have lost its digits
        return phi * quotient / (mu + phi);
    }
    return NC_N(nc_is_finite)(quotient) ? quotient * share : deviation * share / mu;
}

NC_FN NC_N(nc_term) NC_N(nc_negative_binomial_observed)(nc_i64 y, NC_REAL mu, NC_REAL phi, nc_u32 flags)
{
    if (y < 0) {
        return NC_N(nc_term_off_support)();
    }
    nc_i32 status = y > 0 && mu == NC_C(0.0) ? NC_STATS_OFF_SUPPORT : NC_STATS_OK;
    NC_N(nc_term) term = NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), status);
    if (flags & NC_STATS_WANT_GRADIENT) {
        term.gradient[0] = NC_N(nc_negative_binomial_mean_score)(nc_count_pair(y), mu, phi);
        term.gradient[1] = NC_N(nc_negative_binomial_dispersion_score)(y, mu, phi);
    } else {
        term.log_density = NC_N(nc_negative_binomial_log_density)(y, mu, phi);
    }
    return term;
}
