// SPDX-License-Identifier: Apache-2.0
// What a run says when it cannot go on: the status, the step and the cell, NaN where it did not get to, and the others unharmed.
#include "solver.h"

#include <math.h>
#include <string.h>

// Runs one trajectory of a one-cell model and expects its status and step. `out` is NaN unless the status is OK.
static void expect_end(cupel_context *context, nc_model *model, const nc_solver_options *options, const double *times,
                       int64_t count, double state, const double *parameters, int64_t parameter_count, nc_trajectory_status status,
                       int32_t step)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_array *out = cupel_output_vector(context, dtype, 1), *report = report_of(context, 0);
    nc_array *set = parameter_count == 0 ? NULL : vector_of(context, parameters, parameter_count);
    cupel_require_ok(context, nc_solver_run(model, options, times, count, vector_of(context, &state, 1), set, NULL, out, report));
    expect_report(context, report, 0, NC_REPORT_STATUS, (int32_t)status);
    expect_report(context, report, 0, NC_REPORT_STEP, step);
    const double nothing = (double)NAN;
    const uint8_t nan_at = 1;
    if (status != NC_TRAJECTORY_OK) {
        cupel_expect_bits_nan(context, out, cupel_reals(context, dtype, &nothing, 1), 1, &nan_at);
    }
}

// An Euler step longer than the outflow allows: S would be -125. It is reported, not clipped; with allow_negative it is the result.
static void negative_state(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double times[] = {0.0, 1.0}, state[] = {100.0, 900.0, 0.0}, parameters[] = {2.5, 0.1}, raw[] = {-125.0, 1035.0, 90.0};
    const double nothing[] = {(double)NAN, (double)NAN, (double)NAN};
    const uint8_t nan_at[] = {1, 1, 1};
    nc_model *model = model_sir(context, 1);
    nc_array *y = vector_of(context, state, 3), *p = vector_of(context, parameters, 2);
    for (int32_t allow = 0; allow < 2; ++allow) {
        nc_solver_options options = options_of(NC_METHOD_EULER);
        options.allow_negative = allow;
        nc_array *out = cupel_output_vector(context, dtype, 3), *report = report_of(context, 0);
        cupel_require_ok(context, nc_solver_run(model, &options, times, 2, y, p, NULL, out, report));
        expect_report(context, report, 0, NC_REPORT_STATUS, allow ? NC_TRAJECTORY_OK : NC_TRAJECTORY_NEGATIVE_STATE);
        expect_report(context, report, 0, NC_REPORT_STEP, 1);
        expect_report(context, report, 0, NC_REPORT_CELL, allow ? -1 : 0);
        if (allow) {
            cupel_expect_within_ulp(context, out, cupel_reals(context, dtype, raw, 3), 3, 1.0,
                                    "0.1 is rounded; 0.1 * 900 and its sums lie half an ulp apart at most");
        } else {
            cupel_expect_bits_nan(context, out, cupel_reals(context, dtype, nothing, 3), 3, nan_at);
        }
    }
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

static void initial_state(cupel_context *context)
{
    const double times[] = {0.0, 1.0}, k = 0.5;
    nc_model *model = model_decay(context, 0);
    for (int32_t method = 1; method <= METHODS; ++method) {
        nc_solver_options options = options_of(method);
        expect_end(context, model, &options, times, 2, -1.0, &k, 1, NC_TRAJECTORY_NEGATIVE_STATE, 0);
        expect_end(context, model, &options, times, 2, (double)NAN, &k, 1, NC_TRAJECTORY_NONFINITE, 0);
        expect_end(context, model, &options, times, 2, (double)INFINITY, &k, 1, NC_TRAJECTORY_NONFINITE, 0);
        expect_end(context, model, &options, times, 2, -0.0, &k, 1, NC_TRAJECTORY_OK, 1);
    }
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

// Growth that overflows at a known step: x doubles its exponent by a factor (1 + h r) each.
static void nonfinite(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double times[] = {0.0, 1.0, 2.0, 3.0, 4.0};
    const double parameters[] = {dtype == NC_F32 ? 0x1p+50 : 0x1p+400, 0.0}; // 2^50, 2^100, 2^150 overflows; 2^400, 2^800, 2^1200
    nc_model *model = model_logistic(context, 0);
    nc_solver_options options = options_of(NC_METHOD_EULER);
    expect_end(context, model, &options, times, 5, 1.0, parameters, 2, NC_TRAJECTORY_NONFINITE, 3);
    const double bad[] = {(double)NAN, 0.0};
    for (int32_t method = 1; method <= NC_METHOD_DOPRI5; ++method) {
        options = options_of(method);
        expect_end(context, model, &options, times, 5, 1.0, bad, 2, NC_TRAJECTORY_NONFINITE, 1);
    }
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

static void limits(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double times[] = {1.0, 2.0, 3.0, 4.0}, parameters[] = {1.0, 0.5}, bad[] = {(double)NAN, 0.0};
    nc_model *model = model_logistic(context, 0);
    nc_solver_options options = options_of(NC_METHOD_RK4);
    options.step_limit = 2;
    expect_end(context, model, &options, times, 4, 0.5, parameters, 2, NC_TRAJECTORY_STEP_LIMIT, 3);
    options.step_limit = 3;
    expect_end(context, model, &options, times, 4, 0.5, parameters, 2, NC_TRAJECTORY_OK, 3);
    options = options_of(NC_METHOD_DOPRI5);
    options.stepping = NC_STEPPING_ADAPTIVE;
    options.step_limit = 1;
    options.first_step = 0.125;
    expect_end(context, model, &options, times, 4, 0.5, parameters, 2, NC_TRAJECTORY_STEP_LIMIT, 2);
    options.step_limit = 0;
    options.first_step = dtype == NC_F32 ? 0x1p-30 : 0x1p-60; // lost beside t = 1
    expect_end(context, model, &options, times, 4, 0.5, parameters, 2, NC_TRAJECTORY_STEP_TOO_SMALL, 1);
    options.first_step = 0.125;
    options.reject_limit = 7;
    expect_end(context, model, &options, times, 4, 0.5, bad, 2, NC_TRAJECTORY_REJECT_LIMIT, 1);
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

// x' = r x - c x^2: one Newton iteration cannot solve a step. x' = r x with h r = 1: implicit Euler's system is 0 x = 1.
static void newton(cupel_context *context)
{
    const double times[] = {0.0, 1.0}, parameters[] = {0.5, 1.0}, growth[] = {1.0, 0.0};
    nc_model *model = model_logistic(context, 0), *implicit = model_logistic(context, 1);
    for (int32_t method = NC_METHOD_IMPLICIT_EULER; method <= NC_METHOD_SDIRK2; ++method) {
        nc_solver_options options = options_of(method);
        if (method != NC_METHOD_ROS2) {
            options.newton_limit = 1;
            expect_end(context, model, &options, times, 2, 1.0, parameters, 2, NC_TRAJECTORY_NEWTON_FAILED, 1);
        }
        options.newton_limit = 0;
        expect_end(context, model, &options, times, 2, 1.0, parameters, 2, NC_TRAJECTORY_OK, 1);
    }
    nc_solver_options options = options_of(NC_METHOD_IMPLICIT_EULER);
    expect_end(context, model, &options, times, 2, 1.0, growth, 2, NC_TRAJECTORY_SINGULAR_MATRIX, 1);
    options = options_of(NC_METHOD_IMEX_EULER);
    expect_end(context, implicit, &options, times, 2, 1.0, growth, 2, NC_TRAJECTORY_SINGULAR_MATRIX, 1);
    cupel_expect_status(context, nc_model_release(model), NC_OK);
    cupel_expect_status(context, nc_model_release(implicit), NC_OK);
}

// A batch of five tiles in which every seventh trajectory is bad: its parameter, or its state from the start.
#define COUNT 140
#define POINTS 5
static int is_bad(int i)
{
    return i % 7 == 3;
}
static int starts_bad(int i)
{
    return is_bad(i) && i % 3 != 0;
}

typedef struct batch {
    double start[COUNT], parameters[COUNT * 2];
} batch;

static void fill_batch(int with_bad, batch *b)
{
    for (int i = 0; i < COUNT; ++i) {
        int bad = with_bad && is_bad(i);
        b->start[i] = bad && starts_bad(i) ? (i % 3 == 1 ? (double)NAN : -1.0) : 0.5 + (i % 5) / 8.0;
        b->parameters[2 * i] = bad && !starts_bad(i) ? (double)NAN : 0.5 + i / 64.0;
        b->parameters[2 * i + 1] = 0.25 + i / 128.0;
    }
}

static nc_array *run_batch(cupel_context *context, nc_model *model, int32_t method, int32_t stepping, int with_bad)
{
    nc_dtype dtype = cupel_dtype(context);
    static const double times[POINTS] = {0.0, 0.25, 0.5, 0.75, 1.0};
    const int64_t sets[] = {COUNT, 2}, states[] = {COUNT, 1}, rows[] = {COUNT, POINTS, 1};
    batch *b = cupel_alloc(context, sizeof *b);
    nc_solver_options options = options_of(method);
    options.history = 1;
    options.stepping = stepping;
    fill_batch(with_bad, b);
    nc_array *state = cupel_input(context, dtype, 2, states, cupel_reals(context, dtype, b->start, COUNT));
    nc_array *parameters = cupel_input(context, dtype, 2, sets, cupel_reals(context, dtype, b->parameters, 2 * COUNT));
    nc_array *out = cupel_output(context, dtype, 3, rows), *report = report_of(context, COUNT);
    cupel_require_ok(context, nc_solver_run(model, &options, times, POINTS, state, parameters, NULL, out, report));
    const int32_t *row = cupel_download(context, report);
    for (int i = 0; i < COUNT; ++i, row += NC_REPORT_COLUMNS) {
        int fails = with_bad && is_bad(i);
        cupel_expect_true(context, (row[NC_REPORT_STATUS] != NC_TRAJECTORY_OK) == fails);
        if (fails || stepping == NC_STEPPING_GRID) { // adaptive runs make as many steps as they need
            cupel_expect_u64(context, (uint64_t)row[NC_REPORT_STEP], !fails ? POINTS - 1 : starts_bad(i) ? 0 : 1);
        }
    }
    return out;
}

// All others have the bytes of the batch without the bad ones, and a failed history keeps the rows that it reached.
static void expect_unharmed(cupel_context *context, nc_model *model, int32_t method, int32_t stepping)
{
    nc_dtype dtype = cupel_dtype(context);
    size_t size = nc_dtype_size(dtype);
    const double nothing = (double)NAN;
    const void *nan = cupel_reals(context, dtype, &nothing, 1);
    uint8_t nan_at[COUNT * POINTS] = {0};
    nc_array *good = run_batch(context, model, method, stepping, 0), *mixed = run_batch(context, model, method, stepping, 1);
    unsigned char *expected = cupel_alloc(context, COUNT * POINTS * size);
    memcpy(expected, cupel_download(context, good), COUNT * POINTS * size);
    for (int i = 0; i < COUNT * POINTS; ++i) {
        int trajectory = i / POINTS, row = i % POINTS;
        if (is_bad(trajectory) && (row > 0 || starts_bad(trajectory))) {
            memcpy(expected + (size_t)i * size, nan, size);
            nan_at[i] = 1;
        }
    }
    cupel_expect_bits_nan(context, mixed, expected, COUNT * POINTS, nan_at);
}

static void others_unharmed(cupel_context *context)
{
    nc_model *model = model_logistic(context, 1);
    for (int32_t method = 1; method <= METHODS; ++method) {
        expect_unharmed(context, model, method, NC_STEPPING_GRID);
    }
    expect_unharmed(context, model, NC_METHOD_DOPRI5, NC_STEPPING_ADAPTIVE);
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

// Gradients in state and parameters of the batch, one after the other.
static void run_gradients(cupel_context *context, nc_model *model, int32_t method, int with_bad, nc_array **by_state,
                          nc_array **by_parameters)
{
    nc_dtype dtype = cupel_dtype(context);
    static const double times[POINTS] = {0.0, 0.25, 0.5, 0.75, 1.0};
    const int64_t sets[] = {COUNT, 2}, states[] = {COUNT, 1};
    batch *b = cupel_alloc(context, sizeof *b);
    double seeds[COUNT];
    nc_solver_options options = options_of(method);
    fill_batch(with_bad, b);
    for (int i = 0; i < COUNT; ++i) {
        seeds[i] = 1.0 + i / 32.0;
    }
    nc_array *state = cupel_input(context, dtype, 2, states, cupel_reals(context, dtype, b->start, COUNT));
    nc_array *parameters = cupel_input(context, dtype, 2, sets, cupel_reals(context, dtype, b->parameters, 2 * COUNT));
    nc_array *seed = cupel_input(context, dtype, 2, states, cupel_reals(context, dtype, seeds, COUNT));
    nc_array *report = report_of(context, COUNT);
    *by_state = cupel_output(context, dtype, 2, states);
    *by_parameters = cupel_output(context, dtype, 2, sets);
    cupel_require_ok(
        context, nc_solver_gradient(model, &options, times, POINTS, state, parameters, seed, *by_state, *by_parameters, report));
    const int32_t *row = cupel_download(context, report);
    for (int i = 0; i < COUNT; ++i, row += NC_REPORT_COLUMNS) {
        cupel_expect_true(context, (row[NC_REPORT_STATUS] != NC_TRAJECTORY_OK) == (with_bad && is_bad(i)));
    }
}

// A failed trajectory's gradients are NaN; all others have the bytes of the batch without the bad ones.
static void gradients_unharmed(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    size_t size = nc_dtype_size(dtype);
    const double nothing = (double)NAN;
    const void *nan = cupel_reals(context, dtype, &nothing, 1);
    nc_model *model = model_logistic(context, 0);
    for (int32_t method = 1; method <= NC_METHOD_DOPRI5; ++method) {
        nc_array *good[2], *mixed[2];
        run_gradients(context, model, method, 0, &good[0], &good[1]);
        run_gradients(context, model, method, 1, &mixed[0], &mixed[1]);
        for (int which = 0; which < 2; ++which) {
            int columns = which + 1, count = COUNT * columns;
            uint8_t nan_at[COUNT * 2] = {0};
            unsigned char *expected = cupel_alloc(context, (size_t)count * size);
            memcpy(expected, cupel_download(context, good[which]), (size_t)count * size);
            for (int i = 0; i < count; ++i) {
                if (is_bad(i / columns)) {
                    memcpy(expected + (size_t)i * size, nan, size);
                    nan_at[i] = 1;
                }
            }
            cupel_expect_bits_nan(context, mixed[which], expected, (size_t)count, nan_at);
        }
    }
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

static void names(cupel_context *context)
{
    static const char *const statuses[] = {
        "OK",           "NEGATIVE_STATE", "NONFINITE",       "STEP_LIMIT",     "STEP_TOO_SMALL",
        "REJECT_LIMIT", "NEWTON_FAILED",  "SINGULAR_MATRIX", "STEP_LIST_FULL", "STEP_LIST_INVALID"};
    static const char *const methods[] = {"euler", "heun",   "rk4",        "dopri5",       "implicit-euler", "trapezoidal", "bdf2",
                                          "ros2",  "sdirk2", "imex-euler", "imex-heun-tr", "imex-trbdf2",    "imex-ark3"};
    for (int i = 0; i < NC_TRAJECTORY_STATUS_COUNT; ++i) {
        cupel_expect_text(context, nc_trajectory_status_name((nc_trajectory_status)i), statuses[i]);
    }
    for (int i = 0; i < METHODS; ++i) {
        cupel_expect_text(context, nc_method_name((nc_method)(i + 1)), methods[i]);
    }
    cupel_expect_text(context, nc_trajectory_status_name((nc_trajectory_status)NC_TRAJECTORY_STATUS_COUNT), "unknown");
    cupel_expect_text(context, nc_trajectory_status_name((nc_trajectory_status)-1), "unknown");
    cupel_expect_text(context, nc_method_name((nc_method)0), "unknown");
    cupel_expect_text(context, nc_method_name((nc_method)(METHODS + 1)), "unknown");
    cupel_expect_text(context, nc_gradient_status_name((nc_gradient_status)3), "unknown");
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("solver.status.negative-state", negative_state),
    CUPEL_CASE_REALS("solver.status.initial-state", initial_state),
    CUPEL_CASE_REALS("solver.status.nonfinite", nonfinite),
    CUPEL_CASE_REALS("solver.status.limits", limits),
    CUPEL_CASE_REALS("solver.status.newton", newton),
    CUPEL_CASE_REALS("solver.status.others-unharmed", others_unharmed),
    CUPEL_CASE_REALS("solver.status.gradients-unharmed", gradients_unharmed),
    CUPEL_CASE("solver.status.names", names),
};

const cupel_table solver_status_table = CUPEL_TABLE(cases);
