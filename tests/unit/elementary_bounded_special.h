// SPDX-License-Identifier: Apache-2.0
// kernels/elementary_erf.h, elementary_gamma.h and elementary_link.h again, each operation with its error bound. Body: after
// elementary_bounded_exp.h.

static NC_N(bounded_pair) NC_N(bounded_erfcx_positive)(NC_REAL x)
{
    if (x < NC_C(0.5)) {
        NC_N(bounded) centre = NC_N(bounded_exact)(NC_C(-0.25)), exact = NC_N(bounded_exact)(x);
        NC_N(bounded)
        t = x >= NC_C(0.125) ? NC_N(bounded_sum_exact)(exact, centre) : NC_N(bounded_sum)(exact, centre);
        return BOUNDED_POLYNOMIAL(nc_erfcx_near, t);
    }
    return x < NC_C(16.0) ? BOUNDED_PIECEWISE(nc_erfcx_piece, -1, x) : BOUNDED_FAR(nc_erfcx_far, x);
}
static NC_N(bounded_pair) NC_N(bounded_square)(NC_REAL x, NC_REAL sign)
{
    NC_N(bounded_pair) square = NC_N(bounded_two_product)(NC_N(bounded_exact)(x), NC_N(bounded_exact)(x));
    square.high = sign * square.high;
    square.low = sign * square.low;
    return square;
}
static NC_N(bounded) NC_N(bounded_erfcx)(NC_REAL x)
{
    if (x >= NC_C(0.0)) {
        return NC_N(bounded_alone)(NC_N(bounded_erfcx_positive)(x));
    }
    nc_i32 exponent;
    NC_N(bounded_pair) power = NC_N(bounded_exp_pair)(NC_N(bounded_square)(x, NC_C(1.0)), &exponent);
    NC_N(bounded_pair) other = NC_N(bounded_erfcx_positive)(-x);
    bool is_lost = exponent > NC_MANTISSA_BITS + 3;
    NC_REAL scale = is_lost ? NC_C(0.0) : NC_N(nc_pow2)(-1 - exponent);
    NC_N(bounded_pair) sum = NC_N(bounded_two_sum)(NC_N(bounded_high)(power), NC_N(bounded_exact)(-(other.high * scale)));
    NC_N(bounded)
    low = NC_N(bounded_fma)(NC_N(bounded_negative)(NC_N(bounded_low)(other)), NC_N(bounded_exact)(scale), NC_N(bounded_low)(power));
    low.error += is_lost ? fabs((double)other.high) * ldexp(1.0, -1 - exponent) / BOUNDED_UNIT : 0.0;
    low = NC_N(bounded_sum)(NC_N(bounded_low)(sum), low);
    return NC_N(bounded_scale)(NC_N(bounded_sum)(NC_N(bounded_high)(sum), low), exponent + 1);
}
static NC_N(bounded) NC_N(bounded_erfc)(NC_REAL x)
{
    nc_i32 exponent;
    NC_N(bounded_pair) power = NC_N(bounded_exp_pair)(NC_N(bounded_square)(x, NC_C(-1.0)), &exponent);
    NC_N(bounded_pair) scaled = NC_N(bounded_erfcx_positive)(NC_FABS(x));
    NC_N(bounded) low = NC_N(bounded_product)(NC_N(bounded_low)(power), NC_N(bounded_high)(scaled));
    low = NC_N(bounded_fma)(NC_N(bounded_high)(power), NC_N(bounded_low)(scaled), low);
    NC_N(bounded) value = NC_N(bounded_fma)(NC_N(bounded_high)(power), NC_N(bounded_high)(scaled), low);
    value = NC_N(bounded_scale)(value, exponent);
    return x < NC_C(0.0) ? NC_N(bounded_sum)(NC_N(bounded_exact)(NC_C(2.0)), NC_N(bounded_negative)(value)) : value;
}

static NC_N(bounded) NC_N(bounded_lgamma1p)(NC_REAL a)
{
    NC_N(bounded) half = NC_N(bounded_exact)(NC_C(-0.5)), exact = NC_N(bounded_exact)(a);
    NC_N(bounded) t = a >= NC_C(0.25) ? NC_N(bounded_sum_exact)(exact, half) : NC_N(bounded_sum)(exact, half);
    NC_N(bounded_pair) ratio = BOUNDED_POLYNOMIAL(nc_lgamma_ratio, t);
    NC_N(bounded_pair) square = NC_N(bounded_two_product)(exact, exact);
    NC_N(bounded_pair) factor = NC_N(bounded_two_sum)(exact, NC_N(bounded_exact)(-square.high));
    NC_N(bounded) low = NC_N(bounded_sum)(NC_N(bounded_low)(factor), NC_N(bounded_negative)(NC_N(bounded_low)(square)));
    low = NC_N(bounded_product)(low, NC_N(bounded_high)(ratio));
    low = NC_N(bounded_fma)(NC_N(bounded_high)(factor), NC_N(bounded_low)(ratio), low);
    return NC_N(bounded_negative)(NC_N(bounded_fma)(NC_N(bounded_high)(factor), NC_N(bounded_high)(ratio), low));
}
static NC_N(bounded) NC_N(bounded_stirling)(NC_REAL x)
{
    if (x >= NC_C(0.25)) {
        return NC_N(bounded_alone)(x >= NC_C(8.0) ? BOUNDED_FAR(nc_stirling_far, x) : BOUNDED_PIECEWISE(nc_stirling_piece, -2, x));
    }
    NC_N(bounded) exact = NC_N(bounded_exact)(x), constant = NC_N(bounded_exact)(NC_N(NC_HALF_LOG_2PI_LOW));
    NC_N(bounded_pair) log_x = NC_N(bounded_log_pair)(NC_N(bounded_argument)(x));
    NC_N(bounded_pair)
    first = NC_N(bounded_two_sum)(NC_N(bounded_exact)(NC_C(-0.5) * log_x.high), NC_N(bounded_exact)(-NC_N(NC_HALF_LOG_2PI)));
    NC_N(bounded_pair) second = NC_N(bounded_two_product)(NC_N(bounded_exact)(-x), NC_N(bounded_high)(log_x));
    NC_N(bounded_pair) total = NC_N(bounded_two_sum)(NC_N(bounded_high)(first), NC_N(bounded_high)(second));
    NC_N(bounded)
    low = NC_N(bounded_fma)(NC_N(bounded_sum)(NC_N(bounded_exact)(NC_C(0.5)), exact), NC_N(bounded_low)(log_x), constant);
    low = NC_N(bounded_sum)(NC_N(bounded_sum)(NC_N(bounded_low)(first), NC_N(bounded_low)(second)), NC_N(bounded_negative)(low));
    low = NC_N(bounded_sum)(low, NC_N(bounded_sum)(exact, NC_N(bounded_lgamma1p)(x)));
    return NC_N(bounded_sum)(NC_N(bounded_high)(total), NC_N(bounded_sum)(NC_N(bounded_low)(total), low));
}

static NC_N(bounded) NC_N(bounded_digamma_far)(NC_REAL x)
{
    NC_N(bounded) exact = NC_N(bounded_exact)(x);
    if (x > NC_N(nc_pow2)(NC_EXPONENT_BIAS / 2)) { // 1/12, rounded
        NC_REAL leading = NC_N(nc_digamma_far)[1];
        NC_N(bounded) value = NC_N(bounded_of)(leading, NC_N(bounded_rounding)(leading));
        return NC_N(bounded_ratio)(NC_N(bounded_ratio)(value, exact), exact);
    }
    NC_N(bounded_pair) square = NC_N(bounded_two_product)(exact, exact);
    NC_N(bounded) inverse = NC_N(bounded_ratio)(NC_N(bounded_exact)(NC_C(1.0)), NC_N(bounded_alone)(square));
    return NC_N(bounded_total)(NC_N(bounded_quotient)(BOUNDED_POLYNOMIAL(nc_digamma_far, inverse), square));
}
static NC_N(bounded) NC_N(bounded_digamma_remainder)(NC_REAL x)
{
    if (x >= NC_C(0.25)) {
        return x >= NC_C(8.0) ? NC_N(bounded_digamma_far)(x) : NC_N(bounded_alone)(BOUNDED_PIECEWISE(nc_digamma_piece, -2, x));
    }
    NC_N(bounded) exact = NC_N(bounded_exact)(x);
    NC_REAL inverse = NC_C(0.5) / x;
    if (!NC_N(nc_is_below_inf)(inverse)) {
        return NC_N(bounded_exact)(inverse);
    }
    NC_N(bounded) rest = NC_N(bounded_exact)(NC_FMA(-inverse, x, NC_C(0.5))); // exact
    NC_N(bounded) inverse_low = NC_N(bounded_ratio)(rest, exact);
    NC_N(bounded) slope = NC_N(bounded_alone)(BOUNDED_POLYNOMIAL(nc_digamma_slope, exact));
    NC_N(bounded_pair) log_x = NC_N(bounded_log_pair)(NC_N(bounded_argument)(x));
    NC_N(bounded_pair) first = NC_N(bounded_two_sum)(NC_N(bounded_exact)(inverse), NC_N(bounded_high)(log_x));
    NC_N(bounded_pair) total = NC_N(bounded_two_sum)(NC_N(bounded_high)(first), NC_N(bounded_exact)(NC_N(NC_EULER)));
    NC_N(bounded) low = NC_N(bounded_sum)(NC_N(bounded_low)(log_x), NC_N(bounded_exact)(NC_N(NC_EULER_LOW)));
    low = NC_N(bounded_sum)(NC_N(bounded_sum)(NC_N(bounded_low)(first), inverse_low), low);
    low = NC_N(bounded_fma)(NC_N(bounded_negative)(exact), slope, low);
    return NC_N(bounded_sum)(NC_N(bounded_high)(total), NC_N(bounded_sum)(NC_N(bounded_low)(total), low));
}

static NC_N(bounded) NC_N(bounded_softplus)(NC_REAL x)
{
    NC_N(bounded) power = NC_N(bounded_exp)(-NC_FABS(x)), tail = NC_N(bounded_log1p)(power.value);
    tail.error += power.error / (1.0 + (double)power.value);
    return x > NC_C(0.0) ? NC_N(bounded_sum)(NC_N(bounded_exact)(x), tail) : tail;
}
static NC_N(bounded) NC_N(bounded_sigmoid)(NC_REAL x)
{
    if (!(NC_FABS(x) <= -NC_N(NC_EXPM1_FLAT))) { // 1 or e^x: 1 - e^-x and e^x (1 - e^x) to first order
        NC_N(bounded) value = x > NC_C(0.0) ? NC_N(bounded_exact)(NC_C(1.0)) : NC_N(bounded_exp)(x);
        value.error += (double)value.value * exp(-fabs((double)x)) / BOUNDED_UNIT;
        return value;
    }
    nc_i32 exponent;
    NC_N(bounded_pair) power = NC_N(bounded_exp_pair)(NC_N(bounded_argument)(-NC_FABS(x)), &exponent);
    NC_REAL scale = NC_N(nc_pow2)(exponent);
    power =
        NC_N(bounded_pair_of)(power.high * scale, power.low * scale, ldexp(power.error, exponent), ldexp(power.low_size, exponent));
    NC_N(bounded_pair) sum = NC_N(bounded_two_sum)(NC_N(bounded_exact)(NC_C(1.0)), NC_N(bounded_high)(power));
    sum = NC_N(bounded_pair_of)(sum.high, sum.low + power.low, power.error, sum.low_size + power.low_size);
    NC_N(bounded_pair) value = NC_N(bounded_quotient)(x < NC_C(0.0) ? power : NC_N(bounded_argument)(NC_C(1.0)), sum);
    return NC_N(bounded_alone)(NC_N(bounded_two_sum)(NC_N(bounded_high)(value), NC_N(bounded_low)(value)));
}
