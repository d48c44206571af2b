// SPDX-License-Identifier: Apache-2.0
// The four core cases: {float32, float64} x {stored history, final state only} on the hierarchical fixture, by an explicit and an
// implicit method. Each states three things: values (states against an integrator written here), matrices (Jacobians against the
// loops), and the gradient's status. A final-only case whose status is "passed" compares the gradient; a stored history has none,
// and asking for one is refused.
//
// Bounds. With q = h L, L >= ||J||_inf on the way, a step multiplies an error by e^q (explicit) or (1 + q/2)/(1 - q/2)
// (trapezoidal, q < 2) and adds at most `ROUNDINGS` roundings of the largest number in it; a Newton iteration leaves the square of
// its last change times the curvature. So error(N) <= N growth^N (ROUNDINGS gamma + left) max|y|.
#include "core_reference.h"
#include "model.h"
#include "solver.h"

#include <math.h>
#include <string.h>

#define STEPS 12
#define POINTS (STEPS + 1)
#define BATCH 3
#define LENGTH 0.75 // of the run
#define ROUNDINGS (4 * FIXTURE_ROUNDINGS + 8)
#define DERIVATION "N growth^N (roundings gamma + Newton's remainder) max|y|"

static void grid(double *times)
{
    for (int i = 0; i < POINTS; ++i) {
        times[i] = LENGTH * i / STEPS;
    }
}

// One trajectory's rows by the reference.
static void reference_rows(int32_t method, int64_t trajectory, double *rows)
{
    double parameters[FIXTURE_PARAMETERS];
    fixture_state(trajectory, rows);
    fixture_parameters(trajectory, parameters);
    for (int i = 0; i < STEPS; ++i) {
        const double *from = rows + i * FIXTURE_STATES;
        double *to = rows + (i + 1) * FIXTURE_STATES;
        if (method == NC_METHOD_RK4) {
            reference_rk4_step(from, parameters, LENGTH / STEPS, to);
        } else {
            reference_trapezoidal_step(from, parameters, LENGTH / STEPS, to);
        }
    }
}

// The bound for a run of `steps` steps of the reference's rows.
static double state_bound(nc_dtype dtype, int32_t method, int64_t trajectory, const double *rows, int steps)
{
    double parameters[FIXTURE_PARAMETERS], slope = 0.0, largest = 0.0, h = LENGTH / STEPS;
    double tolerance = dtype == NC_F32 ? 0x1p-14 : 0x1p-36; // nc_solver.h: Newton's
    fixture_parameters(trajectory, parameters);
    for (int i = 0; i <= steps; ++i) {
        slope = fmax(slope, reference_jacobian_norm(rows + i * FIXTURE_STATES, parameters));
        largest = fmax(largest, reference_norm(rows + i * FIXTURE_STATES));
    }
    double q = h * slope, growth = method == NC_METHOD_RK4 ? exp(q) : (1.0 + q / 2.0) / (1.0 - q / 2.0);
    // |z - root| <= ||(I - h/2 J)^-1|| h/4 |f''| change^2 with f'' = 2 gain rate stages at most.
    double curvature = 2.0 * parameters[FIXTURE_GAIN] * parameters[FIXTURE_RATE + FIXTURE_GROUPS - 1] * FIXTURE_STAGES;
    double left = method == NC_METHOD_RK4 ? 0.0 : h / 4.0 * curvature * tolerance * tolerance * largest / (1.0 - q / 2.0);
    return (steps + 1) * pow(growth, steps) * (fixture_bound(dtype, ROUNDINGS, largest) / (1.0 - q / 2.0) + left * largest);
}

static void expect_values(cupel_context *context, const fixture *f, int32_t method, int32_t history)
{
    nc_dtype dtype = cupel_dtype(context);
    double times[POINTS], *rows = cupel_alloc(context, POINTS * FIXTURE_STATES * sizeof *rows);
    int64_t kept = history ? POINTS : 1;
    size_t count = (size_t)(BATCH * kept) * FIXTURE_STATES;
    double *expected = cupel_alloc(context, count * sizeof *expected), *bounds = cupel_alloc(context, count * sizeof *bounds);
    const int64_t with_history[] = {BATCH, POINTS, FIXTURE_STATES}, final_only[] = {BATCH, FIXTURE_STATES};
    nc_solver_options options = options_of(method);
    options.history = history;
    grid(times);
    nc_array *out = cupel_output(context, dtype, history ? 3 : 2, history ? with_history : final_only);
    nc_array *report = report_of(context, BATCH);
    cupel_require_ok(context, nc_solver_run(f->model, &options, times, POINTS, fixture_states(context, BATCH),
                                            fixture_parameter_sets(context, BATCH), NULL, out, report));
    for (int64_t i = 0; i < BATCH; ++i) {
        expect_report(context, report, i, NC_REPORT_STATUS, NC_TRAJECTORY_OK);
        expect_report(context, report, i, NC_REPORT_STEP, STEPS);
        reference_rows(method, i, rows);
        for (int64_t k = 0; k < kept; ++k) {
            int64_t row = history ? k : STEPS;
            for (int64_t cell = 0; cell < FIXTURE_STATES; ++cell) {
                int64_t at = (i * kept + k) * FIXTURE_STATES + cell;
                expected[at] = rows[row * FIXTURE_STATES + cell];
                bounds[at] = cell == 0 ? state_bound(dtype, method, i, rows, (int)row) : bounds[at - 1];
            }
        }
    }
    cupel_expect_within_bound(context, out, expected, bounds, count, DERIVATION);
}

// The Jacobian at the start of a trajectory against the loops' exact derivative, column by column.
static void expect_matrices(cupel_context *context, const fixture *f)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[] = {FIXTURE_STATES, FIXTURE_STATES};
    size_t count = FIXTURE_STATES * FIXTURE_STATES;
    double state[FIXTURE_STATES], parameters[FIXTURE_PARAMETERS];
    double *expected = cupel_alloc(context, count * sizeof *expected), *bounds = cupel_alloc(context, count * sizeof *bounds);
    fixture_state(1, state);
    fixture_parameters(1, parameters);
    reference_jacobian(state, parameters, expected, bounds);
    for (size_t i = 0; i < count; ++i) {
        bounds[i] = fixture_bound(dtype, FIXTURE_TANGENT_ROUNDINGS, bounds[i]);
    }
    nc_array *jacobian = cupel_output(context, dtype, 2, shape);
    cupel_require_ok(context, nc_model_jacobian(f->model, NC_FUNCTION_RHS, fixture_scalar(context, 0.0),
                                                fixture_vector(context, state, FIXTURE_STATES),
                                                fixture_vector(context, parameters, FIXTURE_PARAMETERS), jacobian));
    cupel_expect_within_bound(context, jacobian, expected, bounds, count, FIXTURE_DERIVATION);
}

// Gradient of sum seed * state(T) in all states and parameters of one trajectory.
static void expect_gradient(cupel_context *context, const fixture *f)
{
    nc_dtype dtype = cupel_dtype(context);
    enum { DIRECTIONS = FIXTURE_STATES + FIXTURE_PARAMETERS };
    double times[POINTS], seed[FIXTURE_STATES], state[FIXTURE_STATES], parameters[FIXTURE_PARAMETERS];
    double expected[DIRECTIONS], bounds[DIRECTIONS], *rows = cupel_alloc(context, POINTS * FIXTURE_STATES * sizeof *rows);
    nc_solver_options options = options_of(NC_METHOD_RK4);
    grid(times);
    reference_rows(NC_METHOD_RK4, 2, rows);
    fixture_state(2, state);
    fixture_parameters(2, parameters);
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        seed[i] = (double)((5 * i) % 9) / 8.0 - 0.5;
    }
    // The derivative's rounding grows as the state's does, with |seed|_1 and the derivative itself for its scale.
    double scale = 0.0;
    for (int i = 0; i < DIRECTIONS; ++i) {
        expected[i] = reference_rk4_derivative(state, parameters, LENGTH / STEPS, STEPS, i, seed);
        scale = fmax(scale, fabs(expected[i]));
    }
    double largest = 0.0, sum = 0.0;
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        sum += fabs(seed[i]);
    }
    largest = fmax(1.0, reference_norm(state));
    double relative = state_bound(dtype, NC_METHOD_RK4, 2, rows, STEPS) / largest;
    for (int i = 0; i < DIRECTIONS; ++i) {
        bounds[i] = 4.0 * relative * fmax(scale, sum) * largest;
    }
    nc_array *state_gradient = cupel_output_vector(context, dtype, FIXTURE_STATES);
    nc_array *parameter_gradient = cupel_output_vector(context, dtype, FIXTURE_PARAMETERS), *report = report_of(context, 0);
    cupel_require_ok(context,
                     nc_solver_gradient(f->model, &options, times, POINTS, fixture_vector(context, state, FIXTURE_STATES),
                                        fixture_vector(context, parameters, FIXTURE_PARAMETERS),
                                        fixture_vector(context, seed, FIXTURE_STATES), state_gradient, parameter_gradient, report));
    expect_report(context, report, 0, NC_REPORT_STATUS, NC_TRAJECTORY_OK);
    cupel_expect_within_bound(context, state_gradient, expected, bounds, FIXTURE_STATES, DERIVATION);
    cupel_expect_within_bound(context, parameter_gradient, expected + FIXTURE_STATES, bounds + FIXTURE_STATES, FIXTURE_PARAMETERS,
                              DERIVATION);
}

// What each method says of its gradient, and that asking for one where there is none is refused before anything is written. Claims
// the status of rk4, whose gradient a final-only case compares.
static void expect_gradient_status(cupel_context *context, const fixture *f, int32_t history)
{
    nc_dtype dtype = cupel_dtype(context);
    double times[POINTS];
    grid(times);
    nc_array *gradient = cupel_output_vector(context, dtype, FIXTURE_STATES), *report = report_of(context, 0);
    double state[FIXTURE_STATES], parameters[FIXTURE_PARAMETERS];
    fixture_state(0, state);
    fixture_parameters(0, parameters);
    nc_array *y = fixture_vector(context, state, FIXTURE_STATES), *p = fixture_vector(context, parameters, FIXTURE_PARAMETERS);
    nc_array *seed = fixture_vector(context, state, FIXTURE_STATES);
    for (int32_t method = 1; method <= METHODS; ++method) {
        nc_gradient_status status = NC_GRADIENT_NOT_SUPPORTED;
        nc_solver_options options = options_of(method);
        options.history = history;
        const char *expected = history ? "not_requested_stored_history" : method_is_explicit(method) ? "passed" : "not_supported";
        cupel_require_ok(context, nc_solver_gradient_status(&options, &status));
        cupel_expect_text(context, nc_gradient_status_name(status), expected);
        if (method == NC_METHOD_RK4) {
            cupel_claim(context, "gradient", nc_gradient_status_name(status));
        }
        if (status != NC_GRADIENT_PASSED) {
            cupel_expect_status(context, nc_solver_gradient(f->model, &options, times, POINTS, y, p, seed, gradient, NULL, report),
                                NC_UNSUPPORTED);
            cupel_expect_true(context, strstr(nc_last_error(), expected) != NULL);
        }
    }
    cupel_expect_untouched(context, gradient);
    cupel_expect_untouched(context, report);
}

static void core(cupel_context *context, int32_t history)
{
    fixture f = fixture_create(context, 0);
    expect_values(context, &f, NC_METHOD_RK4, history);
    expect_values(context, &f, NC_METHOD_TRAPEZOIDAL, history);
    cupel_claim(context, "values", "passed"); // a case that fails has claimed nothing
    expect_matrices(context, &f);
    cupel_claim(context, "matrices", "passed");
    expect_gradient_status(context, &f, history);
    if (!history) {
        expect_gradient(context, &f);
    }
    fixture_release(context, &f);
}

static void core_history(cupel_context *context)
{
    core(context, 1);
}

static void core_final_only(cupel_context *context)
{
    core(context, 0);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("solver.core.history", core_history),
    CUPEL_CASE_REALS("solver.core.final-only", core_final_only),
};

const cupel_table solver_core_table = CUPEL_TABLE(cases);
