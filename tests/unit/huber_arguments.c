// SPDX-License-Identifier: Apache-2.0
// Every argument of every function of the Huber regression, wrong once: the named status comes back, the model's state and the
// outputs are what they were, and nc_last_error names the argument and its value.
#include "core_device.h"

#include <math.h>
#include <stddef.h>

enum { ROWS = 4, FEATURES = 1, COEFFICIENTS = 2, MOST_BYTES = COEFFICIENTS * ROWS * 8, STATE_BYTES = 512 };

// A model of one feature with an intercept, after one batch, and what its functions take.
typedef struct fixture {
    nc_device *device, *second;
    nc_huber *model;
    nc_huber_options options;
    nc_huber_config config;
    nc_huber_diagnostics diagnostics, old_diagnostics, later_diagnostics; // the last: of data that are refused
    nc_huber_info info, old_info;
    nc_array *x, *y, *weights;                              // [4, 1], [4], [4]
    nc_array *predictions, *beta, *matrix;                  // outputs: [4], [2], [2, 2]
    nc_array *wide, *short_y, *x32, *y32, *far_y, *nothing; // [4, 4], [3], f32 of x and y, y of the second handle, [0, 1]
    unsigned char state[STATE_BYTES], exported[STATE_BYTES], later[STATE_BYTES];
    size_t state_size, size;
    nc_huber *made;
} fixture;

static const double x_host[ROWS] = {1.0, -1.0, 2.0, -2.0}, y_host[ROWS] = {3.0, 1.0, 4.5, -0.5};
static const double endless[ROWS] = {1.0, (double)INFINITY, 2.0, -2.0}, negative[ROWS] = {1.0, 1.0, -1.0, 1.0};

static nc_status update(fixture *f, const nc_huber_config *config)
{
    return nc_huber_update(f->model, config, f->x, f->y, f->weights, &f->diagnostics);
}
static nc_status config_integer(fixture *f, size_t offset, int32_t value)
{
    nc_huber_config config = f->config;
    memcpy((unsigned char *)&config + offset, &value, sizeof value);
    return update(f, &config);
}
static nc_status config_real(fixture *f, size_t offset, double value)
{
    nc_huber_config config = f->config;
    memcpy((unsigned char *)&config + offset, &value, sizeof value);
    return update(f, &config);
}
static nc_status config_iterations(fixture *f, int64_t value)
{
    nc_huber_config config = f->config;
    config.max_iterations = value;
    return update(f, &config);
}
static nc_status create_with(fixture *f, size_t offset, int32_t value)
{
    nc_huber_options options = f->options;
    memcpy((unsigned char *)&options + offset, &value, sizeof value);
    return nc_huber_create(f->device, &options, &f->made);
}
static nc_status create_features(fixture *f, int64_t features)
{
    nc_huber_options options = f->options;
    options.features = features;
    return nc_huber_create(f->device, &options, &f->made);
}
static nc_status restore_damaged(fixture *f)
{
    unsigned char damaged[STATE_BYTES];
    memcpy(damaged, f->state, f->state_size);
    damaged[f->state_size / 2] ^= 1;
    return nc_huber_restore(f->device, damaged, f->state_size, &f->made);
}

#define H f->model
#define C &f->config
#define D &f->diagnostics
#define INTEGER(member, value) config_integer(f, offsetof(nc_huber_config, member), value)
#define REAL(member, value) config_real(f, offsetof(nc_huber_config, member), value)
#define OPTION(member, value) create_with(f, offsetof(nc_huber_options, member), value)
// X(name, call, status, first text, second text): both texts must stand in nc_last_error.
#define CASES(X)                                                                                                                   \
    X(create_device, nc_huber_create(NULL, &f->options, &f->made), NC_NULL_ARGUMENT, "device", "null")                             \
    X(create_options, nc_huber_create(f->device, NULL, &f->made), NC_NULL_ARGUMENT, "options", "null")                             \
    X(create_model, nc_huber_create(f->device, &f->options, NULL), NC_NULL_ARGUMENT, "model", "null")                              \
    X(options_abi, OPTION(abi_version, 7), NC_ABI_MISMATCH, "options", "abi_version 7")                                            \
    X(options_size, OPTION(struct_size, 8), NC_ABI_MISMATCH, "options", "struct_size 8")                                           \
    X(options_dtype, OPTION(dtype, NC_I64), NC_MIXED_DTYPE, "options.dtype", "f32 or f64")                                         \
    X(options_fit_intercept, OPTION(fit_intercept, 2), NC_INVALID_ARGUMENT, "options.fit_intercept is 2", "0 or 1")                \
    X(options_features, create_features(f, 0), NC_INVALID_ARGUMENT, "options.features is 0", "1 to")                               \
    X(options_features_high, create_features(f, INT64_MAX), NC_INVALID_ARGUMENT, "options.features is 9223372036854775807",        \
      "1 to")                                                                                                                      \
    X(info_model, nc_huber_info_get(NULL, &f->info), NC_NULL_ARGUMENT, "model", "null")                                            \
    X(info_info, nc_huber_info_get(H, NULL), NC_NULL_ARGUMENT, "info", "null")                                                     \
    X(info_abi, nc_huber_info_get(H, &f->old_info), NC_ABI_MISMATCH, "info", "abi_version 0")                                      \
    X(update_model, nc_huber_update(NULL, C, f->x, f->y, f->weights, D), NC_NULL_ARGUMENT, "model", "null")                        \
    X(update_config, nc_huber_update(H, NULL, f->x, f->y, f->weights, D), NC_NULL_ARGUMENT, "config", "null")                      \
    X(update_x, nc_huber_update(H, C, NULL, f->y, f->weights, D), NC_NULL_ARGUMENT, "array x", "null")                             \
    X(update_x_dtype, nc_huber_update(H, C, f->x32, f->y, f->weights, D), NC_MIXED_DTYPE, "x is f32", "f64")                       \
    X(update_x_columns, nc_huber_update(H, C, f->wide, f->y, f->weights, D), NC_SHAPE_MISMATCH, "x has 4 columns", "1 features")   \
    X(update_x_rank, nc_huber_update(H, C, f->y, f->y, f->weights, D), NC_SHAPE_MISMATCH, "array x has rank 1", "2")               \
    X(update_x_none, nc_huber_update(H, C, f->nothing, f->y, f->weights, D), NC_EMPTY, "x has no rows", "at least one")            \
    X(update_y, nc_huber_update(H, C, f->x, NULL, f->weights, D), NC_NULL_ARGUMENT, "array y", "null")                             \
    X(update_y_dtype, nc_huber_update(H, C, f->x, f->y32, f->weights, D), NC_MIXED_DTYPE, "y is f32", "f64")                       \
    X(update_y_rows, nc_huber_update(H, C, f->x, f->short_y, f->weights, D), NC_SHAPE_MISMATCH, "y has extent 3", "rows of x")     \
    X(update_y_device, nc_huber_update(H, C, f->x, f->far_y, f->weights, D), NC_WRONG_DEVICE, "y lies on device", "the model")     \
    X(update_weights, nc_huber_update(H, C, f->x, f->y, f->short_y, D), NC_SHAPE_MISMATCH, "weights has extent 3", "rows of x")    \
    X(update_weights_dtype, nc_huber_update(H, C, f->x, f->y, f->y32, D), NC_MIXED_DTYPE, "weights is f32", "f64")                 \
    X(update_diagnostics, nc_huber_update(H, C, f->x, f->y, f->weights, NULL), NC_NULL_ARGUMENT, "diagnostics", "null")            \
    X(update_diagnostics_abi, nc_huber_update(H, C, f->x, f->y, f->weights, &f->old_diagnostics), NC_ABI_MISMATCH, "diagnostics",  \
      "abi_version 0")                                                                                                             \
    X(config_abi, INTEGER(abi_version, 7), NC_ABI_MISMATCH, "config", "abi_version 7")                                             \
    X(config_size, INTEGER(struct_size, 8), NC_ABI_MISMATCH, "config", "struct_size 8")                                            \
    X(config_tau, REAL(tau, 0.0), NC_INVALID_ARGUMENT, "config.tau is 0", "greater than 0")                                        \
    X(config_tau_nan, REAL(tau, (double)NAN), NC_INVALID_ARGUMENT, "config.tau is nan", "finite")                                  \
    X(config_bandwidth, REAL(bandwidth_scale, -1.0), NC_INVALID_ARGUMENT, "config.bandwidth_scale is -1", "greater than 0")        \
    X(config_lambda, REAL(lambda_scale, -0x1p-1074), NC_INVALID_ARGUMENT, "config.lambda_scale is -4.9", "not negative")           \
    X(config_tolerance, REAL(tolerance, (double)INFINITY), NC_INVALID_ARGUMENT, "config.tolerance is inf", "finite")               \
    X(config_ridge, REAL(ridge, -1.0), NC_INVALID_ARGUMENT, "config.ridge is -1", "not negative")                                  \
    X(config_max_iterations, config_iterations(f, 0), NC_INVALID_ARGUMENT, "config.max_iterations is 0", "at least 1")             \
    X(config_penalty, INTEGER(penalty, 2), NC_INVALID_ARGUMENT, "config.penalty is 2", "0 (none) or 1 (L1)")                       \
    X(config_reserved, INTEGER(reserved, 1), NC_INVALID_ARGUMENT, "config.reserved is 1", "must be 0")                             \
    X(host_model, nc_huber_update_host(NULL, C, x_host, ROWS, 1, 1, y_host, NULL, D), NC_NULL_ARGUMENT, "model", "null")           \
    X(host_config, nc_huber_update_host(H, NULL, x_host, ROWS, 1, 1, y_host, NULL, D), NC_NULL_ARGUMENT, "config", "null")         \
    X(host_x, nc_huber_update_host(H, C, NULL, ROWS, 1, 1, y_host, NULL, D), NC_NULL_ARGUMENT, "x", "null")                        \
    X(host_x_endless, nc_huber_update_host(H, C, endless, ROWS, 1, 1, y_host, NULL, &f->later_diagnostics), NC_NUMERICAL_ERROR,    \
      "row 1", "not finite")                                                                                                       \
    X(host_rows, nc_huber_update_host(H, C, x_host, 0, 1, 1, y_host, NULL, D), NC_EMPTY, "rows is 0", "at least one")              \
    X(host_rows_many, nc_huber_update_host(H, C, x_host, INT64_MAX / 4, 1, 1, y_host, NULL, D), NC_OUT_OF_RANGE, "rows is",        \
      "does not fit 64 bits")                                                                                                      \
    X(host_columns, nc_huber_update_host(H, C, x_host, ROWS, 3, 3, y_host, NULL, D), NC_SHAPE_MISMATCH, "columns is 3",            \
      "1 features")                                                                                                                \
    X(host_row_stride, nc_huber_update_host(H, C, x_host, ROWS, 1, 0, y_host, NULL, D), NC_INVALID_ARGUMENT, "row_stride is 0",    \
      "at least columns (1)")                                                                                                      \
    X(host_y, nc_huber_update_host(H, C, x_host, ROWS, 1, 1, NULL, NULL, D), NC_NULL_ARGUMENT, "y", "null")                        \
    X(host_weights, nc_huber_update_host(H, C, x_host, ROWS, 1, 1, y_host, negative, &f->later_diagnostics), NC_NUMERICAL_ERROR,   \
      "a weight that is negative", "row 2")                                                                                        \
    X(host_diagnostics, nc_huber_update_host(H, C, x_host, ROWS, 1, 1, y_host, NULL, NULL), NC_NULL_ARGUMENT, "diagnostics",       \
      "null")                                                                                                                      \
    X(predict_model, nc_huber_predict(NULL, f->x, f->predictions), NC_NULL_ARGUMENT, "model", "null")                              \
    X(predict_x, nc_huber_predict(H, NULL, f->predictions), NC_NULL_ARGUMENT, "array x", "null")                                   \
    X(predict_x_columns, nc_huber_predict(H, f->wide, f->predictions), NC_SHAPE_MISMATCH, "x has 4 columns", "1 features")         \
    X(predict_out, nc_huber_predict(H, f->x, NULL), NC_NULL_ARGUMENT, "array out", "null")                                         \
    X(predict_out_dtype, nc_huber_predict(H, f->x, f->y32), NC_MIXED_DTYPE, "out is f32", "f64")                                   \
    X(predict_out_rows, nc_huber_predict(H, f->x, f->short_y), NC_SHAPE_MISMATCH, "out has extent 3", "rows of x")                 \
    X(predict_out_device, nc_huber_predict(H, f->x, f->far_y), NC_WRONG_DEVICE, "out lies on device", "the model")                 \
    X(coefficients_model, nc_huber_coefficients(NULL, f->beta), NC_NULL_ARGUMENT, "model", "null")                                 \
    X(coefficients_out, nc_huber_coefficients(H, NULL), NC_NULL_ARGUMENT, "array out", "null")                                     \
    X(coefficients_out_count, nc_huber_coefficients(H, f->y), NC_SHAPE_MISMATCH, "out has extent 4", "coefficients of the model")  \
    X(information_model, nc_huber_information(NULL, f->matrix), NC_NULL_ARGUMENT, "model", "null")                                 \
    X(information_out, nc_huber_information(H, NULL), NC_NULL_ARGUMENT, "array out", "null")                                       \
    X(information_out_dtype, nc_huber_information(H, f->x32), NC_MIXED_DTYPE, "array out is f32", "f64")                           \
    X(information_out_shape, nc_huber_information(H, f->wide), NC_SHAPE_MISMATCH, "out has extent 4", "coefficients of the model") \
    X(export_model, nc_huber_export(NULL, f->exported, STATE_BYTES, &f->size), NC_NULL_ARGUMENT, "model", "null")                  \
    X(export_capacity, nc_huber_export(H, f->exported, 16, &f->size), NC_OUT_OF_RANGE, "capacity is 16", "call with bytes = null") \
    X(export_size, nc_huber_export(H, f->exported, STATE_BYTES, NULL), NC_NULL_ARGUMENT, "size", "null")                           \
    X(restore_device, nc_huber_restore(NULL, f->state, f->state_size, &f->made), NC_NULL_ARGUMENT, "device", "null")               \
    X(restore_bytes, nc_huber_restore(f->device, NULL, f->state_size, &f->made), NC_NULL_ARGUMENT, "bytes", "null")                \
    X(restore_bytes_damaged, restore_damaged(f), NC_INVALID_ARGUMENT, "checkpoint is damaged", "checksum")                         \
    X(restore_size, nc_huber_restore(f->device, f->state, 8, &f->made), NC_INVALID_ARGUMENT, "shorter than a header",              \
      "checkpoint is damaged")                                                                                                     \
    X(restore_model, nc_huber_restore(f->device, f->state, f->state_size, NULL), NC_NULL_ARGUMENT, "model", "null")

#include "argument_rows.h"

// Every array of the fixture once: A(member, dtype, rank, extent, columns, device).
#define FORMS(A)                                                                                                                   \
    A(x, NC_F64, 2, ROWS, FEATURES, device)                                                                                        \
    A(y, NC_F64, 1, ROWS, 1, device)                                                                                               \
    A(weights, NC_F64, 1, ROWS, 1, device)                                                                                         \
    A(predictions, NC_F64, 1, ROWS, 1, device)                                                                                     \
    A(beta, NC_F64, 1, COEFFICIENTS, 1, device)                                                                                    \
    A(matrix, NC_F64, 2, COEFFICIENTS, COEFFICIENTS, device)                                                                       \
    A(wide, NC_F64, 2, COEFFICIENTS, ROWS, device)                                                                                 \
    A(short_y, NC_F64, 1, ROWS - 1, 1, device)                                                                                     \
    A(x32, NC_F32, 2, COEFFICIENTS, COEFFICIENTS, device)                                                                          \
    A(y32, NC_F32, 1, ROWS, 1, device)                                                                                             \
    A(far_y, NC_F64, 1, ROWS, 1, second)                                                                                           \
    A(nothing, NC_F64, 2, 0, FEATURES, device)

#include "argument_arrays.h"

static void fixture_open(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->device = open_cpu();
    f->second = open_cpu();
    arrays_make(f);
    NC_STRUCT_INIT(&f->options);
    f->options.dtype = NC_F64;
    f->options.fit_intercept = 1;
    f->options.features = FEATURES;
    NC_STRUCT_INIT(&f->diagnostics);
    NC_STRUCT_INIT(&f->later_diagnostics);
    NC_STRUCT_INIT(&f->info);
    nc_huber_config_init(&f->config);
    nc_huber_config_init(NULL); // nothing to set
    assert_int_equal(nc_huber_create(f->device, &f->options, &f->model), NC_OK);
    nc_huber_diagnostics first;
    NC_STRUCT_INIT(&first);
    assert_int_equal(nc_huber_update_host(f->model, &f->config, x_host, ROWS, 1, 1, y_host, NULL, &first), NC_OK);
    assert_int_equal(nc_huber_export(f->model, f->state, sizeof f->state, &f->state_size), NC_OK);
}

static void assert_untouched(fixture *f, const char *name)
{
    assert_arrays_untouched(f, name);
    size_t size = 0;
    assert_int_equal(nc_huber_export(f->model, f->later, sizeof f->later, &size), NC_OK);
    if (size != f->state_size || memcmp(f->later, f->state, size) != 0) {
        fail_msg("%s changed the model's state", name);
    }
    assert_true(f->made == NULL && f->size == 0 && f->exported[0] == 0 && f->info.features == 0 && f->old_info.features == 0);
    assert_true(f->diagnostics.bandwidth == 0.0 && f->diagnostics.iterations == 0 && f->old_diagnostics.bandwidth == 0.0);
}

static void each_wrong_argument_is_refused_by_name(void **state)
{
    static fixture f;
    (void)state;
    fixture_open(&f);
    for (size_t i = 0; i < CASE_COUNT; ++i) {
        expect_refusal(cases[i].name, cases[i].call(&f), cases[i].status, cases[i].first, cases[i].second);
        assert_untouched(&f, cases[i].name);
    }
    // The same calls with every argument right: the refusals above have no other reason.
    assert_int_equal(nc_huber_restore(f.device, f.state, f.state_size, &f.made), NC_OK);
    assert_int_equal(nc_huber_predict(f.made, f.x, f.predictions), NC_OK);
    assert_int_equal(nc_huber_coefficients(f.made, f.beta), NC_OK);
    assert_int_equal(nc_huber_information(f.made, f.matrix), NC_OK);
    assert_int_equal(nc_huber_info_get(f.made, &f.info), NC_OK);
    assert_int_equal(nc_array_upload(f.x, x_host, sizeof x_host), NC_OK);
    assert_int_equal(nc_array_upload(f.y, y_host, sizeof y_host), NC_OK);
    assert_int_equal(nc_huber_update(f.made, &f.config, f.x, f.y, f.weights, &f.diagnostics), NC_OK);
    arrays_release(&f);
    assert_int_equal(nc_huber_release(f.made), NC_OK);
    assert_int_equal(nc_huber_release(f.model), NC_OK);
    assert_int_equal(nc_huber_release(NULL), NC_OK);
    close_device(f.device);
    close_device(f.second);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_wrong_argument_is_refused_by_name),
};

UNIT_MAIN(tests)
