// SPDX-License-Identifier: Apache-2.0
// Beta prior density. Body: included by stats.h.
//   a, b >= 2   log(n + 1) + binomial form of a - 1 successes in n = a + b - 2 trials with probability x (Loader 2000)
//   a = 1       log b + (b - 1) log1p(-x), and b = 1 likewise
//   else        (a - 1) log x + (b - 1) log1p(-x) - log B(a, b), with log B from S, so that no large lgammas are subtracted
//   d x = ((a - 1) - n x)/(x (1 - x)),  d a = log(x (a + b)/a) + b/(2 a (a + b)) + rho(a) - rho(a + b)

NC_FN nc_i32 NC_N(nc_beta_is_valid)(NC_REAL a, NC_REAL b)
{
    return NC_N(nc_is_positive)(a) && NC_N(nc_is_positive)(b) && NC_N(nc_is_below_inf)(a + b);
}

// log B(a, b) for a < 2:
// lgamma(a) + S(b) - S(a + b) - b log1pmx(a/b) + log1p(a/b)/2 - a log(a + b)
NC_FN_APART NC_REAL NC_N(nc_log_beta)(NC_REAL a, NC_REAL b)
{
    NC_REAL ratio = a / b, sum = a + b;
    NC_REAL remainders = NC_N(nc_stirling)(b) - NC_N(nc_stirling)(sum);
    NC_REAL middle = NC_FMA(-b, NC_N(nc_log1pmx)(ratio), NC_C(0.5) * NC_N(nc_log1p)(ratio));
    return (NC_N(nc_lgamma_below_2)(a) - a * NC_N(nc_log)(sum)) + (middle + remainders);
}

// k log x, 0 at k = 0 even where x = 0.
NC_FN NC_REAL NC_N(nc_beta_power)(NC_REAL k, NC_REAL log_x)
{
    return k == NC_C(0.0) ? NC_C(0.0) : k * log_x;
}

NC_FN_APART NC_REAL NC_N(nc_beta_log_density)(NC_REAL x, NC_REAL a, NC_REAL b)
{
    NC_REAL k = a - NC_C(1.0), m = b - NC_C(1.0);
    NC_REAL log_x = NC_N(nc_log)(x), log_y = NC_N(nc_log1p)(-x);
    if (x == NC_C(0.0) && k != NC_C(0.0)) {
        return k < NC_C(0.0) ? NC_N(nc_inf)() : -NC_N(nc_inf)();
    }
    if (x == NC_C(1.0) && m != NC_C(0.0)) {
        return m < NC_C(0.0) ? NC_N(nc_inf)() : -NC_N(nc_inf)();
    }
    if (k == NC_C(0.0)) {
        return NC_N(nc_log)(b) + NC_N(nc_beta_power)(m, log_y);
    }
    if (m == NC_C(0.0)) {
        return NC_N(nc_log)(a) + k * log_x;
    }
    if (a < NC_C(2.0) || b < NC_C(2.0)) {
        NC_REAL log_beta = a <= b ? NC_N(nc_log_beta)(a, b) : NC_N(nc_log_beta)(b, a);
        return NC_FMA(k, log_x, m * log_y) - log_beta;
    }
    NC_N(nc_pair) first = NC_N(nc_sum_exact)(a, NC_C(-1.0)), second = NC_N(nc_sum_exact)(b, NC_C(-1.0)); // k and m, exactly
    NC_N(nc_pair) n = NC_N(nc_pair_plus)(first, second), y = NC_N(nc_sum_exact)(NC_C(1.0), -x);
    NC_N(nc_pair) mean = NC_N(nc_pair_product)(n, NC_N(nc_pair_of)(x)), rest = NC_N(nc_pair_product)(n, y);
    NC_REAL peak = NC_N(nc_binomial_peak)(n, first, second) + NC_N(nc_log1p)(n.high);
    if (!(mean.high > NC_N(nc_pow2)(2 * NC_MANTISSA_BITS + 2 - NC_EXPONENT_BIAS))) { // the mean's low part underflows
        NC_REAL entropy = NC_N(nc_binomial_entropy)(n, first, second) + NC_N(nc_binomial_entropy)(n, second, first);
        return NC_FMA(k, log_x, m * log_y) + (entropy + peak);
    }
    NC_N(nc_pair) above = NC_N(nc_pair_minus)(first, mean), below; // mean - first itself could overflow inside the exact sum
    below.high = -above.high;
    below.low = -above.low;
    return peak - (NC_N(nc_deviance)(first, mean, above) + NC_N(nc_deviance)(second, rest, below));
}

// d log f / d a at the pair x > 0: the same for b at 1 - x.
NC_FN_APART NC_REAL NC_N(nc_beta_shape_score)(NC_N(nc_pair) x, NC_REAL a, NC_REAL b)
{
    NC_N(nc_pair) sum = NC_N(nc_sum_exact)(a, b);
    if (sum.high < NC_C(0.25) * NC_UNIT_ROUNDOFF) { // 1/a - 1/(a + b), whose terms may overflow, and nothing else but the logarithm
        return NC_N(nc_log_pair)(x.high, x.low).high + b / sum.high / a;
    }
    NC_N(nc_pair)
    ratio = NC_N(nc_pair_minus)(NC_N(nc_log_pair)(x.high, x.low),
                                NC_N(nc_log_quotient)(NC_N(nc_pair_of)(a), sum)); // log x - log(a/(a + b))
    NC_N(nc_pair) product = NC_N(nc_pair_product)(x, sum);
    if (product.high > NC_C(0.5) * a && product.high < NC_C(2.0) * a) {
        ratio = NC_N(nc_log_quotient)(product, NC_N(nc_pair_of)(a));
    }
    NC_REAL middle = NC_C(0.5) * (b / sum.high) / a;
    return ratio.high + (ratio.low + (middle + (NC_N(nc_digamma_remainder)(a) - NC_N(nc_digamma_remainder)(sum.high))));
}

NC_FN NC_REAL NC_N(nc_beta_value_score)(NC_REAL x, NC_REAL a, NC_REAL b)
{
    NC_REAL k = a - NC_C(1.0), m = b - NC_C(1.0);
    if (x == NC_C(0.0)) {
        return k == NC_C(0.0) ? NC_C(0.0) - m : NC_COPYSIGN(NC_N(nc_inf)(), k);
    }
    if (x == NC_C(1.0)) {
        return m == NC_C(0.0) ? k : NC_COPYSIGN(NC_N(nc_inf)(), -m);
    }
    // (a - 1) - ((a - 1) + (b - 1)) x; below shape 1/2 even a - 1 is rounded, so it is a pair
    NC_N(nc_pair) first = NC_N(nc_sum_exact)(a, NC_C(-1.0)), second = NC_N(nc_sum_exact)(b, NC_C(-1.0));
    NC_N(nc_pair) mean = NC_N(nc_pair_product)(NC_N(nc_pair_plus)(first, second), NC_N(nc_pair_of)(x));
    return NC_N(nc_pair_minus)(first, mean).high / x / (NC_C(1.0) - x);
}

NC_FN NC_N(nc_term) NC_N(nc_prior_beta)(NC_REAL x, NC_REAL a, NC_REAL b, nc_u32 flags)
{
    if (!NC_N(nc_beta_is_valid)(a, b)) {
        return NC_N(nc_term_invalid)(NC_STATS_INVALID_PARAMETER);
    }
    if (!(x >= NC_C(0.0) && x <= NC_C(1.0))) {
        return NC_N(nc_term_off_support)();
    }
    NC_N(nc_term) term = NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), NC_STATS_OK);
    if (!(flags & NC_STATS_WANT_GRADIENT)) {
        term.log_density = NC_N(nc_beta_log_density)(x, a, b);
        return term;
    }
    NC_N(nc_pair) rest = NC_N(nc_sum_exact)(NC_C(1.0), -x);
    term.gradient[0] = NC_N(nc_beta_value_score)(x, a, b);
    term.gradient[1] = x > NC_C(0.0) ? NC_N(nc_beta_shape_score)(NC_N(nc_pair_of)(x), a, b) : -NC_N(nc_inf)();
    term.gradient[2] = x < NC_C(1.0) ? NC_N(nc_beta_shape_score)(rest, b, a) : -NC_N(nc_inf)();
    return term;
}
