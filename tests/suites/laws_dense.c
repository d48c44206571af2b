// SPDX-License-Identifier: Apache-2.0
// Laws of Gram matrices, linear systems and the regression: exact scaling by powers of two, symmetry, rows that are not there.
#include "laws.h"
#include "values.h"

enum { ROWS = 700, P = 5, N = 6 };

static void *scaled(cupel_context *context, nc_dtype dtype, const void *values, size_t count, double factor)
{
    void *made = cupel_alloc(context, count * nc_dtype_size(dtype));
    for (size_t i = 0; i < count; ++i) {
        cupel_set_real(dtype, made, i, factor * cupel_get_real(dtype, values, i));
    }
    return made;
}

static nc_array *gram(cupel_context *context, const void *x, const void *w)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[2] = {ROWS, P}, square[2] = {P, P};
    nc_array *out = cupel_output(context, dtype, 2, square);
    cupel_require_ok(context, nc_gram(cupel_input(context, dtype, 2, shape, x), cupel_input_vector(context, dtype, ROWS, w), out));
    return out;
}

// Gram(2 x, w) = 4 Gram(x, w) = Gram(x, 4 w), bit for bit, and it is symmetric.
static void gram_scales_and_mirrors(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *x = values_wide(context, dtype, 31, ROWS * P), *w = values_integers(context, dtype, 32, ROWS, 7);
    const void *straight = cupel_download(context, gram(context, x, w));
    const void *four = scaled(context, dtype, straight, P * P, 4.0);
    cupel_expect_bits(context, gram(context, scaled(context, dtype, x, ROWS * P, 2.0), w), four, P * P);
    cupel_expect_bits(context, gram(context, x, scaled(context, dtype, w, ROWS, 4.0)), four, P * P);
    unsigned char *turned = cupel_alloc(context, P * P * nc_dtype_size(dtype));
    for (size_t i = 0; i < P * P; ++i) {
        cupel_set_real(dtype, turned, i, cupel_get_real(dtype, straight, i % P * P + i / P));
    }
    cupel_expect_same(context, dtype, turned, straight, P * P);
}

// Rows of integers in any order, columns of anything in any order: the same entries.
static void gram_in_any_order(cupel_context *context)
{
    enum { ROW_STRIDE = 173, COLUMN_STRIDE = 3 }; // coprime to ROWS and P
    nc_dtype dtype = cupel_dtype(context);
    const void *integers = values_integers(context, dtype, 37, ROWS * P, 9), *wide = values_wide(context, dtype, 38, ROWS * P);
    const void *w = values_integers(context, dtype, 39, ROWS, 3);
    void *rows = cupel_alloc(context, ROWS * P * nc_dtype_size(dtype)),
         *columns = cupel_alloc(context, ROWS * P * nc_dtype_size(dtype));
    void *weights = cupel_alloc(context, ROWS * nc_dtype_size(dtype)),
         *expected = cupel_alloc(context, P * P * nc_dtype_size(dtype));
    for (size_t i = 0; i < ROWS; ++i) {
        size_t from = i * ROW_STRIDE % ROWS;
        cupel_set_real(dtype, weights, i, cupel_get_real(dtype, w, from));
        for (size_t j = 0; j < P; ++j) {
            cupel_set_real(dtype, rows, i * P + j, cupel_get_real(dtype, integers, from * P + j));
            cupel_set_real(dtype, columns, i * P + j, cupel_get_real(dtype, wide, i * P + j * COLUMN_STRIDE % P));
        }
    }
    cupel_expect_bits(context, gram(context, rows, weights), cupel_download(context, gram(context, integers, w)), P * P);
    const void *straight = cupel_download(context, gram(context, wide, w));
    for (size_t i = 0; i < P * P; ++i) {
        size_t from = i / P * COLUMN_STRIDE % P * P + i % P * COLUMN_STRIDE % P;
        cupel_set_real(dtype, expected, i, cupel_get_real(dtype, straight, from));
    }
    cupel_expect_bits(context, gram(context, columns, w), expected, P * P);
}

static nc_array *lu_solution(cupel_context *context, const void *a, const void *b)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[2] = {N, N};
    nc_array *matrix = cupel_update(context, dtype, 2, shape, a), *x = cupel_update(context, dtype, 1, shape, b);
    nc_array *pivots = cupel_output_vector(context, NC_I32, N), *status = cupel_output_vector(context, NC_I32, 1);
    cupel_require_ok(context, nc_lu(matrix, matrix, pivots, status));
    cupel_require_ok(context, nc_lu_solve(matrix, pivots, x, x));
    return x;
}

// (2^k A)^-1 (2^k b) = A^-1 b and A^-1 (2 b) = 2 A^-1 b, bit for bit.
static void solutions_scale(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *a = values_wide(context, dtype, 33, N * N), *b = values_wide(context, dtype, 34, N);
    const void *x = cupel_download(context, lu_solution(context, a, b));
    cupel_expect_bits(context, lu_solution(context, scaled(context, dtype, a, N * N, 0x1p-5), scaled(context, dtype, b, N, 0x1p-5)),
                      x, N);
    cupel_expect_bits(context, lu_solution(context, a, scaled(context, dtype, b, N, 2.0)), scaled(context, dtype, x, N, 2.0), N);
}

// Rows of weight 0 after the others are not there: the coefficients keep their bytes.
static void rows_of_weight_zero(cupel_context *context)
{
    enum { REAL = 40, EXTRA = 17, FEATURES = 2 };
    nc_dtype dtype = cupel_dtype(context);
    const void *x = values_wide(context, dtype, 35, (REAL + EXTRA) * FEATURES), *y = values_wide(context, dtype, 36, REAL + EXTRA);
    void *w = cupel_alloc(context, (REAL + EXTRA) * nc_dtype_size(dtype));
    nc_array *beta[2];
    for (size_t i = 0; i < REAL + EXTRA; ++i) {
        cupel_set_real(dtype, w, i, i < REAL ? 1.0 : 0.0);
    }
    for (int k = 0; k < 2; ++k) {
        const int64_t rows = k == 0 ? REAL : REAL + EXTRA, shape[2] = {rows, FEATURES};
        nc_huber_options options;
        nc_huber_config config;
        nc_huber_diagnostics diagnostics;
        nc_huber *model = NULL;
        NC_STRUCT_INIT(&options);
        NC_STRUCT_INIT(&diagnostics);
        nc_huber_config_init(&config);
        options.dtype = (int32_t)dtype;
        options.fit_intercept = 1;
        options.features = FEATURES;
        config.tau = 16.0;
        cupel_require_ok(context, nc_huber_create(cupel_device(context), &options, &model));
        cupel_expect_status(context,
                            nc_huber_update(model, &config, cupel_input(context, dtype, 2, shape, x),
                                            cupel_input_vector(context, dtype, rows, y),
                                            cupel_input_vector(context, dtype, rows, w), &diagnostics),
                            NC_OK);
        beta[k] = cupel_output_vector(context, dtype, FEATURES + 1);
        cupel_expect_status(context, nc_huber_coefficients(model, beta[k]), NC_OK);
        cupel_expect_status(context, nc_huber_release(model), NC_OK);
    }
    cupel_expect_bits(context, beta[1], cupel_download(context, beta[0]), FEATURES + 1);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("laws.dense.gram-in-any-order", gram_in_any_order),
    CUPEL_CASE_REALS("laws.dense.gram-scales-and-mirrors", gram_scales_and_mirrors),
    CUPEL_CASE_REALS("laws.dense.rows-of-weight-zero", rows_of_weight_zero),
    CUPEL_CASE_REALS("laws.dense.solutions-scale", solutions_scale),
};

const cupel_table laws_dense_table = CUPEL_TABLE(cases);
