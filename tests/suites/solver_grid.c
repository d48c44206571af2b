// SPDX-License-Identifier: Apache-2.0
// Time grids: uniform ones made from a step, repeated and unsorted times, one point.
#include "solver.h"

#include <math.h>
#include <string.h>

#define ROOM 64

// Euler's method on x' = -k x in the case's precision, by its definition: x <- fma(h, -(k x), x).
static double euler_decay(nc_dtype dtype, double k, double start, const double *times, int64_t count)
{
    double x = start;
    for (int64_t i = 1; i < count; ++i) {
        if (dtype == NC_F32) {
            float h = (float)times[i] - (float)times[i - 1], rate = (float)k * (float)x;
            x = (double)fmaf(h, -rate, (float)x);
        } else {
            double h = times[i] - times[i - 1], rate = k * x;
            x = fma(h, -rate, x);
        }
    }
    return x;
}

static void expect_decay(cupel_context *context, nc_model *model, const double *times, int64_t count)
{
    const double k = 0.1, start = 1.0;
    nc_dtype dtype = cupel_dtype(context);
    nc_solver_options options = options_of(NC_METHOD_EULER);
    options.allow_negative = 1;
    double expected = euler_decay(dtype, k, start, times, count);
    nc_array *out = cupel_output_vector(context, dtype, 1), *report = report_of(context, 0);
    cupel_require_ok(context, nc_solver_run(model, &options, times, count, vector_of(context, &start, 1), vector_of(context, &k, 1),
                                            NULL, out, report));
    cupel_expect_bits(context, out, cupel_reals(context, dtype, &expected, 1), 1);
    expect_report(context, report, 0, NC_REPORT_ACCEPTED, (int32_t)(count - 1));
}

// The step does not divide the interval: the last one is shorter and ends exactly at t1. 0.1 ten times is 1, not an eleventh step.
static void end_not_a_multiple(cupel_context *context)
{
    static const struct {
        double t0, t1, step, last_step;
        int64_t steps;
    } grids[] = {{0.0, 15.0, 4.0, 3.0, 4}, {0.0, 1.0, 0.1, 0.1, 10}, {0.0, 1.0, 0.3, 0.1, 4},
                 {0.0, 0.7, 0.1, 0.1, 7},  {2.0, 2.3, 0.1, 0.1, 3},  {0.0, 1e-3, 1.0, 1e-3, 1}};
    nc_model *model = model_decay(context, 0);
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; ++i) {
        double times[ROOM];
        int64_t count = 0;
        cupel_require_ok(context, nc_time_grid(grids[i].t0, grids[i].t1, grids[i].step, times, ROOM, &count));
        cupel_expect_u64(context, (uint64_t)count, (uint64_t)grids[i].steps + 1);
        cupel_expect_true(context, times[0] == grids[i].t0 && times[count - 1] == grids[i].t1);
        cupel_expect_true(context, fabs(times[count - 1] - times[count - 2] - grids[i].last_step) <= 4.0 * 0x1p-53 * grids[i].t1);
        expect_decay(context, model, times, count);
    }
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

static void steps_refused(cupel_context *context)
{
    static const double steps[] = {0.0, -0.1, (double)NAN, (double)INFINITY};
    double times[ROOM];
    int64_t count = 77;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
        cupel_expect_status(context, nc_time_grid(0.0, 1.0, steps[i], times, ROOM, &count), NC_INVALID_ARGUMENT);
        cupel_expect_true(context, strstr(nc_last_error(), "step") != NULL);
    }
    cupel_expect_status(context, nc_time_grid(0.0, -1.0, 0.1, times, ROOM, &count), NC_INVALID_ARGUMENT);
    cupel_expect_status(context, nc_time_grid((double)NAN, 1.0, 0.1, times, ROOM, &count), NC_INVALID_ARGUMENT);
    cupel_expect_status(context, nc_time_grid(0.0, (double)INFINITY, 0.1, times, ROOM, &count), NC_INVALID_ARGUMENT);
    cupel_expect_status(context, nc_time_grid(0.0, 1.0, 0x1p-60, times, ROOM, &count), NC_OUT_OF_RANGE);
    cupel_expect_status(context, nc_time_grid(0.0, 1.0, 0.01, times, ROOM, &count), NC_OUT_OF_RANGE);
    cupel_expect_u64(context, (uint64_t)count, 77);
    cupel_require_ok(context, nc_time_grid(0.0, 1.0, 0.01, NULL, 0, &count));
    cupel_expect_u64(context, (uint64_t)count, 101);
}

// t0 = t1: no step, and the state comes back bit for bit, whatever the method and the stepping.
static void single_point(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double k = 0.1, start = 0.7;
    double times[ROOM];
    int64_t count = 0;
    cupel_require_ok(context, nc_time_grid(2.0, 2.0, 0.1, times, ROOM, &count));
    cupel_expect_u64(context, (uint64_t)count, 1);
    nc_model *model = model_decay(context, 0);
    nc_array *state = vector_of(context, &start, 1), *parameter = vector_of(context, &k, 1);
    for (int32_t method = 1; method <= METHODS; ++method) {
        nc_solver_options options = options_of(method);
        for (int32_t stepping = NC_STEPPING_GRID; stepping <= (method == NC_METHOD_DOPRI5 ? 1 : 0); ++stepping) {
            options.stepping = stepping;
            nc_array *out = cupel_output_vector(context, dtype, 1), *report = report_of(context, 0);
            cupel_require_ok(context, nc_solver_run(model, &options, times, 1, state, parameter, NULL, out, report));
            cupel_expect_bits(context, out, cupel_download(context, state), 1);
            expect_report(context, report, 0, NC_REPORT_STEP, 0);
        }
    }
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

// Equal times are one time: the rows are equal, and all rows are those of the grid without the repetition.
static void expect_repeated(cupel_context *context, nc_model *model, int32_t method, int32_t stepping)
{
    static const double once[] = {0.0, 0.5, 1.0};
    static const struct {
        int64_t count;
        double times[6];
        int row[6]; // of `once`
    } grids[] = {{5, {0.0, 0.5, 0.5, 1.0, 1.0}, {0, 1, 1, 2, 2}}, {4, {0.0, 0.0, 0.5, 1.0}, {0, 0, 1, 2}}};
    nc_dtype dtype = cupel_dtype(context);
    size_t size = nc_dtype_size(dtype);
    const double k = 1.0, start = 1.0;
    const int64_t shape[] = {3, 1};
    nc_solver_options options = options_of(method);
    options.history = 1;
    options.stepping = stepping;
    nc_array *state = vector_of(context, &start, 1), *parameter = vector_of(context, &k, 1);
    nc_array *plain = cupel_output(context, dtype, 2, shape), *report = report_of(context, 0);
    cupel_require_ok(context, nc_solver_run(model, &options, once, 3, state, parameter, NULL, plain, report));
    const unsigned char *rows = cupel_download(context, plain);
    int32_t steps = ((const int32_t *)cupel_download(context, report))[NC_REPORT_STEP];
    cupel_expect_true(context, stepping == NC_STEPPING_GRID ? steps == 2 : steps >= 2);
    for (size_t g = 0; g < sizeof grids / sizeof grids[0]; ++g) {
        const int64_t longer[] = {grids[g].count, 1};
        unsigned char expected[6 * sizeof(double)];
        for (int64_t i = 0; i < grids[g].count; ++i) {
            memcpy(expected + (size_t)i * size, rows + (size_t)grids[g].row[i] * size, size);
        }
        nc_array *out = cupel_output(context, dtype, 2, longer), *again = report_of(context, 0);
        cupel_require_ok(context,
                         nc_solver_run(model, &options, grids[g].times, grids[g].count, state, parameter, NULL, out, again));
        cupel_expect_bits(context, out, expected, (size_t)grids[g].count);
        expect_report(context, again, 0, NC_REPORT_STEP, steps);
    }
}

static void repeated_times(cupel_context *context)
{
    nc_model *model = model_decay(context, 0);
    for (int32_t method = 1; method <= METHODS; ++method) {
        expect_repeated(context, model, method, NC_STEPPING_GRID);
    }
    expect_repeated(context, model, NC_METHOD_DOPRI5, NC_STEPPING_ADAPTIVE);
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

static void times_refused(cupel_context *context)
{
    static const struct {
        double times[3];
        const char *names;
    } grids[] = {{{0.0, 0.5, 0.4}, "times[2]"}, {{0.0, (double)NAN, 1.0}, "times[1]"}, {{0.0, 1.0, (double)INFINITY}, "times[2]"}};
    nc_dtype dtype = cupel_dtype(context);
    const double k = 1.0;
    nc_model *model = model_decay(context, 0);
    nc_solver_options options = options_of(NC_METHOD_RK4);
    nc_array *state = vector_of(context, &k, 1), *out = cupel_output_vector(context, dtype, 1), *report = report_of(context, 0);
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; ++i) {
        cupel_expect_status(context, nc_solver_run(model, &options, grids[i].times, 3, state, state, NULL, out, report),
                            NC_INVALID_ARGUMENT);
        cupel_expect_true(context, strstr(nc_last_error(), grids[i].names) != NULL);
    }
    cupel_expect_status(context, nc_solver_run(model, &options, grids[0].times, 0, state, state, NULL, out, report),
                        NC_INVALID_ARGUMENT);
    cupel_expect_status(context, nc_solver_run(model, &options, NULL, 2, state, state, NULL, out, report), NC_NULL_ARGUMENT);
    cupel_expect_untouched(context, out);
    cupel_expect_untouched(context, report);
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("solver.grid.end-not-a-multiple-of-the-step", end_not_a_multiple),
    CUPEL_CASE("solver.grid.steps-refused", steps_refused),
    CUPEL_CASE_REALS("solver.grid.single-point", single_point),
    CUPEL_CASE_REALS("solver.grid.repeated-times", repeated_times),
    CUPEL_CASE_REALS("solver.grid.times-refused", times_refused),
};

const cupel_table solver_grid_table = CUPEL_TABLE(cases);
