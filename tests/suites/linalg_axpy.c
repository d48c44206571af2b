// SPDX-License-Identifier: Apache-2.0
// out = fma(alpha, x, y): one rounding, alpha rounded once, in place over y, strides, special values.
#include "linalg.h"
#include "reference_sum.h"
#include "values.h"

static double rounded(nc_dtype dtype, double value)
{
    return dtype == NC_F32 ? (double)(float)value : value;
}

// Expected values, with the one form of NaN.
static void *expected_axpy(cupel_context *context, double alpha, const void *x, const void *y, size_t count, uint8_t *nan_at)
{
    nc_dtype dtype = cupel_dtype(context);
    size_t size = nc_dtype_size(dtype);
    const uint64_t canonical = dtype == NC_F32 ? 0x7fc00000u : 0x7ff8000000000000u;
    unsigned char *expected = cupel_alloc(context, count * size);
    for (size_t i = 0; i < count; ++i) {
        double value = reference_fma(dtype, rounded(dtype, alpha), cupel_get_real(dtype, x, i), cupel_get_real(dtype, y, i));
        cupel_set_real(dtype, expected, i, value);
        if (isnan(value) && nan_at != NULL) {
            nan_at[i] = 1;
            memcpy(expected + i * size, &canonical, size);
        }
    }
    return expected;
}

static void every_size(cupel_context *context)
{
    static const size_t sizes[] = {1, 2, 3, 7, 8, 9, 31, 33, 127, 255, 256, 257, 1023, 1025, 4097, 70001};
    static const double alphas[] = {1.0, -1.0, 0.1, -3.75, 0x1p-30};
    nc_dtype dtype = cupel_dtype(context);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        double alpha = alphas[s % (sizeof alphas / sizeof *alphas)];
        int64_t n = (int64_t)sizes[s];
        void *x = values_wide(context, dtype, 2 * s, sizes[s]);
        void *y = values_wide(context, dtype, 2 * s + 1, sizes[s]);
        nc_array *out = cupel_output_vector(context, dtype, n);
        cupel_require_ok(context,
                         nc_axpy(alpha, cupel_input_vector(context, dtype, n, x), cupel_input_vector(context, dtype, n, y), out));
        cupel_expect_bits(context, out, expected_axpy(context, alpha, x, y, sizes[s], NULL), sizes[s]);
    }
}

// (1 + e)(1 - e) - 1 = -e^2 survives only a fused operation.
static void one_rounding(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double e = dtype == NC_F32 ? 0x1p-13 : 0x1p-27;
    const double x = 1.0 - e;
    const double y = -1.0;
    const double expected = -e * e;
    nc_array *out = cupel_output_vector(context, dtype, 1);
    cupel_require_ok(context, nc_axpy(1.0 + e, cupel_input_vector(context, dtype, 1, cupel_reals(context, dtype, &x, 1)),
                                      cupel_input_vector(context, dtype, 1, cupel_reals(context, dtype, &y, 1)), out));
    cupel_expect_bits(context, out, cupel_reals(context, dtype, &expected, 1), 1);
}

// alpha is a double; float32 arrays get it rounded once, to nearest even.
static void alpha_is_rounded_once(cupel_context *context)
{
    static const double alphas[] = {0x1.000001p0, 0x1.000003p0, 0x1.0000011p0, 0x1.fffffefffffffp127, 0x1p-150, 0x1.8p-149};
    const double one = 1.0;
    const double zero = -0.0;
    nc_dtype dtype = cupel_dtype(context);
    nc_array *x = cupel_input_vector(context, dtype, 1, cupel_reals(context, dtype, &one, 1));
    nc_array *y = cupel_input_vector(context, dtype, 1, cupel_reals(context, dtype, &zero, 1));
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; ++i) {
        nc_array *out = cupel_output_vector(context, dtype, 1);
        cupel_require_ok(context, nc_axpy(alphas[i], x, y, out));
        cupel_expect_bits(context, out, cupel_reals(context, dtype, &alphas[i], 1), 1);
    }
}

static void special_values(cupel_context *context)
{
    static const double special[] = {0.0, -0.0, 1.0, -1.0, (double)INFINITY, -(double)INFINITY, (double)NAN, 0x1p-149, -0x1p-126};
    static const double alphas[] = {0.0, -0.0, 1.0, -2.0, (double)INFINITY, -(double)INFINITY, (double)NAN};
    enum { SPECIAL = sizeof special / sizeof *special, COUNT = SPECIAL * SPECIAL };
    nc_dtype dtype = cupel_dtype(context);
    double left[COUNT];
    double right[COUNT];
    for (size_t i = 0; i < COUNT; ++i) {
        left[i] = special[i / SPECIAL];
        right[i] = special[i % SPECIAL];
    }
    const void *x = cupel_reals(context, dtype, left, COUNT);
    const void *y = cupel_reals(context, dtype, right, COUNT);
    nc_array *x_array = cupel_input_vector(context, dtype, COUNT, x);
    nc_array *y_array = cupel_input_vector(context, dtype, COUNT, y);
    for (size_t a = 0; a < sizeof alphas / sizeof *alphas; ++a) {
        uint8_t nan_at[COUNT] = {0};
        const void *expected = expected_axpy(context, alphas[a], x, y, COUNT, nan_at);
        nc_array *out = cupel_output_vector(context, dtype, COUNT);
        cupel_require_ok(context, nc_axpy(alphas[a], x_array, y_array, out));
        cupel_expect_bits_nan(context, out, expected, COUNT, nan_at);
    }
}

static void in_place(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t count = 1000;
    void *x = values_wide(context, dtype, 1, 1000);
    void *y = values_wide(context, dtype, 2, 1000);
    const void *expected = expected_axpy(context, 0.7, x, y, 1000, NULL);
    nc_array *both = cupel_update(context, dtype, 1, &count, y);
    cupel_require_ok(context, nc_axpy(0.7, cupel_input_vector(context, dtype, count, x), both, both));
    cupel_expect_bits(context, both, expected, 1000);
}

static void strided_views(cupel_context *context)
{
    const int64_t shape[] = {3, 17, 19};
    static const int64_t strides[][3] = {{323, 19, 1}, {1, 57, 3}, {-400, 21, -1}, {1, 3, 60}};
    enum { COUNT = 3 * 17 * 19 };
    nc_dtype dtype = cupel_dtype(context);
    void *x = values_wide(context, dtype, 1, COUNT);
    void *y = values_wide(context, dtype, 2, COUNT);
    const void *expected = expected_axpy(context, -1.3, x, y, COUNT, NULL);
    for (size_t s = 0; s < 4; ++s) {
        nc_array *out = cupel_output_strided(context, dtype, 3, shape, strides[(s + 2) % 4]);
        cupel_require_ok(context, nc_axpy(-1.3, cupel_input_strided(context, dtype, 3, shape, strides[s], x),
                                          cupel_input_strided(context, dtype, 3, shape, strides[(s + 1) % 4], y), out));
        cupel_expect_bits(context, out, expected, COUNT);
    }
}

static void nothing(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[] = {3, 0, 5};
    nc_array *x = cupel_input(context, dtype, 3, shape, NULL);
    nc_array *out = cupel_output(context, dtype, 3, shape);
    cupel_expect_status(context, nc_axpy(1.0, x, x, out), NC_OK);
    cupel_expect_u64(context, cupel_kernels(context), 0);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("linalg.axpy.every-size", every_size),
    CUPEL_CASE_REALS("linalg.axpy.one-rounding", one_rounding),
    CUPEL_CASE_REALS("linalg.axpy.alpha-is-rounded-once", alpha_is_rounded_once),
    CUPEL_CASE_REALS("linalg.axpy.special-values", special_values),
    CUPEL_CASE_REALS("linalg.axpy.in-place", in_place),
    CUPEL_CASE_REALS("linalg.axpy.strided-views", strided_views),
    CUPEL_CASE_REALS("linalg.axpy.nothing", nothing),
};
const cupel_table linalg_axpy_table = CUPEL_TABLE(cases);
