// SPDX-License-Identifier: Apache-2.0
// log, log1p, log1p(x) - x and the saddle-point deviance. Body: included by elementary.h.
// x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt 2), s = f/(2 + f), log(1 + f) = 2 atanh(s) = 2 s + s^3 A(s^2): |s| < 0.1716,
// so the second term is below 1 % of the first and only the first needs twice the digits.

#ifdef NC_REAL_IS_F32
#define NC_SQRT_HALF_BITS_f32 0x3f3504f3u
#define NC_ONE_BITS_f32 0x3f800000u
#else
#define NC_SQRT_HALF_BITS_f64 0x3fe6a09e667f3bcdu
#define NC_ONE_BITS_f64 0x3ff0000000000000u
#endif
#define NC_LOG_NEAR_LOW NC_C(-0.29289)  // above sqrt(1/2) - 1
#define NC_LOG_NEAR_HIGH NC_C(0.414213) // below sqrt(2) - 1

// log((1 + f + f_low) 2^k) for 1 + f in [sqrt(1/2), sqrt 2], |f_low| <= ulp(1).
NC_FN NC_N(nc_pair) NC_N(nc_log_reduced)(NC_REAL f, NC_REAL f_low, nc_i32 k)
{
    NC_REAL d = NC_C(2.0) + f;
    NC_N(nc_pair) s = NC_N(nc_quotient)(f, f_low, d, ((NC_C(2.0) - d) + f) + f_low);
    NC_REAL z = s.high * s.high;
    NC_REAL a = NC_N(nc_polynomial)(NC_N(nc_log_tail), NC_N(nc_log_tail_terms), z);
    NC_REAL first = NC_C(2.0) * s.high;
    NC_REAL tail = NC_FMA(s.high * z, a, NC_C(2.0) * s.low);
    if (k == 0) {
        return NC_N(nc_sum_ordered)(first, tail);
    }
    NC_REAL exponent = (NC_REAL)k;
    NC_N(nc_pair) sum = NC_N(nc_sum_ordered)(exponent * NC_N(NC_LN2_HIGH), first);
    return NC_N(nc_sum_ordered)(sum.high, sum.low + NC_FMA(exponent, NC_N(NC_LN2_LOW), tail));
}

// log(x + x_low) for finite x > 0, |x_low| <= ulp(x).
NC_FN NC_N(nc_pair) NC_N(nc_log_pair)(NC_REAL x, NC_REAL x_low)
{
    nc_i32 k = 0;
    NC_BITS bits = NC_BITS_OF(x);
    if (bits < ((NC_BITS)1 << NC_MANTISSA_BITS)) { // subnormal: scale to a normal number
        x = x * NC_N(nc_pow2)(NC_MANTISSA_BITS + 1);
        x_low = x_low * NC_N(nc_pow2)(NC_MANTISSA_BITS + 1);
        bits = NC_BITS_OF(x);
        k = -(NC_MANTISSA_BITS + 1);
    }
    // adding ONE - SQRT_HALF moves the boundaries of the exponent field to sqrt(1/2) 2^k
    NC_BITS moved = bits + ((NC_BITS)NC_N(NC_ONE_BITS) - (NC_BITS)NC_N(NC_SQRT_HALF_BITS));
    nc_i32 shift = (nc_i32)(moved >> NC_MANTISSA_BITS) - NC_EXPONENT_BIAS;
    NC_BITS fraction = moved & (((NC_BITS)1 << NC_MANTISSA_BITS) - 1u);
    NC_REAL m = NC_OF_BITS((NC_BITS)(fraction + (NC_BITS)NC_N(NC_SQRT_HALF_BITS)));
    NC_REAL m_low = x_low == NC_C(0.0) || shift > NC_EXPONENT_BIAS - 1 ? NC_C(0.0) : x_low * NC_N(nc_pow2)(-shift);
    return NC_N(nc_log_reduced)(m - NC_C(1.0), m_low, k + shift);
}

// Natural logarithm. 0 gives -inf, a negative or NaN argument NaN.
NC_FN NC_REAL NC_N(nc_log)(NC_REAL x)
{
    if (!(x > NC_C(0.0) && NC_N(nc_is_below_inf)(x))) {
        return x == NC_C(0.0) ? -NC_N(nc_inf)() : x > NC_C(0.0) ? x : NC_N(nc_nan)();
    }
    NC_N(nc_pair) value = NC_N(nc_log_pair)(x, NC_C(0.0));
    return value.high + value.low;
}

// log(1 + x) for finite x > -1.
NC_FN NC_N(nc_pair) NC_N(nc_log1p_pair)(NC_REAL x)
{
    if (x > NC_LOG_NEAR_LOW && x < NC_LOG_NEAR_HIGH) {
        return NC_N(nc_log_reduced)(x, NC_C(0.0), 0);
    }
    NC_N(nc_pair) u = NC_N(nc_sum_exact)(NC_C(1.0), x);
    return NC_N(nc_log_pair)(u.high, u.low);
}

// log(1 + x), accurate near 0; -0 gives -0, -1 gives -inf, less NaN.
NC_FN_APART NC_REAL NC_N(nc_log1p)(NC_REAL x)
{
    if (!(x > NC_C(-1.0) && NC_N(nc_is_below_inf)(x))) {
        return x == NC_C(-1.0) ? -NC_N(nc_inf)() : x > NC_C(0.0) ? x : NC_N(nc_nan)();
    }
    if (NC_FABS(x) < NC_UNIT_ROUNDOFF) { // x - x^2/2 rounds to x or its neighbour; keeps -0 and subnormals
        return x;
    }
    NC_N(nc_pair) value = NC_N(nc_log1p_pair)(x);
    return value.high + value.low;
}

// log(1 + x) - x, accurate near 0 where it is -x^2/2; -1 gives -inf.
NC_FN_APART NC_REAL NC_N(nc_log1pmx)(NC_REAL x)
{
    if (!(x > NC_C(-1.0) && NC_N(nc_is_below_inf)(x))) {
        return x == NC_C(-1.0) || x > NC_C(0.0) ? -NC_N(nc_inf)() : NC_N(nc_nan)();
    }
    if (x > NC_LOG_NEAR_LOW && x < NC_LOG_NEAR_HIGH) { // 2 s - x = -s x
        NC_REAL d = NC_C(2.0) + x;
        NC_N(nc_pair) s = NC_N(nc_quotient)(x, NC_C(0.0), d, (NC_C(2.0) - d) + x);
        NC_N(nc_pair) square = NC_N(nc_product_exact)(s.high, x);
        NC_REAL z = s.high * s.high;
        NC_REAL cubic = s.high * z * NC_N(nc_polynomial)(NC_N(nc_log_tail), NC_N(nc_log_tail_terms), z);
        return (cubic - NC_FMA(s.low, x, square.low)) - square.high;
    }
    NC_N(nc_pair) value = NC_N(nc_log1p_pair)(x);
    NC_N(nc_pair) difference = NC_N(nc_sum_exact)(value.high, -x);
    return difference.high + (difference.low + value.low);
}

// log(x / m) for finite pairs x, m > 0; near x = m it keeps its relative accuracy.
NC_FN_APART NC_N(nc_pair) NC_N(nc_log_quotient)(NC_N(nc_pair) x, NC_N(nc_pair) m)
{
    NC_N(nc_pair) q = NC_N(nc_quotient)(x.high, x.low, m.high, m.low);
    if (q.high > NC_N(nc_pow2)(NC_MANTISSA_BITS + 3 - NC_EXPONENT_BIAS) && q.high < NC_N(nc_pow2)(NC_EXPONENT_BIAS)) {
        q = NC_N(nc_sum_ordered)(q.high, q.low);
        return NC_N(nc_log_pair)(q.high, q.low);
    }
    NC_N(nc_pair) a = NC_N(nc_log_pair)(x.high, x.low); // the quotient leaves the range: subtract instead
    NC_N(nc_pair) b = NC_N(nc_log_pair)(m.high, m.low);
    NC_N(nc_pair) difference = NC_N(nc_sum_exact)(a.high, -b.high);
    return NC_N(nc_sum_ordered)(difference.high, difference.low + (a.low - b.low));
}

// a / 4 with its low part.
NC_FN NC_N(nc_pair) NC_N(nc_pair_quarter)(NC_N(nc_pair) a)
{
    a.high = NC_C(0.25) * a.high;
    a.low = NC_C(0.25) * a.low;
    return a;
}

// Deviance x log(x/m) - (x - m) = m D0((x - m)/m) (Loader 2000), 0 at x = m and m at x = 0. The difference is passed in, since
// the caller can form it without cancellation. x >= 0, m > 0, finite.
#define NC_DEVIANCE_LOG_BITS 12 // a logarithm of a quotient is below 2^12
NC_FN_APART NC_REAL NC_N(nc_deviance)(NC_N(nc_pair) x, NC_N(nc_pair) m, NC_N(nc_pair) difference)
{
    if (x.high == NC_C(0.0)) {
        return -difference.high;
    }
    NC_REAL scale = NC_C(1.0), large = NC_N(nc_pow2)(NC_EXPONENT_BIAS - NC_DEVIANCE_LOG_BITS);
    NC_N(nc_pair) above = x, below = m;     // the quotient's parts: a quarter of a small m would lose digits
    if (x.high > large || m.high > large) { // neither x + m nor x log(x/m) may overflow where the deviance does not
        scale = NC_C(4.0);
        x = NC_N(nc_pair_quarter)(x);
        m = NC_N(nc_pair_quarter)(m);
        difference = NC_N(nc_pair_quarter)(difference);
        if (m.high > NC_C(1.0)) { // and 1/m may be subnormal for a large one
            above = x;
            below = m;
        }
    }
    NC_N(nc_pair) sum = NC_N(nc_sum_exact)(x.high, m.high);
    if (NC_FABS(difference.high) < NC_C(0.1715) * sum.high) { // s = (x - m)/(x + m): d s + x s^3 A(s^2)
        NC_N(nc_pair) s = NC_N(nc_quotient)(difference.high, difference.low, sum.high, sum.low + (x.low + m.low));
        NC_N(nc_pair) square = NC_N(nc_product_exact)(difference.high, s.high);
        NC_REAL z = s.high * s.high;
        NC_REAL cubic = s.high * z * NC_N(nc_polynomial)(NC_N(nc_log_tail), NC_N(nc_log_tail_terms), z);
        NC_REAL low = NC_FMA(difference.high, s.low, NC_FMA(difference.low, s.high, square.low));
        return scale * (square.high + NC_FMA(x.high, cubic, low));
    }
    NC_N(nc_pair) ratio = NC_N(nc_log_quotient)(above, below);
    NC_N(nc_pair) product = NC_N(nc_product_exact)(x.high, ratio.high);
    if (!NC_N(nc_is_below_inf)(product.high)) {
        return product.high; // and its error would be a NaN
    }
    NC_REAL product_low = NC_FMA(x.high, ratio.low, NC_FMA(x.low, ratio.high, product.low));
    NC_N(nc_pair) total = NC_N(nc_sum_exact)(product.high, -difference.high);
    return scale * (total.high + (total.low + (product_low - difference.low)));
}

// D0(e) = (1 + e) log(1 + e) - e for e >= -1, accurate near 0 where it is e^2/2; 1 at -1, +inf at +inf, NaN below -1.
NC_FN NC_REAL NC_N(nc_d0)(NC_REAL e)
{
    if (!(e >= NC_C(-1.0) && NC_N(nc_is_below_inf)(e))) {
        return e > NC_C(0.0) ? e : NC_N(nc_nan)();
    }
    return NC_N(nc_deviance)(NC_N(nc_sum_exact)(NC_C(1.0), e), NC_N(nc_pair_of)(NC_C(1.0)), NC_N(nc_pair_of)(e));
}
