// SPDX-License-Identifier: Apache-2.0
// Draws have no state: the caller's generators and other streams never notice them, streams and families share no block, and what
// belongs to another device is refused.
#define _XOPEN_SOURCE 700 // random and drand48
#include "stats.h"
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const void *draw(cupel_context *context, const stats_distribution *distribution, uint32_t stream, size_t count)
{
    nc_draws draws = stats_draws_of(context, distribution, NC_F64, 0);
    nc_dtype datum = stats_datum_dtype(distribution, NC_F64);
    nc_array *status = cupel_output_vector(context, NC_I32, (int64_t)count);
    nc_array *out = cupel_output_vector(context, datum, (int64_t)count);
    draws.stream = stream;
    cupel_require_ok(context, nc_observation_sample(&draws, status, out));
    stats_expect_statuses(context, status, count, NC_ELEMENT_OK);
    void *copy = cupel_alloc(context, count * 8);
    memcpy(copy, cupel_download(context, out), count * 8);
    return copy;
}

enum { KEPT = 64 };

static uint64_t next_rand(void)
{
    return (uint64_t)rand();
}
static uint64_t next_random(void)
{
    return (uint64_t)random();
}
static uint64_t next_drand48(void)
{
    return (uint64_t)ldexp(drand48(), 48);
}
static void start_rand(unsigned int seed)
{
    srand(seed);
}
static void start_random(unsigned int seed)
{
    srandom(seed);
}
static void start_drand48(unsigned int seed)
{
    srand48((long)seed);
}

// The C library's generators go on as if nothing had been drawn, and starting them anew changes no draw.
static void callers_generators(cupel_context *context)
{
    static const struct {
        void (*start)(unsigned int seed);
        uint64_t (*next)(void);
    } generators[] = {{start_rand, next_rand}, {start_random, next_random}, {start_drand48, next_drand48}};
    for (size_t g = 0; g < sizeof generators / sizeof *generators; ++g) {
        const double *before = draw(context, &stats_distributions[0], STATS_STREAM, KEPT);
        uint64_t expected[2 * STATS_FAMILIES];
        generators[g].start(7);
        for (size_t i = 0; i < 2 * STATS_FAMILIES; ++i) {
            expected[i] = generators[g].next();
        }
        generators[g].start(7);
        for (size_t f = 0; f < STATS_FAMILIES; ++f) {
            cupel_expect_u64(context, generators[g].next(), expected[2 * f]);
            (void)draw(context, &stats_distributions[f], STATS_STREAM, KEPT);
            cupel_expect_u64(context, generators[g].next(), expected[2 * f + 1]);
        }
        const double *after = draw(context, &stats_distributions[0], STATS_STREAM, KEPT);
        cupel_expect_same(context, NC_F64, after, before, KEPT);
    }
}

// Draws of a stream are the same alone, before and after those of another, and no two streams give one draw at one index.
static void other_streams(cupel_context *context)
{
    for (size_t f = 0; f < STATS_FAMILIES; ++f) {
        const stats_distribution *distribution = &stats_distributions[f];
        nc_dtype datum = stats_datum_dtype(distribution, NC_F64);
        const void *first = draw(context, distribution, 5, KEPT), *second = draw(context, distribution, 6, KEPT);
        const void *words = cupel_download(context, cupel_input_vector(context, datum, KEPT, first));
        cupel_expect_same(context, datum, draw(context, distribution, 5, KEPT), words, KEPT);
        cupel_expect_same(context, datum, draw(context, distribution, 6, KEPT), second, KEPT);
        size_t equal = 0;
        for (size_t i = 0; i < KEPT; ++i) {
            equal += stats_datum(datum, first, i) == stats_datum(datum, second, i);
        }
        cupel_expect_true(context, datum == NC_I64 ? equal < KEPT / 2 : equal == 0);
    }
}

// Normal draw i is the dense normal 128 i of the subsequence tag 2^32 + stream (tag 256): block 64 i of that stream.
static void documented_addresses(cupel_context *context)
{
    static const stats_distribution standard = {NC_NORMAL, 2, {REFERENCE_NORMAL, {0.0, 1.0, 0.0}, 0.0}};
    const double *draws = draw(context, &standard, STATS_STREAM, STATS_DRAWS);
    for (uint64_t turn = 0; turn < 64; ++turn) {
        uint64_t i = value_index(30, turn, STATS_DRAWS);
        nc_array *dense = cupel_output_vector(context, NC_F64, 1);
        cupel_require_ok(context, nc_rng_normal(STATS_SEED, ((uint64_t)256 << 32) | STATS_STREAM, 128 * i, dense));
        cupel_expect_bits(context, dense, &draws[i], 1);
    }
}

typedef struct block {
    uint32_t word[4];
} block;

static int by_words(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(block));
}

// 4096 indices with their 64 attempts in two streams and two families: 2^20 blocks of 128 bits, all different.
static void no_shared_blocks(cupel_context *context)
{
    static const uint64_t streams[] = {((uint64_t)256 << 32) | 5, ((uint64_t)256 << 32) | 6, ((uint64_t)257 << 32) | 5,
                                       ((uint64_t)512 << 32) | 5};
    enum { STREAMS = 4, BLOCKS = 4096 * 64 };
    block *blocks = cupel_alloc(context, sizeof(block) * STREAMS * BLOCKS);
    for (size_t s = 0; s < STREAMS; ++s) {
        nc_array *words = cupel_output_vector(context, NC_U32, 4 * (int64_t)BLOCKS);
        cupel_require_ok(context, nc_rng_words(STATS_SEED, streams[s], 0, words));
        memcpy(blocks + s * BLOCKS, cupel_download(context, words), sizeof(block) * BLOCKS);
    }
    qsort(blocks, (size_t)STREAMS * BLOCKS, sizeof *blocks, by_words);
    uint64_t shared = 0;
    for (size_t i = 1; i < (size_t)STREAMS * BLOCKS; ++i) {
        shared += by_words(&blocks[i - 1], &blocks[i]) == 0;
    }
    cupel_expect_u64(context, shared, 0);
}

// ---- Another device's arrays and handles ---------------------------------------------------------------------------------------

typedef struct foreign {
    nc_device *device;
    nc_array *real, *count, *byte, *status; // one element each
} foreign;

static nc_array *foreign_array(cupel_context *context, nc_device *device, nc_dtype dtype)
{
    const int64_t one = 1;
    nc_array *array = NULL;
    cupel_require_ok(context, nc_array_create(device, dtype, 1, &one, &array));
    return array;
}

static void foreign_open(cupel_context *context, foreign *other)
{
    nc_device_info info;
    char index[16];
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_device_info_get(cupel_device(context), &info));
    snprintf(index, sizeof index, "%d", (int)info.index);
    cupel_require_ok(context, nc_device_open(index, &other->device));
    other->real = foreign_array(context, other->device, NC_F64);
    other->count = foreign_array(context, other->device, NC_I64);
    other->byte = foreign_array(context, other->device, NC_U8);
    other->status = foreign_array(context, other->device, NC_I32);
}

static void foreign_close(cupel_context *context, foreign *other)
{
    cupel_expect_status(context, nc_array_release(other->real), NC_OK);
    cupel_expect_status(context, nc_array_release(other->count), NC_OK);
    cupel_expect_status(context, nc_array_release(other->byte), NC_OK);
    cupel_expect_status(context, nc_array_release(other->status), NC_OK);
    cupel_expect_status(context, nc_device_close(other->device), NC_OK);
}

static void expect_refused(cupel_context *context, nc_status status, const char *name)
{
    cupel_expect_status(context, status, NC_WRONG_DEVICE);
    cupel_expect_true(context, strstr(nc_last_error(), name) != NULL && strstr(nc_last_error(), "another device") != NULL);
}

static void wrong_device_draws(cupel_context *context, const foreign *other, nc_array *status)
{
    nc_array *out = cupel_output_vector(context, NC_I64, 1);
    nc_draws draws = stats_draws_of(context, &stats_distributions[6], NC_F64, 0), wrong = draws;
    wrong.parameters[0] = other->real;
    expect_refused(context, nc_observation_sample(&wrong, status, out), "parameters[0] (p)");
    wrong = draws;
    wrong.trials = other->count;
    expect_refused(context, nc_observation_sample(&wrong, status, out), "trials");
    expect_refused(context, nc_observation_sample(&draws, other->status, out), "status");
    expect_refused(context, nc_observation_sample(&draws, status, other->count), "parameters[0] (p)");
    cupel_expect_untouched(context, out);
}

static void wrong_device_densities(cupel_context *context, const foreign *other, nc_array *status, nc_array *out)
{
    static const uint8_t zero = 0;
    nc_observation data = stats_observation_of(context, &stats_distributions[6], NC_F64, stats_count(context, 3)), wrong;
    data.mask = cupel_input_vector(context, NC_U8, 1, &zero);
    data.censoring = cupel_input_vector(context, NC_U8, 1, &zero);
    data.upper = stats_count(context, 4);
    const struct {
        const char *name;
        const nc_array **member, *array;
    } members[] = {{"value", &wrong.value, other->count},
                   {"upper", &wrong.upper, other->count},
                   {"parameters[0] (p)", &wrong.parameters[0], other->real},
                   {"trials", &wrong.trials, other->count},
                   {"mask", &wrong.mask, other->byte},
                   {"censoring", &wrong.censoring, other->byte}};
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
        nc_array *gradients[NC_STATS_MAX_PARAMETERS] = {out, NULL, NULL};
        wrong = data;
        *members[i].member = members[i].array;
        expect_refused(context, nc_observation_log_density(&wrong, status, out), members[i].name);
        expect_refused(context, nc_observation_gradient(&wrong, status, gradients), members[i].name);
    }
    nc_array *gradients[NC_STATS_MAX_PARAMETERS] = {other->real, NULL, NULL};
    expect_refused(context, nc_observation_log_density(&data, other->status, out), "status");
    expect_refused(context, nc_observation_log_density(&data, status, other->real), "value");
    expect_refused(context, nc_observation_gradient(&data, status, gradients), "value");
}

static void wrong_device(cupel_context *context)
{
    foreign other;
    nc_array *status = cupel_output_vector(context, NC_I32, 1), *out = cupel_output_vector(context, NC_F64, 1);
    const nc_array *mine = stats_scalar(context, NC_F64, 1.0);
    const nc_array *parameters[NC_STATS_MAX_PARAMETERS] = {mine, mine, NULL}, *wrong[NC_STATS_MAX_PARAMETERS] = {mine, NULL, NULL};
    foreign_open(context, &other);
    wrong_device_draws(context, &other, status);
    wrong_device_densities(context, &other, status, out);
    wrong[1] = other.real;
    nc_array *mixed[NC_STATS_MAX_PARAMETERS] = {out, other.real, NULL};
    expect_refused(context, nc_prior_log_density(NC_PRIOR_BETA, other.real, parameters, status, out), "x");
    expect_refused(context, nc_prior_log_density(NC_PRIOR_BETA, mine, wrong, status, out), "parameters[1] (b)");
    expect_refused(context, nc_prior_log_density(NC_PRIOR_BETA, mine, parameters, other.status, out), "status");
    expect_refused(context, nc_prior_gradient(NC_PRIOR_BETA, mine, parameters, status, mixed), "gradients[1]");
    cupel_expect_untouched(context, status);
    cupel_expect_untouched(context, out);
    foreign_close(context, &other);
}

static const cupel_case cases[] = {
    CUPEL_CASE("stats.isolation.callers-generators", callers_generators),
    CUPEL_CASE("stats.isolation.other-streams", other_streams),
    CUPEL_CASE("stats.isolation.documented-addresses", documented_addresses),
    CUPEL_CASE("stats.isolation.no-shared-blocks", no_shared_blocks),
    CUPEL_CASE("stats.isolation.wrong-device-refused", wrong_device),
};
const cupel_table stats_isolation_table = CUPEL_TABLE(cases);
