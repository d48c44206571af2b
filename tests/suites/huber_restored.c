// SPDX-License-Identifier: Apache-2.0
// States that only a checkpoint can bring: a general information matrix, counters that are nearly full, and unsound ones.
#include "huber.h"

#include <math.h>
#include <string.h>

enum { BYTES_MAX = 4096 };

typedef struct checkpoint {
    unsigned char bytes[BYTES_MAX];
    size_t size, width; // of the whole, of a coefficient
} checkpoint;

// An empty model of two coefficients as a checkpoint with one row and one batch seen.
static checkpoint *checkpoint_make(cupel_context *context)
{
    checkpoint *made = cupel_alloc(context, sizeof *made);
    nc_huber *model = huber_open(context, cupel_dtype(context), 0, 2);
    cupel_require_ok(context, nc_huber_export(model, made->bytes, BYTES_MAX, &made->size));
    huber_close(context, model);
    made->width = nc_dtype_size(cupel_dtype(context));
    huber_put(made->bytes + HUBER_ROWS_AT, 1, 8);
    huber_put(made->bytes + HUBER_BATCHES_AT, 1, 8);
    huber_put(made->bytes + HUBER_WEIGHT_AT, huber_bits(8.0), 8);
    return made;
}

static void coefficient_put(checkpoint *state, size_t j, double value)
{
    const float narrow = (float)value;
    uint32_t bits = 0;
    memcpy(&bits, &narrow, sizeof bits);
    huber_put(state->bytes + HUBER_HEADER_BYTES + j * state->width, state->width == 4 ? bits : huber_bits(value), state->width);
}

static void information_put(checkpoint *state, size_t k, double value)
{
    huber_put(state->bytes + HUBER_HEADER_BYTES + 2 * state->width + 8 * k, huber_bits(value), 8);
}

static nc_huber *restored(cupel_context *context, checkpoint *state)
{
    nc_huber *model = NULL;
    huber_seal(state->bytes, state->size);
    cupel_require_ok(context, nc_huber_restore(cupel_device(context), state->bytes, state->size, &model));
    return model;
}

// All entries of an information that is not symmetric count: (X'X + J) d = X'r with X'X = I, J = (4 1; 3 5), r = (3, -9) has the
// solution (1, -2), which neither triangle's mirror image has.
static void asymmetric_information(cupel_context *context)
{
    static const double information[4] = {4.0, 1.0, 3.0, 5.0}, x[4] = {1, 0, 0, 1}, y[2] = {4, -7}, expected[2] = {2.0, 0.0};
    const int64_t shape[2] = {2, 2};
    checkpoint *state = checkpoint_make(context);
    for (size_t k = 0; k < 4; ++k) {
        information_put(state, k, information[k]);
    }
    coefficient_put(state, 0, 1.0);
    coefficient_put(state, 1, 2.0);
    nc_huber *model = restored(context, state);
    nc_huber_config config = huber_config(100.0, 0.0, 1e-6);
    nc_huber_diagnostics said = huber_diagnostics();
    cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, 2, 2, &said), NC_OK);
    cupel_expect_u64(context, (uint64_t)said.solve, NC_HUBER_SOLVE_LU);
    const double *beta = huber_beta(context, model), unit = cupel_dtype(context) == NC_F32 ? 0x1p-24 : 0x1p-53;
    for (int j = 0; j < 2; ++j) {
        cupel_expect_true(context, fabs(beta[j] - expected[j]) <= 16.0 * unit);
    }
    nc_array *out = cupel_output(context, NC_F64, 2, shape);
    cupel_require_ok(context, nc_huber_information(model, out));
    static const double next[4] = {5.0, 1.0, 3.0, 6.0};
    cupel_expect_bits(context, out, next, 4);
    huber_close(context, model);
}

// The last row and the last batch that the counters can take are taken; one more is refused and every byte stays.
static void full_counters(cupel_context *context)
{
    static const double x[4] = {1, 0, 0, 1}, y[2] = {1, 1};
    nc_huber_config config = huber_config(100.0, 0.0, 1e-6);
    for (int full_batches = 0; full_batches < 2; ++full_batches) {
        checkpoint *state = checkpoint_make(context);
        information_put(state, 0, 1.0);
        information_put(state, 3, 1.0);
        huber_put(state->bytes + (full_batches ? HUBER_BATCHES_AT : HUBER_ROWS_AT), INT64_MAX - 1, 8);
        nc_huber *model = restored(context, state);
        nc_huber_diagnostics said = huber_diagnostics();
        nc_huber_info info;
        NC_STRUCT_INIT(&info);
        if (!full_batches) {
            cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, 2, 2, &said), NC_OUT_OF_RANGE);
        }
        cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, 1, 2, &said), NC_OK);
        cupel_require_ok(context, nc_huber_info_get(model, &info));
        cupel_expect_true(context, (full_batches ? info.batches : info.rows_seen) == INT64_MAX);
        size_t size = 0, again = 0;
        const void *before = huber_bytes(context, model, &size);
        cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, 1, 2, &said), NC_OUT_OF_RANGE);
        const void *after = huber_bytes(context, model, &again);
        cupel_expect_u64(context, again, size);
        cupel_expect_true(context, memcmp(after, before, size) == 0);
        huber_close(context, model);
    }
}

// Checkpoints whose checksum fits and whose content no stream leads to: refused, and nothing is created.
static void unsound_states(cupel_context *context)
{
    const double nan = (double)NAN, infinity = (double)INFINITY;
    const struct {
        int at;
        uint64_t bits;
    } words[] = {
        {HUBER_ROWS_AT, UINT64_MAX},         {HUBER_BATCHES_AT, UINT64_MAX},          {HUBER_WEIGHT_AT, huber_bits(-1.0)},
        {HUBER_WEIGHT_AT, huber_bits(0.0)},  {HUBER_WEIGHT_AT, huber_bits(nan)},      {HUBER_WEIGHT_AT, huber_bits(infinity)},
        {HUBER_LAMBDA_AT, huber_bits(-1.0)}, {HUBER_LAMBDA_AT, huber_bits(infinity)}, {HUBER_ZERO_AT, 1}};
    const size_t count = sizeof words / sizeof words[0];
    for (size_t k = 0; k < count + 3; ++k) {
        checkpoint *state = checkpoint_make(context);
        nc_huber *model = NULL;
        if (k < count) {
            huber_put(state->bytes + words[k].at, words[k].bits, 8);
        } else if (k == count) {
            coefficient_put(state, 1, nan);
        } else {
            information_put(state, k - count, k == count + 1 ? infinity : nan);
        }
        huber_seal(state->bytes, state->size);
        cupel_expect_status(context, nc_huber_restore(cupel_device(context), state->bytes, state->size, &model),
                            NC_INVALID_ARGUMENT);
        cupel_expect_true(context, model == NULL);
    }
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("huber.restored.asymmetric-information", asymmetric_information),
    CUPEL_CASE_REALS("huber.restored.full-counters", full_counters),
    CUPEL_CASE_REALS("huber.restored.unsound-states", unsound_states),
};

const cupel_table huber_restored_table = CUPEL_TABLE(cases);
