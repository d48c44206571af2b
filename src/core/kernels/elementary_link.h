// SPDX-License-Identifier: Apache-2.0
// Links between the real line and probabilities, built from the other functions. Body: included by elementary.h.

// log(1 + e^x).
NC_FN_APART NC_REAL NC_N(nc_softplus)(NC_REAL x)
{
    NC_REAL tail = NC_N(nc_log1p)(NC_N(nc_exp)(-NC_FABS(x)));
    return x > NC_C(0.0) ? x + tail : tail;
}

// 1/(1 + e^-x); the low part is 0 where e^-|x| is below a quarter of an ulp of 1.
NC_FN_APART NC_N(nc_pair) NC_N(nc_sigmoid_pair)(NC_REAL x)
{
    if (!(NC_FABS(x) <= -NC_N(NC_EXPM1_FLAT))) {
        return NC_N(nc_pair_of)(x > NC_C(0.0) ? NC_C(1.0) : NC_N(nc_exp)(x));
    }
    nc_i32 exponent;
    NC_N(nc_pair) power = NC_N(nc_exp_pair)(-NC_FABS(x), NC_C(0.0), &exponent);
    NC_REAL scale = NC_N(nc_pow2)(exponent);
    power.high = power.high * scale;
    power.low = power.low * scale;
    NC_N(nc_pair) sum = NC_N(nc_sum_ordered)(NC_C(1.0), power.high);
    sum.low += power.low;
    return NC_N(nc_pair_quotient)(x < NC_C(0.0) ? power : NC_N(nc_pair_of)(NC_C(1.0)), sum);
}
NC_FN NC_REAL NC_N(nc_sigmoid)(NC_REAL x)
{
    return NC_N(nc_sigmoid_pair)(x).high;
}

// log(1 - e^x) for x <= 0; 0 gives -inf.
NC_FN_APART NC_REAL NC_N(nc_log1mexp)(NC_REAL x)
{
    return x > NC_C(-0.7) ? NC_N(nc_log)(-NC_N(nc_expm1)(x)) : NC_N(nc_log1p)(-NC_N(nc_exp)(x));
}

// x log y, 0 when x is 0 (for y >= 0).
NC_FN NC_REAL NC_N(nc_xlogy)(NC_REAL x, NC_REAL y)
{
    return x == NC_C(0.0) ? NC_C(0.0) : x * NC_N(nc_log)(y);
}
