// SPDX-License-Identifier: Apache-2.0
// dopri5 with adaptive steps: where they end, that a recorded list replays bit for bit, and the list's own statuses.
#include "solver.h"

#include <math.h>
#include <string.h>

#define BATCH 45
#define POINTS 4
#define CAPACITY 64

static const double grid[POINTS] = {0.0, 0.5, 1.25, 3.0};

// Trajectories whose growth rates differ by a factor of forty take very different steps.
static nc_array *parameter_sets(cupel_context *context)
{
    const int64_t shape[] = {BATCH, 2};
    double sets[2 * BATCH];
    for (int i = 0; i < BATCH; ++i) {
        sets[2 * i] = 0.5 + 0.4375 * i;
        sets[2 * i + 1] = 0.25 + i / 64.0;
    }
    return cupel_input(context, cupel_dtype(context), 2, shape, cupel_reals(context, cupel_dtype(context), sets, 2 * BATCH));
}

static nc_array *states(cupel_context *context)
{
    const int64_t shape[] = {BATCH, 1};
    double start[BATCH];
    for (int i = 0; i < BATCH; ++i) {
        start[i] = 0.0625 + i / 128.0;
    }
    return cupel_input(context, cupel_dtype(context), 2, shape, cupel_reals(context, cupel_dtype(context), start, BATCH));
}

typedef struct recording {
    nc_array *out, *report, *times;
} recording;

static nc_solver_options adaptive_options(void)
{
    nc_solver_options options = options_of(NC_METHOD_DOPRI5);
    options.stepping = NC_STEPPING_ADAPTIVE;
    options.history = 1;
    options.first_step = 0.5; // rejected where growth is fast
    return options;
}

static recording record(cupel_context *context, nc_model *model, int64_t capacity)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t rows[] = {BATCH, POINTS, 1}, list[] = {BATCH, capacity};
    double *blank = cupel_alloc(context, (size_t)(BATCH * capacity) * sizeof *blank);
    nc_solver_options options = adaptive_options();
    nc_step_list steps;
    recording r = {.out = cupel_output(context, dtype, 3, rows), .report = report_of(context, BATCH)};
    r.times = cupel_update(context, dtype, 2, list, cupel_reals(context, dtype, blank, (size_t)(BATCH * capacity)));
    NC_STRUCT_INIT(&steps);
    steps.times = r.times;
    cupel_require_ok(
        context, nc_solver_run(model, &options, grid, POINTS, states(context), parameter_sets(context), &steps, r.out, r.report));
    return r;
}

// The list begins at the first time, ends at the last, increases strictly and passes every grid point.
static void expect_list(cupel_context *context, const recording *r)
{
    nc_dtype dtype = cupel_dtype(context);
    const void *times = cupel_download(context, r->times);
    const int32_t *report = cupel_download(context, r->report);
    int32_t rejected = 0, fewest = CAPACITY, most = 0;
    for (size_t i = 0; i < BATCH; ++i) {
        const int32_t *row = report + i * NC_REPORT_COLUMNS;
        int32_t length = row[NC_REPORT_RECORDED];
        size_t passed = 0;
        cupel_expect_u64(context, (uint64_t)row[NC_REPORT_STATUS], NC_TRAJECTORY_OK);
        cupel_expect_u64(context, (uint64_t)length, (uint64_t)row[NC_REPORT_ACCEPTED] + 1);
        for (int32_t k = 0; k < length; ++k) {
            double time = cupel_get_real(dtype, times, i * CAPACITY + (size_t)k);
            cupel_expect_true(context, k == 0 || time > cupel_get_real(dtype, times, i * CAPACITY + (size_t)k - 1));
            passed += passed < POINTS && time == grid[passed];
        }
        cupel_expect_u64(context, passed, POINTS);
        rejected += row[NC_REPORT_REJECTED];
        fewest = length < fewest ? length : fewest;
        most = length > most ? length : most;
    }
    cupel_expect_true(context, rejected > 0);      // or the case would not show that a rejected step leaves no trace
    cupel_expect_true(context, fewest + 5 < most); // or lanes would have gone in step
}

static nc_array *lengths_of(cupel_context *context, const recording *r)
{
    const int32_t *report = cupel_download(context, r->report);
    int32_t lengths[BATCH];
    for (size_t i = 0; i < BATCH; ++i) {
        lengths[i] = report[i * NC_REPORT_COLUMNS + NC_REPORT_RECORDED];
    }
    return cupel_input_vector(context, NC_I32, BATCH, lengths);
}

static nc_array *replay(cupel_context *context, nc_model *model, nc_array *times, const nc_array *lengths, nc_array *report)
{
    const int64_t rows[] = {BATCH, POINTS, 1};
    nc_solver_options options = adaptive_options();
    nc_step_list steps;
    nc_array *out = cupel_output(context, cupel_dtype(context), 3, rows);
    options.stepping = NC_STEPPING_REPLAY;
    NC_STRUCT_INIT(&steps);
    steps.times = times;
    steps.lengths = lengths;
    cupel_require_ok(context,
                     nc_solver_run(model, &options, grid, POINTS, states(context), parameter_sets(context), &steps, out, report));
    return out;
}

static void replays_bit_for_bit(cupel_context *context)
{
    nc_model *model = model_logistic(context, 0);
    recording r = record(context, model, CAPACITY);
    expect_list(context, &r);
    nc_array *report = report_of(context, BATCH);
    nc_array *again = replay(context, model, r.times, lengths_of(context, &r), report);
    cupel_expect_bits(context, again, cupel_download(context, r.out), BATCH * POINTS);
    for (int64_t i = 0; i < BATCH; ++i) {
        expect_report(context, report, i, NC_REPORT_STATUS, NC_TRAJECTORY_OK);
        expect_report(context, report, i, NC_REPORT_REJECTED, 0);
    }
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

// One trajectory's list as a grid of its own gives its states too: a replay is a run on the grid of its steps.
static void list_is_a_grid(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    size_t size = nc_dtype_size(dtype);
    nc_model *model = model_logistic(context, 0);
    recording r = record(context, model, CAPACITY);
    const void *times = cupel_download(context, r.times), *rows = cupel_download(context, r.out);
    const int32_t *report = cupel_download(context, r.report);
    const unsigned char *sets = cupel_download(context, parameter_sets(context)), *start = cupel_download(context, states(context));
    nc_solver_options options = options_of(NC_METHOD_DOPRI5);
    for (size_t i = 0; i < BATCH; i += 11) {
        double steps[CAPACITY];
        int32_t length = report[i * NC_REPORT_COLUMNS + NC_REPORT_RECORDED];
        for (int32_t k = 0; k < length; ++k) {
            steps[k] = cupel_get_real(dtype, times, i * CAPACITY + (size_t)k);
        }
        nc_array *out = cupel_output_vector(context, dtype, 1), *single = report_of(context, 0);
        cupel_require_ok(context,
                         nc_solver_run(model, &options, steps, length, cupel_input_vector(context, dtype, 1, start + i * size),
                                       cupel_input_vector(context, dtype, 2, sets + 2 * i * size), NULL, out, single));
        cupel_expect_bits(context, out, (const unsigned char *)rows + (i * POINTS + POINTS - 1) * size, 1);
    }
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

// A list with too little room stops each trajectory that needs more, after the steps that fitted.
static void full_list(cupel_context *context)
{
    enum { ROOM = 6 };
    nc_model *model = model_logistic(context, 0);
    recording whole = record(context, model, CAPACITY), cut = record(context, model, ROOM);
    const int32_t *needed = cupel_download(context, whole.report);
    int32_t full = 0;
    for (int64_t i = 0; i < BATCH; ++i) {
        int fits = needed[i * NC_REPORT_COLUMNS + NC_REPORT_RECORDED] <= ROOM;
        full += !fits;
        expect_report(context, cut.report, i, NC_REPORT_STATUS, fits ? NC_TRAJECTORY_OK : NC_TRAJECTORY_STEP_LIST_FULL);
        if (!fits) {
            expect_report(context, cut.report, i, NC_REPORT_RECORDED, ROOM);
        }
    }
    cupel_expect_true(context, full > 0);
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

// Lists that do not lead through the grid.
static void invalid_lists(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    static const struct {
        double times[5];
        int32_t length;
    } lists[] = {{{0.0, 0.5, 1.25, 3.0, 0.0}, 3},   // ends early
                 {{0.0, 0.75, 1.25, 3.0, 0.0}, 4},  // steps over 0.5
                 {{0.125, 0.5, 1.25, 3.0, 0.0}, 4}, // starts elsewhere
                 {{0.0, 0.5, 0.25, 1.25, 3.0}, 5},  // goes back
                 {{0.0, 0.5, 1.25, 3.0, 0.0}, 0},   // empty
                 {{0.0, 0.5, 1.25, 3.0, 0.0}, 6},   // longer than its room
                 {{0.0, 0.5, 1.25, 3.0, 0.0}, -1}};
    const double parameters[] = {0.5, 0.25}, start = 0.5;
    nc_model *model = model_logistic(context, 0);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        nc_solver_options options = options_of(NC_METHOD_RK4);
        nc_step_list steps;
        options.stepping = NC_STEPPING_REPLAY;
        NC_STRUCT_INIT(&steps);
        steps.times = cupel_update(context, dtype, 1, (const int64_t[]){5}, cupel_reals(context, dtype, lists[i].times, 5));
        steps.lengths = cupel_input(context, NC_I32, 0, NULL, &lists[i].length);
        nc_array *out = cupel_output_vector(context, dtype, 1), *report = report_of(context, 0);
        cupel_require_ok(context, nc_solver_run(model, &options, grid, POINTS, vector_of(context, &start, 1),
                                                vector_of(context, parameters, 2), &steps, out, report));
        expect_report(context, report, 0, NC_REPORT_STATUS, NC_TRAJECTORY_STEP_LIST_INVALID);
    }
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

// A thousand times tighter tolerances divide the largest error by a hundred at least. (A fifth-order method's error falls with the
// tolerance itself; the margin leaves room for steps that end on the grid.)
static void tolerance_governs_error(cupel_context *context)
{
    const double start = 0.0625, parameters[] = {4.0, 1.0}, t1 = 3.0, times[] = {0.0, 3.0};
    double solution = parameters[0] / (parameters[1] + (parameters[0] / start - parameters[1]) * exp(-parameters[0] * t1));
    double errors[3];
    nc_model *model = model_logistic(context, 0);
    for (int i = 0; i < 3; ++i) {
        nc_solver_options options = options_of(NC_METHOD_DOPRI5);
        options.stepping = NC_STEPPING_ADAPTIVE;
        options.relative_tolerance = options.absolute_tolerance = i == 0 ? 1e-4 : i == 1 ? 1e-7 : 1e-10;
        nc_array *out = cupel_output_vector(context, NC_F64, 1), *report = report_of(context, 0);
        cupel_require_ok(context, nc_solver_run(model, &options, times, 2, vector_of(context, &start, 1),
                                                vector_of(context, parameters, 2), NULL, out, report));
        errors[i] = fabs(*(const double *)cupel_download(context, out) - solution);
        expect_report(context, report, 0, NC_REPORT_STATUS, NC_TRAJECTORY_OK);
    }
    cupel_expect_true(context, errors[0] > 0.0 && errors[1] <= errors[0] / 100.0 && errors[2] <= errors[1] / 100.0);
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("solver.adaptive.replays-bit-for-bit", replays_bit_for_bit),
    CUPEL_CASE_REALS("solver.adaptive.list-is-a-grid", list_is_a_grid),
    CUPEL_CASE_REALS("solver.adaptive.full-list", full_list),
    CUPEL_CASE_REALS("solver.adaptive.invalid-lists", invalid_lists),
    {"solver.adaptive.tolerance-governs-error.f64", tolerance_governs_error, NC_F64, NULL},
};

const cupel_table solver_adaptive_table = CUPEL_TABLE(cases);
