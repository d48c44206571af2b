// SPDX-License-Identifier: Apache-2.0
// Words and uniform_curand against NVIDIA's own generator, bit for bit. cuRAND's host generator needs no GPU.
//
// Its LEGACY ordering spreads a sequence over 65536 subsequences: groups of four 32-bit elements, or of four doubles, go to
// subsequence (i/4) mod 65536 in turn. A float64 takes two words, so its groups take two blocks.
#include "core_device.h"

#include <curand.h>
#include <stdlib.h>
#include <string.h>

#define COUNT ((size_t)1 << 20)
#define SUBSEQUENCES ((size_t)65536)

static const uint64_t seeds[] = {0, 1234, 0xfedcba9876543210u};

static curandGenerator_t generator(uint64_t seed)
{
    curandGenerator_t made = NULL;
    assert_int_equal(curandCreateGeneratorHost(&made, CURAND_RNG_PSEUDO_PHILOX4_32_10), CURAND_STATUS_SUCCESS);
    assert_int_equal(curandSetGeneratorOrdering(made, CURAND_ORDERING_PSEUDO_LEGACY), CURAND_STATUS_SUCCESS);
    assert_int_equal(curandSetPseudoRandomGeneratorSeed(made, seed), CURAND_STATUS_SUCCESS);
    return made;
}

typedef nc_status (*fill_function)(uint64_t seed, uint64_t stream, uint64_t first, nc_array *out);

// Our elements in cuRAND's order: `run` consecutive elements of each subsequence at a time.
static void fill_in_legacy_order(fill_function fill, nc_dtype dtype, uint64_t seed, unsigned char *out)
{
    size_t size = nc_dtype_size(dtype), rounds = COUNT / (4 * SUBSEQUENCES);
    nc_device *device = open_cpu();
    nc_array *block = create_vector(device, dtype, (int64_t)(4 * rounds));
    unsigned char elements[4 * 8 * 8];
    assert_true(4 * rounds * size <= sizeof elements && rounds * 4 * SUBSEQUENCES == COUNT);
    for (size_t stream = 0; stream < SUBSEQUENCES; ++stream) {
        assert_int_equal(fill(seed, stream, 0, block), NC_OK);
        download(block, elements, 4 * rounds * size);
        for (size_t round = 0; round < rounds; ++round) {
            memcpy(out + 4 * (round * SUBSEQUENCES + stream) * size, elements + 4 * round * size, 4 * size);
        }
    }
    release(block);
    close_device(device);
}

static void compare(nc_dtype dtype, fill_function fill)
{
    size_t size = nc_dtype_size(dtype);
    unsigned char *ours = malloc(COUNT * size), *theirs = malloc(COUNT * size);
    assert_true(ours != NULL && theirs != NULL);
    for (size_t s = 0; s < sizeof seeds / sizeof seeds[0]; ++s) {
        curandGenerator_t g = generator(seeds[s]);
        memset(theirs, 0xff, COUNT * size);
        curandStatus_t status = dtype == NC_U32   ? curandGenerate(g, (unsigned int *)(void *)theirs, COUNT)
                                : dtype == NC_F32 ? curandGenerateUniform(g, (float *)(void *)theirs, COUNT)
                                                  : curandGenerateUniformDouble(g, (double *)(void *)theirs, COUNT);
        assert_int_equal(status, CURAND_STATUS_SUCCESS);
        assert_int_equal(curandDestroyGenerator(g), CURAND_STATUS_SUCCESS);
        fill_in_legacy_order(fill, dtype, seeds[s], ours);
        size_t differing = 0;
        for (size_t i = 0; i < COUNT; ++i) {
            differing += memcmp(ours + i * size, theirs + i * size, size) != 0;
        }
        if (differing != 0) {
            fail_msg("seed %llu: %zu of %zu elements of type %s differ from cuRAND's", (unsigned long long)seeds[s], differing,
                     COUNT, nc_dtype_name(dtype));
        }
    }
    free(ours);
    free(theirs);
}

static void words_equal_curand(void **state)
{
    (void)state;
    compare(NC_U32, nc_rng_words);
}

static void uniforms_f32_equal_curand(void **state)
{
    (void)state;
    compare(NC_F32, nc_rng_uniform_curand);
}

static void uniforms_f64_equal_curand(void **state)
{
    (void)state;
    compare(NC_F64, nc_rng_uniform_curand);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(words_equal_curand),
    cmocka_unit_test(uniforms_f32_equal_curand),
    cmocka_unit_test(uniforms_f64_equal_curand),
};

UNIT_MAIN(tests)
