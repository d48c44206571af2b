// SPDX-License-Identifier: Apache-2.0
// Helpers that every body needs, once per real type. Included by real_f32.h and real_f64.h only.

// A file that includes real_f64.h a second time gets the macros again, the functions once.
#if defined(NC_REAL_IS_F32) && !defined(NC_REAL_COMMON_F32) || defined(NC_REAL_IS_F64) && !defined(NC_REAL_COMMON_F64)
#ifdef NC_REAL_IS_F32
#define NC_REAL_COMMON_F32
#else
#define NC_REAL_COMMON_F64
#endif

NC_FN NC_REAL NC_N(nc_nan)(void)
{
    return NC_OF_BITS(NC_NAN_BITS);
}
NC_FN NC_REAL NC_N(nc_inf)(void)
{
    return NC_OF_BITS(NC_INF_BITS);
}
NC_FN nc_i32 NC_N(nc_is_nan)(NC_REAL x)
{
    return (NC_BITS_OF(x) & (NC_BITS)~NC_SIGN_BIT) > (NC_BITS)NC_INF_BITS;
}
NC_FN nc_i32 NC_N(nc_is_finite)(NC_REAL x)
{
    return (NC_BITS_OF(x) & (NC_BITS)NC_INF_BITS) != (NC_BITS)NC_INF_BITS;
}

// Infinity is told by its bits. A comparison would do, but gcc 13 and 14 conclude from a * b > FLT_MAX with a finite b that a
// itself was infinite, as if no product overflowed, and then compute with that infinity in place of a.
NC_FN nc_i32 NC_N(nc_is_inf)(NC_REAL x)
{
    return NC_BITS_OF(x) == (NC_BITS)NC_INF_BITS;
}
NC_FN nc_i32 NC_N(nc_is_below_inf)(NC_REAL x) // and a number
{
    return !NC_N(nc_is_inf)(x) && !NC_N(nc_is_nan)(x);
}

// NaN has one form: devices and compilers disagree on sign and payload, so every arithmetic store passes NC_CANON.
NC_FN NC_REAL NC_N(nc_canon)(NC_REAL x)
{
    return NC_OF_BITS(NC_N(nc_is_nan)(x) ? (NC_BITS)NC_NAN_BITS : NC_BITS_OF(x));
}

// Maps the bits to an integer that sorts as the values do, with -0 below +0 (for values that are not NaN).
NC_FN NC_BITS NC_N(nc_order_key)(NC_REAL x)
{
    NC_BITS bits = NC_BITS_OF(x);
    return (bits & (NC_BITS)NC_SIGN_BIT) ? (NC_BITS)~bits : (NC_BITS)(bits | (NC_BITS)NC_SIGN_BIT);
}

// IEEE 754-2019 minimum and maximum: NaN propagates (canonical), -0 < +0. fmin and fmax do neither.
NC_FN NC_REAL NC_N(nc_min)(NC_REAL a, NC_REAL b)
{
    if (NC_N(nc_is_nan)(a) || NC_N(nc_is_nan)(b)) {
        return NC_N(nc_nan)();
    }
    return NC_N(nc_order_key)(a) <= NC_N(nc_order_key)(b) ? a : b;
}
NC_FN NC_REAL NC_N(nc_max)(NC_REAL a, NC_REAL b)
{
    if (NC_N(nc_is_nan)(a) || NC_N(nc_is_nan)(b)) {
        return NC_N(nc_nan)();
    }
    return NC_N(nc_order_key)(a) >= NC_N(nc_order_key)(b) ? a : b;
}

// 2^exponent for a normal result: exponent in [1 - bias, bias].
NC_FN NC_REAL NC_N(nc_pow2)(nc_i32 exponent)
{
    return NC_OF_BITS((NC_BITS)((NC_BITS)(exponent + NC_EXPONENT_BIAS) << NC_MANTISSA_BITS));
}

// x * 2^exponent, rounded once, for any exponent (what ldexp does, spelled with exact steps). A downward step leaves more than
// the mantissa's width to go: an intermediate that is already subnormal ends as zero either way, so nothing rounds twice.
NC_FN NC_REAL NC_N(nc_scale)(NC_REAL x, nc_i32 exponent)
{
    const nc_i32 down = 2 - NC_EXPONENT_BIAS + NC_MANTISSA_BITS;
    if (exponent > 2 * NC_EXPONENT_BIAS + NC_MANTISSA_BITS) {
        exponent = 2 * NC_EXPONENT_BIAS + NC_MANTISSA_BITS;
    }
    if (exponent < -2 * (NC_EXPONENT_BIAS + NC_MANTISSA_BITS)) {
        exponent = -2 * (NC_EXPONENT_BIAS + NC_MANTISSA_BITS);
    }
    for (nc_i32 step = 0; step < 2 && exponent > NC_EXPONENT_BIAS; ++step) {
        x = x * NC_N(nc_pow2)(NC_EXPONENT_BIAS);
        exponent -= NC_EXPONENT_BIAS;
    }
    for (nc_i32 step = 0; step < 3 && exponent < 1 - NC_EXPONENT_BIAS; ++step) {
        x = x * NC_N(nc_pow2)(down);
        exponent -= down;
    }
    return x * NC_N(nc_pow2)(exponent);
}

// Conversions to integers: toward zero, saturating, NaN to 0. A raw cast out of range is undefined in C and differs by device.
NC_FN nc_i32 NC_N(nc_to_i32)(NC_REAL x)
{
    if (x >= NC_C(0x1p31)) {
        return 2147483647;
    }
    if (x <= NC_C(-0x1p31)) {
        return -2147483647 - 1;
    }
    return x == x ? (nc_i32)x : 0;
}
NC_FN nc_i64 NC_N(nc_to_i64)(NC_REAL x)
{
    if (x >= NC_C(0x1p63)) {
        return (nc_i64)0x7fffffffffffffff;
    }
    if (x <= NC_C(-0x1p63)) {
        return -(nc_i64)0x7fffffffffffffff - 1;
    }
    return x == x ? (nc_i64)x : 0;
}

#endif
