// SPDX-License-Identifier: Apache-2.0
// Laws of random numbers: uniforms are made of the words of their address, orders and shapes change nothing, streams are apart.
#include "laws.h"
#include "values.h"

#include <stdlib.h>

enum { COUNT = 6000 };

static const uint32_t *draw_words(cupel_context *context, uint64_t seed, uint64_t stream, uint64_t first, int64_t count)
{
    nc_array *out = cupel_output_vector(context, NC_U32, count);
    cupel_require_ok(context, nc_rng_words(seed, stream, first, out));
    return cupel_download(context, out);
}

static void uniforms_are_made_of_words(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const uint64_t first = 12345;
    const uint32_t *words =
        dtype == NC_F32 ? draw_words(context, 1, 2, first, COUNT) : draw_words(context, 1, 2, 2 * first, 2 * COUNT);
    void *expected = cupel_alloc(context, COUNT * nc_dtype_size(dtype));
    for (size_t i = 0; i < COUNT; ++i) {
        uint64_t wide = dtype == NC_F32 ? words[i] >> 9 : ((uint64_t)words[2 * i] << 20) | (words[2 * i + 1] >> 12);
        cupel_set_real(dtype, expected, i, ((double)wide + 0.5) * (dtype == NC_F32 ? 0x1p-23 : 0x1p-52));
    }
    nc_array *out = cupel_output_vector(context, dtype, COUNT);
    cupel_require_ok(context, nc_rng_uniform(1, 2, first, out));
    cupel_expect_bits(context, out, expected, COUNT);
}

// Drawing indices one by one, backwards, gives the values of one call.
static void any_order_of_indices(cupel_context *context)
{
    enum { FEW = 200 };
    nc_dtype dtype = cupel_dtype(context);
    size_t size = nc_dtype_size(dtype);
    unsigned char *backwards = cupel_alloc(context, FEW * size);
    nc_array *whole = cupel_output_vector(context, dtype, FEW);
    for (size_t i = FEW; i-- > 0;) {
        nc_array *one = cupel_output_vector(context, dtype, 1);
        cupel_require_ok(context, nc_rng_normal(9, 9, 1000 + i, one));
        memcpy(backwards + i * size, cupel_download(context, one), size);
    }
    cupel_require_ok(context, nc_rng_normal(9, 9, 1000, whole));
    cupel_expect_bits(context, whole, backwards, FEW);
}

// The shape of the output does not matter, only C order.
static void any_shape(cupel_context *context)
{
    const int64_t matrix[] = {60, 100};
    const int64_t cube[] = {20, 15, 20};
    const uint32_t *line = draw_words(context, 3, 4, 5, COUNT);
    nc_array *second = cupel_output(context, NC_U32, 2, matrix);
    nc_array *third = cupel_output(context, NC_U32, 3, cube);
    cupel_require_ok(context, nc_rng_words(3, 4, 5, second));
    cupel_require_ok(context, nc_rng_words(3, 4, 5, third));
    cupel_expect_bits(context, second, line, COUNT);
    cupel_expect_bits(context, third, line, COUNT);
}

static int compare_blocks(const void *a, const void *b)
{
    return memcmp(a, b, 16);
}

// Two streams, two seeds: no 128-bit block occurs twice among 16,384 of each.
static void streams_are_apart(cupel_context *context)
{
    enum { BLOCKS = 16384, STREAMS = 4 };
    static const uint64_t addresses[STREAMS][2] = {{0, 0}, {0, 1}, {1, 0}, {0, 0x100000000}};
    uint32_t *all = cupel_alloc(context, STREAMS * BLOCKS * 16);
    for (size_t s = 0; s < STREAMS; ++s) {
        memcpy(all + s * BLOCKS * 4, draw_words(context, addresses[s][0], addresses[s][1], 0, BLOCKS * 4), BLOCKS * 16);
    }
    qsort(all, STREAMS * BLOCKS, 16, compare_blocks);
    for (size_t i = 1; i < STREAMS * BLOCKS; ++i) {
        cupel_expect_true(context, memcmp(all + 4 * (i - 1), all + 4 * i, 16) != 0);
    }
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("laws.rng.uniforms-are-made-of-words", uniforms_are_made_of_words),
    CUPEL_CASE_REALS("laws.rng.any-order-of-indices", any_order_of_indices),
    CUPEL_CASE("laws.rng.any-shape", any_shape),
    CUPEL_CASE("laws.rng.streams-are-apart", streams_are_apart),
};
const cupel_table laws_rng_table = CUPEL_TABLE(cases);
