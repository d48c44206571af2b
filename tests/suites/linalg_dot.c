// SPDX-License-Identifier: Apache-2.0
// Dot products: the canonical order of fma chains, signed zeros, special values, strides.
#include "linalg.h"
#include "reference_sum.h"
#include "values.h"

static const size_t sizes[] = {1,   2,   3,    31,   32,   33,   64,   65,   127,  128,  129,   255,   256,  257,
                               511, 513, 1025, 4095, 4096, 4097, 4353, 8191, 8193, 9999, 65536, 65537, 70001};

static void expect_dot(cupel_context *context, nc_array *x, nc_array *y, double expected)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_array *out = cupel_output(context, dtype, 0, NULL);
    cupel_require_ok(context, nc_dot(x, y, out));
    cupel_expect_bits(context, out, cupel_reals(context, dtype, &expected, 1), 1);
}

static void canonical_order(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    bool fusing_matters = false;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        int64_t n = (int64_t)sizes[s];
        const void *x = values_wide(context, dtype, 2 * s, sizes[s]);
        const void *y = values_wide(context, dtype, 2 * s + 1, sizes[s]);
        double expected = reference_sum(context, dtype, reference_reader_of(dtype), x, y, sizes[s]);
        double *products = cupel_alloc(context, sizes[s] * sizeof *products);
        for (size_t i = 0; i < sizes[s]; ++i) {
            products[i] = reference_multiply(dtype, cupel_get_real(dtype, x, i), cupel_get_real(dtype, y, i));
        }
        fusing_matters =
            fusing_matters || expected != reference_sum(context, dtype, reference_read_double, products, NULL, sizes[s]);
        expect_dot(context, cupel_input_vector(context, dtype, n, x), cupel_input_vector(context, dtype, n, y), expected);
    }
    cupel_expect_true(context, fusing_matters);
}

// (1 + e)(1 - e) - 1 = -e^2 survives only when the product is not rounded before it is added.
static void one_rounding(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    double e = dtype == NC_F32 ? 0x1p-13 : 0x1p-27;
    double x[257] = {1.0};
    double y[257] = {-1.0};
    x[256] = 1.0 + e; // the same lane as element 0
    y[256] = 1.0 - e;
    expect_dot(context, cupel_input_vector(context, dtype, 257, cupel_reals(context, dtype, x, 257)),
               cupel_input_vector(context, dtype, 257, cupel_reals(context, dtype, y, 257)), -e * e);
}

static void zeros(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double minus[] = {-0.0, -0.0, -0.0};
    const double plus[] = {1.0, 2.0, 3.0};
    expect_dot(context, cupel_input_vector(context, dtype, 0, NULL), cupel_input_vector(context, dtype, 0, NULL), 0.0);
    for (int64_t n = 1; n <= 3; ++n) { // a chain starts at +0, so products of -0 leave +0
        expect_dot(context, cupel_input_vector(context, dtype, n, cupel_reals(context, dtype, minus, (size_t)n)),
                   cupel_input_vector(context, dtype, n, cupel_reals(context, dtype, plus, (size_t)n)), 0.0);
    }
}

static void special_values(cupel_context *context)
{
    static const double infinity = (double)INFINITY;
    static const size_t places[] = {0, 255, 256, 4095, 4096, 5000};
    const uint8_t nan_at[] = {1};
    nc_dtype dtype = cupel_dtype(context);
    const uint64_t canonical = dtype == NC_F32 ? 0x7fc00000u : 0x7ff8000000000000u;
    enum { COUNT = 5001 };
    for (size_t p = 0; p < sizeof places / sizeof *places; ++p) {
        void *x = values_wide(context, dtype, 9, COUNT);
        void *y = values_wide(context, dtype, 10, COUNT);
        cupel_set_real(dtype, x, places[p], infinity);
        cupel_set_real(dtype, y, places[p], -2.0);
        expect_dot(context, cupel_input_vector(context, dtype, COUNT, x), cupel_input_vector(context, dtype, COUNT, y), -infinity);
        cupel_set_real(dtype, y, places[p], 0.0); // infinity times zero
        nc_array *out = cupel_output(context, dtype, 0, NULL);
        cupel_require_ok(context,
                         nc_dot(cupel_input_vector(context, dtype, COUNT, x), cupel_input_vector(context, dtype, COUNT, y), out));
        cupel_expect_bits_nan(context, out, &canonical, 1, nan_at);
    }
}

// Each operand with strides of its own; an operand with itself.
static void strided_views(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[] = {67, 71};
    const int64_t across[] = {1, 67};
    const int64_t backwards[] = {-80, -1};
    enum { COUNT = 67 * 71 };
    const void *x = values_wide(context, dtype, 11, COUNT);
    const void *y = values_wide(context, dtype, 12, COUNT);
    nc_array *x_array = cupel_input_strided(context, dtype, 2, shape, across, x);
    nc_array *y_array = cupel_input_strided(context, dtype, 2, shape, backwards, y);
    expect_dot(context, x_array, y_array, reference_sum(context, dtype, reference_reader_of(dtype), x, y, COUNT));
    expect_dot(context, x_array, x_array, reference_sum(context, dtype, reference_reader_of(dtype), x, x, COUNT));
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("linalg.dot.canonical-order", canonical_order),
    CUPEL_CASE_REALS("linalg.dot.one-rounding", one_rounding),
    CUPEL_CASE_REALS("linalg.dot.zeros", zeros),
    CUPEL_CASE_REALS("linalg.dot.special-values", special_values),
    CUPEL_CASE_REALS("linalg.dot.strided-views", strided_views),
};
const cupel_table linalg_dot_table = CUPEL_TABLE(cases);
