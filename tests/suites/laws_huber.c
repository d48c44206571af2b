// SPDX-License-Identifier: Apache-2.0
// Laws of the regression: exact scaling and reflection, and a stream that is interrupted and restored between any two batches.
#include "laws.h"
#include "values.h"

#include <string.h>

enum { ROWS = 48, FEATURES = 3, COEFFICIENTS = FEATURES + 1, BATCHES = 3 };

static nc_huber *model_open(cupel_context *context)
{
    nc_huber_options options;
    nc_huber *model = NULL;
    NC_STRUCT_INIT(&options);
    options.dtype = (int32_t)cupel_dtype(context);
    options.fit_intercept = 1;
    options.features = FEATURES;
    cupel_require_ok(context, nc_huber_create(cupel_device(context), &options, &model));
    return model;
}

// Batch `index`: responses are `factor` times the same values, so tau, bandwidth and the coefficients' unit scale with it.
static nc_huber_diagnostics batch_take(cupel_context *context, nc_huber *model, int index, nc_huber_penalty penalty, double factor)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[2] = {ROWS, FEATURES};
    const uint64_t key = 90 + 2 * (uint64_t)index;
    void *x = cupel_alloc(context, ROWS * FEATURES * nc_dtype_size(dtype)), *y = cupel_alloc(context, ROWS * nc_dtype_size(dtype));
    for (size_t i = 0; i < ROWS * FEATURES; ++i) {
        cupel_set_real(dtype, x, i, value_wide(dtype, key, i, 1));
    }
    for (size_t i = 0; i < ROWS; ++i) {
        cupel_set_real(dtype, y, i, factor * value_wide(dtype, key + 1, i, 2));
    }
    const double size = factor < 0.0 ? -factor : factor;
    nc_huber_config config;
    nc_huber_diagnostics diagnostics;
    NC_STRUCT_INIT(&diagnostics);
    nc_huber_config_init(&config);
    config.tau = 0.875 * size;
    config.bandwidth_scale = 0.25 * size;
    config.ridge = 0.0;
    config.lambda_scale = 0.125;
    config.tolerance = 1e-5;
    config.max_iterations = 10000;
    config.penalty = (int32_t)penalty;
    cupel_expect_status(context,
                        nc_huber_update(model, &config, cupel_input(context, dtype, 2, shape, x),
                                        cupel_input_vector(context, dtype, ROWS, y), NULL, &diagnostics),
                        NC_OK);
    return diagnostics;
}

static const void *coefficients(cupel_context *context, const nc_huber *model)
{
    nc_array *out = cupel_output_vector(context, cupel_dtype(context), COEFFICIENTS);
    cupel_require_ok(context, nc_huber_coefficients(model, out));
    return cupel_download(context, out);
}

// Responses, tau and bandwidth times a power of two, or times -1: the coefficients times that, bit for bit, in as many iterations.
static void responses_scale(cupel_context *context)
{
    static const double factors[] = {0x1p-10, -1.0, -0x1p-3};
    nc_dtype dtype = cupel_dtype(context);
    nc_huber *model = model_open(context);
    nc_huber_diagnostics first[BATCHES];
    for (int b = 0; b < BATCHES; ++b) {
        first[b] = batch_take(context, model, b, NC_HUBER_PENALTY_NONE, 1.0);
    }
    const void *beta = coefficients(context, model);
    for (size_t f = 0; f < sizeof factors / sizeof factors[0]; ++f) {
        nc_huber *other = model_open(context);
        void *expected = cupel_alloc(context, COEFFICIENTS * nc_dtype_size(dtype));
        for (int b = 0; b < BATCHES; ++b) {
            nc_huber_diagnostics now = batch_take(context, other, b, NC_HUBER_PENALTY_NONE, factors[f]);
            cupel_expect_u64(context, (uint64_t)now.iterations, (uint64_t)first[b].iterations);
        }
        for (size_t j = 0; j < COEFFICIENTS; ++j) {
            cupel_set_real(dtype, expected, j, factors[f] * cupel_get_real(dtype, beta, j));
        }
        cupel_expect_same(context, dtype, coefficients(context, other), expected, COEFFICIENTS);
        cupel_expect_status(context, nc_huber_release(other), NC_OK);
    }
    cupel_expect_status(context, nc_huber_release(model), NC_OK);
}

static const unsigned char *state_bytes(cupel_context *context, const nc_huber *model, size_t *size)
{
    cupel_require_ok(context, nc_huber_export(model, NULL, 0, size));
    unsigned char *bytes = cupel_alloc(context, *size);
    cupel_require_ok(context, nc_huber_export(model, bytes, *size, size));
    return bytes;
}

// Interrupted before each batch in turn, and before every batch: the bytes of the stream that never stopped.
static void interrupted_streams(cupel_context *context)
{
    for (int penalty = NC_HUBER_PENALTY_NONE; penalty <= NC_HUBER_PENALTY_L1; ++penalty) {
        const unsigned char *whole = NULL;
        size_t whole_size = 0;
        for (unsigned stops = 0; stops < 1u << BATCHES; ++stops) {
            nc_huber *model = model_open(context);
            size_t size = 0;
            for (int b = 0; b < BATCHES; ++b) {
                if (stops >> b & 1u) {
                    const unsigned char *bytes = state_bytes(context, model, &size);
                    cupel_expect_status(context, nc_huber_release(model), NC_OK);
                    cupel_require_ok(context, nc_huber_restore(cupel_device(context), bytes, size, &model));
                }
                (void)batch_take(context, model, b, (nc_huber_penalty)penalty, 1.0);
            }
            const unsigned char *bytes = state_bytes(context, model, &size);
            whole = stops == 0 ? bytes : whole;
            whole_size = stops == 0 ? size : whole_size;
            cupel_expect_u64(context, size, whole_size);
            cupel_expect_true(context, memcmp(bytes, whole, size) == 0);
            cupel_expect_status(context, nc_huber_release(model), NC_OK);
        }
    }
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("laws.huber.interrupted-streams", interrupted_streams),
    CUPEL_CASE_REALS("laws.huber.responses-scale", responses_scale),
};

const cupel_table laws_huber_table = CUPEL_TABLE(cases);
