// SPDX-License-Identifier: Apache-2.0
// Sums, products, minima and maxima against a plain transcription of the order that docs/sums.md states.
#include "core_variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST (3 * 4096 * 5 + 77)

// The stated order, element by element, for either precision.
#define STATED_ORDER(real, fused)                                                                                                  \
    static real chunk_##real(const real *x, const real *y, int64_t n)                                                              \
    {                                                                                                                              \
        real lane[256];                                                                                                            \
        for (int l = 0; l < 256; ++l) {                                                                                            \
            lane[l] = y == NULL ? (real)-0.0 : (real)0.0;                                                                          \
            for (int64_t i = l; i < n; i += 256) {                                                                                 \
                lane[l] = y == NULL ? lane[l] + x[i] : fused(x[i], y[i], lane[l]);                                                 \
            }                                                                                                                      \
        }                                                                                                                          \
        for (int s = 128; s >= 1; s /= 2) {                                                                                        \
            for (int l = 0; l < s; ++l) {                                                                                          \
                lane[l] = lane[l] + lane[l + s];                                                                                   \
            }                                                                                                                      \
        }                                                                                                                          \
        return lane[0];                                                                                                            \
    }                                                                                                                              \
    static real stated_##real(const real *x, const real *y, int64_t n)                                                             \
    {                                                                                                                              \
        if (n == 0) {                                                                                                              \
            return (real)0.0;                                                                                                      \
        }                                                                                                                          \
        if (n <= 4096) {                                                                                                           \
            return chunk_##real(x, y, n);                                                                                          \
        }                                                                                                                          \
        int64_t chunks = (n + 4095) / 4096;                                                                                        \
        real *results = malloc((size_t)chunks * sizeof *results);                                                                  \
        assert_non_null(results);                                                                                                  \
        for (int64_t c = 0; c < chunks; ++c) {                                                                                     \
            int64_t length = n - 4096 * c < 4096 ? n - 4096 * c : 4096;                                                            \
            results[c] = chunk_##real(x + 4096 * c, y == NULL ? NULL : y + 4096 * c, length);                                      \
        }                                                                                                                          \
        real total = stated_##real(results, NULL, chunks);                                                                         \
        free(results);                                                                                                             \
        return total;                                                                                                              \
    }
STATED_ORDER(float, fmaf)
STATED_ORDER(double, fma)

static float x32[LONGEST], y32[LONGEST];
static double x64[LONGEST], y64[LONGEST];

static void fill_inputs(void)
{
    for (uint64_t i = 0; i < LONGEST; ++i) {
        x64[i] = test_number(i);
        y64[i] = test_number(i + LONGEST);
        x32[i] = (float)x64[i];
        y32[i] = (float)y64[i];
    }
}

static void assert_result(nc_array *out, const void *expected, size_t size, const char *what, int64_t n)
{
    unsigned char got[8];
    download(out, got, size);
    if (memcmp(got, expected, size) != 0) {
        fail_msg("%s of %lld elements of %zu bytes differs from the stated order", what, (long long)n, size);
    }
}

static void check_length(nc_device *device, int64_t n)
{
    nc_array *x = create_filled(device, NC_F32, n, x32), *y = create_filled(device, NC_F32, n, y32);
    nc_array *out = create_vector(device, NC_F32, 1);
    float sum32 = stated_float(x32, NULL, n), dot32 = stated_float(x32, y32, n);
    assert_int_equal(nc_sum(x, out), NC_OK);
    assert_result(out, &sum32, sizeof sum32, "sum", n);
    assert_int_equal(nc_dot(x, y, out), NC_OK);
    assert_result(out, &dot32, sizeof dot32, "dot product", n);
    release(x), release(y), release(out);

    x = create_filled(device, NC_F64, n, x64), y = create_filled(device, NC_F64, n, y64);
    out = create_vector(device, NC_F64, 1);
    double sum64 = stated_double(x64, NULL, n), dot64 = stated_double(x64, y64, n);
    assert_int_equal(nc_sum(x, out), NC_OK);
    assert_result(out, &sum64, sizeof sum64, "sum", n);
    assert_int_equal(nc_dot(x, y, out), NC_OK);
    assert_result(out, &dot64, sizeof dot64, "dot product", n);
    release(x), release(y), release(out);
}

static void check_lengths(nc_device *device)
{
    static const int64_t lengths[] = {511, 512, 513, 4095, 4096, 4097, 8191, 8192, 8193, 20000, LONGEST};
    for (int64_t n = 0; n <= 300; ++n) {
        check_length(device, n);
    }
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; ++i) {
        check_length(device, lengths[i]);
    }
}

static void sums_follow_the_stated_order(void **state)
{
    (void)state;
    fill_inputs();
    for_each_variant(check_lengths);
}

// A view's order is the C order of its shape, wherever the elements lie.
static void check_strided(nc_device *device)
{
    enum { ROWS = 70, COLUMNS = 90 };
    double gathered[ROWS * COLUMNS], expected;
    nc_array *storage = create_filled(device, NC_F64, ROWS * COLUMNS, x64), *out = create_vector(device, NC_F64, 1);
    const struct {
        int64_t offset, rows, columns, row_stride, column_stride;
    } views[] = {
        {0, COLUMNS, ROWS, 1, COLUMNS},                    // transposed
        {ROWS * COLUMNS - 1, ROWS, COLUMNS, -COLUMNS, -1}, // backwards
        {1, ROWS, COLUMNS / 3, COLUMNS, 3},                // every third column
        {5, ROWS, COLUMNS, 0, 1},                          // one row repeated
    };
    for (size_t v = 0; v < sizeof views / sizeof views[0]; ++v) {
        int64_t shape[2] = {views[v].rows, views[v].columns}, strides[2] = {views[v].row_stride, views[v].column_stride}, n = 0;
        for (int64_t i = 0; i < shape[0]; ++i) {
            for (int64_t j = 0; j < shape[1]; ++j) {
                gathered[n++] = x64[views[v].offset + i * strides[0] + j * strides[1]];
            }
        }
        nc_array *x = view(storage, views[v].offset, 2, shape, strides);
        assert_int_equal(nc_sum(x, out), NC_OK);
        expected = stated_double(gathered, NULL, n);
        assert_result(out, &expected, sizeof expected, "strided sum", n);
        assert_int_equal(nc_dot(x, x, out), NC_OK);
        expected = stated_double(gathered, gathered, n);
        assert_result(out, &expected, sizeof expected, "strided dot product", n);
        release(x);
    }
    release(storage), release(out);
}

static void strided_sums_follow_the_shape(void **state)
{
    (void)state;
    fill_inputs();
    for_each_variant(check_strided);
}

// A chain of float32 additions stops at 2^24; lanes do not.
static void ones_are_counted_past_two_to_the_24(void **state)
{
    (void)state;
    const int64_t n = ((int64_t)1 << 24) + 2;
    const float one = 1.0f;
    float total = 0.0f;
    nc_device *device = open_cpu();
    nc_array *x = create_vector(device, NC_F32, n), *out = create_vector(device, NC_F32, 1);
    assert_int_equal(nc_array_fill(x, &one, sizeof one), NC_OK);
    assert_int_equal(nc_sum(x, out), NC_OK);
    download(out, &total, sizeof total);
    assert_true(total == 16777218.0f);
    assert_int_equal(nc_dot(x, x, out), NC_OK);
    download(out, &total, sizeof total);
    assert_true(total == 16777218.0f);
    release(x), release(out);
    close_device(device);
}

static void zeros_keep_their_sign(void **state)
{
    (void)state;
    static const double negative[300] = {-0.0}, mixed[2] = {-0.0, 0.0};
    double zeros[300], result;
    nc_device *device = open_cpu();
    for (int i = 0; i < 300; ++i) {
        zeros[i] = -0.0;
    }
    nc_array *out = create_vector(device, NC_F64, 1);
    nc_array *empty = create_vector(device, NC_F64, 0), *all = create_filled(device, NC_F64, 300, zeros);
    nc_array *two = create_filled(device, NC_F64, 2, mixed), *one = create_filled(device, NC_F64, 1, negative);
    const struct {
        nc_array *x;
        int negative;
    } sums[] = {{empty, 0}, {all, 1}, {two, 0}, {one, 1}};
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; ++i) {
        assert_int_equal(nc_sum(sums[i].x, out), NC_OK);
        download(out, &result, sizeof result);
        assert_true(result == 0.0);
        assert_int_equal(signbit(result) != 0, sums[i].negative);
        // A chain of products starts at +0.
        assert_int_equal(nc_dot(sums[i].x, sums[i].x, out), NC_OK);
        download(out, &result, sizeof result);
        assert_true(result == 0.0 && !signbit(result));
    }
    release(out), release(empty), release(all), release(two), release(one);
    close_device(device);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void check_extrema(nc_device *device)
{
    const double inf = (double)INFINITY, nan_value = (double)NAN;
    uint64_t payload = 0xfff0000000000123u; // a signalling NaN with its sign set
    double strange;
    memcpy(&strange, &payload, sizeof strange);
    const struct {
        double x[5];
        double minimum, maximum;
    } cases[] = {
        {{0.0, -0.0, 0.0, -0.0, 0.0}, -0.0, 0.0},
        {{-0.0, -0.0, -0.0, -0.0, -0.0}, -0.0, -0.0},
        {{0.0, 0.0, 0.0, 0.0, 0.0}, 0.0, 0.0},
        {{-inf, 1.0, 2.0, inf, 3.0}, -inf, inf},
        {{-3.0, -1.0, -2.0, -0x1p-1074, -5.0}, -5.0, -0x1p-1074},
        {{inf, inf, inf, inf, inf}, inf, inf},
        {{1.0, 2.0, strange, 4.0, 5.0}, nan_value, nan_value},
    };
    nc_array *out = create_vector(device, NC_F64, 1), *out32 = create_vector(device, NC_F32, 1);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        double minimum, maximum;
        nc_array *x = create_filled(device, NC_F64, 5, cases[c].x);
        assert_int_equal(nc_minimum(x, out), NC_OK);
        download(out, &minimum, sizeof minimum);
        assert_int_equal(nc_maximum(x, out), NC_OK);
        download(out, &maximum, sizeof maximum);
        int nan = isnan(cases[c].minimum);
        assert_true(bits_of(minimum) == (nan ? 0x7ff8000000000000u : bits_of(cases[c].minimum)));
        assert_true(bits_of(maximum) == (nan ? 0x7ff8000000000000u : bits_of(cases[c].maximum)));
        release(x);

        float x_f32[5], result;
        for (int i = 0; i < 5; ++i) {
            x_f32[i] = (float)cases[c].x[i];
        }
        x = create_filled(device, NC_F32, 5, x_f32);
        assert_int_equal(nc_minimum(x, out32), NC_OK);
        download(out32, &result, sizeof result);
        float expected = (float)cases[c].minimum;
        assert_true(nan ? isnan(result) : memcmp(&result, &expected, sizeof result) == 0);
        release(x);
    }
    release(out), release(out32);
}

static void extrema_order_zeros_and_propagate_nan(void **state)
{
    (void)state;
    for_each_variant(check_extrema);
}

static void check_block_maximum(nc_device *device)
{
    static const int64_t blocks[] = {1, 2, 7, 100, 4096, 5000, 20000, 1 << 30};
    enum { N = 20000 };
    nc_array *x = create_filled(device, NC_F64, N, x64);
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b) {
        int64_t block = blocks[b], count = (N + block - 1) / block;
        double *results = malloc((size_t)count * sizeof *results);
        assert_non_null(results);
        nc_array *out = create_vector(device, NC_F64, count);
        assert_int_equal(nc_block_maximum(x, block, out), NC_OK);
        download(out, results, (size_t)count * sizeof *results);
        for (int64_t i = 0; i < count; ++i) {
            double expected = x64[i * block];
            for (int64_t j = i * block; j < N && j < (i + 1) * block; ++j) {
                expected = x64[j] > expected ? x64[j] : expected;
            }
            assert_true(results[i] == expected);
        }
        free(results);
        release(out);
    }
    release(x);
}

static void block_maxima_are_the_blocks(void **state)
{
    (void)state;
    fill_inputs();
    for_each_variant(check_block_maximum);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sums_follow_the_stated_order),          cmocka_unit_test(strided_sums_follow_the_shape),
    cmocka_unit_test(ones_are_counted_past_two_to_the_24),   cmocka_unit_test(zeros_keep_their_sign),
    cmocka_unit_test(extrema_order_zeros_and_propagate_nan), cmocka_unit_test(block_maxima_are_the_blocks),
};

UNIT_MAIN(tests)
