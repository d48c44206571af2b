// SPDX-License-Identifier: Apache-2.0
// The parts of lgamma and digamma that densities need; none has a zero where it is used. Body: included by elementary.h.
//   S(x)   = lgamma(x + 1) - (x + 1/2) log x + x - log(2 pi)/2 = 1/(12 x) - 1/(360 x^3) + ...   Abramowitz & Stegun 6.1.41
//   rho(x) = log x - 1/(2 x) - psi(x) = 1/(12 x^2) - 1/(120 x^4) + ...                          Abramowitz & Stegun 6.3.18

// lgamma(1 + a) for 0 <= a <= 1: -a (1 - a) M(a).
NC_FN_APART NC_REAL NC_N(nc_lgamma1p)(NC_REAL a)
{
    NC_N(nc_pair) ratio = NC_N(nc_polynomial_pair)(NC_N(nc_lgamma_ratio), NC_N(nc_lgamma_ratio_terms), a - NC_C(0.5));
    NC_N(nc_pair) square = NC_N(nc_product_exact)(a, a);
    NC_N(nc_pair) factor = NC_N(nc_sum_ordered)(a, -square.high);
    return -NC_FMA(factor.high, ratio.high, NC_FMA(factor.high, ratio.low, (factor.low - square.low) * ratio.high));
}

// Stirling remainder S(x), x >= 0. 0 gives +inf.
NC_FN_APART NC_REAL NC_N(nc_stirling)(NC_REAL x)
{
    if (x >= NC_C(8.0)) {
        return NC_N(nc_far_quotient)(NC_N(nc_stirling_far), NC_N(nc_stirling_far_terms), x).high;
    }
    if (x >= NC_C(0.25)) {
        return NC_N(nc_piecewise)(NC_N(nc_stirling_piece), NC_N(nc_stirling_piece_terms), -2, x).high;
    }
    if (!(x > NC_C(0.0))) {
        return x == NC_C(0.0) ? NC_N(nc_inf)() : NC_N(nc_nan)();
    }
    // -log(x)/2 - log(2 pi)/2 - x log x + x + lgamma(1 + x)
    NC_N(nc_pair) log_x = NC_N(nc_log_pair)(x, NC_C(0.0));
    NC_N(nc_pair) first = NC_N(nc_sum_exact)(NC_C(-0.5) * log_x.high, -NC_N(NC_HALF_LOG_2PI));
    NC_N(nc_pair) second = NC_N(nc_product_exact)(-x, log_x.high);
    NC_N(nc_pair) total = NC_N(nc_sum_exact)(first.high, second.high);
    NC_REAL low = (first.low + second.low) - NC_FMA(NC_C(0.5) + x, log_x.low, NC_N(NC_HALF_LOG_2PI_LOW));
    return total.high + (total.low + (low + (x + NC_N(nc_lgamma1p)(x))));
}

// Digamma remainder rho(x), x >= 0. 0 gives +inf.
NC_FN_APART NC_REAL NC_N(nc_digamma_remainder)(NC_REAL x)
{
    if (x >= NC_C(8.0)) {
        if (x > NC_N(nc_pow2)(NC_EXPONENT_BIAS / 2)) { // x^2 may overflow, the result may still be above 0
            return NC_N(nc_digamma_far)[1] / x / x;
        }
        NC_N(nc_pair) square = NC_N(nc_product_exact)(x, x);
        NC_N(nc_pair)
        numerator = NC_N(nc_polynomial_pair)(NC_N(nc_digamma_far), NC_N(nc_digamma_far_terms), NC_C(1.0) / square.high);
        NC_N(nc_pair) quotient = NC_N(nc_quotient)(numerator.high, numerator.low, square.high, square.low);
        return quotient.high + quotient.low;
    }
    if (x >= NC_C(0.25)) {
        return NC_N(nc_piecewise)(NC_N(nc_digamma_piece), NC_N(nc_digamma_piece_terms), -2, x).high;
    }
    if (!(x > NC_C(0.0))) {
        return x == NC_C(0.0) ? NC_N(nc_inf)() : NC_N(nc_nan)();
    }
    NC_REAL inverse = NC_C(0.5) / x; // log x + 1/(2 x) - psi(1 + x), psi(1 + x) = -Euler + x h(x)
    if (!NC_N(nc_is_below_inf)(inverse)) {
        return inverse;
    }
    NC_REAL inverse_low = NC_FMA(-inverse, x, NC_C(0.5)) / x;
    NC_REAL slope = NC_N(nc_polynomial)(NC_N(nc_digamma_slope), NC_N(nc_digamma_slope_terms), x);
    NC_N(nc_pair) log_x = NC_N(nc_log_pair)(x, NC_C(0.0));
    NC_N(nc_pair) first = NC_N(nc_sum_exact)(inverse, log_x.high);
    NC_N(nc_pair) total = NC_N(nc_sum_exact)(first.high, NC_N(NC_EULER));
    NC_REAL low = (first.low + inverse_low) + (log_x.low + NC_N(NC_EULER_LOW));
    return total.high + (total.low + NC_FMA(-x, slope, low));
}
