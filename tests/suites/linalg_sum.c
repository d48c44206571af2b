// SPDX-License-Identifier: Apache-2.0
// Sums: the canonical order at every border of lanes and chunks, exact sums, signed zeros, special values, strides.
#include "linalg.h"
#include "reference_sum.h"
#include "values.h"

// Around the borders of lanes (256), lane rows, chunks (4096) and of what hardware likes.
static const size_t sizes[] = {1,    2,    3,    4,    7,    8,    31,   32,   33,   63,    64,    65,    127,  128,  129,
                               255,  256,  257,  511,  512,  513,  767,  768,  769,  1000,  1023,  1024,  1025, 4094, 4095,
                               4096, 4097, 4351, 4352, 4353, 8191, 8192, 8193, 9999, 65535, 65536, 65537, 70001};

static void expect_sum(cupel_context *context, nc_array *x, double expected)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_array *out = cupel_output(context, dtype, 0, NULL);
    cupel_require_ok(context, nc_sum(x, out));
    cupel_expect_bits(context, out, cupel_reals(context, dtype, &expected, 1), 1);
}

static void canonical_order(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    bool order_matters = false;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        const void *values = values_wide(context, dtype, s, sizes[s]);
        double expected = reference_sum(context, dtype, reference_reader_of(dtype), values, NULL, sizes[s]);
        double in_turn = -0.0;
        for (size_t i = 0; i < sizes[s]; ++i) {
            in_turn = reference_add(dtype, in_turn, cupel_get_real(dtype, values, i));
        }
        order_matters = order_matters || in_turn != expected;
        expect_sum(context, cupel_input_vector(context, dtype, (int64_t)sizes[s], values), expected);
    }
    cupel_expect_true(context, order_matters); // else the data could not tell one order from another
}

// 1 + 2 + ... + n is exact in any order, so the order's own reference is not needed.
static void integers_are_exact(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        size_t n = dtype == NC_F32 && sizes[s] > 5000 ? 5000 + s : sizes[s]; // float32 holds integers to 2^24
        void *values = cupel_alloc(context, n * nc_dtype_size(dtype));
        for (size_t i = 0; i < n; ++i) {
            cupel_set_real(dtype, values, i, (double)(i + 1));
        }
        expect_sum(context, cupel_input_vector(context, dtype, (int64_t)n, values), (double)n * (double)(n + 1) / 2.0);
    }
}

// A float32 accumulator that adds in turn stops at 2^24, and has lost a percent of a million tenths.
static void more_ones_than_a_float_counts(cupel_context *context)
{
    const int64_t count = (1 << 24) + 2;
    const float one = 1.0f;
    const float expected = 16777218.0f;
    nc_array *x = cupel_output_vector(context, NC_F32, count);
    nc_array *out = cupel_output(context, NC_F32, 0, NULL);
    cupel_require_ok(context, nc_array_fill(x, &one, sizeof one));
    cupel_require_ok(context, nc_sum(x, out));
    cupel_expect_bits(context, out, &expected, 1);
    const int64_t many = 1000000;
    const float tenth = 0.1f;
    const double sum = 100000.0, bound = 1e-6 * sum;
    nc_array *tenths = cupel_output_vector(context, NC_F32, many);
    cupel_require_ok(context, nc_array_fill(tenths, &tenth, sizeof tenth));
    cupel_require_ok(context, nc_sum(tenths, out));
    cupel_expect_within_bound(context, out, &sum, &bound, 1, "what is asked of a mean: 1e-6 relative");
}

// Row i of the matrix begins at element i of a vector: 16.8 million different windows from 8,193 numbers.
enum { WINDOW_ROWS = 4097, WINDOW_COLUMNS = 4096 };

static double read_window_f32(const void *values, size_t index)
{
    return (double)((const float *)values)[index / WINDOW_COLUMNS + index % WINDOW_COLUMNS];
}

static double read_window_f64(const void *values, size_t index)
{
    return ((const double *)values)[index / WINDOW_COLUMNS + index % WINDOW_COLUMNS];
}

// More than 4096 chunks, so chunk results need two more levels.
static void three_levels(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[] = {WINDOW_ROWS, WINDOW_COLUMNS};
    const int64_t strides[] = {1, 1};
    const void *values = values_wide(context, dtype, 77, WINDOW_ROWS + WINDOW_COLUMNS);
    nc_array *base = cupel_input_vector(context, dtype, WINDOW_ROWS + WINDOW_COLUMNS, values);
    nc_array_info info;
    nc_array *windows = NULL;
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_array_info_get(base, &info));
    cupel_require_ok(context, nc_array_view(base, info.offset, 2, shape, strides, &windows));
    expect_sum(context, windows,
               reference_sum(context, dtype, dtype == NC_F32 ? read_window_f32 : read_window_f64, values, NULL,
                             (size_t)WINDOW_ROWS * WINDOW_COLUMNS));
    cupel_require_ok(context, nc_array_release(windows));
}

static void zeros(cupel_context *context)
{
    static const size_t counts[] = {1, 2, 255, 256, 257, 4096, 4097, 9000};
    nc_dtype dtype = cupel_dtype(context);
    expect_sum(context, cupel_input_vector(context, dtype, 0, NULL), 0.0);
    for (size_t s = 0; s < sizeof counts / sizeof *counts; ++s) {
        void *values = cupel_alloc(context, counts[s] * nc_dtype_size(dtype));
        for (size_t i = 0; i < counts[s]; ++i) {
            cupel_set_real(dtype, values, i, -0.0);
        }
        expect_sum(context, cupel_input_vector(context, dtype, (int64_t)counts[s], values), -0.0);
        cupel_set_real(dtype, values, counts[s] / 2, 0.0);
        expect_sum(context, cupel_input_vector(context, dtype, (int64_t)counts[s], values), 0.0);
    }
}

// An infinity or a NaN at any place of a chunk reaches the result; NaN has one form whatever its sign and payload were.
static void special_values(cupel_context *context)
{
    static const size_t places[] = {0, 1, 255, 256, 4095, 4096, 5000};
    const uint8_t nan_at[] = {1};
    nc_dtype dtype = cupel_dtype(context);
    enum { COUNT = 5001 };
    for (size_t p = 0; p < sizeof places / sizeof *places; ++p) {
        void *values = values_wide(context, dtype, p, COUNT);
        cupel_set_real(dtype, values, places[p], (double)INFINITY);
        expect_sum(context, cupel_input_vector(context, dtype, COUNT, values), (double)INFINITY);
        cupel_set_real(dtype, values, places[p], -(double)INFINITY);
        expect_sum(context, cupel_input_vector(context, dtype, COUNT, values), -(double)INFINITY);
        cupel_set_real(dtype, values, (places[p] + 7) % COUNT, (double)INFINITY);
        const uint64_t canonical = dtype == NC_F32 ? 0x7fc00000u : 0x7ff8000000000000u;
        nc_array *opposite = cupel_output(context, dtype, 0, NULL);
        cupel_require_ok(context, nc_sum(cupel_input_vector(context, dtype, COUNT, values), opposite));
        cupel_expect_bits_nan(context, opposite, &canonical, 1, nan_at);
        const uint64_t strange = dtype == NC_F32 ? 0xffc12345u : 0xfff8000012345678u;
        memcpy((unsigned char *)values + places[p] * nc_dtype_size(dtype), &strange, nc_dtype_size(dtype));
        nc_array *nan = cupel_output(context, dtype, 0, NULL);
        cupel_require_ok(context, nc_sum(cupel_input_vector(context, dtype, COUNT, values), nan));
        cupel_expect_bits_nan(context, nan, &canonical, 1, nan_at);
    }
}

// Numbers whose sum is subnormal, and sums that overflow.
static void range_of_exponents(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    double least = dtype == NC_F32 ? 0x1p-149 : 0x1p-1074;
    double greatest = dtype == NC_F32 ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
    const double tiny[] = {3 * least, -2 * least, 5 * least};
    const double large[] = {greatest, greatest, -greatest};
    const double normal = ldexp(least, dtype == NC_F32 ? 23 : 52);
    const double apart[] = {normal, -normal + least};
    expect_sum(context, cupel_input_vector(context, dtype, 3, cupel_reals(context, dtype, tiny, 3)), 6 * least);
    // Lanes 0 and 2 meet before lane 1, so the sum of the three is finite; two in one lane overflow.
    expect_sum(context, cupel_input_vector(context, dtype, 3, cupel_reals(context, dtype, large, 3)), greatest);
    expect_sum(context, cupel_input_vector(context, dtype, 2, cupel_reals(context, dtype, large, 2)), (double)INFINITY);
    expect_sum(context, cupel_input_vector(context, dtype, 2, cupel_reals(context, dtype, apart, 2)), least);
}

// Elements count in C order of the shape, wherever they lie.
static void strided_views(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[] = {37, 5, 41};
    static const int64_t strides[][3] = {
        {205, 41, 1}, {300, 50, 1}, {1, 37, 185}, {-205, 41, -1}, {41, 1600, 1}, {500, -90, 2},
    };
    enum { COUNT = 37 * 5 * 41 };
    const void *values = values_wide(context, dtype, 5, COUNT);
    double expected = reference_sum(context, dtype, reference_reader_of(dtype), values, NULL, COUNT);
    for (size_t s = 0; s < sizeof strides / sizeof *strides; ++s) {
        expect_sum(context, cupel_input_strided(context, dtype, 3, shape, strides[s], values), expected);
    }
}

// A stride of 0 repeats an element.
static void repeated_element(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[] = {6000};
    const int64_t strides[] = {0};
    void *values = cupel_alloc(context, 6000 * nc_dtype_size(dtype));
    for (size_t i = 0; i < 6000; ++i) {
        cupel_set_real(dtype, values, i, 0.1);
    }
    expect_sum(context, cupel_input_strided(context, dtype, 1, shape, strides, values),
               reference_sum(context, dtype, reference_reader_of(dtype), values, NULL, 6000));
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("linalg.sum.canonical-order", canonical_order),
    CUPEL_CASE_REALS("linalg.sum.integers-are-exact", integers_are_exact),
    CUPEL_CASE("linalg.sum.more-ones-than-a-float-counts.f32", more_ones_than_a_float_counts),
    CUPEL_CASE_REALS("linalg.sum.three-levels", three_levels),
    CUPEL_CASE_REALS("linalg.sum.zeros", zeros),
    CUPEL_CASE_REALS("linalg.sum.special-values", special_values),
    CUPEL_CASE_REALS("linalg.sum.range-of-exponents", range_of_exponents),
    CUPEL_CASE_REALS("linalg.sum.strided-views", strided_views),
    CUPEL_CASE_REALS("linalg.sum.repeated-element", repeated_element),
};
const cupel_table linalg_sum_table = CUPEL_TABLE(cases);
