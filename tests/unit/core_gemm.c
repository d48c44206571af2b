// SPDX-License-Identifier: Apache-2.0
// gemm against three plain loops: every element one fma chain in ascending k, C untouched where beta is 0 or padding lies.
#include "core_variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct problem {
    int64_t m, n, k;
    double alpha, beta;
    int transposed; // A and B are views with exchanged strides
} problem;

// Sizes below, at and past every tile and block edge of any instruction set.
static const problem problems[] = {
    {1, 1, 1, 1.0, 0.0, 0},     {3, 5, 2, 1.0, 1.0, 1},
    {8, 24, 256, -1.5, 0.5, 0}, {9, 25, 257, 0.25, -2.0, 1},
    {17, 49, 300, 1.0, 0.0, 0}, {130, 7, 513, 3.0, 1.0, 1},
    {5, 400, 3, 1.0, -1.0, 0},  {520, 3, 5, -1.0, 0.0, 1},
    {4, 4, 0, -1.0, 0.0, 0},    {4, 4, 0, 2.0, 0.5, 0},
    {0, 4, 3, 1.0, 1.0, 0},     {4, 0, 3, 1.0, 1.0, 0},
    {2, 3, 4, 0.0, 1.0, 0},     {2, 3, 4, (double)INFINITY, 1.0, 0},
    {2, 3, 4, 1.0, -0.0, 0},    {33, 100, 31, 1.0, 0.1, 1},
};

#define PADDING 3 // unused columns of C between rows

static nc_array *matrix(nc_device *device, nc_dtype dtype, int64_t rows, int64_t columns, int transposed, uint64_t seed,
                        double *values)
{
    int64_t count = rows * columns, shape[2] = {rows, columns}, flipped[2] = {1, rows};
    double *stored = malloc((size_t)(count + 1) * sizeof *stored);
    float *stored32 = malloc((size_t)(count + 1) * sizeof *stored32);
    assert_non_null(stored);
    assert_non_null(stored32);
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
            double value = (double)(float)test_number(seed + (uint64_t)(i * columns + j));
            values[i * columns + j] = value;
            stored[transposed ? j * rows + i : i * columns + j] = value;
            stored32[transposed ? j * rows + i : i * columns + j] = (float)value;
        }
    }
    nc_array *base = create_vector(device, dtype, count), *made = NULL;
    const void *data = dtype == NC_F32 ? (const void *)stored32 : (const void *)stored;
    assert_int_equal(nc_array_upload(base, data, (size_t)count * nc_dtype_size(dtype)), NC_OK);
    int64_t straight[2] = {columns, 1};
    made = view(base, 0, 2, shape, transposed ? flipped : straight);
    release(base);
    free(stored);
    free(stored32);
    return made;
}

static double expected_f64(const problem *p, const double *a, const double *b, double c, int64_t i, int64_t j)
{
    double sum = 0.0;
    for (int64_t l = 0; l < p->k; ++l) {
        sum = fma(a[i * p->k + l], b[l * p->n + j], sum);
    }
    sum = p->alpha * sum;
    return p->beta == 0.0 ? sum : fma(p->beta, c, sum);
}

static float expected_f32(const problem *p, const double *a, const double *b, float c, int64_t i, int64_t j)
{
    float sum = 0.0f;
    for (int64_t l = 0; l < p->k; ++l) {
        sum = fmaf((float)a[i * p->k + l], (float)b[l * p->n + j], sum);
    }
    sum = (float)p->alpha * sum;
    return p->beta == 0.0 ? sum : fmaf((float)p->beta, c, sum);
}

// Equal bits; NaN in its one form.
static void assert_same(const problem *p, int64_t i, int64_t j, double wanted, double got)
{
    int same = isnan(wanted) ? isnan(got) && !signbit(got) : memcmp(&wanted, &got, sizeof got) == 0;
    if (!same) {
        fail_msg("m=%lld n=%lld k=%lld, element (%lld, %lld): %a, expected %a", (long long)p->m, (long long)p->n, (long long)p->k,
                 (long long)i, (long long)j, got, wanted);
    }
}

// C lies in rows of n + PADDING elements. Where beta is 0, C starts as NaN.
static void check_problem(nc_device *device, nc_dtype dtype, const problem *p)
{
    int64_t pitch = p->n + PADDING, count = p->m * pitch + 1, shape[2] = {p->m, p->n}, strides[2] = {pitch, 1};
    size_t size = nc_dtype_size(dtype);
    double *a = malloc((size_t)(p->m * p->k + 1) * sizeof *a), *b = malloc((size_t)(p->k * p->n + 1) * sizeof *b);
    unsigned char *before = malloc((size_t)count * size), *after = malloc((size_t)count * size);
    assert_true(a != NULL && b != NULL && before != NULL && after != NULL);
    for (int64_t i = 0; i < count; ++i) {
        double value = p->beta == 0.0 ? (double)NAN : (double)(float)test_number((uint64_t)i + 999);
        float value32 = (float)value;
        memcpy(before + (size_t)i * size, dtype == NC_F32 ? (const void *)&value32 : (const void *)&value, size);
    }
    nc_array *a_array = matrix(device, dtype, p->m, p->k, p->transposed, 1, a);
    nc_array *b_array = matrix(device, dtype, p->k, p->n, p->transposed, 77777, b);
    nc_array *storage = create_filled(device, dtype, count, before), *c_array = view(storage, 0, 2, shape, strides);
    assert_int_equal(nc_gemm(p->alpha, a_array, b_array, p->beta, c_array), NC_OK);
    download(storage, after, (size_t)count * size);
    for (int64_t at = 0; at < count; ++at) {
        int64_t i = at / pitch, j = at % pitch;
        const unsigned char *old = before + (size_t)at * size, *new = after + (size_t)at *size;
        if (i >= p->m || j >= p->n) {
            assert_memory_equal(old, new, size); // padding
        } else if (dtype == NC_F64) {
            double c, got;
            memcpy(&c, old, size);
            memcpy(&got, new, size);
            double wanted = expected_f64(p, a, b, c, i, j);
            assert_same(p, i, j, wanted, got);
        } else {
            float c, got;
            memcpy(&c, old, size);
            memcpy(&got, new, size);
            float wanted = expected_f32(p, a, b, c, i, j);
            assert_same(p, i, j, (double)wanted, (double)got);
        }
    }
    release(a_array), release(b_array), release(c_array), release(storage);
    free(a), free(b), free(before), free(after);
}

static void check_problems(nc_device *device)
{
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; ++i) {
        check_problem(device, NC_F32, &problems[i]);
        check_problem(device, NC_F64, &problems[i]);
    }
}

static void gemm_is_a_chain_in_ascending_k(void **state)
{
    (void)state;
    for_each_variant(check_problems);
}

// A chain's order shows: 1 + 2^-53 + 2^-53 + ... stays 1 from the left, and would not by pairs.
static void gemm_does_not_regroup(void **state)
{
    (void)state;
    enum { K = 600 };
    double a[K], b[K], c = 0.0;
    const int64_t row[2] = {1, K}, column[2] = {K, 1}, one[2] = {1, 1};
    nc_device *device = open_cpu();
    for (int i = 0; i < K; ++i) {
        a[i] = i == 0 ? 1.0 : 0x1p-53;
        b[i] = 1.0;
    }
    nc_array *a_array = create(device, NC_F64, 2, row), *b_array = create(device, NC_F64, 2, column);
    nc_array *c_array = create(device, NC_F64, 2, one);
    assert_int_equal(nc_array_upload(a_array, a, sizeof a), NC_OK);
    assert_int_equal(nc_array_upload(b_array, b, sizeof b), NC_OK);
    assert_int_equal(nc_gemm(1.0, a_array, b_array, 0.0, c_array), NC_OK);
    download(c_array, &c, sizeof c);
    assert_true(c == 1.0);
    release(a_array), release(b_array), release(c_array);
    close_device(device);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(gemm_is_a_chain_in_ascending_k),
    cmocka_unit_test(gemm_does_not_regroup),
};

UNIT_MAIN(tests)
