// SPDX-License-Identifier: Apache-2.0
// Running error analysis (Wilkinson; Higham 2002, chapter 3.3): a value as the type computes it beside a bound of its error. Body:
// include once per real type after kernels/elementary.h.
//
// Errors are absolute, in units u (2^-24 or 2^-53); the rounding error of a result in [2^e, 2^(e+1)) is 2^e of them. A bound takes
// every rounding at its largest, whatever the argument at hand loses, so that the largest bound on a dense grid is one for the
// branch. Terms of the order u^2 are left out.

typedef struct NC_N(bounded) {
    NC_REAL value;
    double error;
} NC_N(bounded);

// high + low; `error` is the sum's, `low_size` bounds |low|, which is lost where high is used alone.
typedef struct NC_N(bounded_pair) {
    NC_REAL high, low;
    double error, low_size;
} NC_N(bounded_pair);

#ifndef UNIT_ELEMENTARY_BOUNDED_H
#define UNIT_ELEMENTARY_BOUNDED_H
static double power_of_two_below(double value, int least_exponent)
{
    int exponent;
    (void)frexp(value, &exponent);
    return ldexp(1.0, value == 0.0 || exponent - 1 < least_exponent ? least_exponent : exponent - 1);
}
#endif
#define BOUNDED_LEAST_EXPONENT (1 - NC_EXPONENT_BIAS)
#define BOUNDED_UNIT ((double)NC_UNIT_ROUNDOFF)

// Half an ulp.
static double NC_N(bounded_rounding)(NC_REAL value)
{
    return power_of_two_below((double)value, BOUNDED_LEAST_EXPONENT);
}
// The least rounding error: half the least subnormal number.
static double NC_N(bounded_underflow)(void)
{
    return ldexp(1.0, BOUNDED_LEAST_EXPONENT);
}
// That where the low part of such a value may be subnormal.
static double NC_N(bounded_low_underflow)(double value)
{
    return fabs(value) < ldexp(1.0, BOUNDED_LEAST_EXPONENT + NC_MANTISSA_BITS + 1) ? NC_N(bounded_underflow)() : 0.0;
}

static NC_N(bounded) NC_N(bounded_of)(NC_REAL value, double error)
{
    NC_N(bounded) result = {value, error};
    return result;
}
static NC_N(bounded) NC_N(bounded_exact)(NC_REAL value)
{
    return NC_N(bounded_of)(value, 0.0);
}
static NC_N(bounded) NC_N(bounded_negative)(NC_N(bounded) a)
{
    return NC_N(bounded_of)(-a.value, a.error);
}
// A sum that needs no rounding for a reason that the caller knows.
static NC_N(bounded) NC_N(bounded_sum_exact)(NC_N(bounded) a, NC_N(bounded) b)
{
    return NC_N(bounded_of)(a.value + b.value, a.error + b.error);
}
static NC_N(bounded) NC_N(bounded_sum)(NC_N(bounded) a, NC_N(bounded) b)
{
    NC_N(bounded) sum = NC_N(bounded_sum_exact)(a, b); // subnormal sums are exact
    bool exact = fabs((double)sum.value) < ldexp(1.0, BOUNDED_LEAST_EXPONENT) || a.value == NC_C(0.0) || b.value == NC_C(0.0);
    sum.error += exact ? 0.0 : NC_N(bounded_rounding)(sum.value);
    return sum;
}
static double NC_N(bounded_product_error)(NC_N(bounded) a, NC_N(bounded) b)
{
    return fabs((double)a.value) * b.error + fabs((double)b.value) * a.error;
}
static NC_N(bounded) NC_N(bounded_product)(NC_N(bounded) a, NC_N(bounded) b)
{
    NC_REAL value = a.value * b.value;
    double rounding = a.value == NC_C(0.0) || b.value == NC_C(0.0) ? 0.0 : NC_N(bounded_rounding)(value);
    return NC_N(bounded_of)(value, NC_N(bounded_product_error)(a, b) + rounding);
}
static NC_N(bounded) NC_N(bounded_fma)(NC_N(bounded) a, NC_N(bounded) b, NC_N(bounded) c)
{
    NC_REAL value = NC_FMA(a.value, b.value, c.value);
    double rounding = a.value == NC_C(0.0) || b.value == NC_C(0.0) ? 0.0 : NC_N(bounded_rounding)(value);
    return NC_N(bounded_of)(value, NC_N(bounded_product_error)(a, b) + c.error + rounding);
}
static NC_N(bounded) NC_N(bounded_ratio)(NC_N(bounded) a, NC_N(bounded) b)
{
    NC_REAL value = a.value / b.value;
    double error = (a.error + fabs((double)value) * b.error) / fabs((double)b.value);
    return NC_N(bounded_of)(value, error + NC_N(bounded_rounding)(value));
}

static NC_N(bounded_pair) NC_N(bounded_pair_of)(NC_REAL high, NC_REAL low, double error, double low_size)
{
    NC_N(bounded_pair) pair = {high, low, error, low_size};
    return pair;
}
// The words: high alone, high where low is used as well, low.
static NC_N(bounded) NC_N(bounded_alone)(NC_N(bounded_pair) pair)
{
    return NC_N(bounded_of)(pair.high, pair.error + pair.low_size);
}
static NC_N(bounded) NC_N(bounded_high)(NC_N(bounded_pair) pair)
{
    return NC_N(bounded_exact)(pair.high);
}
static NC_N(bounded) NC_N(bounded_low)(NC_N(bounded_pair) pair)
{
    return NC_N(bounded_of)(pair.low, pair.error);
}
// nc_sum_ordered and nc_sum_exact.
static NC_N(bounded_pair) NC_N(bounded_two_sum)(NC_N(bounded) a, NC_N(bounded) b)
{
    NC_N(nc_pair) sum = NC_N(nc_sum_exact)(a.value, b.value);
    return NC_N(bounded_pair_of)(sum.high, sum.low, a.error + b.error, NC_N(bounded_rounding)(sum.high));
}
static NC_N(bounded_pair) NC_N(bounded_two_product)(NC_N(bounded) a, NC_N(bounded) b)
{
    NC_N(nc_pair) product = NC_N(nc_product_exact)(a.value, b.value);
    double lost = fmin(NC_N(bounded_low_underflow)((double)product.high), fabs((double)a.value * (double)b.value) / BOUNDED_UNIT);
    return NC_N(bounded_pair_of)(product.high, product.low, NC_N(bounded_product_error)(a, b) + lost,
                                 NC_N(bounded_rounding)(product.high));
}
static NC_N(bounded_pair) NC_N(bounded_quotient)(NC_N(bounded_pair) a, NC_N(bounded_pair) b)
{
    NC_N(nc_pair) q = NC_N(nc_quotient)(a.high, a.low, b.high, b.low);
    NC_REAL inverse = NC_C(1.0) / b.high;
    double size = fabs((double)q.high), divisor = fabs((double)b.high);
    double low = size * divisor * NC_N(bounded_rounding)(inverse) + NC_N(bounded_rounding)(q.high) +
                 (a.low_size + size * b.low_size) / divisor;
    double lost = a.high == NC_C(0.0) ? 0.0 : NC_N(bounded_low_underflow)(size);
    return NC_N(bounded_pair_of)(q.high, q.low, (a.error + size * b.error) / divisor + lost, low);
}
// nc_polynomial_pair; `approximation` is the relative error of the table's rows.
static NC_N(bounded_pair)
    NC_N(bounded_polynomial)(NC_CONSTANT_PTR NC_REAL *row, nc_i32 terms, NC_N(bounded) t, double approximation)
{
    NC_N(bounded) sum = NC_N(bounded_exact)(row[terms]);
    for (nc_i32 i = terms - 1; i >= 2; --i) {
        sum = NC_N(bounded_fma)(sum, t, NC_N(bounded_exact)(row[i]));
    }
    NC_N(bounded_pair)
    value = NC_N(bounded_two_sum)(NC_N(bounded_exact)(row[1]), NC_N(bounded_fma)(sum, t, NC_N(bounded_exact)(row[0])));
    value.error += fabs((double)value.high) * approximation / BOUNDED_UNIT;
    return value;
}
#define BOUNDED_POLYNOMIAL(table, t) NC_N(bounded_polynomial)(NC_N(table), NC_N(table##_terms), t, (double)NC_N(table##_error))
static NC_N(bounded_pair)
    NC_N(bounded_piecewise)(NC_CONSTANT_PTR NC_REAL *table, nc_i32 terms, nc_i32 first, NC_REAL x, double approximation)
{
    NC_BITS piece = NC_BITS_OF(x) >> (NC_MANTISSA_BITS - 3);
    NC_REAL centre = NC_OF_BITS((NC_BITS)((piece << (NC_MANTISSA_BITS - 3)) | ((NC_BITS)1 << (NC_MANTISSA_BITS - 4))));
    nc_i32 row = (nc_i32)piece - 8 * (NC_EXPONENT_BIAS + first);
    return NC_N(bounded_polynomial)(table + row * (terms + 1), terms, NC_N(bounded_exact)(x - centre), approximation);
}
#define BOUNDED_PIECEWISE(table, first, x)                                                                                         \
    NC_N(bounded_piecewise)(NC_N(table), NC_N(table##_terms), first, x, (double)NC_N(table##_error))
static NC_N(bounded_pair) NC_N(bounded_far)(NC_CONSTANT_PTR NC_REAL *row, nc_i32 terms, NC_REAL x, double approximation)
{
    NC_N(bounded_pair) divisor = NC_N(bounded_pair_of)(x, NC_C(0.0), 0.0, 0.0), value;
    if (x > NC_N(nc_pow2)(NC_EXPONENT_BIAS / 2)) {
        NC_N(nc_pair) leading = NC_N(nc_far_quotient)(row, terms, x);
        double size = fabs((double)row[1] / (double)x), lost = NC_N(bounded_low_underflow)(size);
        return NC_N(bounded_pair_of)(leading.high, leading.low, size * approximation / BOUNDED_UNIT + lost,
                                     NC_N(bounded_rounding)(leading.high));
    }
    NC_N(bounded) square = NC_N(bounded_product)(NC_N(bounded_exact)(x), NC_N(bounded_exact)(x));
    NC_N(bounded) inverse = NC_N(bounded_ratio)(NC_N(bounded_exact)(NC_C(1.0)), square);
    value = NC_N(bounded_quotient)(NC_N(bounded_polynomial)(row, terms, inverse, approximation), divisor);
    return NC_N(bounded_two_sum)(NC_N(bounded_high)(value), NC_N(bounded_low)(value));
}
#define BOUNDED_FAR(table, x) NC_N(bounded_far)(NC_N(table), NC_N(table##_terms), x, (double)NC_N(table##_error))
