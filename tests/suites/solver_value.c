// SPDX-License-Identifier: Apache-2.0
// Each method's own answer, step for step: on x' = -k x a step multiplies x by the method's stability function at z = -h k, and on
// x' = r x - c x^2 the explicit methods follow their tableaus, written here as fractions.
#include "rk_reference.h"
#include "solver.h"

#include <math.h>

#define STEPS 9
#define H 0.25

// Sum of z^i / i! up to `order`, plus dopri5's z^6/600.
static double taylor(double z, int order, double last)
{
    double term = 1.0, sum = 1.0;
    for (int i = 1; i <= order; ++i) {
        term *= z / i;
        sum += term;
    }
    return sum + last * z * z * z * z * z * z;
}

// ARS(4,4,3) on a purely implicit problem: its diagonally implicit part alone.
static double ark3(double z)
{
    static const double a[5][5] = {{0.0},
                                   {0.0, 1.0 / 2.0},
                                   {0.0, 1.0 / 6.0, 1.0 / 2.0},
                                   {0.0, -1.0 / 2.0, 1.0 / 2.0, 1.0 / 2.0},
                                   {0.0, 3.0 / 2.0, -3.0 / 2.0, 1.0 / 2.0, 1.0 / 2.0}};
    double stage[5];
    for (int i = 0; i < 5; ++i) {
        double sum = 1.0;
        for (int j = 0; j < i; ++j) {
            sum += z * a[i][j] * stage[j];
        }
        stage[i] = sum / (1.0 - z * a[i][i]);
    }
    return stage[4]; // stiffly accurate
}

static double trbdf2(double z)
{
    double g = 2.0 - sqrt(2.0), d = (1.0 - g) / (2.0 - g), middle = (1.0 + g * z / 2.0) / (1.0 - g * z / 2.0);
    double a = 1.0 / (g * (2.0 - g)), b = -(1.0 - g) * (1.0 - g) / (g * (2.0 - g));
    return (a * middle + b) / (1.0 - d * z);
}

static double stability(int32_t method, double z)
{
    double g = 1.0 - 1.0 / sqrt(2.0);
    switch (method) {
    case NC_METHOD_EULER:
        return taylor(z, 1, 0.0);
    case NC_METHOD_HEUN:
        return taylor(z, 2, 0.0);
    case NC_METHOD_RK4:
        return taylor(z, 4, 0.0);
    case NC_METHOD_DOPRI5:
        return taylor(z, 5, 1.0 / 600.0);
    case NC_METHOD_TRAPEZOIDAL:
    case NC_METHOD_IMEX_HEUN_TR:
        return (1.0 + z / 2.0) / (1.0 - z / 2.0);
    case NC_METHOD_ROS2:
    case NC_METHOD_SDIRK2:
        return (1.0 + (1.0 - 2.0 * g) * z) / ((1.0 - g * z) * (1.0 - g * z));
    case NC_METHOD_IMEX_TRBDF2:
        return trbdf2(z);
    case NC_METHOD_IMEX_ARK3:
        return ark3(z);
    default: // implicit Euler, also the first step of bdf2
        return 1.0 / (1.0 - z);
    }
}

// All |values| are at most 1 and fall; a step rounds at most 60 times (dopri5's six stages of two chains), each worth one unit of
// the largest coefficient times the state, at most 12 (dopri5's |a_52|). The reference adds as much in float64.
#define VALUE_ROUNDINGS (60 * 12)
#define DERIVATION "steps * 60 roundings of terms up to 12 times the state"

static double value_bound(nc_dtype dtype, int steps)
{
    return 1.01 * steps * VALUE_ROUNDINGS * ((dtype == NC_F32 ? 0x1p-24 : 0x1p-53) + 0x1p-53);
}

static void stability_functions(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double k = 0.75, start = 1.0;
    double times[STEPS + 1];
    for (int i = 0; i <= STEPS; ++i) {
        times[i] = H * i;
    }
    for (int32_t method = 1; method <= METHODS; ++method) {
        double expected[STEPS + 1], bounds[STEPS + 1], z = -H * k;
        const int64_t shape[] = {STEPS + 1, 1};
        nc_model *model = model_decay(context, method_is_imex(method));
        nc_solver_options options = options_of(method);
        options.history = 1;
        expected[0] = start;
        bounds[0] = value_bound(dtype, 1);
        for (int i = 1; i <= STEPS; ++i) {
            expected[i] = stability(method, z) * expected[i - 1];
            if (method == NC_METHOD_BDF2 && i > 1) { // 3/2 x' - 2 x + 1/2 x_before = z x'
                expected[i] = (2.0 * expected[i - 1] - 0.5 * expected[i - 2]) / (1.5 - z);
            }
            bounds[i] = value_bound(dtype, i);
        }
        nc_array *out = cupel_output(context, dtype, 2, shape), *report = report_of(context, 0);
        cupel_require_ok(context, nc_solver_run(model, &options, times, STEPS + 1, vector_of(context, &start, 1),
                                                vector_of(context, &k, 1), NULL, out, report));
        cupel_expect_within_bound(context, out, expected, bounds, STEPS + 1, DERIVATION);
        cupel_expect_status(context, nc_model_release(model), NC_OK);
    }
}

// Steps of different lengths: bdf2 takes its weights from their ratio. The formula is solved here for the logistic equation, which
// is quadratic in the new state.
static void bdf2_variable_steps(cupel_context *context)
{
    static const double times[] = {0.0, 0.125, 0.375, 0.4375, 1.0};
    enum { POINTS = sizeof times / sizeof times[0] };
    nc_dtype dtype = cupel_dtype(context);
    const double parameters[] = {1.5, 0.75};
    const int64_t shape[] = {POINTS, 1};
    double x[POINTS] = {0.25}, bounds[POINTS];
    for (int i = 0; i < POINTS; ++i) {
        double h = i > 0 ? times[i] - times[i - 1] : 0.0, w = i > 1 ? h / (times[i - 1] - times[i - 2]) : 0.0;
        bounds[i] = 4.0 * value_bound(dtype, i + 1); // growth by at most exp(1.5)
        if (i > 0) {                                 // x = target + s (r x - c x^2)
            double target = ((1.0 + w) * (1.0 + w) * x[i - 1] - (i > 1 ? w * w * x[i - 2] : 0.0)) / (1.0 + 2.0 * w);
            double s = h * (1.0 + w) / (1.0 + 2.0 * w), b = 1.0 - s * parameters[0], a = s * parameters[1];
            x[i] = 2.0 * target / (b + sqrt(b * b + 4.0 * a * target));
        }
    }
    nc_model *model = model_logistic(context, 0);
    nc_solver_options options = options_of(NC_METHOD_BDF2);
    options.history = 1;
    nc_array *out = cupel_output(context, dtype, 2, shape), *report = report_of(context, 0);
    cupel_require_ok(context, nc_solver_run(model, &options, times, POINTS, vector_of(context, x, 1),
                                            vector_of(context, parameters, 2), NULL, out, report));
    cupel_expect_within_bound(context, out, x, bounds, POINTS, DERIVATION);
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

// The explicit methods on the logistic equation: the final state and, through the adjoint, its derivative in x0, r and c.
static void explicit_tableaus(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double parameters[] = {1.5, 0.75}, start = 0.25, seed = 1.0;
    double times[STEPS + 1];
    for (int i = 0; i <= STEPS; ++i) {
        times[i] = H * i + (i % 3) * 0.03125; // steps of different lengths
    }
    nc_model *model = model_logistic(context, 0);
    for (int32_t method = 1; method <= NC_METHOD_DOPRI5; ++method) {
        rk_result expected = rk_logistic(method, times, STEPS, start, parameters);
        nc_solver_options options = options_of(method);
        nc_array *state = vector_of(context, &start, 1), *set = vector_of(context, parameters, 2);
        nc_array *out = cupel_output_vector(context, dtype, 1), *report = report_of(context, 0), *again = report_of(context, 0);
        nc_array *by_state = cupel_output_vector(context, dtype, 1), *by_parameters = cupel_output_vector(context, dtype, 2);
        cupel_require_ok(context, nc_solver_run(model, &options, times, STEPS + 1, state, set, NULL, out, report));
        cupel_require_ok(context, nc_solver_gradient(model, &options, times, STEPS + 1, state, set, vector_of(context, &seed, 1),
                                                     by_state, by_parameters, again));
        // An error grows by at most exp of the integral of |r - 2 c x|, which is below e^3 here; derivatives are at most 4.
        double bounds[2] = {20.0 * value_bound(dtype, STEPS), 4.0 * 20.0 * 4.0 * value_bound(dtype, STEPS)};
        const double both[] = {bounds[1], bounds[1]};
        cupel_expect_within_bound(context, out, &expected.value, bounds, 1, DERIVATION);
        cupel_expect_within_bound(context, by_state, &expected.derivative[0], both, 1, DERIVATION);
        cupel_expect_within_bound(context, by_parameters, &expected.derivative[1], both, 2, DERIVATION);
        cupel_expect_bits(context, again, cupel_download(context, report), NC_REPORT_COLUMNS);
    }
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("solver.value.stability-functions", stability_functions),
    CUPEL_CASE_REALS("solver.value.bdf2-variable-steps", bdf2_variable_steps),
    CUPEL_CASE_REALS("solver.value.explicit-tableaus", explicit_tableaus),
};

const cupel_table solver_value_table = CUPEL_TABLE(cases);
