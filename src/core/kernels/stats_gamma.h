// SPDX-License-Identifier: Apache-2.0
// Gamma density, shape a and rate b, as observation and as prior. Body: included by stats.h. With x = b y, k = a - 1:
//   a >= 2  log f = -log(2 pi k)/2 - S(k) - deviance(k, x) + log b          (Loader 2000)
//   a <  2  log f = (a - 1) log x - x - lgamma(a) + log b
//   d b = (a - x)/b, d a = log x - psi(a) = log(x/a) + 1/(2 a) + rho(a)
// The product x and the differences are pairs: both cancel.

NC_FN nc_i32 NC_N(nc_gamma_is_valid)(NC_REAL a, NC_REAL b)
{
    return NC_N(nc_is_positive)(a) && NC_N(nc_is_positive)(b);
}

// log(b y) although the product may leave the range.
NC_FN NC_N(nc_pair) NC_N(nc_log_product)(NC_REAL b, NC_REAL y, NC_N(nc_pair) x)
{
    if (x.high > NC_N(nc_pow2)(NC_MANTISSA_BITS + 3 - NC_EXPONENT_BIAS) && NC_N(nc_is_below_inf)(x.high)) {
        return NC_N(nc_log_pair)(x.high, x.low);
    }
    NC_N(nc_pair) log_b = NC_N(nc_log_pair)(b, NC_C(0.0)), log_y = NC_N(nc_log_pair)(y, NC_C(0.0));
    NC_N(nc_pair) sum = NC_N(nc_sum_exact)(log_b.high, log_y.high);
    return NC_N(nc_sum_ordered)(sum.high, sum.low + (log_b.low + log_y.low));
}

// lgamma(a) for 0 < a < 2.
NC_FN_APART NC_REAL NC_N(nc_lgamma_below_2)(NC_REAL a)
{
    return a <= NC_C(1.0) ? NC_N(nc_lgamma1p)(a) - NC_N(nc_log)(a) : NC_N(nc_lgamma1p)(a - NC_C(1.0));
}

// deviance(k, b y) where the product overflows: that of quarters. It is a number only where k is nearly as large.
NC_FN_APART NC_REAL NC_N(nc_gamma_large_deviance)(NC_REAL y, NC_REAL k, NC_REAL b)
{
    NC_N(nc_pair) quarter = NC_N(nc_product_exact)(b < y ? b : NC_C(0.25) * b, b < y ? NC_C(0.25) * y : y);
    NC_N(nc_pair) shape = NC_N(nc_pair_of)(NC_C(0.25) * k);
    if (!(k > NC_C(1.0)) || !(NC_N(nc_is_below_inf)(quarter.high))) {
        return NC_N(nc_inf)();
    }
    return NC_C(4.0) * NC_N(nc_deviance)(shape, quarter, NC_N(nc_pair_minus)(shape, quarter));
}

NC_FN_APART NC_REAL NC_N(nc_gamma_log_density)(NC_REAL y, NC_REAL a, NC_REAL b)
{
    NC_REAL k = a - NC_C(1.0);
    NC_N(nc_pair) x = NC_N(nc_product_exact)(b, y);
    if (y == NC_C(0.0)) {
        return a < NC_C(1.0) ? NC_N(nc_inf)() : a == NC_C(1.0) ? NC_N(nc_log)(b) : -NC_N(nc_inf)();
    }
    if (!(NC_N(nc_is_below_inf)(x.high))) {
        return -NC_N(nc_gamma_large_deviance)(y, k, b);
    }
    if (a < NC_C(2.0) ||
        !(x.high > NC_N(nc_pow2)(2 * NC_MANTISSA_BITS + 2 - NC_EXPONENT_BIAS))) { // the product's low part underflows
        NC_REAL log_x = NC_N(nc_log_product)(b, y, x).high;
        NC_REAL power = k == NC_C(0.0) ? NC_C(0.0) : k * log_x;
        if (a < NC_C(2.0)) {
            return (NC_N(nc_log)(b) - NC_N(nc_lgamma_below_2)(a)) + (power - x.high);
        }
        return NC_N(nc_log)(b) + (power - (NC_N(nc_stirling)(k) + NC_N(nc_xlogy)(k + NC_C(0.5), k) - k + NC_N(NC_HALF_LOG_2PI)));
    }
    NC_N(nc_pair) shape = NC_N(nc_sum_exact)(a, NC_C(-1.0)); // above 2^24 (2^53) k itself is rounded
    NC_REAL deviance = NC_N(nc_deviance)(shape, x, NC_N(nc_pair_minus)(shape, x));
    NC_REAL peak = NC_FMA(NC_C(-0.5), NC_N(nc_log)(k), -NC_N(NC_HALF_LOG_2PI)) - NC_N(nc_stirling)(k);
    return (NC_N(nc_log)(b) + peak) - deviance;
}

// d a and d b at y > 0.
NC_FN_APART NC_REAL NC_N(nc_gamma_shape_score)(NC_REAL y, NC_REAL a, NC_REAL b)
{
    NC_N(nc_pair) x = NC_N(nc_product_exact)(b, y);
    NC_N(nc_pair) log_ratio;
    if (x.high > NC_N(nc_pow2)(NC_MANTISSA_BITS + 3 - NC_EXPONENT_BIAS) && NC_N(nc_is_below_inf)(x.high)) {
        log_ratio = NC_N(nc_log_quotient)(x, NC_N(nc_pair_of)(a));
    } else {
        log_ratio = NC_N(nc_pair_minus)(NC_N(nc_log_product)(b, y, x), NC_N(nc_log_pair)(a, NC_C(0.0)));
    }
    return log_ratio.high + (log_ratio.low + (NC_C(0.5) / a + NC_N(nc_digamma_remainder)(a)));
}
NC_FN NC_REAL NC_N(nc_gamma_rate_score)(NC_REAL y, NC_REAL a, NC_REAL b)
{
    NC_N(nc_pair) x = NC_N(nc_product_exact)(b, y);
    if (x.high > NC_N(nc_pow2)(2 * NC_MANTISSA_BITS + 2 - NC_EXPONENT_BIAS) && NC_N(nc_is_below_inf)(x.high)) {
        return NC_N(nc_pair_minus)(NC_N(nc_pair_of)(a), x).high / b;
    }
    return a / b - y; // the product, or its low part, left the range
}

NC_FN NC_N(nc_term) NC_N(nc_gamma_observed)(NC_REAL y, NC_REAL a, NC_REAL b, nc_u32 flags)
{
    if (!(y >= NC_C(0.0) && NC_N(nc_is_finite)(y))) {
        return NC_N(nc_term_off_support)();
    }
    NC_N(nc_term) term = NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), NC_STATS_OK);
    if (flags & NC_STATS_WANT_GRADIENT) {
        term.gradient[0] = y > NC_C(0.0) ? NC_N(nc_gamma_shape_score)(y, a, b) : -NC_N(nc_inf)();
        term.gradient[1] = NC_N(nc_gamma_rate_score)(y, a, b);
    } else {
        term.log_density = NC_N(nc_gamma_log_density)(y, a, b);
    }
    return term;
}

NC_FN NC_N(nc_term) NC_N(nc_prior_gamma)(NC_REAL x, NC_REAL a, NC_REAL b, nc_u32 flags)
{
    if (!NC_N(nc_gamma_is_valid)(a, b)) {
        return NC_N(nc_term_invalid)(NC_STATS_INVALID_PARAMETER);
    }
    NC_N(nc_term) term = NC_N(nc_gamma_observed)(x, a, b, flags);
    if (term.status == NC_STATS_OK) { // d x = ((a - 1) - b x)/x; at 0 the sign of a - 1 decides
        NC_REAL k = a - NC_C(1.0);
        NC_N(nc_pair) product = NC_N(nc_product_exact)(b, x);
        NC_N(nc_pair) slope = NC_N(nc_pair_minus)(NC_N(nc_sum_exact)(a, NC_C(-1.0)), product);
        term.gradient[2] = term.gradient[1];
        term.gradient[1] = term.gradient[0];
        term.gradient[0] = k == NC_C(0.0) ? -b : NC_COPYSIGN(NC_N(nc_inf)(), k);
        if (x > NC_C(0.0)) {
            term.gradient[0] = NC_N(nc_is_below_inf)(product.high) ? slope.high / x : k / x - b;
        }
    }
    return term;
}
