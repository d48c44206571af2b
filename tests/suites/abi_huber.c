// SPDX-License-Identifier: Apache-2.0
// The regression's interface as a client sees it: widths, host and device batches, statuses, the L1 contract. Only nc.h is used.
#include "abi.h"

#include <math.h>
#include <string.h>

enum { ROWS = 8, P_MAX = 3 };

// A +-1 design with orthogonal columns: column j is a character of {0,1}^3 and sums to zero.
static double sign_at(int row, int column)
{
    static const int masks[P_MAX] = {1, 2, 4};
    return (row & masks[column]) != 0 ? -1.0 : 1.0;
}

typedef struct batch {
    double x[ROWS * P_MAX], wide[ROWS * (P_MAX + 1)], y[ROWS];
} batch;

// y = 3 + 2 x0 - 0.25 x1 + shift
static batch make_batch(int p, double shift)
{
    batch made;
    for (int i = 0; i < ROWS; ++i) {
        made.y[i] = 3.0 + shift + 2.0 * sign_at(i, 0) - 0.25 * sign_at(i, 1);
        for (int j = 0; j < p; ++j) {
            made.x[i * p + j] = made.wide[i * (p + 1) + j] = sign_at(i, j);
        }
        made.wide[i * (p + 1) + p] = 1.0;
    }
    return made;
}

static nc_huber *open_model(cupel_context *context, int64_t features)
{
    nc_huber_options options;
    nc_huber *model = NULL;
    NC_STRUCT_INIT(&options);
    options.dtype = (int32_t)cupel_dtype(context);
    options.fit_intercept = 1;
    options.features = features;
    cupel_require_ok(context, nc_huber_create(cupel_device(context), &options, &model));
    return model;
}

static nc_huber_config config_of(int32_t penalty, double lambda_scale)
{
    nc_huber_config config;
    nc_huber_config_init(&config);
    config.tau = 100.0;
    config.ridge = 0.0;
    config.penalty = penalty;
    config.lambda_scale = lambda_scale;
    config.max_iterations = 1000;
    return config;
}

static nc_status update_device(cupel_context *context, nc_huber *model, const nc_huber_config *config, const double *x,
                               int64_t columns, const double *y, nc_huber_diagnostics *diagnostics)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[2] = {ROWS, columns};
    nc_array *design = cupel_input(context, dtype, 2, shape, cupel_reals(context, dtype, x, (size_t)(ROWS * columns)));
    nc_array *response = cupel_input_vector(context, dtype, ROWS, cupel_reals(context, dtype, y, ROWS));
    return nc_huber_update(model, config, design, response, NULL, diagnostics);
}

static nc_status update_host(cupel_context *context, nc_huber *model, const nc_huber_config *config, const double *x,
                             int64_t columns, const double *y, nc_huber_diagnostics *diagnostics)
{
    nc_dtype dtype = cupel_dtype(context);
    return nc_huber_update_host(model, config, cupel_reals(context, dtype, x, (size_t)(ROWS * columns)), ROWS, columns, columns,
                                cupel_reals(context, dtype, y, ROWS), NULL, diagnostics);
}

static const void *state_of(cupel_context *context, const nc_huber *model, size_t *size)
{
    cupel_require_ok(context, nc_huber_export(model, NULL, 0, size));
    void *bytes = cupel_alloc(context, *size);
    cupel_require_ok(context, nc_huber_export(model, bytes, *size, size));
    return bytes;
}

static void expect_same_state(cupel_context *context, const nc_huber *left, const nc_huber *right)
{
    size_t left_size = 0, right_size = 0;
    const void *left_bytes = state_of(context, left, &left_size), *right_bytes = state_of(context, right, &right_size);
    cupel_expect_u64(context, left_size, right_size);
    cupel_expect_same(context, NC_U8, left_bytes, right_bytes, left_size < right_size ? left_size : right_size);
}

static void expect_beta(cupel_context *context, const nc_huber *model, const double *expected, int64_t count)
{
    double bounds[P_MAX + 1];
    nc_array *out = cupel_output_vector(context, cupel_dtype(context), count);
    cupel_require_ok(context, nc_huber_coefficients(model, out));
    for (int64_t j = 0; j < count; ++j) {
        bounds[j] = cupel_dtype(context) == NC_F32 ? 0x1p-18 : 1e-6;
    }
    cupel_expect_within_bound(context, out, expected, bounds, (size_t)count, "the tolerance of the update");
}

static nc_huber_diagnostics diagnostics_of(void)
{
    nc_huber_diagnostics diagnostics;
    NC_STRUCT_INIT(&diagnostics);
    return diagnostics;
}

static void intercept_appended(cupel_context *context, int p, int host)
{
    batch data = make_batch(p, 0.0);
    nc_huber_config config = config_of(NC_HUBER_PENALTY_NONE, 0.0);
    nc_huber_diagnostics diagnostics = diagnostics_of();
    const double expected[P_MAX + 1] = {2.0, -0.25, p == 2 ? 3.0 : 0.0, 3.0};
    nc_huber *narrow = open_model(context, p), *wide = open_model(context, p);
    nc_status (*update)(cupel_context *, nc_huber *, const nc_huber_config *, const double *, int64_t, const double *,
                        nc_huber_diagnostics *) = host ? update_host : update_device;
    cupel_expect_status(context, update(context, narrow, &config, data.x, p, data.y, &diagnostics), NC_OK);
    cupel_expect_status(context, update(context, wide, &config, data.wide, p + 1, data.y, &diagnostics), NC_OK);
    expect_beta(context, narrow, expected, p + 1);
    expect_same_state(context, narrow, wide);
    cupel_expect_status(context, nc_huber_release(wide), NC_OK);
    cupel_expect_status(context, nc_huber_release(narrow), NC_OK);
}

static void intercept_append_host_p2(cupel_context *context)
{
    intercept_appended(context, 2, 1);
}

static void intercept_append_host_p3(cupel_context *context)
{
    intercept_appended(context, 3, 1);
}

static void intercept_append_device(cupel_context *context)
{
    intercept_appended(context, 2, 0);
}

static void linked_abi_version_matches_header(cupel_context *context)
{
    nc_huber_options options;
    nc_huber *model = NULL;
    cupel_expect_u64(context, nc_abi_version(), NC_ABI_VERSION);
    NC_STRUCT_INIT(&options);
    options.dtype = (int32_t)cupel_dtype(context);
    options.features = 1;
    options.abi_version = NC_ABI_VERSION + 1;
    cupel_expect_status(context, nc_huber_create(cupel_device(context), &options, &model), NC_ABI_MISMATCH);
    cupel_expect_true(context, model == NULL);
}

// A device batch and a host batch one after the other: the state of two device batches.
static void update_device_then_host(cupel_context *context)
{
    batch first = make_batch(2, 0.0), second = make_batch(2, 0.5);
    nc_huber_config config = config_of(NC_HUBER_PENALTY_NONE, 0.0);
    nc_huber_diagnostics diagnostics = diagnostics_of();
    const double expected[3] = {2.0, -0.25, 3.25};
    nc_huber *mixed = open_model(context, 2), *device = open_model(context, 2);
    cupel_expect_status(context, update_device(context, mixed, &config, first.x, 2, first.y, &diagnostics), NC_OK);
    cupel_expect_status(context, update_host(context, mixed, &config, second.x, 2, second.y, &diagnostics), NC_OK);
    cupel_expect_status(context, update_device(context, device, &config, first.x, 2, first.y, &diagnostics), NC_OK);
    cupel_expect_status(context, update_device(context, device, &config, second.x, 2, second.y, &diagnostics), NC_OK);
    expect_same_state(context, mixed, device);
    expect_beta(context, mixed, expected, 3);
    cupel_expect_status(context, nc_huber_release(device), NC_OK);
    cupel_expect_status(context, nc_huber_release(mixed), NC_OK);
}

// Arrays of another device handle are refused before anything is read; a host pointer cannot be passed for an array at all.
static void device_batch_rejects_foreign_arrays(cupel_context *context)
{
    batch data = make_batch(2, 0.0);
    nc_dtype dtype = cupel_dtype(context);
    nc_huber_config config = config_of(NC_HUBER_PENALTY_NONE, 0.0);
    nc_huber_diagnostics diagnostics = diagnostics_of();
    const int64_t shape[2] = {ROWS, 2};
    nc_device *other = abi_second_handle(context);
    nc_array *foreign = NULL;
    nc_huber *model = open_model(context, 2), *untouched = open_model(context, 2);
    nc_array *design = cupel_input(context, dtype, 2, shape, cupel_reals(context, dtype, data.x, ROWS * 2));
    cupel_require_ok(context, nc_array_create(other, dtype, 1, shape, &foreign));
    cupel_expect_status(context, nc_huber_update(model, &config, design, foreign, NULL, &diagnostics), NC_WRONG_DEVICE);
    cupel_expect_true(context, strstr(nc_last_error(), "y ") != NULL);
    expect_same_state(context, model, untouched);
    cupel_expect_status(context, nc_array_release(foreign), NC_OK);
    cupel_expect_status(context, nc_huber_release(untouched), NC_OK);
    cupel_expect_status(context, nc_huber_release(model), NC_OK);
    cupel_expect_status(context, nc_device_close(other), NC_OK);
}

// The status of a refused call is the caller's to keep: later successes do not change the text of the last failure.
static void status_survives_later_calls(cupel_context *context)
{
    batch data = make_batch(2, 0.0);
    nc_huber_config config = config_of(NC_HUBER_PENALTY_NONE, 0.0);
    nc_huber_diagnostics diagnostics = diagnostics_of();
    nc_huber *model = open_model(context, 2);
    char text[256];
    config.max_iterations = 0;
    nc_status refused = update_device(context, model, &config, data.x, 2, data.y, &diagnostics);
    cupel_expect_status(context, refused, NC_INVALID_ARGUMENT);
    strncpy(text, nc_last_error(), sizeof text - 1);
    text[sizeof text - 1] = 0;
    config.max_iterations = 100;
    cupel_expect_status(context, update_device(context, model, &config, data.x, 2, data.y, &diagnostics), NC_OK);
    cupel_expect_text(context, nc_last_error(), text);
    cupel_expect_text(context, nc_status_name(refused), "NC_INVALID_ARGUMENT");
    cupel_expect_status(context, nc_huber_release(model), NC_OK);
}

// Widths other than p and q are refused, in updates and predictions, on both routes.
static void intercept_invariant_is_enforced(cupel_context *context)
{
    batch data = make_batch(3, 0.0);
    nc_dtype dtype = cupel_dtype(context);
    nc_huber_config config = config_of(NC_HUBER_PENALTY_NONE, 0.0);
    nc_huber_diagnostics diagnostics = diagnostics_of();
    nc_huber *model = open_model(context, 2), *untouched = open_model(context, 2);
    for (int64_t columns = 1; columns <= 4; columns += 3) {
        const int64_t shape[2] = {ROWS, columns};
        nc_array *x = cupel_input(context, dtype, 2, shape, cupel_reals(context, dtype, data.wide, (size_t)(ROWS * columns)));
        nc_array *out = cupel_output_vector(context, dtype, ROWS);
        cupel_expect_status(context, update_device(context, model, &config, data.wide, columns, data.y, &diagnostics),
                            NC_SHAPE_MISMATCH);
        cupel_expect_status(context, update_host(context, model, &config, data.wide, columns, data.y, &diagnostics),
                            NC_SHAPE_MISMATCH);
        cupel_expect_status(context, nc_huber_predict(model, x, out), NC_SHAPE_MISMATCH);
        cupel_expect_untouched(context, out);
    }
    expect_same_state(context, model, untouched);
    cupel_expect_status(context, nc_huber_release(untouched), NC_OK);
    cupel_expect_status(context, nc_huber_release(model), NC_OK);
}

// Two L1 batches against the closed form. Columns are orthogonal with mean square 1, so each coefficient is the soft threshold of
// its least squares value; in the second batch the information of the first pulls back and its sign term pushes out.
static void l1_stream_against_closed_form(cupel_context *context)
{
    batch first = make_batch(2, 0.0), second = make_batch(2, 0.0);
    nc_huber_config config = config_of(NC_HUBER_PENALTY_L1, 0.004);
    nc_huber_diagnostics diagnostics = diagnostics_of();
    nc_huber *model = open_model(context, 2);
    // lambda_b = 0.4 sqrt(ln 2 / N): N = 8, then 16.
    const double lambda1 = 0.4 * sqrt(log(2.0) / 8.0), lambda2 = 0.4 * sqrt(log(2.0) / 16.0);
    const double once[3] = {2.0 - lambda1, -(0.25 - lambda1), 3.0};
    cupel_expect_status(context, update_device(context, model, &config, first.x, 2, first.y, &diagnostics), NC_OK);
    cupel_expect_true(context, fabs(diagnostics.lambda - lambda1) <= 4.0 * 0x1p-53);
    expect_beta(context, model, once, 3);
    cupel_expect_status(context, update_device(context, model, &config, second.x, 2, second.y, &diagnostics), NC_OK);
    cupel_expect_true(context, fabs(diagnostics.lambda - lambda2) <= 4.0 * 0x1p-53);
    // (1/2)(b - 2) + (1/2)(b - beta0) - (1/2) lambda1 + lambda2 = 0 for a positive coefficient.
    const double twice[3] = {0.5 * (2.0 + once[0] + lambda1) - lambda2, 0.5 * (-0.25 + once[1] - lambda1) + lambda2, 3.0};
    expect_beta(context, model, twice, 3);
    cupel_expect_status(context, nc_huber_release(model), NC_OK);
}

static void l1_never_penalises_intercept(cupel_context *context)
{
    batch data = make_batch(2, 0.0);
    nc_huber_config config = config_of(NC_HUBER_PENALTY_L1, 1e6);
    nc_huber_diagnostics diagnostics = diagnostics_of();
    const double expected[3] = {0.0, 0.0, 3.0};
    nc_huber *model = open_model(context, 2);
    cupel_expect_status(context, update_device(context, model, &config, data.x, 2, data.y, &diagnostics), NC_OK);
    expect_beta(context, model, expected, 3);
    cupel_expect_status(context, nc_huber_release(model), NC_OK);
}

static void l1_rejections_leave_state_untouched(cupel_context *context)
{
    batch data = make_batch(2, 0.0);
    nc_huber_config good = config_of(NC_HUBER_PENALTY_L1, 0.004);
    nc_huber_diagnostics diagnostics = diagnostics_of();
    nc_huber *model = open_model(context, 2), *untouched = open_model(context, 2);
    cupel_expect_status(context, update_device(context, model, &good, data.x, 2, data.y, &diagnostics), NC_OK);
    cupel_expect_status(context, update_device(context, untouched, &good, data.x, 2, data.y, &diagnostics), NC_OK);
    for (int k = 0; k < 4; ++k) {
        nc_huber_config bad = good;
        bad.lambda_scale = k == 0 ? -1.0 : k == 1 ? (double)NAN : k == 2 ? (double)INFINITY : 1.0;
        bad.penalty = k == 3 ? 7 : bad.penalty;
        cupel_expect_status(context, update_device(context, model, &bad, data.x, 2, data.y, &diagnostics), NC_INVALID_ARGUMENT);
        expect_same_state(context, model, untouched);
    }
    cupel_expect_status(context, nc_huber_release(untouched), NC_OK);
    cupel_expect_status(context, nc_huber_release(model), NC_OK);
}

static void l1_device_equals_host(cupel_context *context)
{
    batch data = make_batch(3, 0.0);
    nc_huber_config config = config_of(NC_HUBER_PENALTY_L1, 0.004);
    nc_huber_diagnostics diagnostics = diagnostics_of();
    nc_huber *device = open_model(context, 3), *host = open_model(context, 3);
    cupel_expect_status(context, update_device(context, device, &config, data.x, 3, data.y, &diagnostics), NC_OK);
    cupel_expect_status(context, update_host(context, host, &config, data.x, 3, data.y, &diagnostics), NC_OK);
    expect_same_state(context, device, host);
    cupel_expect_status(context, nc_huber_release(host), NC_OK);
    cupel_expect_status(context, nc_huber_release(device), NC_OK);
}

static void prediction_reads_device_input(cupel_context *context)
{
    batch data = make_batch(2, 0.0);
    nc_dtype dtype = cupel_dtype(context);
    nc_huber_config config = config_of(NC_HUBER_PENALTY_NONE, 0.0);
    nc_huber_diagnostics diagnostics = diagnostics_of();
    const int64_t shape[2] = {ROWS, 2};
    double bounds[ROWS];
    nc_huber *model = open_model(context, 2);
    cupel_expect_status(context, update_device(context, model, &config, data.x, 2, data.y, &diagnostics), NC_OK);
    nc_array *x = cupel_input(context, dtype, 2, shape, cupel_reals(context, dtype, data.x, ROWS * 2));
    nc_array *out = cupel_output_vector(context, dtype, ROWS);
    uint64_t uploaded = cupel_bytes_uploaded(context), launched = cupel_kernels(context);
    cupel_expect_status(context, nc_huber_predict(model, x, out), NC_OK);
    cupel_expect_u64(context, cupel_bytes_uploaded(context) - uploaded, 0);
    cupel_expect_true(context, cupel_kernels(context) > launched);
    for (int i = 0; i < ROWS; ++i) {
        bounds[i] = dtype == NC_F32 ? 0x1p-17 : 1e-6;
    }
    cupel_expect_within_bound(context, out, data.y, bounds, ROWS, "the tolerance of the update");
    cupel_expect_status(context, nc_huber_release(model), NC_OK);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("abi.huber.linked-abi-version-matches-header", linked_abi_version_matches_header),
    CUPEL_CASE_REALS("abi.huber.intercept-append-host-p2", intercept_append_host_p2),
    CUPEL_CASE_REALS("abi.huber.intercept-append-host-p3", intercept_append_host_p3),
    CUPEL_CASE_REALS("abi.huber.intercept-append-device", intercept_append_device),
    CUPEL_CASE_REALS("abi.huber.update-device-then-host", update_device_then_host),
    CUPEL_CASE_REALS("abi.huber.device-batch-rejects-foreign-arrays", device_batch_rejects_foreign_arrays),
    CUPEL_CASE_REALS("abi.huber.status-survives-later-calls", status_survives_later_calls),
    CUPEL_CASE_REALS("abi.huber.intercept-invariant-is-enforced", intercept_invariant_is_enforced),
    CUPEL_CASE_REALS("abi.huber.l1-stream-against-closed-form", l1_stream_against_closed_form),
    CUPEL_CASE_REALS("abi.huber.l1-never-penalises-intercept", l1_never_penalises_intercept),
    CUPEL_CASE_REALS("abi.huber.l1-rejections-leave-state-untouched", l1_rejections_leave_state_untouched),
    CUPEL_CASE_REALS("abi.huber.l1-device-equals-host", l1_device_equals_host),
    CUPEL_CASE_REALS("abi.huber.prediction-reads-device-input", prediction_reads_device_input),
};

const cupel_table abi_huber_table = CUPEL_TABLE(cases);
