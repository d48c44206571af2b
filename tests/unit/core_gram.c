// SPDX-License-Identifier: Apache-2.0
// Gram matrices against a plain reading of docs/sums.md, bit for bit, for each instruction set of this processor.
#include "core_device.h"

#include "../../backends/cpu/cpu.h"
#include "../../src/core/host/host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 512, LANES = 256, GROUP = 4096 }; // docs/sums.md

static nc_device *device;

static double value_at(int64_t r, int64_t j)
{
    uint64_t mixed = ((uint64_t)r * 0x9e3779b97f4a7c15u) ^ ((uint64_t)(j + 1) * 0xbf58476d1ce4e5b9u);
    mixed = (mixed ^ (mixed >> 29)) * 0x94d049bb133111ebu;
    return ((double)(int32_t)(mixed >> 32)) * 0x1p-28;
}

static double chain(const double *x, const double *w, int64_t columns, int64_t i, int64_t j, int64_t begin, int64_t end)
{
    double sum = 0.0;
    for (int64_t r = begin; r < end; ++r) {
        double weighted = w[r] * x[r * columns + i];
        sum = fma(weighted, x[r * columns + j], sum);
    }
    return sum;
}

static double fold(double *lanes)
{
    for (int distance = LANES / 2; distance > 0; distance /= 2) {
        for (int lane = 0; lane < distance; ++lane) {
            lanes[lane] += lanes[lane + distance];
        }
    }
    return lanes[0];
}

// The entry (i, j), i <= j, of X' diag(w) X.
static double entry(const double *x, const double *w, int64_t rows, int64_t columns, int64_t i, int64_t j)
{
    double groups[LANES];
    int64_t chunks = rows == 0 ? 1 : (rows + CHUNK - 1) / CHUNK;
    for (int g = 0; g < LANES; ++g) {
        double lanes[LANES];
        for (int lane = 0; lane < LANES; ++lane) {
            lanes[lane] = -0.0;
        }
        for (int64_t c = (int64_t)g * GROUP; c < chunks && c < (int64_t)(g + 1) * GROUP; ++c) {
            int64_t end = (c + 1) * CHUNK < rows ? (c + 1) * CHUNK : rows;
            lanes[c % GROUP % LANES] += chain(x, w, columns, i, j, c * CHUNK, end);
        }
        groups[g] = fold(lanes);
    }
    return fold(groups);
}

static void check(nc_dtype dtype, int64_t rows, int64_t columns, int weighted)
{
    const int64_t stride = columns + 3;
    const int64_t shape[2] = {rows, columns}, strides[2] = {stride, 1}, square[2] = {columns, columns};
    size_t width = nc_dtype_size(dtype);
    double *x = calloc((size_t)(rows * columns + 1), sizeof *x);
    double *w = calloc((size_t)rows + 1, sizeof *w);
    unsigned char *raw = calloc((size_t)(rows * columns + 1), width);
    unsigned char *raw_w = calloc((size_t)rows + 1, width);
    unsigned char *got = calloc((size_t)(columns * columns), width);
    assert_true(x != NULL && w != NULL && raw != NULL && raw_w != NULL && got != NULL);
    for (int64_t r = 0; r < rows; ++r) {
        w[r] = weighted ? (double)(float)fabs(value_at(r, 1000)) : 1.0;
        for (int64_t j = 0; j < columns; ++j) {
            x[r * columns + j] = dtype == NC_F32 ? (double)(float)value_at(r, j) : value_at(r, j);
        }
    }
    for (int64_t k = 0; k < rows * columns; ++k) {
        float narrow = (float)x[k];
        memcpy(raw + (size_t)k * width, dtype == NC_F32 ? (void *)&narrow : (void *)&x[k], width);
    }
    for (int64_t r = 0; r < rows; ++r) {
        float narrow = (float)w[r];
        memcpy(raw_w + (size_t)r * width, dtype == NC_F32 ? (void *)&narrow : (void *)&w[r], width);
    }
    nc_array *base = create_vector(device, dtype, rows * stride + 5);
    nc_array *matrix = view(base, 2, 2, shape, strides);
    nc_array *weights = create_vector(device, dtype, rows);
    nc_array *out = create(device, dtype, 2, square);
    assert_int_equal(nc_array_upload(matrix, raw, (size_t)(rows * columns) * width), NC_OK);
    assert_int_equal(nc_array_upload(weights, raw_w, (size_t)rows * width), NC_OK);
    assert_int_equal(nc_gram(matrix, weighted ? weights : NULL, out), NC_OK);
    download(out, got, (size_t)(columns * columns) * width);
    for (int64_t i = 0; i < columns; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
            double expected = entry(x, w, rows, columns, i < j ? i : j, i < j ? j : i);
            float narrow = (float)expected;
            assert_memory_equal(got + (size_t)(i * columns + j) * width, dtype == NC_F32 ? (void *)&narrow : (void *)&expected,
                                width);
        }
    }
    release(out);
    release(weights);
    release(matrix);
    release(base);
    free(x);
    free(w);
    free(raw);
    free(raw_w);
    free(got);
}

static void bytes_of_the_row_order(void **state)
{
    static const int64_t rows[] = {0, 1, 2, 511, 512, 513, 1024, 5000};
    const cpu_variant *variants[CPU_VARIANTS_MAX];
    int32_t count = cpu_variants(variants);
    (void)state;
    assert_true(count >= 1);
    for (int32_t v = 0; v < count; ++v) {
        device->backend->variant = variants[v];
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
            for (int64_t columns = 1; columns <= 17; columns += 4) {
                check(NC_F64, rows[r], columns, 1);
                check(NC_F32, rows[r], columns, 1);
            }
        }
        check(NC_F64, 700, 50, 0);
        check(NC_F32, 700, 49, 0);
    }
}

// More chunks than lanes, and more than one group of chunks.
static void many_chunks(void **state)
{
    (void)state;
    check(NC_F64, (int64_t)LANES * CHUNK + 700, 2, 1);
    check(NC_F32, (int64_t)GROUP * CHUNK + 1300, 1, 1);
}

static int setup(void **state)
{
    (void)state;
    device = open_cpu();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    close_device(device);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(bytes_of_the_row_order, setup, teardown),
    cmocka_unit_test_setup_teardown(many_chunks, setup, teardown),
};

UNIT_MAIN(tests)
