// SPDX-License-Identifier: Apache-2.0
// Every argument of every function of the solver, wrong once: the named status comes back, nothing is written, and nc_last_error
// names the argument and its value.
#include "core_device.h"

#include <math.h>
#include <stddef.h>

enum { STATES = 2, POINTS = 3, CAPACITY = 8, UNTOUCHED = 77, MOST_BYTES = 8 * 8 };

// A model of one compartment over two nodes, and what a run and a gradient take: arrays that hold poison, of float64.
typedef struct fixture {
    nc_device *device, *second;
    nc_network *network;
    nc_model *model;
    nc_solver_options options;
    nc_step_list steps, old_steps, short_steps, no_times, wrong_times, no_lengths, wrong_lengths;
    nc_array *state, *parameters, *seed;                             // inputs: [2], [1], [2]
    nc_array *out, *report, *list, *lengths;                         // [2], i32 [7], [8], i32 rank 0
    nc_array *state_gradient, *parameters_gradient;                  // [2], [1]
    nc_array *wide, *state32, *integers, *foreign, *list32, *counts; // [3], f32 [2], i64 [2], [2] elsewhere, f32 [8], i64 rank 0
    nc_gradient_status gradient_status;
    uint64_t bytes;
    double made[CAPACITY];
    int64_t count;
} fixture;

static const double times[POINTS] = {0.0, 0.5, 1.0}, falling[POINTS] = {0.0, 1.0, 0.5},
                    endless[POINTS] = {0.0, (double)INFINITY, 1.0};

// A run with other options, or with another list of steps.
static nc_status run_with(fixture *f, const nc_solver_options *options)
{
    return nc_solver_run(f->model, options, times, POINTS, f->state, f->parameters, NULL, f->out, f->report);
}
static nc_status integer_with(fixture *f, size_t offset, int32_t value)
{
    nc_solver_options options = f->options;
    memcpy((unsigned char *)&options + offset, &value, sizeof value);
    return run_with(f, &options);
}
static nc_status real_with(fixture *f, size_t offset, double value)
{
    nc_solver_options options = f->options;
    memcpy((unsigned char *)&options + offset, &value, sizeof value);
    return run_with(f, &options);
}
static nc_status step_limit_with(fixture *f, int64_t value)
{
    nc_solver_options options = f->options;
    options.step_limit = value;
    return run_with(f, &options);
}
static nc_status list_with(fixture *f, nc_stepping stepping, const nc_step_list *steps)
{
    nc_solver_options options = f->options;
    options.method = NC_METHOD_DOPRI5;
    options.stepping = (int32_t)stepping;
    return nc_solver_run(f->model, &options, times, POINTS, f->state, f->parameters, steps, f->out, f->report);
}
static nc_status gradient_with(fixture *f, nc_method method)
{
    nc_solver_options options = f->options;
    options.method = (int32_t)method;
    return nc_solver_gradient(f->model, &options, times, POINTS, f->state, f->parameters, f->seed, f->state_gradient, NULL,
                              f->report);
}

#define M f->model
#define INTEGER(member, value) integer_with(f, offsetof(nc_solver_options, member), value)
#define REAL(member, value) real_with(f, offsetof(nc_solver_options, member), value)

#define GRADIENT(model, options, grid, count, state, parameters, seed, states, cells, report)                                      \
    nc_solver_gradient(model, options, grid, count, state, parameters, seed, states, cells, report)
#define O &f->options
// X(name, call, status, first text, second text): both texts must stand in nc_last_error.
#define CASES(X)                                                                                                                   \
    X(run_model, nc_solver_run(NULL, O, times, POINTS, f->state, f->parameters, NULL, f->out, f->report), NC_NULL_ARGUMENT,        \
      "model", "null")                                                                                                             \
    X(run_options, nc_solver_run(M, NULL, times, POINTS, f->state, f->parameters, NULL, f->out, f->report), NC_NULL_ARGUMENT,      \
      "options", "null")                                                                                                           \
    X(run_times, nc_solver_run(M, O, NULL, POINTS, f->state, f->parameters, NULL, f->out, f->report), NC_NULL_ARGUMENT, "times",   \
      "null")                                                                                                                      \
    X(run_times_fall, nc_solver_run(M, O, falling, POINTS, f->state, f->parameters, NULL, f->out, f->report), NC_INVALID_ARGUMENT, \
      "times[2] is 0.5", "not decrease")                                                                                           \
    X(run_times_endless, nc_solver_run(M, O, endless, POINTS, f->state, f->parameters, NULL, f->out, f->report),                   \
      NC_INVALID_ARGUMENT, "times[1] is inf", "finite")                                                                            \
    X(run_count, nc_solver_run(M, O, times, 0, f->state, f->parameters, NULL, f->out, f->report), NC_INVALID_ARGUMENT,             \
      "count is 0", "at least one")                                                                                                \
    X(run_state, nc_solver_run(M, O, times, POINTS, NULL, f->parameters, NULL, f->out, f->report), NC_NULL_ARGUMENT, "state",      \
      "null")                                                                                                                      \
    X(run_state_dtype, nc_solver_run(M, O, times, POINTS, f->integers, f->parameters, NULL, f->out, f->report), NC_MIXED_DTYPE,    \
      "state is i64", "f32 or f64")                                                                                                \
    X(run_state_shape, nc_solver_run(M, O, times, POINTS, f->wide, f->parameters, NULL, f->out, f->report), NC_SHAPE_MISMATCH,     \
      "state", "extent 3")                                                                                                         \
    X(run_state_device, nc_solver_run(M, O, times, POINTS, f->foreign, f->parameters, NULL, f->out, f->report), NC_WRONG_DEVICE,   \
      "state", "model")                                                                                                            \
    X(run_parameters, nc_solver_run(M, O, times, POINTS, f->state, NULL, NULL, f->out, f->report), NC_NULL_ARGUMENT, "parameters", \
      "null")                                                                                                                      \
    X(run_parameters_shape, nc_solver_run(M, O, times, POINTS, f->state, f->wide, NULL, f->out, f->report), NC_SHAPE_MISMATCH,     \
      "parameters", "extent 3")                                                                                                    \
    X(run_out, nc_solver_run(M, O, times, POINTS, f->state, f->parameters, NULL, NULL, f->report), NC_NULL_ARGUMENT, "out",        \
      "null")                                                                                                                      \
    X(run_out_dtype, nc_solver_run(M, O, times, POINTS, f->state, f->parameters, NULL, f->state32, f->report), NC_MIXED_DTYPE,     \
      "out is f32", "f64")                                                                                                         \
    X(run_out_shape, nc_solver_run(M, O, times, POINTS, f->state, f->parameters, NULL, f->wide, f->report), NC_SHAPE_MISMATCH,     \
      "out", "extent 3")                                                                                                           \
    X(run_out_is_state, nc_solver_run(M, O, times, POINTS, f->state, f->parameters, NULL, f->state, f->report), NC_OVERLAP, "out", \
      "overlaps state")                                                                                                            \
    X(run_report, nc_solver_run(M, O, times, POINTS, f->state, f->parameters, NULL, f->out, NULL), NC_NULL_ARGUMENT, "report",     \
      "null")                                                                                                                      \
    X(run_report_dtype, nc_solver_run(M, O, times, POINTS, f->state, f->parameters, NULL, f->out, f->integers), NC_MIXED_DTYPE,    \
      "report is i64", "i32")                                                                                                      \
    X(options_abi, INTEGER(abi_version, 7), NC_ABI_MISMATCH, "options", "abi_version 7")                                           \
    X(options_size, INTEGER(struct_size, 8), NC_ABI_MISMATCH, "options", "struct_size 8")                                          \
    X(options_method, INTEGER(method, 0), NC_INVALID_ARGUMENT, "options.method is 0", "1 to 13")                                   \
    X(options_method_high, INTEGER(method, 14), NC_INVALID_ARGUMENT, "options.method is 14", "1 to 13")                            \
    X(options_stepping, INTEGER(stepping, 3), NC_INVALID_ARGUMENT, "options.stepping is 3", "0 to 2")                              \
    X(options_stepping_adaptive, INTEGER(stepping, NC_STEPPING_ADAPTIVE), NC_UNSUPPORTED, "options.stepping", "only dopri5")       \
    X(options_history, INTEGER(history, 2), NC_INVALID_ARGUMENT, "options.history is 2", "0 to 1")                                 \
    X(options_allow_negative, INTEGER(allow_negative, -1), NC_INVALID_ARGUMENT, "options.allow_negative is -1", "0 to 1")          \
    X(options_newton_limit, INTEGER(newton_limit, -1), NC_INVALID_ARGUMENT, "options.newton_limit is -1", "0 to")                  \
    X(options_reject_limit, INTEGER(reject_limit, -1), NC_INVALID_ARGUMENT, "options.reject_limit is -1", "0 to")                  \
    X(options_step_limit, step_limit_with(f, -1), NC_INVALID_ARGUMENT, "options.step_limit is -1", "or more")                      \
    X(options_relative, REAL(relative_tolerance, -1.0), NC_INVALID_ARGUMENT, "options.relative_tolerance is -1", "positive")       \
    X(options_absolute, REAL(absolute_tolerance, (double)NAN), NC_INVALID_ARGUMENT, "options.absolute_tolerance is nan",           \
      "positive")                                                                                                                  \
    X(options_first_step, REAL(first_step, (double)INFINITY), NC_INVALID_ARGUMENT, "options.first_step is inf", "positive")        \
    X(options_newton, REAL(newton_tolerance, -0x1p-20), NC_INVALID_ARGUMENT, "options.newton_tolerance is -9.5", "positive")       \
    X(steps_none, list_with(f, NC_STEPPING_REPLAY, NULL), NC_NULL_ARGUMENT, "steps", "null")                                       \
    X(steps_unused, list_with(f, NC_STEPPING_GRID, &f->steps), NC_INVALID_ARGUMENT, "steps", "grid")                               \
    X(steps_abi, list_with(f, NC_STEPPING_REPLAY, &f->old_steps), NC_ABI_MISMATCH, "steps", "abi_version 0")                       \
    X(steps_size, list_with(f, NC_STEPPING_REPLAY, &f->short_steps), NC_ABI_MISMATCH, "steps", "struct_size 8")                    \
    X(steps_times, list_with(f, NC_STEPPING_ADAPTIVE, &f->no_times), NC_NULL_ARGUMENT, "steps.times", "null")                      \
    X(steps_times_dtype, list_with(f, NC_STEPPING_ADAPTIVE, &f->wrong_times), NC_MIXED_DTYPE, "steps.times is f32", "f64")         \
    X(steps_lengths, list_with(f, NC_STEPPING_REPLAY, &f->no_lengths), NC_NULL_ARGUMENT, "steps.lengths", "null")                  \
    X(steps_lengths_dtype, list_with(f, NC_STEPPING_REPLAY, &f->wrong_lengths), NC_MIXED_DTYPE, "steps.lengths is i64", "i32")     \
    X(space_model, nc_solver_workspace(NULL, O, NC_F64, 1, POINTS, &f->bytes), NC_NULL_ARGUMENT, "model", "null")                  \
    X(space_options, nc_solver_workspace(M, NULL, NC_F64, 1, POINTS, &f->bytes), NC_NULL_ARGUMENT, "options", "null")              \
    X(space_dtype, nc_solver_workspace(M, O, NC_I64, 1, POINTS, &f->bytes), NC_MIXED_DTYPE, "dtype is i64", "f32 or f64")          \
    X(space_trajectories, nc_solver_workspace(M, O, NC_F64, -1, POINTS, &f->bytes), NC_INVALID_ARGUMENT, "trajectories is -1",     \
      "at least 0")                                                                                                                \
    X(space_count, nc_solver_workspace(M, O, NC_F64, 1, 0, &f->bytes), NC_INVALID_ARGUMENT, "count 0", "1 are needed")             \
    X(space_bytes, nc_solver_workspace(M, O, NC_F64, 1, POINTS, NULL), NC_NULL_ARGUMENT, "bytes", "null")                          \
    X(status_options, nc_solver_gradient_status(NULL, &f->gradient_status), NC_NULL_ARGUMENT, "options", "null")                   \
    X(status_status, nc_solver_gradient_status(O, NULL), NC_NULL_ARGUMENT, "status", "null")                                       \
    X(gradient_model, GRADIENT(NULL, O, times, POINTS, f->state, f->parameters, f->seed, f->state_gradient, NULL, f->report),      \
      NC_NULL_ARGUMENT, "model", "null")                                                                                           \
    X(gradient_options, GRADIENT(M, NULL, times, POINTS, f->state, f->parameters, f->seed, f->state_gradient, NULL, f->report),    \
      NC_NULL_ARGUMENT, "options", "null")                                                                                         \
    X(gradient_method, gradient_with(f, NC_METHOD_BDF2), NC_UNSUPPORTED, "method bdf2", "not_supported")                           \
    X(gradient_times, GRADIENT(M, O, falling, POINTS, f->state, f->parameters, f->seed, f->state_gradient, NULL, f->report),       \
      NC_INVALID_ARGUMENT, "times[2]", "not decrease")                                                                             \
    X(gradient_count, GRADIENT(M, O, times, -1, f->state, f->parameters, f->seed, f->state_gradient, NULL, f->report),             \
      NC_INVALID_ARGUMENT, "count is -1", "at least one")                                                                          \
    X(gradient_state, GRADIENT(M, O, times, POINTS, NULL, f->parameters, f->seed, f->state_gradient, NULL, f->report),             \
      NC_NULL_ARGUMENT, "state", "null")                                                                                           \
    X(gradient_parameters, GRADIENT(M, O, times, POINTS, f->state, NULL, f->seed, f->state_gradient, NULL, f->report),             \
      NC_NULL_ARGUMENT, "parameters", "null")                                                                                      \
    X(gradient_seed, GRADIENT(M, O, times, POINTS, f->state, f->parameters, NULL, f->state_gradient, NULL, f->report),             \
      NC_NULL_ARGUMENT, "seed", "null")                                                                                            \
    X(gradient_seed_shape, GRADIENT(M, O, times, POINTS, f->state, f->parameters, f->wide, f->state_gradient, NULL, f->report),    \
      NC_SHAPE_MISMATCH, "seed", "extent 3")                                                                                       \
    X(gradient_none, GRADIENT(M, O, times, POINTS, f->state, f->parameters, f->seed, NULL, NULL, f->report), NC_NULL_ARGUMENT,     \
      "state_gradient", "both null")                                                                                               \
    X(gradient_state_gradient, GRADIENT(M, O, times, POINTS, f->state, f->parameters, f->seed, f->wide, NULL, f->report),          \
      NC_SHAPE_MISMATCH, "state_gradient", "extent 3")                                                                             \
    X(gradient_is_seed, GRADIENT(M, O, times, POINTS, f->state, f->parameters, f->seed, f->seed, NULL, f->report), NC_OVERLAP,     \
      "state_gradient", "seed")                                                                                                    \
    X(gradient_parameters_gradient, GRADIENT(M, O, times, POINTS, f->state, f->parameters, f->seed, NULL, f->wide, f->report),     \
      NC_SHAPE_MISMATCH, "parameters_gradient", "extent 3")                                                                        \
    X(gradient_report, GRADIENT(M, O, times, POINTS, f->state, f->parameters, f->seed, f->state_gradient, NULL, NULL),             \
      NC_NULL_ARGUMENT, "report", "null")                                                                                          \
    X(grid_t0, nc_time_grid((double)NAN, 1.0, 0.5, f->made, CAPACITY, &f->count), NC_INVALID_ARGUMENT, "t0 is nan", "finite")      \
    X(grid_t1, nc_time_grid(0.0, -1.0, 0.5, f->made, CAPACITY, &f->count), NC_INVALID_ARGUMENT, "t1 is -1", "at least t0")         \
    X(grid_step, nc_time_grid(0.0, 1.0, 0.0, f->made, CAPACITY, &f->count), NC_INVALID_ARGUMENT, "step is 0", "positive")          \
    X(grid_step_tiny, nc_time_grid(0.0, 1.0, 0x1p-60, f->made, CAPACITY, &f->count), NC_OUT_OF_RANGE, "step", "2^40")              \
    X(grid_capacity, nc_time_grid(0.0, 1.0, 0.125, f->made, CAPACITY, &f->count), NC_OUT_OF_RANGE, "capacity is 8", "9 points")    \
    X(grid_count, nc_time_grid(0.0, 1.0, 0.5, f->made, CAPACITY, NULL), NC_NULL_ARGUMENT, "count", "null")

#include "argument_rows.h"

// Every array of the fixture once: A(member, dtype, rank, extent, columns, device).
#define FORMS(A)                                                                                                                   \
    A(state, NC_F64, 1, STATES, 1, device)                                                                                         \
    A(parameters, NC_F64, 1, 1, 1, device)                                                                                         \
    A(seed, NC_F64, 1, STATES, 1, device)                                                                                          \
    A(out, NC_F64, 1, STATES, 1, device)                                                                                           \
    A(report, NC_I32, 1, NC_REPORT_COLUMNS, 1, device)                                                                             \
    A(list, NC_F64, 1, CAPACITY, 1, device)                                                                                        \
    A(lengths, NC_I32, 0, 1, 1, device)                                                                                            \
    A(state_gradient, NC_F64, 1, STATES, 1, device)                                                                                \
    A(parameters_gradient, NC_F64, 1, 1, 1, device)                                                                                \
    A(wide, NC_F64, 1, STATES + 1, 1, device)                                                                                      \
    A(state32, NC_F32, 1, STATES, 1, device)                                                                                       \
    A(integers, NC_I64, 1, STATES, 1, device)                                                                                      \
    A(foreign, NC_F64, 1, STATES, 1, second)                                                                                       \
    A(list32, NC_F32, 1, CAPACITY, 1, device)                                                                                      \
    A(counts, NC_I64, 0, 1, 1, device)

#include "argument_arrays.h"

static void model_open(fixture *f)
{
    nc_flow flow;
    int32_t nodes, x, k, number;
    assert_int_equal(nc_network_create(&f->network), NC_OK);
    assert_int_equal(nc_network_add_axis(f->network, "nodes", STATES, NULL, &nodes), NC_OK);
    assert_int_equal(nc_network_add_compartment(f->network, "x", 1, &nodes, &x), NC_OK);
    assert_int_equal(nc_network_add_parameter(f->network, "k", 0, NULL, &k), NC_OK);
    NC_STRUCT_INIT(&flow);
    flow.name = "out";
    flow.law = NC_LAW_LINEAR;
    flow.source = x;
    flow.rate = k;
    flow.reactant_count = 1;
    flow.reactants[0] = x;
    assert_int_equal(nc_network_add_flow(f->network, &flow, &number), NC_OK);
    assert_int_equal(nc_model_compile(f->device, f->network, &f->model), NC_OK);
}

static nc_step_list list_of(nc_array *list, const nc_array *lengths)
{
    nc_step_list made;
    NC_STRUCT_INIT(&made);
    made.times = list;
    made.lengths = lengths;
    return made;
}

static void fixture_open(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->device = open_cpu();
    f->second = open_cpu();
    model_open(f);
    arrays_make(f);
    NC_STRUCT_INIT(&f->options);
    f->options.method = NC_METHOD_RK4;
    f->steps = f->old_steps = f->short_steps = list_of(f->list, f->lengths);
    f->old_steps.abi_version = 0;
    f->short_steps.struct_size = 8;
    f->no_times = list_of(NULL, f->lengths);
    f->wrong_times = list_of(f->list32, f->lengths);
    f->no_lengths = list_of(f->list, NULL);
    f->wrong_lengths = list_of(f->list, f->counts);
    f->gradient_status = (nc_gradient_status)UNTOUCHED;
    f->bytes = UNTOUCHED;
    f->count = UNTOUCHED;
}

static void assert_untouched(fixture *f, const char *name)
{
    assert_arrays_untouched(f, name);
    assert_true((int)f->gradient_status == UNTOUCHED && f->bytes == UNTOUCHED && f->count == UNTOUCHED);
    for (size_t i = 0; i < CAPACITY; ++i) {
        assert_true(f->made[i] == 0.0);
    }
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
    assert_int_equal(run_with(&f, &f.options), NC_OK);
    assert_int_equal(list_with(&f, NC_STEPPING_ADAPTIVE, &f.steps), NC_OK);
    assert_int_equal(gradient_with(&f, NC_METHOD_RK4), NC_OK);
    assert_int_equal(nc_solver_gradient_status(&f.options, &f.gradient_status), NC_OK);
    assert_int_equal(nc_solver_workspace(f.model, &f.options, NC_F64, 1, POINTS, &f.bytes), NC_OK);
    assert_int_equal(nc_time_grid(0.0, 1.0, 0.5, f.made, CAPACITY, &f.count), NC_OK);
    arrays_release(&f);
    assert_int_equal(nc_model_release(f.model), NC_OK);
    assert_int_equal(nc_network_release(f.network), NC_OK);
    close_device(f.device);
    close_device(f.second);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_wrong_argument_is_refused_by_name),
};

UNIT_MAIN(tests)
