// SPDX-License-Identifier: Apache-2.0
// How many step candidates a pass over the rows evaluates is the backend's choice and changes nothing: neither which is accepted,
// nor how many were refused before it, nor a bit of the state.
#include "core_device.h"

#include "../../src/core/host/huber.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 300, FEATURES = 5, BATCHES = 3, STATE_BYTES = 4096 };

typedef struct course {
    nc_huber_diagnostics diagnostics[BATCHES];
    nc_status status[BATCHES];
    unsigned char state[STATE_BYTES];
    size_t size;
} course;

static double fraction(uint64_t n)
{
    n = (n + 1) * 0x9e3779b97f4a7c15u;
    n = (n ^ (n >> 32)) * 0xbf58476d1ce4e5b9u;
    return (double)(int64_t)(n >> 40) * 0x1p-23 - 1.0;
}

// Columns of unequal size and a response with gross errors far beyond tau: full steps overshoot.
static void make_batch(int batch, nc_dtype dtype, void *x, void *y)
{
    for (int i = 0; i < ROWS; ++i) {
        double sum = 0.0;
        for (int j = 0; j < FEATURES; ++j) {
            double value = fraction((uint64_t)((batch * ROWS + i) * FEATURES + j)) * (double)(1 << (2 * j));
            int place = i * FEATURES + j;
            sum += value * (j % 2 ? -1.0 : 0.5);
            if (dtype == NC_F32) {
                ((float *)x)[place] = (float)value;
            } else {
                ((double *)x)[place] = value;
            }
        }
        sum += i % 3 == 0 ? 400.0 * fraction((uint64_t)(7000 + i)) : 0.01 * fraction((uint64_t)(9000 + i));
        if (dtype == NC_F32) {
            ((float *)y)[i] = (float)sum;
        } else {
            ((double *)y)[i] = sum;
        }
    }
}

static nc_device *device;

static int open_device(void **state)
{
    (void)state;
    device = open_cpu();
    return 0;
}

static int close_it(void **state)
{
    (void)state;
    close_device(device);
    return 0;
}

static void run(nc_dtype dtype, nc_huber_penalty penalty, int64_t candidates, course *result)
{
    double x[ROWS * FEATURES], y[ROWS];
    nc_huber_options options;
    nc_huber_config config;
    nc_huber *model = NULL;
    NC_STRUCT_INIT(&options);
    options.dtype = (int32_t)dtype;
    options.features = FEATURES;
    nc_huber_config_init(&config);
    config.penalty = (int32_t)penalty;
    config.tau = 0.0625;
    assert_int_equal(nc_huber_create(device, &options, &model), NC_OK);
    model->candidates = candidates;
    memset(result, 0, sizeof *result);
    for (int batch = 0; batch < BATCHES; ++batch) {
        make_batch(batch, dtype, x, y);
        NC_STRUCT_INIT(&result->diagnostics[batch]);
        result->status[batch] =
            nc_huber_update_host(model, &config, x, ROWS, FEATURES, FEATURES, y, NULL, &result->diagnostics[batch]);
    }
    assert_int_equal(nc_huber_export(model, result->state, STATE_BYTES, &result->size), NC_OK);
    assert_int_equal(nc_huber_release(model), NC_OK);
}

static void compare(nc_dtype dtype, nc_huber_penalty penalty)
{
    static course one, several;
    int64_t refused = 0;
    run(dtype, penalty, 1, &one);
    for (int batch = 0; batch < BATCHES; ++batch) {
        refused += one.diagnostics[batch].rejected_candidates;
    }
    assert_true(refused >= 4); // else the order of the candidates decides nothing
    for (int64_t candidates = 2; candidates <= NC_HUBER_CANDIDATES_MAX; ++candidates) {
        run(dtype, penalty, candidates, &several);
        assert_memory_equal(several.diagnostics, one.diagnostics, sizeof one.diagnostics);
        assert_memory_equal(several.status, one.status, sizeof one.status);
        assert_int_equal(several.size, one.size);
        assert_memory_equal(several.state, one.state, one.size);
    }
}

static void newton_steps(void **state)
{
    (void)state;
    compare(NC_F32, NC_HUBER_PENALTY_NONE);
    compare(NC_F64, NC_HUBER_PENALTY_NONE);
}

static void proximal_steps(void **state)
{
    (void)state;
    compare(NC_F32, NC_HUBER_PENALTY_L1);
    compare(NC_F64, NC_HUBER_PENALTY_L1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(newton_steps, open_device, close_it),
    cmocka_unit_test_setup_teardown(proximal_steps, open_device, close_it),
};

UNIT_MAIN(tests)
