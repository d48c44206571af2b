// SPDX-License-Identifier: Apache-2.0
// kernels/elementary_exp.h again, each operation with its error bound. Body: after elementary_bounded_log.h.

static NC_N(bounded_pair) NC_N(bounded_exp_reduce)(NC_N(bounded_pair) x, nc_i32 *exponent)
{
    NC_REAL k = NC_RINT(x.high * NC_N(NC_LOG2_E));
    NC_REAL exact = NC_FMA(-k, NC_N(NC_LN2_HIGH), x.high);
    NC_N(bounded) ln2_low = NC_N(bounded_of)(NC_N(NC_LN2_LOW), NC_N(bounded_rounding)(NC_N(NC_LN2_LOW)));
    NC_N(bounded) correction = NC_N(bounded_fma)(NC_N(bounded_exact)(-k), ln2_low, NC_N(bounded_low)(x));
    *exponent = NC_N(nc_to_i32)(k);
    NC_N(bounded_pair) r = NC_N(bounded_two_sum)(NC_N(bounded_exact)(exact), correction);
    r.low_size = *exponent == 0 ? x.low_size : r.low_size; // r is x
    return r;
}

typedef struct NC_N(bounded_parts) {
    nc_i32 exponent;
    NC_N(bounded) remainder, tail; // e^r - 1 - r has r's low part, and its error
} NC_N(bounded_parts);

// r_low (1 + r); what it leaves out, r_low (e^r - 1 - r), is part of the tail's error.
static NC_N(bounded) NC_N(bounded_exp_low)(NC_N(bounded_pair) r)
{
    NC_N(bounded) low = NC_N(bounded_fma)(NC_N(bounded_high)(r), NC_N(bounded_low)(r), NC_N(bounded_low)(r));
    low.error += r.low_size * fabs(expm1((double)r.high) - (double)r.high);
    return low;
}
static NC_N(bounded_parts) NC_N(bounded_exp_split)(NC_N(bounded_pair) x)
{
    NC_N(bounded_parts) parts;
    NC_N(bounded_pair) r = NC_N(bounded_exp_reduce)(x, &parts.exponent);
    parts.remainder = NC_N(bounded_high)(r);
    NC_N(bounded) q = NC_N(bounded_alone)(BOUNDED_POLYNOMIAL(nc_exp_tail, parts.remainder));
    NC_N(bounded) square = NC_N(bounded_product)(parts.remainder, parts.remainder);
    parts.tail = NC_N(bounded_fma)(square, q, NC_N(bounded_exp_low)(r));
    return parts;
}
static NC_N(bounded_parts) NC_N(bounded_exp_curved)(NC_REAL x)
{
    NC_N(bounded_parts) parts;
    NC_N(bounded_pair) r = NC_N(bounded_exp_reduce)(NC_N(bounded_argument)(x), &parts.exponent);
    parts.remainder = NC_N(bounded_high)(r);
    NC_N(bounded_pair) square = NC_N(bounded_two_product)(parts.remainder, parts.remainder);
    NC_N(bounded_pair) q = BOUNDED_POLYNOMIAL(nc_exp_tail, parts.remainder);
    NC_N(bounded) low = NC_N(bounded_fma)(NC_N(bounded_low)(square), NC_N(bounded_high)(q), NC_N(bounded_exp_low)(r));
    low = NC_N(bounded_fma)(NC_N(bounded_high)(square), NC_N(bounded_low)(q), low);
    parts.tail = NC_N(bounded_fma)(NC_N(bounded_high)(square), NC_N(bounded_high)(q), low);
    return parts;
}

static NC_N(bounded_pair) NC_N(bounded_exp_pair)(NC_N(bounded_pair) x, nc_i32 *exponent)
{
    NC_N(bounded_parts) parts = NC_N(bounded_exp_split)(x);
    NC_N(bounded_pair) sum = NC_N(bounded_two_sum)(NC_N(bounded_exact)(NC_C(1.0)), parts.remainder);
    *exponent = parts.exponent;
    return NC_N(bounded_two_sum)(NC_N(bounded_high)(sum), NC_N(bounded_sum)(NC_N(bounded_low)(sum), parts.tail));
}

// A power of two, with the second rounding of a subnormal result.
static NC_N(bounded) NC_N(bounded_scale)(NC_N(bounded) x, nc_i32 exponent)
{
    NC_REAL value = NC_N(nc_scale_near)(x.value, exponent);
    bool is_subnormal = fabs((double)value) < ldexp(1.0, BOUNDED_LEAST_EXPONENT);
    return NC_N(bounded_of)(value, ldexp(x.error, exponent) + (is_subnormal ? NC_N(bounded_underflow)() : 0.0));
}
static NC_N(bounded) NC_N(bounded_exp)(NC_REAL x)
{
    nc_i32 exponent;
    if (x < NC_N(NC_EXP_UNDERFLOW)) {
        return NC_N(bounded_of)(NC_C(0.0), NC_N(bounded_underflow)());
    }
    NC_N(bounded_pair) value = NC_N(bounded_exp_pair)(NC_N(bounded_argument)(x), &exponent);
    return NC_N(bounded_scale)(NC_N(bounded_alone)(value), exponent);
}

static NC_N(bounded_pair) NC_N(bounded_expm1_pair)(NC_N(bounded_parts) parts)
{
    NC_REAL less = NC_C(1.0) - NC_N(nc_pow2)(-parts.exponent);
    double lost = fabs(((double)less - 1.0) + ldexp(1.0, -parts.exponent)) / BOUNDED_UNIT;
    NC_N(bounded_pair) sum = NC_N(bounded_two_sum)(NC_N(bounded_of)(less, lost), parts.remainder);
    NC_N(bounded) low = NC_N(bounded_sum)(NC_N(bounded_low)(sum), parts.tail);
    NC_REAL scale = NC_N(nc_pow2)(parts.exponent);
    return NC_N(bounded_pair_of)(sum.high * scale, low.value * scale, ldexp(low.error, parts.exponent), 0.0);
}
// 2^k (1 + r + tail), where the 1 of e^x - 1 is left out.
static NC_N(bounded) NC_N(bounded_expm1_far)(NC_N(bounded_parts) parts)
{
    NC_N(bounded) sum = NC_N(bounded_sum)(NC_N(bounded_exact)(NC_C(1.0)), NC_N(bounded_sum)(parts.remainder, parts.tail));
    return NC_N(bounded_scale)(sum, parts.exponent);
}
// e^x of what is left out below NC_EXPM1_FLAT.
static double NC_N(bounded_flat)(NC_REAL x)
{
    return exp((double)x) / BOUNDED_UNIT;
}
static NC_N(bounded) NC_N(bounded_expm1)(NC_REAL x)
{
    if (x < NC_N(NC_EXPM1_FLAT)) {
        return NC_N(bounded_of)(NC_C(-1.0), NC_N(bounded_flat)(x));
    }
    NC_N(bounded_parts) parts = NC_N(bounded_exp_split)(NC_N(bounded_argument)(x));
    if (parts.exponent > NC_MANTISSA_BITS + 3) {
        NC_N(bounded) value = NC_N(bounded_expm1_far)(parts);
        value.error += 1.0 / BOUNDED_UNIT;
        return value;
    }
    return NC_N(bounded_total)(NC_N(bounded_expm1_pair)(parts));
}
static NC_N(bounded) NC_N(bounded_expm1mx)(NC_REAL x)
{
    if (x < NC_N(NC_EXPM1_FLAT)) {
        return NC_N(bounded_sum)(NC_N(bounded_of)(NC_C(-1.0), NC_N(bounded_flat)(x)), NC_N(bounded_exact)(-x));
    }
    NC_N(bounded_parts) parts = NC_N(bounded_exp_curved)(x);
    if (parts.exponent == 0) {
        return parts.tail;
    }
    if (parts.exponent > NC_MANTISSA_BITS + 3) {
        NC_N(bounded) rest = NC_N(bounded_sum)(NC_N(bounded_exact)(NC_C(1.0)), NC_N(bounded_exact)(x));
        return NC_N(bounded_sum)(NC_N(bounded_expm1_far)(parts), NC_N(bounded_negative)(rest));
    }
    NC_N(bounded_pair) value = NC_N(bounded_expm1_pair)(parts);
    NC_N(bounded_pair) difference = NC_N(bounded_two_sum)(NC_N(bounded_high)(value), NC_N(bounded_exact)(-x));
    return NC_N(bounded_sum)(NC_N(bounded_high)(difference),
                             NC_N(bounded_sum)(NC_N(bounded_low)(difference), NC_N(bounded_low)(value)));
}
