// SPDX-License-Identifier: Apache-2.0
// Uniforms, from the words of their addresses by the formulas of nc_rng.h written again, and cuRAND's mapping.
#include "reference_philox.h"
#include "rng.h"
#include "values.h"

typedef nc_status (*uniform)(uint64_t, uint64_t, uint64_t, nc_array *);

// (k + 1/2) 2^-23 and (k + 1/2) 2^-52: exact.
static double expected_uniform(nc_dtype dtype, uint64_t seed, uint64_t stream, uint64_t index)
{
    if (dtype == NC_F32) {
        return ((double)(reference_word(seed, stream, index) >> 9) + 0.5) * 0x1p-23;
    }
    uint64_t high = reference_word(seed, stream, 2 * index);
    uint64_t low = reference_word(seed, stream, 2 * index + 1);
    return ((double)((high << 20) | (low >> 12)) + 0.5) * 0x1p-52;
}

// curand_uniform and curand_uniform2_double: the conversion, the product and the sum round, each once.
static double expected_curand(nc_dtype dtype, uint64_t seed, uint64_t stream, uint64_t index)
{
    if (dtype == NC_F32) {
        float word = (float)reference_word(seed, stream, index);
        return (double)(float)(word * 0x1p-32f + 0x1p-33f);
    }
    uint64_t first = reference_word(seed, stream, 2 * index);
    uint64_t second = reference_word(seed, stream, 2 * index + 1);
    return (double)(first ^ (second << 21)) * 0x1p-53 + 0x1p-54;
}

static void expect_uniforms(cupel_context *context, uniform operation, uint64_t seed, uint64_t stream, uint64_t first,
                            int64_t count)
{
    nc_dtype dtype = cupel_dtype(context);
    void *expected = cupel_alloc(context, (size_t)count * nc_dtype_size(dtype));
    for (uint64_t i = 0; i < (uint64_t)count; ++i) {
        cupel_set_real(dtype, expected, i,
                       operation == nc_rng_uniform ? expected_uniform(dtype, seed, stream, first + i)
                                                   : expected_curand(dtype, seed, stream, first + i));
    }
    nc_array *out = cupel_output_vector(context, dtype, count);
    cupel_require_ok(context, operation(seed, stream, first, out));
    cupel_expect_bits(context, out, expected, (size_t)count);
}

static uniform operation_of(cupel_context *context)
{
    return cupel_data(context) == NULL ? nc_rng_uniform : nc_rng_uniform_curand;
}

static void bulk(cupel_context *context)
{
    expect_uniforms(context, operation_of(context), 0x0123456789abcdef, 0x76543210fedcba98, 0xfffffff1, 100003);
}

// Every phase of a block, every short length, carries of the block number, the end of the stream.
static void addresses(cupel_context *context)
{
    const uint64_t last = cupel_dtype(context) == NC_F32 ? UINT64_MAX : UINT64_MAX >> 1;
    const uint64_t firsts[] = {0, 1, 2, 3, 4294967293, 8589934589, 17179869181, last - 8};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; ++i) {
        for (int64_t count = 1; count <= 9; ++count) {
            expect_uniforms(context, operation_of(context), 99, 7, firsts[i], count);
        }
    }
}

static void range_past_the_end(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const uint64_t last = dtype == NC_F32 ? UINT64_MAX : UINT64_MAX >> 1;
    const uint64_t firsts[] = {last, last - 1, dtype == NC_F32 ? last : last + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; ++i) {
        nc_array *out = cupel_output_vector(context, dtype, 3);
        cupel_expect_status(context, operation_of(context)(1, 1, firsts[i], out), NC_OUT_OF_RANGE);
        cupel_expect_untouched(context, out);
    }
    cupel_expect_u64(context, cupel_kernels(context), 0);
}

static void strided_output(cupel_context *context)
{
    const int64_t shape[] = {4, 3, 5};
    const int64_t strides[] = {1, -40, 7};
    nc_dtype dtype = cupel_dtype(context);
    void *expected = cupel_alloc(context, 60 * nc_dtype_size(dtype));
    for (uint64_t i = 0; i < 60; ++i) {
        cupel_set_real(dtype, expected, i, expected_uniform(dtype, 3, 4, 1001 + i));
    }
    nc_array *out = cupel_output_strided(context, dtype, 3, shape, strides);
    cupel_require_ok(context, nc_rng_uniform(3, 4, 1001, out));
    cupel_expect_bits(context, out, expected, 60);
}

// A uniform lies strictly inside (0,1), and 1 - u is exact.
static void inside_the_unit_interval(cupel_context *context)
{
    enum { COUNT = 200000 };
    nc_dtype dtype = cupel_dtype(context);
    nc_array *out = cupel_output_vector(context, dtype, COUNT);
    cupel_require_ok(context, nc_rng_uniform(8, 9, 0, out));
    const void *values = cupel_download(context, out);
    for (size_t i = 0; i < COUNT; ++i) {
        double u = cupel_get_real(dtype, values, i);
        cupel_expect_true(context, u > 0.0 && u < 1.0 && 1.0 - (1.0 - u) == u);
    }
}

// Words from 0xffffff80 on give exactly 1 in float32, as curand_uniform does: the range is (0,1]. The first such word of
// (12, 0) stands at this index.
static void curand_reaches_one(cupel_context *context)
{
    const uint64_t index = 44385808;
    const float one = 1.0f;
    cupel_expect_true(context, reference_word(12, 0, index) >= 0xffffff80u);
    nc_array *out = cupel_output_vector(context, NC_F32, 1);
    cupel_require_ok(context, nc_rng_uniform_curand(12, 0, index, out));
    cupel_expect_bits(context, out, &one, 1);
}

static const int curand = 1;

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("rng.uniform.bulk-against-reference", bulk),
    CUPEL_CASE_REALS("rng.uniform.addresses", addresses),
    CUPEL_CASE_REALS("rng.uniform.range-past-the-end-refused", range_past_the_end),
    CUPEL_CASE_REALS("rng.uniform.strided-output", strided_output),
    CUPEL_CASE_REALS("rng.uniform.inside-the-unit-interval", inside_the_unit_interval),
    CUPEL_CASE_REALS_DATA("rng.uniform-curand.bulk-against-reference", bulk, &curand),
    CUPEL_CASE_REALS_DATA("rng.uniform-curand.addresses", addresses, &curand),
    CUPEL_CASE_REALS_DATA("rng.uniform-curand.range-past-the-end-refused", range_past_the_end, &curand),
    CUPEL_CASE("rng.uniform-curand.reaches-one.f32", curand_reaches_one),
};
const cupel_table rng_uniform_table = CUPEL_TABLE(cases);
