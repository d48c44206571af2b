// SPDX-License-Identifier: Apache-2.0
// exp, expm1 and their relatives. Body: included by elementary.h.
// x = k log 2 + r with |r| <= log(2)/2 held as a pair; exp(r) = 1 + r + r^2 Q(r).

// Above OVERFLOW: +inf; below UNDERFLOW: 0 (half the smallest subnormal is passed); below FLAT: expm1 is -1 within half an ulp.
#ifdef NC_REAL_IS_F32
#define NC_EXP_OVERFLOW_f32 NC_C(88.75)
#define NC_EXP_UNDERFLOW_f32 NC_C(-104.0)
#define NC_EXPM1_FLAT_f32 NC_C(-18.0)
#else
#define NC_EXP_OVERFLOW_f64 NC_C(709.8)
#define NC_EXP_UNDERFLOW_f64 NC_C(-745.2)
#define NC_EXPM1_FLAT_f64 NC_C(-38.0)
#endif

// x + x_low split for the exponential: exponent k, remainder r, and tail = r^2 Q(r) + what r lost.
typedef struct NC_N(nc_exp_parts) {
    nc_i32 exponent;
    NC_REAL remainder, tail;
} NC_N(nc_exp_parts);

// x + x_low = exponent log 2 + r; NC_EXP_UNDERFLOW <= x <= NC_EXP_OVERFLOW, |x_low| <= ulp(x).
NC_FN NC_N(nc_pair) NC_N(nc_exp_reduce)(NC_REAL x, NC_REAL x_low, NC_PRIVATE nc_i32 *exponent)
{
    NC_REAL k = NC_RINT(x * NC_N(NC_LOG2_E));
    NC_REAL exact = NC_FMA(-k, NC_N(NC_LN2_HIGH), x); // no rounding: k LN2_HIGH has few enough bits
    NC_REAL correction = NC_FMA(-k, NC_N(NC_LN2_LOW), x_low);
    *exponent = NC_N(nc_to_i32)(k);
    return NC_N(nc_sum_ordered)(exact, correction);
}

// Same range as nc_exp_reduce.
NC_FN NC_N(nc_exp_parts) NC_N(nc_exp_split)(NC_REAL x, NC_REAL x_low)
{
    NC_N(nc_exp_parts) parts;
    nc_i32 exponent;
    NC_N(nc_pair) r = NC_N(nc_exp_reduce)(x, x_low, &exponent);
    NC_REAL q = NC_N(nc_polynomial)(NC_N(nc_exp_tail), NC_N(nc_exp_tail_terms), r.high);
    parts.exponent = exponent;
    parts.remainder = r.high;
    parts.tail = NC_FMA(r.high * r.high, q, NC_FMA(r.high, r.low, r.low));
    return parts;
}

// exp(x + x_low) = 2^exponent (high + low). Same range as nc_exp_split.
NC_FN NC_N(nc_pair) NC_N(nc_exp_pair)(NC_REAL x, NC_REAL x_low, NC_PRIVATE nc_i32 *exponent)
{
    NC_N(nc_exp_parts) parts = NC_N(nc_exp_split)(x, x_low);
    NC_N(nc_pair) sum = NC_N(nc_sum_ordered)(NC_C(1.0), parts.remainder);
    *exponent = parts.exponent;
    return NC_N(nc_sum_ordered)(sum.high, sum.low + parts.tail);
}

// x 2^exponent as nc_scale, without its steps where one factor is enough.
NC_FN NC_REAL NC_N(nc_scale_near)(NC_REAL x, nc_i32 exponent)
{
    if (exponent > -NC_EXPONENT_BIAS && exponent <= NC_EXPONENT_BIAS) {
        return x * NC_N(nc_pow2)(exponent);
    }
    return NC_N(nc_scale)(x, exponent);
}

// e^x. NaN gives NaN.
NC_FN NC_REAL NC_N(nc_exp)(NC_REAL x)
{
    if (!(x >= NC_N(NC_EXP_UNDERFLOW) && x <= NC_N(NC_EXP_OVERFLOW))) {
        return x > NC_C(0.0) ? NC_N(nc_inf)() : x < NC_C(0.0) ? NC_C(0.0) : NC_N(nc_nan)();
    }
    nc_i32 exponent;
    NC_REAL value = NC_N(nc_exp_pair)(x, NC_C(0.0), &exponent).high;
    return NC_N(nc_scale_near)(value, exponent);
}

// e^x - 1 = high + low for NC_EXPM1_FLAT <= x, with an exponent that leaves the 1 visible.
NC_FN NC_N(nc_pair) NC_N(nc_expm1_pair)(NC_N(nc_exp_parts) parts)
{
    // 2^k ((1 - 2^-k) + r + tail): 1 - 2^-k has no rounding error that matters for any k left
    NC_N(nc_pair) sum = NC_N(nc_sum_exact)(NC_C(1.0) - NC_N(nc_pow2)(-parts.exponent), parts.remainder);
    NC_REAL scale = NC_N(nc_pow2)(parts.exponent);
    sum.high = sum.high * scale;
    sum.low = (sum.low + parts.tail) * scale;
    return sum;
}

// e^x - 1, accurate near 0; -0 gives -0.
NC_FN_APART NC_REAL NC_N(nc_expm1)(NC_REAL x)
{
    if (!(x >= NC_N(NC_EXPM1_FLAT) && x <= NC_N(NC_EXP_OVERFLOW))) {
        return x > NC_C(0.0) ? NC_N(nc_inf)() : x < NC_C(0.0) ? NC_C(-1.0) : NC_N(nc_nan)();
    }
    if (x == NC_C(0.0)) {
        return x;
    }
    NC_N(nc_exp_parts) parts = NC_N(nc_exp_split)(x, NC_C(0.0));
    if (parts.exponent > NC_MANTISSA_BITS + 3) { // the 1 is below a quarter of an ulp
        return NC_N(nc_scale_near)(NC_C(1.0) + (parts.remainder + parts.tail), parts.exponent);
    }
    NC_N(nc_pair) value = NC_N(nc_expm1_pair)(parts);
    return value.high + value.low;
}

// As nc_exp_split at x, with r^2 Q(r) rounded once: where e^x - 1 - x is little else, three roundings would pass two ulp.
NC_FN NC_N(nc_exp_parts) NC_N(nc_exp_curved)(NC_REAL x)
{
    NC_N(nc_exp_parts) parts;
    nc_i32 exponent;
    NC_N(nc_pair) r = NC_N(nc_exp_reduce)(x, NC_C(0.0), &exponent);
    NC_N(nc_pair) square = NC_N(nc_product_exact)(r.high, r.high);
    NC_N(nc_pair) q = NC_N(nc_polynomial_pair)(NC_N(nc_exp_tail), NC_N(nc_exp_tail_terms), r.high);
    NC_REAL low = NC_FMA(square.high, q.low, NC_FMA(square.low, q.high, NC_FMA(r.high, r.low, r.low)));
    parts.exponent = exponent;
    parts.remainder = r.high;
    parts.tail = NC_FMA(square.high, q.high, low);
    return parts;
}

// e^x - 1 - x, accurate near 0 where it is x^2/2.
NC_FN_APART NC_REAL NC_N(nc_expm1mx)(NC_REAL x)
{
    if (!(x >= NC_N(NC_EXPM1_FLAT) && x <= NC_N(NC_EXP_OVERFLOW))) {
        return x > NC_C(0.0) ? NC_N(nc_inf)() : NC_C(-1.0) - x;
    }
    NC_N(nc_exp_parts) parts = NC_N(nc_exp_curved)(x);
    if (parts.exponent == 0) { // r = x
        return parts.tail;
    }
    if (parts.exponent > NC_MANTISSA_BITS + 3) {
        return NC_N(nc_scale_near)(NC_C(1.0) + (parts.remainder + parts.tail), parts.exponent) - (NC_C(1.0) + x);
    }
    NC_N(nc_pair) value = NC_N(nc_expm1_pair)(parts);
    NC_N(nc_pair) difference = NC_N(nc_sum_exact)(value.high, -x);
    return difference.high + (difference.low + value.low);
}
