// SPDX-License-Identifier: Apache-2.0
// Laws of sums, dot products and extrema: exact scaling, sign, permutations, duality.
#include "laws.h"
#include "values.h"

enum { COUNT = 9001 };

static const void *run_sum(cupel_context *context, const void *values, size_t count)
{
    nc_array *out = cupel_output(context, cupel_dtype(context), 0, NULL);
    cupel_require_ok(context, nc_sum(cupel_input_vector(context, cupel_dtype(context), (int64_t)count, values), out));
    return cupel_download(context, out);
}

static const void *run_dot(cupel_context *context, const void *x, const void *y, size_t count)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_array *out = cupel_output(context, dtype, 0, NULL);
    cupel_require_ok(context, nc_dot(cupel_input_vector(context, dtype, (int64_t)count, x),
                                     cupel_input_vector(context, dtype, (int64_t)count, y), out));
    return cupel_download(context, out);
}

static const void *run_extremum(cupel_context *context, nc_status (*operation)(const nc_array *, nc_array *), const void *values,
                                size_t count)
{
    nc_array *out = cupel_output(context, cupel_dtype(context), 0, NULL);
    cupel_require_ok(context, operation(cupel_input_vector(context, cupel_dtype(context), (int64_t)count, values), out));
    return cupel_download(context, out);
}

// factor * values, where the factor is a power of two or -1, so that nothing rounds.
static void *scaled(cupel_context *context, const void *values, size_t count, double factor)
{
    nc_dtype dtype = cupel_dtype(context);
    void *result = cupel_alloc(context, count * nc_dtype_size(dtype));
    for (size_t i = 0; i < count; ++i) {
        cupel_set_real(dtype, result, i, factor * cupel_get_real(dtype, values, i));
    }
    return result;
}

// The values in another order, the k-th of many.
static void *shuffled(cupel_context *context, const void *values, size_t count, uint64_t k)
{
    nc_dtype dtype = cupel_dtype(context);
    void *result = scaled(context, values, count, 1.0);
    for (size_t i = count - 1; i > 0; --i) {
        size_t j = value_index(k, i, i + 1);
        double kept = cupel_get_real(dtype, result, i);
        cupel_set_real(dtype, result, i, cupel_get_real(dtype, result, j));
        cupel_set_real(dtype, result, j, kept);
    }
    return result;
}

static const double factors[] = {0.5, 2.0, 0x1p-40, 0x1p40, -1.0, -0x1p10};

static void sum_scales_exactly(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *values = values_wide(context, dtype, 1, COUNT);
    const void *sum = run_sum(context, values, COUNT);
    for (size_t f = 0; f < sizeof factors / sizeof *factors; ++f) {
        cupel_expect_same(context, dtype, run_sum(context, scaled(context, values, COUNT, factors[f]), COUNT),
                          scaled(context, sum, 1, factors[f]), 1);
    }
}

static void dot_scales_exactly(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *x = values_wide(context, dtype, 2, COUNT);
    const void *y = values_wide(context, dtype, 3, COUNT);
    const void *dot = run_dot(context, x, y, COUNT);
    for (size_t f = 0; f < sizeof factors / sizeof *factors; ++f) {
        const void *expected = scaled(context, dot, 1, factors[f]);
        cupel_expect_same(context, dtype, run_dot(context, scaled(context, x, COUNT, factors[f]), y, COUNT), expected, 1);
        cupel_expect_same(context, dtype, run_dot(context, x, scaled(context, y, COUNT, factors[f]), COUNT), expected, 1);
    }
}

static void dot_commutes(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *x = values_wide(context, dtype, 4, COUNT);
    const void *y = values_wide(context, dtype, 5, COUNT);
    cupel_expect_same(context, dtype, run_dot(context, x, y, COUNT), run_dot(context, y, x, COUNT), 1);
}

// One tree for both: a product with 1 is the element itself.
static void dot_with_ones_is_the_sum(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const size_t counts[] = {1, 255, 257, 4097, COUNT};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
        const void *values = values_wide(context, dtype, c, counts[c]);
        void *ones = cupel_alloc(context, counts[c] * nc_dtype_size(dtype));
        for (size_t i = 0; i < counts[c]; ++i) {
            cupel_set_real(dtype, ones, i, 1.0);
        }
        cupel_expect_same(context, dtype, run_dot(context, values, ones, counts[c]), run_sum(context, values, counts[c]), 1);
    }
}

static void integers_in_any_order(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *values = values_integers(context, dtype, 6, COUNT, 100);
    const void *sum = run_sum(context, values, COUNT);
    for (uint64_t k = 0; k < 8; ++k) {
        cupel_expect_same(context, dtype, run_sum(context, shuffled(context, values, COUNT, k), COUNT), sum, 1);
    }
}

// x . (y + z) = x . y + x . z on integers that stay exact.
static void dot_is_linear_on_integers(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *x = values_integers(context, dtype, 7, COUNT, 12);
    const void *y = values_integers(context, dtype, 8, COUNT, 12);
    const void *z = values_integers(context, dtype, 9, COUNT, 12);
    void *sums = cupel_alloc(context, COUNT * nc_dtype_size(dtype));
    for (size_t i = 0; i < COUNT; ++i) {
        cupel_set_real(dtype, sums, i, cupel_get_real(dtype, y, i) + cupel_get_real(dtype, z, i));
    }
    double expected =
        cupel_get_real(dtype, run_dot(context, x, y, COUNT), 0) + cupel_get_real(dtype, run_dot(context, x, z, COUNT), 0);
    cupel_expect_same(context, dtype, run_dot(context, x, sums, COUNT), cupel_reals(context, dtype, &expected, 1), 1);
}

// min x = -max(-x), signed zeros included.
static void extrema_are_dual(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    for (uint64_t k = 0; k < 6; ++k) {
        size_t count = k < 3 ? 2 + k : COUNT;
        void *values = k < 3 ? cupel_alloc(context, count * nc_dtype_size(dtype)) : values_wide(context, dtype, k, count);
        cupel_set_real(dtype, values, value_index(k, 0, count), k < 3 ? -0.0 : 1.0);
        const void *negated = scaled(context, values, count, -1.0);
        const void *least = run_extremum(context, nc_minimum, values, count);
        const void *greatest = run_extremum(context, nc_maximum, negated, count);
        cupel_expect_same(context, dtype, least, scaled(context, greatest, 1, -1.0), 1);
    }
}

static void extrema_in_any_order(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *values = values_wide(context, dtype, 11, COUNT);
    const void *least = run_extremum(context, nc_minimum, values, COUNT);
    const void *greatest = run_extremum(context, nc_maximum, values, COUNT);
    for (uint64_t k = 0; k < 6; ++k) {
        const void *other = shuffled(context, values, COUNT, k);
        cupel_expect_same(context, dtype, run_extremum(context, nc_minimum, other, COUNT), least, 1);
        cupel_expect_same(context, dtype, run_extremum(context, nc_maximum, other, COUNT), greatest, 1);
    }
}

static const void *run_block_maximum(cupel_context *context, const void *values, size_t count, size_t block)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_array *out = cupel_output_vector(context, dtype, (int64_t)((count + block - 1) / block));
    cupel_require_ok(context, nc_block_maximum(cupel_input_vector(context, dtype, (int64_t)count, values), (int64_t)block, out));
    return cupel_download(context, out);
}

// Maxima of maxima are maxima of the larger blocks, and of the whole.
static void block_maxima_compose(cupel_context *context)
{
    enum { INNER = 7, OUTER = 11 };
    nc_dtype dtype = cupel_dtype(context);
    const size_t blocks = (COUNT + INNER - 1) / INNER;
    const void *values = values_wide(context, dtype, 12, COUNT);
    const void *inner = run_block_maximum(context, values, COUNT, INNER);
    cupel_expect_same(context, dtype, run_block_maximum(context, inner, blocks, OUTER),
                      run_block_maximum(context, values, COUNT, INNER * OUTER), (blocks + OUTER - 1) / OUTER);
    cupel_expect_same(context, dtype, run_extremum(context, nc_maximum, inner, blocks),
                      run_extremum(context, nc_maximum, values, COUNT), 1);
}

// Where an array lies and what ran before changes nothing.
static void the_same_again(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *x = values_wide(context, dtype, 13, COUNT);
    const void *y = values_wide(context, dtype, 14, COUNT);
    const void *sum = run_sum(context, x, COUNT);
    const void *dot = run_dot(context, x, y, COUNT);
    for (int again = 0; again < 10; ++again) {
        cupel_expect_same(context, dtype, run_dot(context, x, y, COUNT), dot, 1);
        cupel_expect_same(context, dtype, run_sum(context, x, COUNT), sum, 1);
    }
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("laws.sum.scales-exactly", sum_scales_exactly),
    CUPEL_CASE_REALS("laws.sum.integers-in-any-order", integers_in_any_order),
    CUPEL_CASE_REALS("laws.sum.the-same-again", the_same_again),
    CUPEL_CASE_REALS("laws.dot.scales-exactly", dot_scales_exactly),
    CUPEL_CASE_REALS("laws.dot.commutes", dot_commutes),
    CUPEL_CASE_REALS("laws.dot.with-ones-is-the-sum", dot_with_ones_is_the_sum),
    CUPEL_CASE_REALS("laws.dot.is-linear-on-integers", dot_is_linear_on_integers),
    CUPEL_CASE_REALS("laws.extrema.are-dual", extrema_are_dual),
    CUPEL_CASE_REALS("laws.extrema.in-any-order", extrema_in_any_order),
    CUPEL_CASE_REALS("laws.block-maximum.composes", block_maxima_compose),
};
const cupel_table laws_sum_table = CUPEL_TABLE(cases);
