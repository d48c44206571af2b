// SPDX-License-Identifier: Apache-2.0
// The state: transactional updates, checkpoints, column widths, host and device input, predictions in place.
#include "huber.h"

#include <math.h>
#include <string.h>

enum { ROWS = 40, FEATURES = 3 };

typedef struct batch {
    double x[ROWS * FEATURES], wide[ROWS * (FEATURES + 1)], y[ROWS], weights[ROWS];
} batch;

static batch *make_batch(cupel_context *context, uint64_t key)
{
    static const double cycle[4] = {0.0, 0.5, 1.0, 2.0};
    batch *made = cupel_alloc(context, sizeof *made);
    for (int64_t i = 0; i < ROWS; ++i) {
        made->y[i] = 0.75 + huber_value(key, i, 50) * 0.125;
        for (int64_t j = 0; j < FEATURES; ++j) {
            double value = huber_value(key, i, j);
            made->x[i * FEATURES + j] = value;
            made->wide[i * (FEATURES + 1) + j] = value;
            made->y[i] += (double)(j - 1) * value;
        }
        made->wide[i * (FEATURES + 1) + FEATURES] = 1.0;
        made->weights[i] = cycle[i % 4];
    }
    made->y[7] += 100.0;
    return made;
}

static nc_huber *fitted(cupel_context *context, uint64_t key)
{
    batch *data = make_batch(context, key);
    nc_huber_config config = huber_config(1.345, 1e-8, 1e-6);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber *model = huber_open(context, cupel_dtype(context), 1, FEATURES);
    cupel_expect_status(context, huber_take(context, model, &config, data->x, data->y, data->weights, ROWS, FEATURES, &diagnostics),
                        NC_OK);
    return model;
}

static void expect_state(cupel_context *context, const nc_huber *model, const void *expected, size_t size)
{
    size_t now = 0;
    const void *bytes = huber_bytes(context, model, &now);
    cupel_expect_u64(context, now, size);
    if (now == size) {
        cupel_expect_same(context, NC_U8, bytes, expected, size);
    }
}

// Each refused or failed update leaves every byte of the state.
static void failed_updates_leave_the_state(cupel_context *context)
{
    nc_huber *model = fitted(context, 1);
    size_t size = 0;
    const void *before = huber_bytes(context, model, &size);
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    nc_huber_config config = huber_config(1.345, 1e-8, 1e-6);
    for (int k = 0; k < 9; ++k) {
        batch *data = make_batch(context, 2);
        nc_huber_diagnostics diagnostics = huber_diagnostics();
        int row = 5 + 3 * k;
        double *place = k / 3 == 0 ? &data->x[row * FEATURES + 1] : k / 3 == 1 ? &data->y[row] : &data->weights[row];
        *place = bad[k % 3];
        data->y[row + 1] = k == 0 ? bad[1] : data->y[row + 1]; // of two bad rows the lower is named
        cupel_expect_status(context,
                            huber_take(context, model, &config, data->x, data->y, data->weights, ROWS, FEATURES, &diagnostics),
                            NC_NUMERICAL_ERROR);
        cupel_expect_u64(context, (uint64_t)diagnostics.bad_row, (uint64_t)row);
        expect_state(context, model, before, size);
    }
    batch *data = make_batch(context, 2);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    data->weights[4] = -0.5;
    cupel_expect_status(context, huber_take(context, model, &config, data->x, data->y, data->weights, ROWS, FEATURES, &diagnostics),
                        NC_NUMERICAL_ERROR);
    cupel_expect_u64(context, (uint64_t)diagnostics.bad_row, 4);
    memset(data->weights, 0, sizeof data->weights);
    cupel_expect_status(context, huber_take(context, model, &config, data->x, data->y, data->weights, ROWS, FEATURES, &diagnostics),
                        NC_INVALID_ARGUMENT);
    expect_state(context, model, before, size);
    huber_close(context, model);
}

// Settings out of range, one at a time.
static void settings_are_checked(cupel_context *context)
{
    nc_huber *model = fitted(context, 1);
    size_t size = 0;
    const void *before = huber_bytes(context, model, &size);
    for (int k = 0; k < 14; ++k) {
        batch *data = make_batch(context, 2);
        nc_huber_config config = huber_config(1.345, 1e-8, 1e-6);
        nc_huber_diagnostics diagnostics = huber_diagnostics();
        switch (k) {
        case 0:
            config.tau = 0.0;
            break;
        case 1:
            config.tau = (double)NAN;
            break;
        case 2:
            config.tau = (double)INFINITY;
            break;
        case 3:
            config.bandwidth_scale = 0.0;
            break;
        case 4:
            config.lambda_scale = -1.0;
            break;
        case 5:
            config.tolerance = 0.0;
            break;
        case 6:
            config.ridge = -1e-9;
            break;
        case 7:
            config.ridge = (double)NAN;
            break;
        case 8:
            config.max_iterations = 0;
            break;
        case 9:
            config.penalty = 2;
            break;
        case 10:
            config.reserved = 1;
            break;
        case 11:
            config.abi_version += 1;
            break;
        case 12:
            config.struct_size -= 8;
            break;
        default:
            config.penalty = -1;
            break;
        }
        nc_status expected = k == 11 || k == 12 ? NC_ABI_MISMATCH : NC_INVALID_ARGUMENT;
        cupel_expect_status(context, huber_take(context, model, &config, data->x, data->y, NULL, ROWS, FEATURES, &diagnostics),
                            expected);
        cupel_expect_true(context, strstr(nc_last_error(), "config") != NULL);
        expect_state(context, model, before, size);
    }
    huber_close(context, model);
}

// p columns and q columns give the same bytes, in updates and predictions.
static void both_widths_give_the_same_bytes(cupel_context *context)
{
    batch *data = make_batch(context, 3);
    nc_huber_config config = huber_config(1.345, 1e-8, 1e-6);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber *narrow = huber_open(context, cupel_dtype(context), 1, FEATURES);
    nc_huber *wide = huber_open(context, cupel_dtype(context), 1, FEATURES);
    size_t size = 0;
    cupel_expect_status(context, huber_take(context, narrow, &config, data->x, data->y, NULL, ROWS, FEATURES, &diagnostics), NC_OK);
    cupel_expect_status(context, huber_take(context, wide, &config, data->wide, data->y, NULL, ROWS, FEATURES + 1, &diagnostics),
                        NC_OK);
    const void *bytes = huber_bytes(context, narrow, &size);
    expect_state(context, wide, bytes, size);
    huber_close(context, wide);
    huber_close(context, narrow);
}

// Host memory with padded rows and strided device arrays: the same bytes as contiguous device arrays.
static void host_and_device_input_agree(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    batch *data = make_batch(context, 4);
    size_t width = nc_dtype_size(dtype), size = 0;
    nc_huber_config config = huber_config(1.345, 1e-8, 1e-6);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber *device = huber_open(context, dtype, 1, FEATURES), *host = huber_open(context, dtype, 1, FEATURES);
    nc_huber *strided = huber_open(context, dtype, 1, FEATURES);
    const void *x = cupel_reals(context, dtype, data->x, ROWS * FEATURES), *y = cupel_reals(context, dtype, data->y, ROWS);
    const void *w = cupel_reals(context, dtype, data->weights, ROWS);
    unsigned char *padded = cupel_alloc(context, ROWS * (FEATURES + 2) * width);
    for (size_t i = 0; i < ROWS; ++i) {
        memcpy(padded + i * (FEATURES + 2) * width, (const unsigned char *)x + i * FEATURES * width, FEATURES * width);
    }
    const int64_t shape[2] = {ROWS, FEATURES}, strides[2] = {1, ROWS + 3}, vector[1] = {ROWS}, backwards[1] = {-2};
    nc_array *sx = cupel_input_strided(context, dtype, 2, shape, strides, x);
    nc_array *sy = cupel_input_strided(context, dtype, 1, vector, backwards, y);
    nc_array *sw = cupel_input_strided(context, dtype, 1, vector, backwards, w);
    cupel_expect_status(context,
                        huber_take(context, device, &config, data->x, data->y, data->weights, ROWS, FEATURES, &diagnostics), NC_OK);
    cupel_expect_status(context, nc_huber_update_host(host, &config, padded, ROWS, FEATURES, FEATURES + 2, y, w, &diagnostics),
                        NC_OK);
    cupel_expect_status(context, nc_huber_update(strided, &config, sx, sy, sw, &diagnostics), NC_OK);
    const void *bytes = huber_bytes(context, device, &size);
    expect_state(context, host, bytes, size);
    expect_state(context, strided, bytes, size);
    huber_close(context, strided);
    huber_close(context, host);
    huber_close(context, device);
}

// Predictions read device input in place: nothing goes up, and the values are one fma chain in column order.
static void predictions_read_in_place(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_huber *model = fitted(context, 5);
    batch *data = make_batch(context, 6);
    const int64_t shape[2] = {ROWS, FEATURES}, wide[2] = {ROWS, FEATURES + 1};
    const double *beta = huber_beta(context, model);
    nc_array *x = cupel_input(context, dtype, 2, shape, cupel_reals(context, dtype, data->x, ROWS * FEATURES));
    nc_array *q = cupel_input(context, dtype, 2, wide, cupel_reals(context, dtype, data->wide, ROWS * (FEATURES + 1)));
    nc_array *out = cupel_output_vector(context, dtype, ROWS), *out_wide = cupel_output_vector(context, dtype, ROWS);
    double expected[ROWS];
    uint64_t uploaded = cupel_bytes_uploaded(context);
    cupel_expect_status(context, nc_huber_predict(model, x, out), NC_OK);
    cupel_expect_status(context, nc_huber_predict(model, q, out_wide), NC_OK);
    cupel_expect_u64(context, cupel_bytes_uploaded(context) - uploaded, 0);
    for (int i = 0; i < ROWS; ++i) {
        float narrow = 0.0f;
        double sum = 0.0;
        for (int j = 0; j <= FEATURES; ++j) {
            narrow = fmaf((float)data->wide[i * (FEATURES + 1) + j], (float)beta[j], narrow);
            sum = fma(data->wide[i * (FEATURES + 1) + j], beta[j], sum);
        }
        expected[i] = dtype == NC_F32 ? (double)narrow : sum;
    }
    const void *values = cupel_reals(context, dtype, expected, ROWS);
    cupel_expect_bits(context, out, values, ROWS);
    cupel_expect_bits(context, out_wide, values, ROWS);
    huber_close(context, model);
}

// A stream that was interrupted, exported and restored ends in the bytes of the uninterrupted one.
static void interrupted_stream_equals_uninterrupted(cupel_context *context)
{
    nc_huber_config config = huber_config(1.345, 1e-8, 1e-6);
    nc_huber *through = fitted(context, 7), *first = fitted(context, 7), *second = NULL;
    size_t size = 0;
    const void *checkpoint = huber_bytes(context, first, &size);
    cupel_require_ok(context, nc_huber_restore(cupel_device(context), checkpoint, size, &second));
    huber_close(context, first);
    for (uint64_t key = 8; key < 11; ++key) {
        batch *data = make_batch(context, key);
        nc_huber_diagnostics a = huber_diagnostics(), b = huber_diagnostics();
        config.penalty = key == 9 ? NC_HUBER_PENALTY_L1 : NC_HUBER_PENALTY_NONE;
        cupel_expect_status(context, huber_take(context, through, &config, data->x, data->y, data->weights, ROWS, FEATURES, &a),
                            NC_OK);
        cupel_expect_status(context, huber_take(context, second, &config, data->x, data->y, data->weights, ROWS, FEATURES, &b),
                            NC_OK);
        cupel_expect_u64(context, (uint64_t)a.iterations, (uint64_t)b.iterations);
        const void *bytes = huber_bytes(context, through, &size);
        expect_state(context, second, bytes, size);
    }
    huber_close(context, second);
    huber_close(context, through);
}

// Every single damaged byte, every truncation and a foreign file are refused, and nothing is created.
static void damaged_checkpoints_are_refused(cupel_context *context)
{
    nc_huber *model = fitted(context, 12), *made = NULL;
    size_t size = 0;
    const unsigned char *checkpoint = huber_bytes(context, model, &size);
    unsigned char *damaged = cupel_alloc(context, size);
    for (size_t i = 0; i < size; ++i) {
        memcpy(damaged, checkpoint, size);
        damaged[i] ^= (unsigned char)(1u << (i % 8));
        cupel_expect_status(context, nc_huber_restore(cupel_device(context), damaged, size, &made), NC_INVALID_ARGUMENT);
        cupel_expect_true(context, made == NULL);
    }
    for (size_t cut = 0; cut < size; cut += 13) {
        cupel_expect_status(context, nc_huber_restore(cupel_device(context), checkpoint, cut, &made), NC_INVALID_ARGUMENT);
        cupel_expect_true(context, made == NULL);
    }
    cupel_expect_status(context, nc_huber_export(model, damaged, size - 1, &size), NC_OUT_OF_RANGE);
    huber_close(context, model);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("huber.state.both-widths-give-the-same-bytes", both_widths_give_the_same_bytes),
    CUPEL_CASE_REALS("huber.state.damaged-checkpoints-are-refused", damaged_checkpoints_are_refused),
    CUPEL_CASE_REALS("huber.state.failed-updates-leave-the-state", failed_updates_leave_the_state),
    CUPEL_CASE_REALS("huber.state.host-and-device-input-agree", host_and_device_input_agree),
    CUPEL_CASE_REALS("huber.state.interrupted-stream-equals-uninterrupted", interrupted_stream_equals_uninterrupted),
    CUPEL_CASE_REALS("huber.state.predictions-read-in-place", predictions_read_in_place),
    CUPEL_CASE_REALS("huber.state.settings-are-checked", settings_are_checked),
};

const cupel_table huber_state_table = CUPEL_TABLE(cases);
