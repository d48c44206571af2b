// SPDX-License-Identifier: Apache-2.0
// Laws of draws and densities: a draw is a function of its address under any chunking and order, and a term does not know its
// neighbours.
#include "laws.h"
#include "values.h"

#include <string.h>

enum { DRAWS = 600, FIRST = 70001 };

typedef struct family_case {
    nc_family family;
    int parameters;
    double parameter[NC_STATS_MAX_PARAMETERS];
    int64_t trials; // 0: none
    int counts;
} family_case;

static const family_case families[] = {
    {NC_NORMAL, 2, {-1.5, 0.75}, 0, 0}, {NC_LOGNORMAL, 2, {0.5, 0.25}, 0, 0},   {NC_STUDENT_T, 3, {4.5, 0.5, 2.0}, 0, 0},
    {NC_GAMMA, 2, {0.625, 2.0}, 0, 0},  {NC_POISSON, 1, {37.5}, 0, 1},          {NC_NEGATIVE_BINOMIAL, 2, {6.0, 1.25}, 0, 1},
    {NC_BINOMIAL, 1, {0.8125}, 90, 1},  {NC_BINOMIAL_LOGIT, 1, {-2.25}, 90, 1},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

static nc_array *scalar(cupel_context *context, double value)
{
    return cupel_input_vector(context, cupel_dtype(context), 1, cupel_reals(context, cupel_dtype(context), &value, 1));
}

// Draws first to first + count - 1 into a copy.
static const unsigned char *draw(cupel_context *context, const family_case *family, uint64_t first, int64_t count)
{
    nc_draws draws;
    NC_STRUCT_INIT(&draws);
    draws.family = (int32_t)family->family;
    draws.stream = 3;
    draws.seed = 0x5eed;
    draws.first = first;
    for (int k = 0; k < family->parameters; ++k) {
        draws.parameters[k] = scalar(context, family->parameter[k]);
    }
    draws.trials = family->trials > 0 ? cupel_input_vector(context, NC_I64, 1, &family->trials) : NULL;
    nc_array *status = cupel_output_vector(context, NC_I32, count);
    nc_array *out = cupel_output_vector(context, family->counts ? NC_I64 : cupel_dtype(context), count);
    cupel_require_ok(context, nc_observation_sample(&draws, status, out));
    return cupel_download(context, out);
}

// One call, calls of unequal chunks from the last to the first, and single draws in a scattered order: the same bytes.
static void any_chunking_and_order(cupel_context *context)
{
    static const int64_t chunks[] = {1, 7, 64, 128, 400};
    for (size_t f = 0; f < FAMILIES; ++f) {
        nc_dtype datum = families[f].counts ? NC_I64 : cupel_dtype(context);
        size_t width = nc_dtype_size(datum);
        const unsigned char *whole = draw(context, &families[f], FIRST, DRAWS);
        unsigned char *parts = cupel_alloc(context, DRAWS * width);
        int64_t end = DRAWS;
        for (size_t c = 0; c < sizeof chunks / sizeof chunks[0]; ++c) {
            int64_t begin = end - chunks[c];
            memcpy(parts + (size_t)begin * width, draw(context, &families[f], (uint64_t)(FIRST + begin), chunks[c]),
                   (size_t)chunks[c] * width);
            end = begin;
        }
        cupel_expect_u64(context, (uint64_t)end, 0);
        cupel_expect_same(context, datum, parts, whole, DRAWS);
        for (uint64_t turn = 0; turn < 16; ++turn) {
            size_t i = value_index(81, turn, DRAWS);
            cupel_expect_same(context, datum, draw(context, &families[f], FIRST + i, 1), whole + i * width, 1);
        }
    }
}

// The log densities of a vector of normal data in another order are the same terms in that order.
static void terms_do_not_know_their_neighbours(cupel_context *context)
{
    enum { TERMS = 257, STRIDE = 101 }; // coprime
    nc_dtype dtype = cupel_dtype(context);
    size_t width = nc_dtype_size(dtype);
    const unsigned char *values = values_wide(context, dtype, 82, TERMS);
    unsigned char *mixed = cupel_alloc(context, TERMS * width), *expected = cupel_alloc(context, TERMS * width);
    const unsigned char *terms[2];
    for (size_t i = 0; i < TERMS; ++i) {
        memcpy(mixed + i * width, values + i * STRIDE % TERMS * width, width);
    }
    for (int k = 0; k < 2; ++k) {
        nc_observation observation;
        NC_STRUCT_INIT(&observation);
        observation.family = NC_NORMAL;
        observation.value = cupel_input_vector(context, dtype, TERMS, k == 0 ? values : mixed);
        observation.parameters[0] = scalar(context, 0.25);
        observation.parameters[1] = scalar(context, 8.0);
        nc_array *status = cupel_output_vector(context, NC_I32, TERMS), *out = cupel_output_vector(context, dtype, TERMS);
        cupel_require_ok(context, nc_observation_log_density(&observation, status, out));
        terms[k] = cupel_download(context, out);
    }
    for (size_t i = 0; i < TERMS; ++i) {
        memcpy(expected + i * width, terms[0] + i * STRIDE % TERMS * width, width);
    }
    cupel_expect_same(context, dtype, terms[1], expected, TERMS);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("laws.stats.any-chunking-and-order", any_chunking_and_order),
    CUPEL_CASE_REALS("laws.stats.terms-do-not-know-their-neighbours", terms_do_not_know_their_neighbours),
};

const cupel_table laws_stats_table = CUPEL_TABLE(cases);
