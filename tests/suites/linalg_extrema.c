// SPDX-License-Identifier: Apache-2.0
// Minimum, maximum and block maximum: IEEE 754-2019, where a NaN wins and -0 lies below +0.
#include "linalg.h"
#include "values.h"

typedef nc_status (*extremum)(const nc_array *, nc_array *);

static const size_t sizes[] = {1,   2,   3,    31,   32,   33,   63,   64,   65,   127,  128,   129,   255,   256,  257,
                               511, 513, 1023, 1024, 1025, 4095, 4096, 4097, 8193, 9999, 65535, 65536, 65537, 70001};

static void expect_extremum(cupel_context *context, extremum operation, nc_array *x, double expected)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_array *out = cupel_output(context, dtype, 0, NULL);
    cupel_require_ok(context, operation(x, out));
    cupel_expect_bits(context, out, cupel_reals(context, dtype, &expected, 1), 1);
}

static void expect_nan(cupel_context *context, extremum operation, nc_array *x)
{
    nc_dtype dtype = cupel_dtype(context);
    const uint64_t canonical = dtype == NC_F32 ? 0x7fc00000u : 0x7ff8000000000000u;
    const uint8_t nan_at[] = {1};
    nc_array *out = cupel_output(context, dtype, 0, NULL);
    cupel_require_ok(context, operation(x, out));
    cupel_expect_bits_nan(context, out, &canonical, 1, nan_at);
}

// The extremum stands at another place for each size: the first, the last, the middle.
static void every_size(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        size_t n = sizes[s];
        const size_t places[] = {0, n - 1, n / 2, value_index(3, s, n)};
        for (size_t p = 0; p < sizeof places / sizeof *places; ++p) {
            void *values = values_wide(context, dtype, s, n);
            cupel_set_real(dtype, values, places[p], -1024.0);
            expect_extremum(context, nc_minimum, cupel_input_vector(context, dtype, (int64_t)n, values), -1024.0);
            cupel_set_real(dtype, values, places[p], 1024.0);
            expect_extremum(context, nc_maximum, cupel_input_vector(context, dtype, (int64_t)n, values), 1024.0);
        }
    }
}

static void signed_zeros(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const size_t counts[] = {2, 257, 4097};
    for (size_t s = 0; s < sizeof counts / sizeof *counts; ++s) {
        const size_t places[] = {0, counts[s] - 1, counts[s] / 2};
        for (size_t p = 0; p < sizeof places / sizeof *places; ++p) {
            void *values = cupel_alloc(context, counts[s] * nc_dtype_size(dtype)); // +0 everywhere
            cupel_set_real(dtype, values, places[p], -0.0);
            expect_extremum(context, nc_minimum, cupel_input_vector(context, dtype, (int64_t)counts[s], values), -0.0);
            expect_extremum(context, nc_maximum, cupel_input_vector(context, dtype, (int64_t)counts[s], values), 0.0);
            for (size_t i = 0; i < counts[s]; ++i) {
                cupel_set_real(dtype, values, i, i == places[p] ? 0.0 : -0.0);
            }
            expect_extremum(context, nc_minimum, cupel_input_vector(context, dtype, (int64_t)counts[s], values), -0.0);
            expect_extremum(context, nc_maximum, cupel_input_vector(context, dtype, (int64_t)counts[s], values), 0.0);
        }
    }
}

// fmin and fmax would lose it; its sign and payload do not come through.
static void nan_wins_at_any_place(cupel_context *context)
{
    static const size_t places[] = {0, 1, 31, 32, 255, 256, 257, 4095, 4096, 5000};
    nc_dtype dtype = cupel_dtype(context);
    const uint64_t strange = dtype == NC_F32 ? 0xffc12345u : 0xfff8000012345678u;
    enum { COUNT = 5001 };
    for (size_t p = 0; p < sizeof places / sizeof *places; ++p) {
        unsigned char *values = values_wide(context, dtype, p, COUNT);
        cupel_set_real(dtype, values, (places[p] + 1) % COUNT, (double)INFINITY);
        cupel_set_real(dtype, values, (places[p] + 2) % COUNT, -(double)INFINITY);
        memcpy(values + places[p] * nc_dtype_size(dtype), &strange, nc_dtype_size(dtype));
        expect_nan(context, nc_minimum, cupel_input_vector(context, dtype, COUNT, values));
        expect_nan(context, nc_maximum, cupel_input_vector(context, dtype, COUNT, values));
    }
}

static void infinities_and_subnormals(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double least = dtype == NC_F32 ? 0x1p-149 : 0x1p-1074;
    const double infinite[] = {(double)INFINITY, 1.0, -(double)INFINITY, 0.0};
    const double tiny[] = {least, 0.0, -least, 2 * least};
    nc_array *x = cupel_input_vector(context, dtype, 4, cupel_reals(context, dtype, infinite, 4));
    expect_extremum(context, nc_minimum, x, -(double)INFINITY);
    expect_extremum(context, nc_maximum, x, (double)INFINITY);
    nc_array *y = cupel_input_vector(context, dtype, 4, cupel_reals(context, dtype, tiny, 4));
    expect_extremum(context, nc_minimum, y, -least);
    expect_extremum(context, nc_maximum, y, 2 * least);
}

static void nothing_has_no_extremum(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_array *x = cupel_input_vector(context, dtype, 0, NULL);
    nc_array *low = cupel_output(context, dtype, 0, NULL);
    nc_array *high = cupel_output(context, dtype, 0, NULL);
    cupel_expect_status(context, nc_minimum(x, low), NC_EMPTY);
    cupel_expect_status(context, nc_maximum(x, high), NC_EMPTY);
    cupel_expect_untouched(context, low);
    cupel_expect_untouched(context, high);
    cupel_expect_u64(context, cupel_kernels(context), 0);
}

static void strided_views(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[] = {29, 31};
    static const int64_t strides[][2] = {{31, 1}, {40, 1}, {1, 29}, {-31, 1}, {2, -70}};
    double *values = cupel_alloc(context, 29 * 31 * sizeof *values);
    for (size_t i = 0; i < 29 * 31; ++i) {
        values[i] = value_wide(dtype, 21, i, 2);
    }
    values[400] = 99.0;
    values[777] = -99.0;
    const void *reals = cupel_reals(context, dtype, values, 29 * 31);
    for (size_t s = 0; s < sizeof strides / sizeof *strides; ++s) {
        nc_array *x = cupel_input_strided(context, dtype, 2, shape, strides[s], reals);
        expect_extremum(context, nc_minimum, x, -99.0);
        expect_extremum(context, nc_maximum, x, 99.0);
    }
}

// ---- Block maximum ------------------------------------------------------------------------------------------------------------

static double greater(double a, double b)
{
    if (isnan(a) || isnan(b)) {
        return (double)NAN;
    }
    if (a == 0.0 && b == 0.0) {
        return signbit(a) ? b : a;
    }
    return a > b ? a : b;
}

static const uint64_t canonical_f32 = 0x7fc00000u;
static const uint64_t canonical_f64 = 0x7ff8000000000000u;

static void expect_block_maxima(cupel_context *context, nc_array *x, const void *values, size_t count, size_t block)
{
    nc_dtype dtype = cupel_dtype(context);
    size_t size = nc_dtype_size(dtype);
    size_t blocks = (count + block - 1) / block;
    unsigned char *expected = cupel_alloc(context, blocks * size);
    uint8_t *nan_at = cupel_alloc(context, blocks);
    for (size_t b = 0; b < blocks; ++b) {
        double most = cupel_get_real(dtype, values, b * block);
        for (size_t i = b * block + 1; i < count && i < (b + 1) * block; ++i) {
            most = greater(most, cupel_get_real(dtype, values, i));
        }
        cupel_set_real(dtype, expected, b, most);
        if (isnan(most)) {
            nan_at[b] = 1;
            memcpy(expected + b * size, dtype == NC_F32 ? &canonical_f32 : &canonical_f64, size);
        }
    }
    nc_array *out = cupel_output_vector(context, dtype, (int64_t)blocks);
    cupel_require_ok(context, nc_block_maximum(x, (int64_t)block, out));
    cupel_expect_bits_nan(context, out, expected, blocks, nan_at);
}

static void blocks_of_every_size(cupel_context *context)
{
    static const size_t counts[] = {1, 2, 255, 256, 257, 1000, 4097};
    static const size_t blocks[] = {1, 2, 3, 7, 31, 32, 33, 64, 255, 256, 257, 1000, 4096, 5000};
    nc_dtype dtype = cupel_dtype(context);
    for (size_t s = 0; s < sizeof counts / sizeof *counts; ++s) {
        void *values = values_wide(context, dtype, s, counts[s]);
        nc_array *x = cupel_input_vector(context, dtype, (int64_t)counts[s], values);
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; ++b) {
            expect_block_maxima(context, x, values, counts[s], blocks[b]);
        }
    }
}

static void blocks_with_special_values(cupel_context *context)
{
    enum { COUNT = 1030 };
    nc_dtype dtype = cupel_dtype(context);
    void *values = values_wide(context, dtype, 4, COUNT);
    for (size_t i = 0; i < COUNT; i += 97) {
        static const double special[] = {(double)NAN, -0.0, 0.0, (double)INFINITY, -(double)INFINITY};
        cupel_set_real(dtype, values, i, special[i / 97 % 5]);
    }
    for (size_t i = 500; i < 510; ++i) {
        cupel_set_real(dtype, values, i, i == 505 ? 0.0 : -0.0);
    }
    nc_array *x = cupel_input_vector(context, dtype, COUNT, values);
    static const size_t blocks[] = {1, 5, 10, 64, 97, 1029, 1030};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; ++b) {
        expect_block_maxima(context, x, values, COUNT, blocks[b]);
    }
}

static void blocks_of_strided_views(cupel_context *context)
{
    const int64_t shape[] = {23, 45};
    const int64_t strides[] = {-1, 23};
    nc_dtype dtype = cupel_dtype(context);
    void *values = values_wide(context, dtype, 6, 23 * 45);
    nc_array *x = cupel_input_strided(context, dtype, 2, shape, strides, values);
    expect_block_maxima(context, x, values, 23 * 45, 45);
    expect_block_maxima(context, x, values, 23 * 45, 64);
}

static void no_blocks(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_array *x = cupel_input_vector(context, dtype, 0, NULL);
    nc_array *out = cupel_output_vector(context, dtype, 0);
    cupel_expect_status(context, nc_block_maximum(x, 3, out), NC_OK);
    cupel_expect_u64(context, cupel_kernels(context), 0);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("linalg.extrema.every-size", every_size),
    CUPEL_CASE_REALS("linalg.extrema.signed-zeros", signed_zeros),
    CUPEL_CASE_REALS("linalg.extrema.nan-wins-at-any-place", nan_wins_at_any_place),
    CUPEL_CASE_REALS("linalg.extrema.infinities-and-subnormals", infinities_and_subnormals),
    CUPEL_CASE_REALS("linalg.extrema.nothing-has-none", nothing_has_no_extremum),
    CUPEL_CASE_REALS("linalg.extrema.strided-views", strided_views),
    CUPEL_CASE_REALS("linalg.block-maximum.every-size", blocks_of_every_size),
    CUPEL_CASE_REALS("linalg.block-maximum.special-values", blocks_with_special_values),
    CUPEL_CASE_REALS("linalg.block-maximum.strided-views", blocks_of_strided_views),
    CUPEL_CASE_REALS("linalg.block-maximum.nothing", no_blocks),
};
const cupel_table linalg_extrema_table = CUPEL_TABLE(cases);
