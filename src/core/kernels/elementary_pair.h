// SPDX-License-Identifier: Apache-2.0
// Double-word arithmetic (a value is high + low, |low| <= ulp(high)/2) and polynomials. Body: included by elementary.h.
// Sums and products without error: Dekker 1971 (doi:10.1007/BF01397083), Knuth TAOCP 2, 4.2.2; the product's error by fma.

typedef struct NC_N(nc_pair) {
    NC_REAL high, low;
} NC_N(nc_pair);

NC_FN NC_N(nc_pair) NC_N(nc_pair_of)(NC_REAL a)
{
    NC_N(nc_pair) pair;
    pair.high = a;
    pair.low = NC_C(0.0);
    return pair;
}

// a + b with its rounding error; for |a| >= |b| or a = 0.
NC_FN NC_N(nc_pair) NC_N(nc_sum_ordered)(NC_REAL a, NC_REAL b)
{
    NC_N(nc_pair) sum;
    sum.high = a + b;
    sum.low = b - (sum.high - a);
    return sum;
}

// a + b with its rounding error, in any order.
NC_FN NC_N(nc_pair) NC_N(nc_sum_exact)(NC_REAL a, NC_REAL b)
{
    NC_N(nc_pair) sum;
    sum.high = a + b;
    NC_REAL b_part = sum.high - a;
    sum.low = (a - (sum.high - b_part)) + (b - b_part);
    return sum;
}

// a * b with its rounding error (exact unless it underflows).
NC_FN NC_N(nc_pair) NC_N(nc_product_exact)(NC_REAL a, NC_REAL b)
{
    NC_N(nc_pair) product;
    product.high = a * b;
    product.low = NC_FMA(a, b, -product.high);
    return product;
}

// (a + a_low) / (b + b_low): the quotient's residual is formed by fma, so the pair has about twice the type's digits.
NC_FN NC_N(nc_pair) NC_N(nc_quotient)(NC_REAL a, NC_REAL a_low, NC_REAL b, NC_REAL b_low)
{
    NC_N(nc_pair) quotient;
    NC_REAL inverse = NC_C(1.0) / b;
    quotient.high = a * inverse;
    quotient.low = (NC_FMA(-quotient.high, b, a) + (a_low - quotient.high * b_low)) * inverse;
    return quotient;
}

// Sums and products of pairs, to about twice the type's digits of the larger operand.
NC_FN NC_N(nc_pair) NC_N(nc_pair_minus)(NC_N(nc_pair) a, NC_N(nc_pair) b)
{
    NC_N(nc_pair) sum = NC_N(nc_sum_exact)(a.high, -b.high);
    return NC_N(nc_sum_exact)(sum.high, sum.low + (a.low - b.low));
}
NC_FN NC_N(nc_pair) NC_N(nc_pair_plus)(NC_N(nc_pair) a, NC_N(nc_pair) b)
{
    NC_N(nc_pair) sum = NC_N(nc_sum_exact)(a.high, b.high);
    return NC_N(nc_sum_exact)(sum.high, sum.low + (a.low + b.low));
}
NC_FN NC_N(nc_pair) NC_N(nc_pair_product)(NC_N(nc_pair) a, NC_N(nc_pair) b)
{
    NC_N(nc_pair) product = NC_N(nc_product_exact)(a.high, b.high);
    return NC_N(nc_sum_ordered)(product.high, NC_FMA(a.high, b.low, NC_FMA(a.low, b.high, product.low)));
}
NC_FN NC_N(nc_pair) NC_N(nc_pair_quotient)(NC_N(nc_pair) a, NC_N(nc_pair) b)
{
    NC_N(nc_pair) quotient = NC_N(nc_quotient)(a.high, a.low, b.high, b.low);
    return NC_N(nc_sum_ordered)(quotient.high, quotient.low);
}

// Polynomial of a table row {low part of c0, c0, c1, ...} (elementary_tables_*.h) at t, by Horner's rule; the last addition keeps
// its rounding error.
#define NC_POLYNOMIAL_PAIR(name, qualifier)                                                                                        \
    NC_FN NC_N(nc_pair) NC_N(name)(qualifier NC_REAL * row, nc_i32 terms, NC_REAL t)                                               \
    {                                                                                                                              \
        NC_REAL sum = row[terms];                                                                                                  \
        for (nc_i32 i = terms - 1; i >= 2; --i) {                                                                                  \
            sum = NC_FMA(sum, t, row[i]);                                                                                          \
        }                                                                                                                          \
        return NC_N(nc_sum_ordered)(row[1], NC_FMA(sum, t, row[0]));                                                               \
    }
NC_POLYNOMIAL_PAIR(nc_polynomial_pair, NC_CONSTANT_PTR)
NC_POLYNOMIAL_PAIR(nc_polynomial_pair_of_row, NC_ROW_PTR) // the row depends on the data
#undef NC_POLYNOMIAL_PAIR
NC_FN NC_REAL NC_N(nc_polynomial)(NC_CONSTANT_PTR NC_REAL *row, nc_i32 terms, NC_REAL t)
{
    return NC_N(nc_polynomial_pair)(row, terms, t).high;
}

// A table of one row for each eighth of an octave, from 2^first on, each about the middle of its piece; x lies in the table.
NC_FN NC_N(nc_pair) NC_N(nc_piecewise)(NC_CONSTANT_PTR NC_REAL *table, nc_i32 terms, nc_i32 first, NC_REAL x)
{
    NC_BITS piece = NC_BITS_OF(x) >> (NC_MANTISSA_BITS - 3);
    NC_REAL centre = NC_OF_BITS((NC_BITS)((piece << (NC_MANTISSA_BITS - 3)) | ((NC_BITS)1 << (NC_MANTISSA_BITS - 4))));
    nc_i32 row = (nc_i32)piece - 8 * (NC_EXPONENT_BIAS + first);
    return NC_N(nc_polynomial_pair_of_row)(NC_ROW(NC_REAL, table + row * (terms + 1)), terms, x - centre);
}

// f(x) = polynomial(1/x^2) / x for large x, from the row of x f(x); 1/x^2 enters only terms that are small.
NC_FN NC_N(nc_pair) NC_N(nc_far_quotient)(NC_CONSTANT_PTR NC_REAL *row, nc_i32 terms, NC_REAL x)
{
    if (x > NC_N(nc_pow2)(NC_EXPONENT_BIAS / 2)) { // x^2 or 1/x may leave the range
        NC_REAL leading = row[1] / x;
        NC_REAL rest = NC_N(nc_is_below_inf)(x) ? NC_FMA(-leading, x, row[1]) + row[0] : NC_C(0.0);
        return NC_N(nc_sum_ordered)(leading, rest / x);
    }
    NC_N(nc_pair) numerator = NC_N(nc_polynomial_pair)(row, terms, NC_C(1.0) / (x * x));
    NC_N(nc_pair) quotient = NC_N(nc_quotient)(numerator.high, numerator.low, x, NC_C(0.0));
    return NC_N(nc_sum_ordered)(quotient.high, quotient.low);
}
