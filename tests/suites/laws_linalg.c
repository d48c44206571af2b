// SPDX-License-Identifier: Apache-2.0
// Laws of matrix products and axpy: identity, transposition, exact scaling, parts of a product, linearity on integers.
#include "laws.h"
#include "values.h"

enum { M = 37, N = 41, K = 53 };

static nc_array *matrix(cupel_context *context, int64_t rows, int64_t columns, const void *values)
{
    const int64_t shape[] = {rows, columns};
    return cupel_input(context, cupel_dtype(context), 2, shape, values);
}

// The transposed values as a matrix of their own: columns are contiguous.
static nc_array *transposed(cupel_context *context, int64_t rows, int64_t columns, const void *values)
{
    nc_dtype dtype = cupel_dtype(context);
    size_t size = nc_dtype_size(dtype);
    unsigned char *turned = cupel_alloc(context, (size_t)(rows * columns) * size);
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
            memcpy(turned + (size_t)(j * rows + i) * size, (const unsigned char *)values + (size_t)(i * columns + j) * size, size);
        }
    }
    return matrix(context, columns, rows, turned);
}

static nc_array *product(cupel_context *context, double alpha, const nc_array *a, const nc_array *b, int64_t rows, int64_t columns)
{
    const int64_t shape[] = {rows, columns};
    nc_array *out = cupel_output(context, cupel_dtype(context), 2, shape);
    cupel_require_ok(context, nc_gemm(alpha, a, b, 0.0, out));
    return out;
}

static void identity(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *a = values_wide(context, dtype, 1, M * N);
    void *left = cupel_alloc(context, M * M * nc_dtype_size(dtype));
    void *right = cupel_alloc(context, N * N * nc_dtype_size(dtype));
    for (size_t i = 0; i < M; ++i) {
        cupel_set_real(dtype, left, i * M + i, 1.0);
    }
    for (size_t i = 0; i < N; ++i) {
        cupel_set_real(dtype, right, i * N + i, 1.0);
    }
    cupel_expect_bits(context, product(context, 1.0, matrix(context, M, M, left), matrix(context, M, N, a), M, N), a, M * N);
    cupel_expect_bits(context, product(context, 1.0, matrix(context, M, N, a), matrix(context, N, N, right), M, N), a, M * N);
}

// (A B)' = B' A': the factors of each product commute and k ascends in both.
static void transposition(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *a = values_wide(context, dtype, 2, M * K);
    const void *b = values_wide(context, dtype, 3, K * N);
    nc_array *straight = product(context, 1.5, matrix(context, M, K, a), matrix(context, K, N, b), M, N);
    nc_array *turned = product(context, 1.5, transposed(context, K, N, b), transposed(context, M, K, a), N, M);
    const unsigned char *back = cupel_download(context, turned);
    size_t size = nc_dtype_size(dtype);
    unsigned char *expected = cupel_alloc(context, M * N * size);
    for (size_t i = 0; i < M; ++i) {
        for (size_t j = 0; j < N; ++j) {
            memcpy(expected + (i * N + j) * size, back + (j * M + i) * size, size);
        }
    }
    cupel_expect_bits(context, straight, expected, M * N);
}

// A power of two times A, times B, or as alpha gives that power times the product.
static void exact_scaling(cupel_context *context)
{
    static const double factors[] = {2.0, 0x1p-30, -1.0, -0x1p20};
    nc_dtype dtype = cupel_dtype(context);
    const void *a = values_wide(context, dtype, 4, M * K);
    const void *b = values_wide(context, dtype, 5, K * N);
    nc_array *b_array = matrix(context, K, N, b);
    const void *plain = cupel_download(context, product(context, 1.0, matrix(context, M, K, a), b_array, M, N));
    for (size_t f = 0; f < sizeof factors / sizeof *factors; ++f) {
        void *a_scaled = cupel_alloc(context, M * K * nc_dtype_size(dtype));
        void *expected = cupel_alloc(context, M * N * nc_dtype_size(dtype));
        for (size_t i = 0; i < M * K; ++i) {
            cupel_set_real(dtype, a_scaled, i, factors[f] * cupel_get_real(dtype, a, i));
        }
        for (size_t i = 0; i < M * N; ++i) {
            cupel_set_real(dtype, expected, i, factors[f] * cupel_get_real(dtype, plain, i));
        }
        cupel_expect_bits(context, product(context, 1.0, matrix(context, M, K, a_scaled), b_array, M, N), expected, M * N);
        cupel_expect_bits(context, product(context, factors[f], matrix(context, M, K, a), b_array, M, N), expected, M * N);
    }
}

// Any rows and columns of a product are the product of those rows and columns: no element knows the tile it was computed in.
static void parts_of_a_product(cupel_context *context)
{
    static const int64_t parts[][4] = {{0, 1, 0, 1},   {36, 37, 40, 41}, {5, 6, 0, 41},
                                       {0, 37, 9, 10}, {3, 20, 2, 35},   {16, 32, 16, 32}};
    nc_dtype dtype = cupel_dtype(context);
    size_t size = nc_dtype_size(dtype);
    const unsigned char *a = values_wide(context, dtype, 6, M * K);
    const unsigned char *b = values_wide(context, dtype, 7, K * N);
    const unsigned char *whole =
        cupel_download(context, product(context, 1.0, matrix(context, M, K, a), matrix(context, K, N, b), M, N));
    for (size_t p = 0; p < sizeof parts / sizeof *parts; ++p) {
        int64_t rows = parts[p][1] - parts[p][0];
        int64_t columns = parts[p][3] - parts[p][2];
        const int64_t b_shape[] = {K, columns};
        unsigned char *b_part = cupel_alloc(context, (size_t)(K * columns) * size);
        unsigned char *expected = cupel_alloc(context, (size_t)(rows * columns) * size);
        for (int64_t k = 0; k < K; ++k) {
            memcpy(b_part + (size_t)(k * columns) * size, b + (size_t)(k * N + parts[p][2]) * size, (size_t)columns * size);
        }
        for (int64_t i = 0; i < rows; ++i) {
            memcpy(expected + (size_t)(i * columns) * size, whole + (size_t)((parts[p][0] + i) * N + parts[p][2]) * size,
                   (size_t)columns * size);
        }
        nc_array *part = product(context, 1.0, matrix(context, rows, K, a + (size_t)(parts[p][0] * K) * size),
                                 cupel_input(context, dtype, 2, b_shape, b_part), rows, columns);
        cupel_expect_bits(context, part, expected, (size_t)(rows * columns));
    }
}

// A (B + C) = A B + A C on integers that stay exact, the second product added by beta = 1.
static void linear_on_integers(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[] = {M, N};
    const void *a = values_integers(context, dtype, 8, M * K, 9);
    const void *b = values_integers(context, dtype, 9, K * N, 9);
    const void *c = values_integers(context, dtype, 10, K * N, 9);
    void *sum = cupel_alloc(context, K * N * nc_dtype_size(dtype));
    for (size_t i = 0; i < K * N; ++i) {
        cupel_set_real(dtype, sum, i, cupel_get_real(dtype, b, i) + cupel_get_real(dtype, c, i));
    }
    nc_array *a_array = matrix(context, M, K, a);
    const void *expected = cupel_download(context, product(context, 1.0, a_array, matrix(context, K, N, sum), M, N));
    const void *first = cupel_download(context, product(context, 1.0, a_array, matrix(context, K, N, b), M, N));
    nc_array *both = cupel_update(context, dtype, 2, shape, first);
    cupel_require_ok(context, nc_gemm(1.0, a_array, matrix(context, K, N, c), 1.0, both));
    cupel_expect_bits(context, both, expected, M * N);
}

static const void *run_axpy(cupel_context *context, double alpha, const void *x, const void *y, int64_t count)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_array *out = cupel_output_vector(context, dtype, count);
    cupel_require_ok(
        context, nc_axpy(alpha, cupel_input_vector(context, dtype, count, x), cupel_input_vector(context, dtype, count, y), out));
    return cupel_download(context, out);
}

static void axpy_commutes_at_one(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *x = values_wide(context, dtype, 11, 5000);
    const void *y = values_wide(context, dtype, 12, 5000);
    cupel_expect_same(context, dtype, run_axpy(context, 1.0, x, y, 5000), run_axpy(context, 1.0, y, x, 5000), 5000);
}

static void axpy_undoes_itself_on_integers(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *x = values_integers(context, dtype, 13, 5000, 1000);
    const void *y = values_integers(context, dtype, 14, 5000, 1000);
    for (int alpha = -7; alpha <= 7; alpha += 2) {
        const void *there = run_axpy(context, alpha, x, y, 5000);
        cupel_expect_same(context, dtype, run_axpy(context, -alpha, x, there, 5000), y, 5000);
    }
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("laws.gemm.identity", identity),
    CUPEL_CASE_REALS("laws.gemm.transposition", transposition),
    CUPEL_CASE_REALS("laws.gemm.exact-scaling", exact_scaling),
    CUPEL_CASE_REALS("laws.gemm.parts-of-a-product", parts_of_a_product),
    CUPEL_CASE_REALS("laws.gemm.linear-on-integers", linear_on_integers),
    CUPEL_CASE_REALS("laws.axpy.commutes-at-one", axpy_commutes_at_one),
    CUPEL_CASE_REALS("laws.axpy.undoes-itself-on-integers", axpy_undoes_itself_on_integers),
};
const cupel_table laws_linalg_table = CUPEL_TABLE(cases);
