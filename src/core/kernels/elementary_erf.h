// SPDX-License-Identifier: Apache-2.0
// Complementary error function and its scaled form. Body: included by elementary.h.
// erfcx(x) = e^(x^2) erfc(x) for x >= 0: a polynomial on [0, 1/2), eighths of octaves up to 16, x erfcx(x) in 1/x^2 beyond.

// x >= 0.
NC_FN_APART NC_N(nc_pair) NC_N(nc_erfcx_positive)(NC_REAL x)
{
    if (x < NC_C(0.5)) {
        return NC_N(nc_polynomial_pair)(NC_N(nc_erfcx_near), NC_N(nc_erfcx_near_terms), x - NC_C(0.25));
    }
    if (x < NC_C(16.0)) {
        return NC_N(nc_piecewise)(NC_N(nc_erfcx_piece), NC_N(nc_erfcx_piece_terms), -1, x);
    }
    return NC_N(nc_far_quotient)(NC_N(nc_erfcx_far), NC_N(nc_erfcx_far_terms), x);
}

// e^(x^2) erfc(x). +inf where 2 e^(x^2) overflows (x below about -26.6; float32 -9.38).
NC_FN_APART NC_REAL NC_N(nc_erfcx)(NC_REAL x)
{
    if (x >= NC_C(0.0)) {
        return NC_N(nc_erfcx_positive)(x).high;
    }
    if (x != x) {
        return NC_N(nc_nan)();
    }
    NC_N(nc_pair) square = NC_N(nc_product_exact)(x, x);
    if (square.high > NC_N(NC_EXP_OVERFLOW)) {
        return NC_N(nc_inf)();
    }
    nc_i32 exponent; // 2 e^(x^2) - erfcx(-x)
    NC_N(nc_pair) power = NC_N(nc_exp_pair)(square.high, square.low, &exponent);
    NC_REAL scale = exponent > NC_MANTISSA_BITS + 3 ? NC_C(0.0) : NC_N(nc_pow2)(-1 - exponent);
    NC_N(nc_pair) other = NC_N(nc_erfcx_positive)(-x);
    NC_N(nc_pair) sum = NC_N(nc_sum_ordered)(power.high, -(other.high * scale));
    return NC_N(nc_scale_near)(sum.high + (sum.low + NC_FMA(-other.low, scale, power.low)), exponent + 1);
}

// 1 - erf(x), with a relative error bounded until it underflows.
NC_FN NC_REAL NC_N(nc_erfc)(NC_REAL x)
{
    if (x != x) {
        return NC_N(nc_nan)();
    }
    NC_N(nc_pair) square = NC_N(nc_product_exact)(x, x);
    if (!(-square.high >= NC_N(NC_EXP_UNDERFLOW))) {
        return x > NC_C(0.0) ? NC_C(0.0) : NC_C(2.0);
    }
    nc_i32 exponent;
    NC_N(nc_pair) power = NC_N(nc_exp_pair)(-square.high, -square.low, &exponent);
    NC_N(nc_pair) scaled = NC_N(nc_erfcx_positive)(NC_FABS(x));
    NC_REAL low = NC_FMA(power.high, scaled.low, power.low * scaled.high);
    NC_REAL value = NC_N(nc_scale_near)(NC_FMA(power.high, scaled.high, low), exponent);
    return x < NC_C(0.0) ? NC_C(2.0) - value : value;
}
