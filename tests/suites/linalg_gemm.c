// SPDX-License-Identifier: Apache-2.0
// C = alpha A B + beta C: one fma chain in ascending k for each element, whatever the tiling; beta = 0 never reads C.
#include "linalg.h"
#include "reference_sum.h"
#include "values.h"

typedef struct product {
    int64_t m, n, k;
    double alpha, beta;
} product;

static double rounded(nc_dtype dtype, double value)
{
    return dtype == NC_F32 ? (double)(float)value : value;
}

// Row-major A, B and C; NaN in its one form, and where.
static void *expected_product(cupel_context *context, const product *p, const void *a, const void *b, const void *c,
                              uint8_t *nan_at)
{
    nc_dtype dtype = cupel_dtype(context);
    size_t size = nc_dtype_size(dtype);
    const uint64_t canonical = dtype == NC_F32 ? 0x7fc00000u : 0x7ff8000000000000u;
    double alpha = rounded(dtype, p->alpha);
    double beta = rounded(dtype, p->beta);
    unsigned char *expected = cupel_alloc(context, (size_t)(p->m * p->n) * size);
    for (int64_t i = 0; i < p->m; ++i) {
        for (int64_t j = 0; j < p->n; ++j) {
            size_t at = (size_t)(i * p->n + j);
            double acc = 0.0;
            for (int64_t k = 0; k < p->k; ++k) {
                acc = reference_fma(dtype, cupel_get_real(dtype, a, (size_t)(i * p->k + k)),
                                    cupel_get_real(dtype, b, (size_t)(k * p->n + j)), acc);
            }
            double r = reference_multiply(dtype, alpha, acc);
            double value = beta == 0.0 ? r : reference_fma(dtype, beta, cupel_get_real(dtype, c, at), r);
            cupel_set_real(dtype, expected, at, value);
            if (isnan(value)) {
                nan_at[at] = 1;
                memcpy(expected + at * size, &canonical, size);
            }
        }
    }
    return expected;
}

static nc_array *matrix(cupel_context *context, int64_t rows, int64_t columns, const void *values)
{
    const int64_t shape[] = {rows, columns};
    return cupel_input(context, cupel_dtype(context), 2, shape, values);
}

// Runs the product with C as given and compares every element.
static void expect_product(cupel_context *context, const product *p, nc_array *a_array, nc_array *b_array, const void *a,
                           const void *b, const void *c)
{
    const int64_t shape[] = {p->m, p->n};
    size_t count = (size_t)(p->m * p->n);
    uint8_t *nan_at = cupel_alloc(context, count);
    const void *expected = expected_product(context, p, a, b, c, nan_at);
    nc_array *out = cupel_update(context, cupel_dtype(context), 2, shape, c);
    cupel_require_ok(context, nc_gemm(p->alpha, a_array, b_array, p->beta, out));
    cupel_expect_bits_nan(context, out, expected, count, nan_at);
}

static void run_random(cupel_context *context, const product *p, uint64_t seed)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *a = values_wide(context, dtype, seed, (size_t)(p->m * p->k));
    const void *b = values_wide(context, dtype, seed + 1, (size_t)(p->k * p->n));
    const void *c = values_wide(context, dtype, seed + 2, (size_t)(p->m * p->n));
    expect_product(context, p, matrix(context, p->m, p->k, a), matrix(context, p->k, p->n, b), a, b, c);
}

// Sizes around the edges of any tile.
static void shapes(cupel_context *context)
{
    static const product products[] = {
        {1, 1, 1, 1.0, 0.0},     {1, 1, 300, 1.0, 0.0},   {1, 65, 7, 1.0, 0.0},   {65, 1, 7, 1.0, 0.0},    {2, 3, 4, 1.0, 0.0},
        {7, 5, 3, 1.0, 0.0},     {8, 8, 8, 1.0, 0.0},     {15, 16, 17, 1.0, 0.0}, {16, 16, 16, 1.0, 0.0},  {17, 33, 5, 1.0, 0.0},
        {31, 32, 33, 1.0, 0.0},  {33, 31, 32, 1.0, 0.0},  {63, 64, 65, 1.0, 0.0}, {64, 65, 64, 1.0, 0.0},  {65, 63, 129, 1.0, 0.0},
        {127, 128, 9, 1.0, 0.0}, {129, 67, 31, 1.0, 0.0}, {5, 6, 1025, 1.0, 0.0}, {100, 3, 257, 1.0, 0.0},
    };
    for (size_t i = 0; i < sizeof products / sizeof *products; ++i) {
        run_random(context, &products[i], 10 * i);
    }
}

// Larger than the blocks that a backend may cut any of the three dimensions into, and not a multiple of them.
static void shapes_beyond_blocks(cupel_context *context)
{
    static const product products[] = {{1025, 3, 5, 1.0, 0.0},
                                       {3, 1025, 5, 1.0, 0.0},
                                       {5, 7, 2049, 1.0, 0.0},
                                       {521, 393, 3, -0.5, 2.0},
                                       {130, 390, 259, 1.0, 1.0}};
    for (size_t i = 0; i < sizeof products / sizeof *products; ++i) {
        run_random(context, &products[i], 1000 + 10 * i);
    }
}

static void scalars(cupel_context *context)
{
    static const double scalars[] = {0.0, -0.0, 1.0, -1.0, 0.1, -2.5, 0x1p-100};
    enum { COUNT = sizeof scalars / sizeof *scalars };
    for (size_t i = 0; i < COUNT * COUNT; ++i) {
        const product p = {9, 11, 20, scalars[i / COUNT], scalars[i % COUNT]};
        run_random(context, &p, 500 + i);
    }
}

// Rounding each product, adding from the end or splitting k would change these results.
static void order_of_k(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const product p = {4, 4, 600, 1.0, 0.0};
    const void *a = values_wide(context, dtype, 71, 4 * 600);
    const void *b = values_wide(context, dtype, 72, 600 * 4);
    double from_the_end = 0.0;
    double halves[2] = {0.0, 0.0};
    double in_turn = 0.0;
    for (size_t k = 0; k < 600; ++k) {
        double forward[] = {cupel_get_real(dtype, a, k), cupel_get_real(dtype, b, 4 * k)};
        double backward[] = {cupel_get_real(dtype, a, 599 - k), cupel_get_real(dtype, b, 4 * (599 - k))};
        in_turn = reference_fma(dtype, forward[0], forward[1], in_turn);
        from_the_end = reference_fma(dtype, backward[0], backward[1], from_the_end);
        halves[k / 300] = reference_fma(dtype, forward[0], forward[1], halves[k / 300]);
    }
    cupel_expect_true(context, in_turn != from_the_end && in_turn != reference_add(dtype, halves[0], halves[1]));
    expect_product(context, &p, matrix(context, 4, 600, a), matrix(context, 600, 4, b), a, b, values_wide(context, dtype, 73, 16));
}

static void beta_zero_never_reads_c(cupel_context *context)
{
    static const product products[] = {{1, 1, 1, 1.0, 0.0}, {16, 16, 16, 1.0, 0.0}, {17, 33, 5, 1.0, -0.0}, {64, 65, 64, 1.0, 0.0}};
    nc_dtype dtype = cupel_dtype(context);
    for (size_t i = 0; i < sizeof products / sizeof *products; ++i) {
        const product *p = &products[i];
        size_t sizes[] = {(size_t)(p->m * p->k), (size_t)(p->k * p->n), (size_t)(p->m * p->n)};
        void *operands[3];
        for (size_t o = 0; o < 3; ++o) {
            operands[o] = cupel_alloc(context, sizes[o] * nc_dtype_size(dtype));
            for (size_t e = 0; e < sizes[o]; ++e) {
                cupel_set_real(dtype, operands[o], e, o < 2 ? 1.0 : (double)NAN);
            }
        }
        const int64_t shape[] = {p->m, p->n};
        nc_array *out = cupel_update(context, dtype, 2, shape, operands[2]);
        void *expected = cupel_alloc(context, sizes[2] * nc_dtype_size(dtype));
        for (size_t e = 0; e < sizes[2]; ++e) {
            cupel_set_real(dtype, expected, e, (double)p->k);
        }
        cupel_require_ok(context, nc_gemm(p->alpha, matrix(context, p->m, p->k, operands[0]),
                                          matrix(context, p->k, p->n, operands[1]), p->beta, out));
        cupel_expect_bits(context, out, expected, sizes[2]);
    }
}

// k = 0 leaves alpha times +0, plus beta C; m or n = 0 leaves nothing.
static void empty_dimensions(cupel_context *context)
{
    static const product products[] = {{4, 4, 0, 3.0, 2.0}, {4, 4, 0, 3.0, 0.0}, {4, 4, 0, -3.0, 0.0}, {4, 4, 0, -3.0, 1.0}};
    nc_dtype dtype = cupel_dtype(context);
    for (size_t i = 0; i < sizeof products / sizeof *products; ++i) {
        double c[16] = {0.0, -0.0, 1.0, -1.0, 0.1};
        for (size_t e = 5; e < 16; ++e) {
            c[e] = products[i].beta == 0.0 ? (double)NAN : (double)e;
        }
        expect_product(context, &products[i], matrix(context, 4, 0, NULL), matrix(context, 0, 4, NULL), NULL, NULL,
                       cupel_reals(context, dtype, c, 16));
    }
    const void *four = values_wide(context, dtype, 1, 16);
    const int64_t no_rows[] = {0, 4};
    const int64_t no_columns[] = {4, 0};
    uint64_t before = cupel_kernels(context);
    cupel_expect_status(
        context,
        nc_gemm(1.0, matrix(context, 0, 4, NULL), matrix(context, 4, 4, four), 0.0, cupel_output(context, dtype, 2, no_rows)),
        NC_OK);
    cupel_expect_status(
        context,
        nc_gemm(1.0, matrix(context, 4, 4, four), matrix(context, 4, 0, NULL), 0.0, cupel_output(context, dtype, 2, no_columns)),
        NC_OK);
    cupel_expect_u64(context, cupel_kernels(context) - before, 0);
}

// A leading dimension of 1 for rows of 2. There is none here to be wrong: an operand that is read may have rows that share
// elements, and is then what its strides say; a product to be written needs a place for each element.
static void rows_that_share_elements(cupel_context *context)
{
    static const int64_t shape[] = {2, 2}, shared[] = {1, 1};
    static const double storage[] = {1.0, 2.0, 3.0}, unit[] = {1.0, 0.0, 0.0, 1.0}, tripled[] = {3.0, 6.0, 6.0, 9.0};
    nc_dtype dtype = cupel_dtype(context);
    nc_array *a = cupel_input_vector(context, dtype, 3, cupel_reals(context, dtype, storage, 3)), *rows = NULL, *target = NULL;
    nc_array_info place_of_a, place_of_line;
    nc_array *b = matrix(context, 2, 2, cupel_reals(context, dtype, unit, 4)), *c = cupel_output(context, dtype, 2, shape);
    nc_array *line = cupel_update(context, dtype, 1, &(int64_t){3}, cupel_reals(context, dtype, storage, 3));
    NC_STRUCT_INIT(&place_of_a);
    NC_STRUCT_INIT(&place_of_line);
    cupel_require_ok(context, nc_array_info_get(a, &place_of_a));
    cupel_require_ok(context, nc_array_info_get(line, &place_of_line));
    cupel_require_ok(context, nc_array_view(a, place_of_a.offset, 2, shape, shared, &rows));
    cupel_require_ok(context, nc_array_view(line, place_of_line.offset, 2, shape, shared, &target));
    cupel_expect_status(context, nc_gemm(3.0, rows, b, 0.0, c), NC_OK);
    cupel_expect_bits(context, c, cupel_reals(context, dtype, tripled, 4), 4);
    cupel_expect_status(context, nc_gemm(3.0, b, b, 0.0, target), NC_OVERLAP);
    cupel_expect_bits(context, line, cupel_reals(context, dtype, storage, 3), 3);
    cupel_expect_status(context, nc_array_release(target), NC_OK);
    cupel_expect_status(context, nc_array_release(rows), NC_OK);
}

static void special_values(cupel_context *context)
{
    static const double special[] = {1.0,         -0.0, (double)INFINITY, 0.0,    -(double)INFINITY, 2.0,
                                     (double)NAN, -1.0, 0x1p-149,         0x1p127};
    nc_dtype dtype = cupel_dtype(context);
    const product products[] = {{13, 14, 3, 1.0, 0.0}, {13, 14, 3, 0.0, 1.0}, {13, 14, 3, -1.0, -0.5}};
    for (size_t i = 0; i < sizeof products / sizeof *products; ++i) {
        double values[3][13 * 14];
        for (size_t o = 0; o < 3; ++o) {
            for (size_t e = 0; e < 13 * 14; ++e) {
                values[o][e] = value_bits(o, e) % 4 == 0 ? special[value_bits(o + 9, e) % 10] : value_wide(dtype, o, e, 3);
            }
        }
        const void *a = cupel_reals(context, dtype, values[0], 13 * 3);
        const void *b = cupel_reals(context, dtype, values[1], 3 * 14);
        expect_product(context, &products[i], matrix(context, 13, 3, a), matrix(context, 3, 14, b), a, b,
                       cupel_reals(context, dtype, values[2], 13 * 14));
    }
}

// Every operand as a window of a larger matrix, transposed, or backwards. What lies between the rows stays.
static void strided_operands(cupel_context *context)
{
    enum { M = 19, N = 23, K = 29 };
    const int64_t a_shape[] = {M, K};
    const int64_t b_shape[] = {K, N};
    const int64_t c_shape[] = {M, N};
    static const int64_t a_strides[][2] = {{K, 1}, {K + 7, 1}, {1, M}, {1, M + 5}, {-(K + 2), 1}, {2, -50}};
    static const int64_t b_strides[][2] = {{N + 9, 1}, {1, K}, {N, 1}, {-1, K + 1}, {N, 1}, {1, K + 4}};
    static const int64_t c_strides[][2] = {{N + 3, 1}, {N, 1}, {N + 1, 1}, {1, M + 2}, {-(N + 1), 1}, {N, 1}};
    nc_dtype dtype = cupel_dtype(context);
    const product p = {M, N, K, -0.3, 1.7};
    const void *a = values_wide(context, dtype, 81, M * K);
    const void *b = values_wide(context, dtype, 82, K * N);
    const void *c = values_wide(context, dtype, 83, M * N);
    uint8_t nan_at[M * N] = {0};
    const void *expected = expected_product(context, &p, a, b, c, nan_at);
    for (size_t s = 0; s < sizeof a_strides / sizeof *a_strides; ++s) {
        nc_array *out = cupel_update_strided(context, dtype, 2, c_shape, c_strides[s], c);
        cupel_require_ok(context, nc_gemm(p.alpha, cupel_input_strided(context, dtype, 2, a_shape, a_strides[s], a),
                                          cupel_input_strided(context, dtype, 2, b_shape, b_strides[s], b), p.beta, out));
        cupel_expect_bits(context, out, expected, M * N);
    }
}

// A product with itself: A and B may be the same array.
static void one_array_twice(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const product p = {40, 40, 40, 1.0, 0.0};
    const void *a = values_wide(context, dtype, 91, 1600);
    nc_array *array = matrix(context, 40, 40, a);
    expect_product(context, &p, array, array, a, a, values_wide(context, dtype, 92, 1600));
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("linalg.gemm.shapes", shapes),
    CUPEL_CASE_REALS("linalg.gemm.shapes-beyond-blocks", shapes_beyond_blocks),
    CUPEL_CASE_REALS("linalg.gemm.scalars", scalars),
    CUPEL_CASE_REALS("linalg.gemm.order-of-k", order_of_k),
    CUPEL_CASE_REALS("linalg.gemm.beta-zero-never-reads-c", beta_zero_never_reads_c),
    CUPEL_CASE_REALS("linalg.gemm.empty-dimensions", empty_dimensions),
    CUPEL_CASE_REALS("linalg.gemm.rows-that-share-elements", rows_that_share_elements),
    CUPEL_CASE_REALS("linalg.gemm.special-values", special_values),
    CUPEL_CASE_REALS("linalg.gemm.strided-operands", strided_operands),
    CUPEL_CASE_REALS("linalg.gemm.one-array-twice", one_array_twice),
};
const cupel_table linalg_gemm_table = CUPEL_TABLE(cases);
