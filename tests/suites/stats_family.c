// SPDX-License-Identifier: Apache-2.0
// One case for each family and dtype: 8192 addressed draws that any chunking or order gives again, that fit their distribution, and
// whose log densities agree with another implementation.
#include "stats.h"
#include "values.h"

#include <string.h>

typedef struct drawn {
    const stats_distribution *distribution;
    nc_dtype dtype, datum; // of parameters, of draws
    nc_array *out;
    const unsigned char *bytes; // STATS_DRAWS draws
} drawn;

static nc_array *sample(cupel_context *context, const drawn *all, uint64_t first, int32_t rank, const int64_t *shape,
                        const int64_t *strides)
{
    nc_draws draws = stats_draws_of(context, all->distribution, all->dtype, first);
    nc_array *status = cupel_output(context, NC_I32, rank, shape);
    nc_array *out = strides != NULL ? cupel_output_strided(context, all->datum, rank, shape, strides)
                                    : cupel_output(context, all->datum, rank, shape);
    size_t count = 1;
    for (int32_t axis = 0; axis < rank; ++axis) {
        count *= (size_t)shape[axis];
    }
    cupel_require_ok(context, nc_observation_sample(&draws, status, out));
    stats_expect_statuses(context, status, count, NC_ELEMENT_OK);
    return out;
}

// Chunks from the end backwards, single draws in no order, a matrix whose rows lie in reverse: always the same draws.
static void expect_replay(cupel_context *context, const drawn *all)
{
    static const int64_t chunks[] = {1, 4095, 64, 1000, 3032}, shape[] = {64, 128}, strides[] = {-131, 1};
    size_t size = nc_dtype_size(all->datum), end = STATS_DRAWS;
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; ++i) {
        end -= (size_t)chunks[i];
        cupel_expect_bits(context, sample(context, all, end, 1, &chunks[i], NULL), all->bytes + end * size, (size_t)chunks[i]);
    }
    cupel_expect_u64(context, end, 0);
    for (uint64_t turn = 0; turn < 24; ++turn) {
        const int64_t one = 1;
        size_t at = value_index(20, turn, STATS_DRAWS);
        cupel_expect_bits(context, sample(context, all, at, 1, &one, NULL), all->bytes + at * size, 1);
    }
    cupel_expect_bits(context, sample(context, all, 0, 2, shape, strides), all->bytes, STATS_DRAWS);
}

// float32 parameters widen exactly: the float32 draws are the float64 ones rounded once, and counts are equal.
static void expect_rounded_once(cupel_context *context, const drawn *all)
{
    const int64_t count = STATS_DRAWS;
    drawn wide = *all;
    wide.dtype = NC_F64;
    wide.datum = stats_datum_dtype(all->distribution, NC_F64);
    const void *values = cupel_download(context, sample(context, &wide, 0, 1, &count, NULL));
    if (all->datum == NC_I64) {
        cupel_expect_bits(context, all->out, values, STATS_DRAWS);
        return;
    }
    float *rounded = cupel_alloc(context, STATS_DRAWS * sizeof *rounded);
    for (size_t i = 0; i < STATS_DRAWS; ++i) {
        rounded[i] = (float)stats_datum(NC_F64, values, i);
    }
    cupel_expect_bits(context, all->out, rounded, STATS_DRAWS);
}

static void expect_density(cupel_context *context, const drawn *all)
{
    const reference_distribution *reference = &all->distribution->reference;
    double *expected = cupel_alloc(context, STATS_DRAWS * sizeof *expected);
    double *bounds = cupel_alloc(context, STATS_DRAWS * sizeof *bounds);
    nc_array *status = cupel_output_vector(context, NC_I32, STATS_DRAWS);
    nc_array *log_density = cupel_output_vector(context, all->dtype, STATS_DRAWS);
    nc_observation observation = stats_observation_of(context, all->distribution, all->dtype, all->out);
    cupel_require_ok(context, nc_observation_log_density(&observation, status, log_density));
    stats_expect_statuses(context, status, STATS_DRAWS, NC_ELEMENT_OK);
    for (size_t i = 0; i < STATS_DRAWS; ++i) {
        double x = stats_datum(all->datum, all->bytes, i);
        expected[i] = (double)reference_log_density(reference, x);
        bounds[i] = stats_unit(all->dtype) * REFERENCE_ROUNDINGS * reference_density_terms(reference, x);
    }
    cupel_expect_within_bound(context, log_density, expected, bounds, STATS_DRAWS, REFERENCE_DENSITY_DERIVATION);
}

// Probability integral transforms; those of counts are spread by addressed uniforms of a stream of their own.
static void expect_fit(cupel_context *context, const drawn *all)
{
    double *transforms = cupel_alloc(context, STATS_DRAWS * sizeof *transforms);
    nc_array *uniforms = cupel_output_vector(context, NC_F64, STATS_DRAWS);
    cupel_require_ok(context, nc_rng_uniform(STATS_SEED, 1000, 0, uniforms));
    const double *spread = cupel_download(context, uniforms);
    reference_fit fit;
    for (size_t i = 0; i < STATS_DRAWS; ++i) {
        transforms[i] = reference_transform(&all->distribution->reference, stats_datum(all->datum, all->bytes, i), spread[i]);
    }
    cupel_expect_true(context, reference_fit_uniform(transforms, STATS_DRAWS, &fit));
    const char *failed = reference_judge(&fit, STATS_DRAWS);
    if (failed != NULL) {
        cupel_fail(context, "the draws fail the %s test: KS %.5f, A^2 %.3f, chi^2 %.1f, mean %.2f se, variance ratio %.4f", failed,
                   fit.kolmogorov, fit.anderson, fit.chi_square, fit.mean_z, fit.variance_ratio);
    }
    cupel_expect_true(context, failed == NULL);
}

static void draws_density_replay(cupel_context *context)
{
    const int64_t count = STATS_DRAWS;
    drawn all = {.distribution = cupel_data(context), .dtype = cupel_dtype(context)};
    all.datum = stats_datum_dtype(all.distribution, all.dtype);
    all.out = sample(context, &all, 0, 1, &count, NULL);
    size_t bytes = STATS_DRAWS * nc_dtype_size(all.datum);
    unsigned char *copy = cupel_alloc(context, bytes);
    memcpy(copy, cupel_download(context, all.out), bytes);
    all.bytes = copy;
    cupel_claim(context, "samples_8192", "passed"); // a case that fails has claimed nothing
    expect_replay(context, &all);
    cupel_claim(context, "replay", "passed");
    if (all.dtype == NC_F32) {
        expect_rounded_once(context, &all);
    }
    expect_density(context, &all);
    cupel_claim(context, "density", "passed");
    expect_fit(context, &all);
    cupel_claim(context, "fit", "passed");
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS_DATA("stats.family.normal", draws_density_replay, &stats_distributions[0]),
    CUPEL_CASE_REALS_DATA("stats.family.lognormal", draws_density_replay, &stats_distributions[1]),
    CUPEL_CASE_REALS_DATA("stats.family.student-t", draws_density_replay, &stats_distributions[2]),
    CUPEL_CASE_REALS_DATA("stats.family.gamma", draws_density_replay, &stats_distributions[3]),
    CUPEL_CASE_REALS_DATA("stats.family.poisson", draws_density_replay, &stats_distributions[4]),
    CUPEL_CASE_REALS_DATA("stats.family.negative-binomial", draws_density_replay, &stats_distributions[5]),
    CUPEL_CASE_REALS_DATA("stats.family.binomial", draws_density_replay, &stats_distributions[6]),
};
const cupel_table stats_family_table = CUPEL_TABLE(cases);
