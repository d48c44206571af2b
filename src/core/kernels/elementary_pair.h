// SPDX-License-Identifier: Apache-2.0
// Double-word arithmetic (a value is high + low, |low| <= ulp(high)/2) and polynomials. Body: included by elementary.h.
// Sums and products without error: Dekker 1971 (doi:10.1007/BF01397083), Knuth TAOCP 2, 4.2.2; the product's error by fma.

typedef struct NC_N(nc_pair) {
    NC_REAL high, low;
} NC_N(nc_pair);

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

// Polynomial of a table row {low part of c0, c0, c1, ...} (elementary_tables_*.h) at t, by Horner's rule.
NC_FN NC_REAL NC_N(nc_polynomial)(NC_CONSTANT_PTR NC_REAL *row, nc_i32 terms, NC_REAL t)
{
    NC_REAL sum = row[terms];
    for (nc_i32 i = terms - 1; i >= 2; --i) {
        sum = NC_FMA(sum, t, row[i]);
    }
    return row[1] + NC_FMA(sum, t, row[0]);
}
