// SPDX-License-Identifier: Apache-2.0
// What every family returns for one element, and counts in the real type. Body: included by stats.h.

// Log density and gradient of one term. A family fills what it was asked for.
typedef struct NC_N(nc_term) {
    NC_REAL log_density;
    NC_REAL gradient[3];
    nc_i32 status;
} NC_N(nc_term);

NC_FN NC_N(nc_term) NC_N(nc_term_of)(NC_REAL log_density, NC_REAL gradient, nc_i32 status)
{
    NC_N(nc_term) term;
    term.log_density = log_density;
    term.gradient[0] = gradient;
    term.gradient[1] = gradient;
    term.gradient[2] = gradient;
    term.status = status;
    return term;
}
NC_FN NC_N(nc_term) NC_N(nc_term_invalid)(nc_i32 status)
{
    return NC_N(nc_term_of)(NC_N(nc_nan)(), NC_N(nc_nan)(), status);
}
// -inf whatever the parameters are nearby, so the gradient is 0.
NC_FN NC_N(nc_term) NC_N(nc_term_off_support)(void)
{
    return NC_N(nc_term_of)(-NC_N(nc_inf)(), NC_C(0.0), NC_STATS_OFF_SUPPORT);
}

// A shape parameter so small that its square does not show, however large the logarithms that multiply it.
#ifdef NC_REAL_IS_F32
#define NC_STATS_TINY_f32 NC_C(0x1p-36)
#else
#define NC_STATS_TINY_f64 NC_C(0x1p-68)
#endif

NC_FN nc_i32 NC_N(nc_is_positive)(NC_REAL x) // and finite
{
    return x > NC_C(0.0) && NC_N(nc_is_below_inf)(x);
}

// Deviations y - mu and y - n p lose their digits when they are formed in float32, so both precisions form them as float64 pairs
// and round once. nc_wide_of and nc_narrow convert; for float64 they change nothing.
NC_FN nc_pair_f64 NC_N(nc_wide_of)(NC_REAL x)
{
    return nc_pair_of_f64((nc_f64)x);
}
NC_FN NC_N(nc_pair) NC_N(nc_narrow)(nc_pair_f64 x)
{
#ifdef NC_REAL_IS_F32
    nc_pair_f32 pair;
    pair.high = (nc_f32)x.high;
    pair.low = (nc_f32)(nc_is_finite_f64(x.high) ? (x.high - (nc_f64)pair.high) + x.low : NC_C64(0.0));
    if (!nc_is_finite_f32(pair.high)) {
        pair.low = NC_C32(0.0);
    }
    return pair;
#else
    return x;
#endif
}

// The exponent of a finite number; 0 of 0.
NC_FN nc_i32 NC_N(nc_exponent_of)(NC_REAL x)
{
    nc_i32 lifted = 0;
    NC_REAL size = NC_FABS(x);
    if (size < NC_N(nc_pow2)(1 - NC_EXPONENT_BIAS)) {
        lifted = NC_MANTISSA_BITS; // a subnormal has no exponent of its own
        size = NC_N(nc_scale)(size, lifted);
    }
    return size > NC_C(0.0) ? (nc_i32)(NC_BITS_OF(size) >> NC_MANTISSA_BITS) - NC_EXPONENT_BIAS - lifted : 0;
}

// a b / (c s^2) of finite numbers, c and s > 0, whatever the sizes of the parts: only the result leaves the range.
NC_FN_APART NC_REAL NC_N(nc_score_of_parts)(NC_REAL a, NC_REAL b, NC_REAL c, NC_REAL s)
{
    nc_i32 of_a = NC_N(nc_exponent_of)(a), of_b = NC_N(nc_exponent_of)(b), of_c = NC_N(nc_exponent_of)(c),
           of_s = NC_N(nc_exponent_of)(s);
    NC_REAL near_s = NC_N(nc_scale)(s, -of_s);
    NC_REAL score = NC_N(nc_scale)(a, -of_a) * NC_N(nc_scale)(b, -of_b) / NC_N(nc_scale)(c, -of_c) / near_s / near_s;
    return NC_N(nc_scale)(score, of_a + of_b - of_c - 2 * of_s);
}
