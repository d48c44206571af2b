// SPDX-License-Identifier: Apache-2.0
// Normal and log-normal densities, as observations and as priors. Body: included by stats.h.
//   log f = -z^2/2 - log sigma - log(2 pi)/2, z = (y - mu)/sigma; log-normal: z = (log y - mu)/sigma, and - log y
//   d mu = z/sigma, d sigma = (z^2 - 1)/sigma

NC_FN NC_REAL NC_N(nc_normal_log_density)(NC_REAL z, NC_REAL sigma)
{
    return NC_FMA(NC_C(-0.5) * z, z, -NC_N(NC_HALF_LOG_2PI)) - NC_N(nc_log)(sigma);
}

NC_FN nc_i32 NC_N(nc_normal_is_valid)(NC_REAL mu, NC_REAL sigma)
{
    return NC_N(nc_is_finite)(mu) && NC_N(nc_is_positive)(sigma);
}

// (a - b)/sigma for finite a and b, also where a - b overflows.
NC_FN NC_REAL NC_N(nc_standardise)(NC_REAL a, NC_REAL b, NC_REAL sigma)
{
    NC_REAL difference = a - b;
    if (NC_N(nc_is_finite)(difference)) {
        return difference / sigma;
    }
    return NC_C(4.0) * ((NC_C(0.25) * a - NC_C(0.25) * b) / sigma);
}

// a b/c, which may be finite where a b is not.
NC_FN NC_REAL NC_N(nc_product_over)(NC_REAL a, NC_REAL b, NC_REAL c)
{
    NC_REAL product = a * b;
    return NC_N(nc_is_finite)(product) ? product / c : a / c * b;
}

// (z^2 - 1)/sigma.
NC_FN NC_REAL NC_N(nc_normal_sigma_score)(NC_REAL z, NC_REAL sigma)
{
    NC_REAL square = NC_FMA(z, z, NC_C(-1.0));
    return NC_N(nc_is_below_inf)(square) ? square / sigma : NC_N(nc_product_over)(z, z, sigma);
}

// log y - mu, which cancels: the logarithm keeps its low part.
NC_FN NC_REAL NC_N(nc_log_difference)(NC_REAL y, NC_REAL mu)
{
    NC_N(nc_pair) log_y = NC_N(nc_log_pair)(y, NC_C(0.0));
    NC_N(nc_pair) difference = NC_N(nc_sum_exact)(log_y.high, -mu);
    return difference.high + (difference.low + log_y.low);
}

NC_FN NC_N(nc_term) NC_N(nc_normal_observed)(NC_REAL y, NC_REAL mu, NC_REAL sigma)
{
    if (!NC_N(nc_is_finite)(y)) {
        return NC_N(nc_term_off_support)();
    }
    NC_REAL z = NC_N(nc_standardise)(y, mu, sigma);
    NC_N(nc_term) term = NC_N(nc_term_of)(NC_N(nc_normal_log_density)(z, sigma), NC_C(0.0), NC_STATS_OK);
    term.gradient[0] = z / sigma;
    term.gradient[1] = NC_N(nc_normal_sigma_score)(z, sigma);
    return term;
}

NC_FN NC_N(nc_term) NC_N(nc_lognormal_observed)(NC_REAL y, NC_REAL mu, NC_REAL sigma)
{
    if (!NC_N(nc_is_positive)(y)) {
        return NC_N(nc_term_off_support)();
    }
    NC_REAL z = NC_N(nc_log_difference)(y, mu) / sigma;
    NC_REAL value = NC_N(nc_normal_log_density)(z, sigma) - NC_N(nc_log)(y);
    NC_N(nc_term) term = NC_N(nc_term_of)(value, NC_C(0.0), NC_STATS_OK);
    term.gradient[0] = z / sigma;
    term.gradient[1] = NC_N(nc_normal_sigma_score)(z, sigma);
    return term;
}

// Priors: gradient in x, then in the parameters.
NC_FN NC_N(nc_term) NC_N(nc_prior_normal)(NC_REAL x, NC_REAL mu, NC_REAL sigma)
{
    if (!NC_N(nc_normal_is_valid)(mu, sigma)) {
        return NC_N(nc_term_invalid)(NC_STATS_INVALID_PARAMETER);
    }
    NC_N(nc_term) term = NC_N(nc_normal_observed)(x, mu, sigma);
    term.gradient[2] = term.gradient[1];
    term.gradient[1] = term.gradient[0];
    term.gradient[0] = NC_C(0.0) - term.gradient[1];
    return term;
}

NC_FN NC_N(nc_term) NC_N(nc_prior_lognormal)(NC_REAL x, NC_REAL mu, NC_REAL sigma)
{
    if (!NC_N(nc_normal_is_valid)(mu, sigma)) {
        return NC_N(nc_term_invalid)(NC_STATS_INVALID_PARAMETER);
    }
    NC_N(nc_term) term = NC_N(nc_lognormal_observed)(x, mu, sigma);
    if (term.status == NC_STATS_OK) { // d x = -(1 + z/sigma)/x
        term.gradient[2] = term.gradient[1];
        term.gradient[1] = term.gradient[0];
        NC_REAL score = term.gradient[1]; // z/sigma
        term.gradient[0] = NC_N(nc_is_finite)(score)
                               ? -(NC_C(1.0) + score) / x
                               : -NC_N(nc_score_of_parts)(NC_N(nc_log_difference)(x, mu), NC_C(1.0), x, sigma);
    }
    return term;
}

// Half-normal: |Normal(0, sigma)|, log f = log(2/pi)/2 - log sigma - z^2/2 for x >= 0.
NC_FN NC_N(nc_term) NC_N(nc_prior_half_normal)(NC_REAL x, NC_REAL sigma)
{
    if (!NC_N(nc_is_positive)(sigma)) {
        return NC_N(nc_term_invalid)(NC_STATS_INVALID_PARAMETER);
    }
    if (!(x >= NC_C(0.0) && NC_N(nc_is_finite)(x))) {
        return NC_N(nc_term_off_support)();
    }
    NC_REAL z = x / sigma;
    NC_REAL value = NC_FMA(NC_C(-0.5) * z, z, NC_N(NC_HALF_LOG_2_OVER_PI)) - NC_N(nc_log)(sigma);
    NC_N(nc_term) term = NC_N(nc_term_of)(value, NC_C(0.0), NC_STATS_OK);
    term.gradient[0] = NC_C(0.0) - z / sigma;
    term.gradient[1] = NC_N(nc_normal_sigma_score)(z, sigma);
    return term;
}
