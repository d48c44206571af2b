// SPDX-License-Identifier: Apache-2.0
// kernels/elementary_log.h and elementary_exp.h again, each operation with its error bound. Body: after elementary_bounded.h.

static NC_N(bounded_pair) NC_N(bounded_log_reduced)(NC_N(bounded_pair) f, nc_i32 k)
{
    NC_REAL d = NC_C(2.0) + f.high;
    NC_N(bounded_pair)
    divisor = NC_N(bounded_pair_of)(d, ((NC_C(2.0) - d) + f.high) + f.low, f.error, NC_N(bounded_rounding)(d) + f.low_size);
    NC_N(bounded_pair) s = NC_N(bounded_quotient)(f, divisor);
    NC_N(bounded) head = NC_N(bounded_alone)(s), z = NC_N(bounded_product)(head, head);
    NC_N(bounded) a = NC_N(bounded_alone)(BOUNDED_POLYNOMIAL(nc_log_tail, z));
    NC_N(bounded) first = NC_N(bounded_exact)(NC_C(2.0) * s.high);
    NC_N(bounded) twice = NC_N(bounded_of)(NC_C(2.0) * s.low, 2.0 * s.error);
    NC_N(bounded) tail = NC_N(bounded_fma)(NC_N(bounded_product)(head, z), a, twice);
    if (k == 0) {
        return NC_N(bounded_two_sum)(first, tail);
    }
    NC_REAL exponent = (NC_REAL)k;
    NC_N(bounded) ln2_low = NC_N(bounded_of)(NC_N(NC_LN2_LOW), NC_N(bounded_rounding)(NC_N(NC_LN2_LOW)));
    NC_N(bounded_pair) sum = NC_N(bounded_two_sum)(NC_N(bounded_exact)(exponent * NC_N(NC_LN2_HIGH)), first);
    NC_N(bounded) low = NC_N(bounded_fma)(NC_N(bounded_exact)(exponent), ln2_low, tail);
    return NC_N(bounded_two_sum)(NC_N(bounded_high)(sum), NC_N(bounded_sum)(NC_N(bounded_low)(sum), low));
}

static NC_N(bounded_pair) NC_N(bounded_log_pair)(NC_N(bounded_pair) x)
{
    nc_i32 k = 0;
    NC_BITS bits = NC_BITS_OF(x.high);
    if (bits < ((NC_BITS)1 << NC_MANTISSA_BITS)) {
        x.high = x.high * NC_N(nc_pow2)(NC_MANTISSA_BITS + 1);
        bits = NC_BITS_OF(x.high);
        k = -(NC_MANTISSA_BITS + 1);
    }
    NC_BITS moved = bits + ((NC_BITS)NC_N(NC_ONE_BITS) - (NC_BITS)NC_N(NC_SQRT_HALF_BITS));
    nc_i32 shift = (nc_i32)(moved >> NC_MANTISSA_BITS) - NC_EXPONENT_BIAS;
    NC_BITS fraction = moved & (((NC_BITS)1 << NC_MANTISSA_BITS) - 1u);
    NC_REAL m = NC_OF_BITS((NC_BITS)(fraction + (NC_BITS)NC_N(NC_SQRT_HALF_BITS)));
    bool lost = shift > NC_EXPONENT_BIAS - 1;
    NC_REAL m_low = x.low == NC_C(0.0) || lost ? NC_C(0.0) : x.low * NC_N(nc_pow2)(-shift);
    double error = ldexp(x.error + (lost ? x.low_size : 0.0), -shift);
    return NC_N(bounded_log_reduced)(NC_N(bounded_pair_of)(m - NC_C(1.0), m_low, error, lost ? 0.0 : ldexp(x.low_size, -shift)),
                                     k + shift);
}

static NC_N(bounded) NC_N(bounded_total)(NC_N(bounded_pair) pair)
{
    return NC_N(bounded_sum)(NC_N(bounded_high)(pair), NC_N(bounded_low)(pair));
}
static NC_N(bounded_pair) NC_N(bounded_argument)(NC_REAL x)
{
    return NC_N(bounded_pair_of)(x, NC_C(0.0), 0.0, 0.0);
}

static NC_N(bounded) NC_N(bounded_log)(NC_REAL x)
{
    return NC_N(bounded_total)(NC_N(bounded_log_pair)(NC_N(bounded_argument)(x)));
}

static NC_N(bounded_pair) NC_N(bounded_log1p_pair)(NC_REAL x)
{
    if (x > NC_LOG_NEAR_LOW && x < NC_LOG_NEAR_HIGH) {
        return NC_N(bounded_log_reduced)(NC_N(bounded_argument)(x), 0);
    }
    return NC_N(bounded_log_pair)(NC_N(bounded_two_sum)(NC_N(bounded_exact)(NC_C(1.0)), NC_N(bounded_exact)(x)));
}
static NC_N(bounded) NC_N(bounded_log1p)(NC_REAL x)
{
    if (NC_FABS(x) < NC_UNIT_ROUNDOFF) {
        return NC_N(bounded_of)(x, 0.5 * (double)x * (double)x / BOUNDED_UNIT);
    }
    return NC_N(bounded_total)(NC_N(bounded_log1p_pair)(x));
}

static NC_N(bounded) NC_N(bounded_cubic)(NC_N(bounded_pair) s)
{
    NC_N(bounded) head = NC_N(bounded_alone)(s), z = NC_N(bounded_product)(head, head);
    NC_N(bounded) a = NC_N(bounded_alone)(BOUNDED_POLYNOMIAL(nc_log_tail, z));
    return NC_N(bounded_product)(NC_N(bounded_product)(head, z), a);
}
static NC_N(bounded) NC_N(bounded_log1pmx)(NC_REAL x)
{
    if (x > NC_LOG_NEAR_LOW && x < NC_LOG_NEAR_HIGH) {
        NC_REAL d = NC_C(2.0) + x;
        NC_N(bounded_pair) divisor = NC_N(bounded_pair_of)(d, (NC_C(2.0) - d) + x, 0.0, NC_N(bounded_rounding)(d));
        NC_N(bounded_pair) s = NC_N(bounded_quotient)(NC_N(bounded_argument)(x), divisor);
        NC_N(bounded_pair) square = NC_N(bounded_two_product)(NC_N(bounded_high)(s), NC_N(bounded_exact)(x));
        NC_N(bounded) low = NC_N(bounded_fma)(NC_N(bounded_low)(s), NC_N(bounded_exact)(x), NC_N(bounded_low)(square));
        NC_N(bounded) sum = NC_N(bounded_sum)(NC_N(bounded_cubic)(s), NC_N(bounded_negative)(low));
        return NC_N(bounded_sum)(sum, NC_N(bounded_exact)(-square.high));
    }
    NC_N(bounded_pair) value = NC_N(bounded_log1p_pair)(x);
    NC_N(bounded_pair) difference = NC_N(bounded_two_sum)(NC_N(bounded_high)(value), NC_N(bounded_exact)(-x));
    return NC_N(bounded_sum)(NC_N(bounded_high)(difference),
                             NC_N(bounded_sum)(NC_N(bounded_low)(difference), NC_N(bounded_low)(value)));
}

// The deviance of 1 + e and 1. Above 2^(bias - 12) the core scales by 4 first, which changes no error.
static NC_N(bounded) NC_N(bounded_d0)(NC_REAL e)
{
    NC_N(bounded) one = NC_N(bounded_exact)(NC_C(1.0)), zero = NC_N(bounded_exact)(NC_C(0.0));
    NC_N(bounded_pair) x = NC_N(bounded_two_sum)(one, NC_N(bounded_exact)(e));
    NC_N(bounded_pair) sum = NC_N(bounded_two_sum)(NC_N(bounded_high)(x), one);
    if (NC_FABS(e) < NC_C(0.1715) * sum.high) {
        NC_N(bounded_pair)
        s = NC_N(bounded_quotient)(NC_N(bounded_argument)(e),
                                   NC_N(bounded_pair_of)(sum.high, sum.low + (x.low + NC_C(0.0)), 0.0, sum.low_size + x.low_size));
        NC_N(bounded_pair) square = NC_N(bounded_two_product)(NC_N(bounded_exact)(e), NC_N(bounded_high)(s));
        NC_N(bounded) inner = NC_N(bounded_fma)(zero, NC_N(bounded_high)(s), NC_N(bounded_low)(square));
        NC_N(bounded) low = NC_N(bounded_fma)(NC_N(bounded_exact)(e), NC_N(bounded_low)(s), inner);
        low = NC_N(bounded_fma)(NC_N(bounded_alone)(x), NC_N(bounded_cubic)(s), low);
        return NC_N(bounded_sum)(NC_N(bounded_high)(square), low);
    }
    NC_N(bounded_pair) ratio = NC_N(bounded_quotient)(x, NC_N(bounded_argument)(NC_C(1.0)));
    ratio = NC_N(bounded_log_pair)(NC_N(bounded_two_sum)(NC_N(bounded_high)(ratio), NC_N(bounded_low)(ratio)));
    NC_N(bounded_pair) product = NC_N(bounded_two_product)(NC_N(bounded_high)(x), NC_N(bounded_high)(ratio));
    NC_N(bounded) low = NC_N(bounded_fma)(NC_N(bounded_low)(x), NC_N(bounded_high)(ratio), NC_N(bounded_low)(product));
    low = NC_N(bounded_fma)(NC_N(bounded_high)(x), NC_N(bounded_low)(ratio), low);
    NC_N(bounded_pair) total = NC_N(bounded_two_sum)(NC_N(bounded_high)(product), NC_N(bounded_exact)(-e));
    return NC_N(bounded_sum)(NC_N(bounded_high)(total), NC_N(bounded_sum)(NC_N(bounded_low)(total), low));
}
