// SPDX-License-Identifier: Apache-2.0
// Normals: the inverse of the distribution function at the uniform of the same address. Their truth to the last bits stands in the
// golden corpus; here the function is inverted with the C library's erfc, and the draws' own laws are held.
#include "reference_philox.h"
#include "rng.h"
#include "values.h"

static double uniform_at(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint64_t high = reference_word(seed, stream, 2 * index);
    uint64_t low = reference_word(seed, stream, 2 * index + 1);
    return ((double)((high << 20) | (low >> 12)) + 0.5) * 0x1p-52;
}

static const double *draw_f64(cupel_context *context, uint64_t seed, uint64_t stream, uint64_t first, int64_t count)
{
    nc_array *out = cupel_output_vector(context, NC_F64, count);
    cupel_require_ok(context, nc_rng_normal(seed, stream, first, out));
    return cupel_download(context, out);
}

// With z off by 4 units of roundoff u = 2^-53, the tail P(Z > |z|) changes by the factor 1 + 4 u |z| h, where the hazard h is at
// most |z| + 1; the quotient by sqrt 2 and erfc, with 16 units between them, give the rest.
static void inverts_the_distribution_function(cupel_context *context)
{
    enum { COUNT = 50000 };
    const double u = 0x1p-53;
    const double *normals = draw_f64(context, 21, 22, 5, COUNT);
    for (size_t i = 0; i < COUNT; ++i) {
        double p = uniform_at(21, 22, 5 + i);
        double z = normals[i];
        double tail = p < 0.5 ? p : 1.0 - p; // exact
        double found = 0.5 * erfc(fabs(z) / sqrt(2.0));
        double bound = (4.0 * z * z + 4.0 * fabs(z) + 16.0) * u * tail;
        cupel_expect_true(context, (p < 0.5) == (z < 0.0) && fabs(found - tail) <= bound);
    }
}

// A float32 normal is the float64 one of the same address rounded once.
static void float32_is_float64_rounded(cupel_context *context)
{
    enum { COUNT = 20000 };
    const double *wide = draw_f64(context, 31, 32, 77, COUNT);
    float *expected = cupel_alloc(context, COUNT * sizeof *expected);
    for (size_t i = 0; i < COUNT; ++i) {
        expected[i] = (float)wide[i];
    }
    nc_array *out = cupel_output_vector(context, NC_F32, COUNT);
    cupel_require_ok(context, nc_rng_normal(31, 32, 77, out));
    cupel_expect_bits(context, out, expected, COUNT);
}

// Larger uniforms give larger normals.
static void monotone(cupel_context *context)
{
    enum { COUNT = 3000 };
    const double *normals = draw_f64(context, 41, 42, 0, COUNT);
    for (size_t i = 1; i < COUNT; ++i) {
        for (size_t j = i >= 40 ? i - 40 : 0; j < i; ++j) {
            double ui = uniform_at(41, 42, i);
            double uj = uniform_at(41, 42, j);
            cupel_expect_true(context, ui == uj ? normals[i] == normals[j] : (ui < uj) == (normals[i] < normals[j]));
        }
    }
}

static void chunk_invariance(cupel_context *context)
{
    enum { COUNT = 5003 };
    static const int64_t chunks[] = {1, 2, 61, 1000, 3939};
    nc_dtype dtype = cupel_dtype(context);
    size_t size = nc_dtype_size(dtype);
    nc_array *whole = cupel_output_vector(context, dtype, COUNT);
    unsigned char *pieces = cupel_alloc(context, COUNT * size);
    int64_t end = COUNT;
    cupel_require_ok(context, nc_rng_normal(5, 6, 11, whole));
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; ++i) {
        nc_array *chunk = cupel_output_vector(context, dtype, chunks[i]);
        end -= chunks[i];
        cupel_require_ok(context, nc_rng_normal(5, 6, 11 + (uint64_t)end, chunk));
        memcpy(pieces + (size_t)end * size, cupel_download(context, chunk), (size_t)chunks[i] * size);
    }
    cupel_expect_u64(context, (uint64_t)end, 0);
    cupel_expect_bits(context, whole, pieces, COUNT);
}

static void range_past_the_end(cupel_context *context)
{
    const uint64_t last = UINT64_MAX >> 1;
    nc_dtype dtype = cupel_dtype(context);
    nc_array *refused = cupel_output_vector(context, dtype, 2);
    nc_array *whole = cupel_output_vector(context, dtype, 2);
    cupel_expect_status(context, nc_rng_normal(1, 1, dtype == NC_F32 ? UINT64_MAX : last, refused), NC_OUT_OF_RANGE);
    cupel_expect_untouched(context, refused);
    cupel_expect_status(context, nc_rng_normal(1, 1, last - 1, whole), NC_OK);
}

static const cupel_case cases[] = {
    CUPEL_CASE("rng.normal.inverts-the-distribution-function.f64", inverts_the_distribution_function),
    CUPEL_CASE("rng.normal.float32-is-float64-rounded", float32_is_float64_rounded),
    CUPEL_CASE("rng.normal.monotone.f64", monotone),
    CUPEL_CASE_REALS("rng.normal.chunk-invariance", chunk_invariance),
    CUPEL_CASE_REALS("rng.normal.range-past-the-end-refused", range_past_the_end),
};
const cupel_table rng_normal_table = CUPEL_TABLE(cases);
