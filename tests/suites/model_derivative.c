// SPDX-License-Identifier: Apache-2.0
// Derivatives of right-hand sides and observables in state, parameters and time.
#include "model.h"

#include <math.h>
#include <string.h>

// Constant forcing does not depend on the state: its Jacobian and its products are zero, every entry.
static void constant_forcing_has_zero_jacobian(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double steady[] = {0.1, -0.3, 7.0}, state[] = {1.0, 2.0, 3.0}, tangent[] = {5.0, -7.0, 11.0};
    const int64_t square[] = {3, 3};
    sketch s = sketch_begin(context);
    int32_t axis = sketch_axis(s, "cell", 3, NULL), x = sketch_compartment(s, "x", 1, &axis), time = NC_NONE;
    cupel_require_ok(context, nc_network_add_time(s.network, "time", &time));
    (void)sketch_add(s, sketch_flow("steady", NC_LAW_CONSTANT, NC_NONE, x, sketch_constant(s, "c", 1, &axis, steady, 3), NC_NONE));
    (void)sketch_add(s, sketch_flow("ramp", NC_LAW_CONSTANT, NC_NONE, x, time, NC_NONE));
    nc_model *model = sketch_compile(s);
    nc_array *t = fixture_scalar(context, 2.5), *y = fixture_vector(context, state, 3), *v = fixture_vector(context, tangent, 3);
    nc_array *jacobian = cupel_output(context, dtype, 2, square), *product = cupel_output_vector(context, dtype, 3);
    nc_array *gradient = cupel_output_vector(context, dtype, 3), *by_time = cupel_output(context, dtype, 0, NULL);
    cupel_require_ok(context, nc_model_jacobian(model, NC_FUNCTION_RHS, t, y, NULL, jacobian));
    cupel_require_ok(context, nc_model_jvp(model, NC_FUNCTION_RHS, t, y, NULL, NULL, v, NULL, product));
    cupel_require_ok(context, nc_model_vjp(model, NC_FUNCTION_RHS, t, y, NULL, v, by_time, gradient, NULL));
    const nc_array *zeros[] = {jacobian, product, gradient};
    for (size_t i = 0; i < 3; ++i) {
        const void *values = cupel_download(context, zeros[i]);
        for (size_t k = 0; k < (i == 0 ? 9 : 3); ++k) {
            cupel_expect_true(context, cupel_get_real(dtype, values, k) == 0.0);
        }
    }
    const double expected = 5.0 - 7.0 + 11.0; // the ramp alone depends on time, with slope 1
    cupel_expect_bits(context, by_time, cupel_reals(context, dtype, &expected, 1), 1);
    sketch_release(context, model);
}

// The totals are conserved, so the plain sum of the rates has gradient zero (to rounding); the sum of their squares has not, and
// its gradient is 2 J' f.
static void squared_objective(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    double state[FIXTURE_STATES], parameters[FIXTURE_PARAMETERS], rates[FIXTURE_STATES], magnitude[FIXTURE_STATES];
    double ones[FIXTURE_STATES], twice[FIXTURE_STATES], largest = 0.0;
    fixture_state(5, state);
    fixture_parameters(5, parameters);
    fixture_rhs(1, state, parameters, rates, magnitude);
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        ones[i] = 1.0;
        twice[i] = 2.0 * rates[i];
    }
    fixture f = fixture_create(context, 1);
    nc_array *t = fixture_scalar(context, 0.0), *y = fixture_vector(context, state, FIXTURE_STATES);
    nc_array *p = fixture_vector(context, parameters, FIXTURE_PARAMETERS),
             *plain = cupel_output_vector(context, dtype, FIXTURE_STATES);
    nc_array *squared = cupel_output_vector(context, dtype, FIXTURE_STATES);
    cupel_require_ok(
        context, nc_model_vjp(f.model, NC_FUNCTION_RHS, t, y, p, fixture_vector(context, ones, FIXTURE_STATES), NULL, plain, NULL));
    cupel_require_ok(context, nc_model_vjp(f.model, NC_FUNCTION_RHS, t, y, p, fixture_vector(context, twice, FIXTURE_STATES), NULL,
                                           squared, NULL));
    double expected[FIXTURE_STATES], bounds[FIXTURE_STATES], sums[FIXTURE_STATES], still[FIXTURE_PARAMETERS] = {0.0};
    for (int j = 0; j < FIXTURE_STATES; ++j) {
        double unit[FIXTURE_STATES] = {0.0}, column[FIXTURE_STATES], terms[FIXTURE_STATES], absolute = 0.0;
        unit[j] = 1.0;
        fixture_tangent(1, state, parameters, unit, still, column, terms);
        expected[j] = sums[j] = 0.0;
        for (int i = 0; i < FIXTURE_STATES; ++i) {
            expected[j] += twice[i] * column[i];
            absolute += fabs(twice[i]) * terms[i];
            sums[j] += terms[i];
        }
        bounds[j] = fixture_bound(dtype, FIXTURE_TANGENT_ROUNDINGS + FIXTURE_STATES, absolute);
        largest = fmax(largest, fabs(expected[j]));
    }
    cupel_expect_within_bound(context, squared, expected, bounds, FIXTURE_STATES, FIXTURE_DERIVATION);
    cupel_expect_true(context, largest > 0.1);
    const void *zero = cupel_download(context, plain);
    for (size_t j = 0; j < FIXTURE_STATES; ++j) {
        double bound = fixture_bound(dtype, FIXTURE_TANGENT_ROUNDINGS + FIXTURE_STATES, sums[j]);
        cupel_expect_true(context, fabs(cupel_get_real(dtype, zero, j)) <= bound);
    }
    fixture_release(context, &f);
}

// A local rate of group 2 moves group 2 alone: every other cell's derivative in it is exactly 0. The global gain moves all groups.
static void local_parameter_moves_its_group(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    double state[FIXTURE_STATES], parameters[FIXTURE_PARAMETERS], moved[FIXTURE_PARAMETERS], tangent[FIXTURE_PARAMETERS] = {0.0};
    fixture_state(1, state);
    fixture_parameters(1, parameters);
    memcpy(moved, parameters, sizeof moved);
    moved[FIXTURE_RATE + 2] += 0.125;
    tangent[FIXTURE_RATE + 2] = 1.0;
    fixture f = fixture_create(context, 0);
    nc_array *t = fixture_scalar(context, 0.0), *y = fixture_vector(context, state, FIXTURE_STATES);
    nc_array *before = cupel_output_vector(context, dtype, FIXTURE_STATES),
             *after = cupel_output_vector(context, dtype, FIXTURE_STATES);
    nc_array *product = cupel_output_vector(context, dtype, FIXTURE_STATES);
    nc_array *p = fixture_vector(context, parameters, FIXTURE_PARAMETERS);
    cupel_require_ok(context, nc_model_rhs(f.model, t, y, p, before));
    cupel_require_ok(context, nc_model_rhs(f.model, t, y, fixture_vector(context, moved, FIXTURE_PARAMETERS), after));
    cupel_require_ok(context, nc_model_jvp(f.model, NC_FUNCTION_RHS, t, y, p, NULL, NULL,
                                           fixture_vector(context, tangent, FIXTURE_PARAMETERS), product));
    const void *values[] = {cupel_download(context, before), cupel_download(context, after), cupel_download(context, product)};
    for (size_t i = 0; i < FIXTURE_STATES; ++i) {
        int changes = (int)(i / FIXTURE_STAGES % FIXTURE_GROUPS) == 2; // A, B and C all: F1 and F3 have r
        double difference = cupel_get_real(dtype, values[1], i) - cupel_get_real(dtype, values[0], i);
        cupel_expect_true(context, (difference != 0.0) == changes);
        cupel_expect_true(context, (cupel_get_real(dtype, values[2], i) != 0.0) == changes);
    }
    fixture_release(context, &f);
}

// Observables: values against loops, products with tangents against the loops' derivative (they are linear in the state), and the
// identity <w, J v> = <J' w, v>. The Jacobian's rows are the products with unit vectors.
static void observables(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    enum { N = FIXTURE_OBSERVABLES };
    double state[FIXTURE_STATES], parameters[FIXTURE_PARAMETERS], tangent[FIXTURE_STATES], expected[N], along[N], terms[N];
    double bounds[N], tangent_bounds[N];
    const double weights[N] = {1.0, -0.5, 0.25, 2.0, -1.0};
    const int64_t shape[] = {N, FIXTURE_STATES};
    fixture_state(2, state);
    fixture_parameters(2, parameters);
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        tangent[i] = (double)(i % 7) - 2.5;
    }
    fixture_observables(state, expected, terms);
    for (int i = 0; i < N; ++i) {
        bounds[i] = fixture_bound(dtype, FIXTURE_STATES, terms[i]);
    }
    fixture_observables(tangent, along, terms);
    for (int i = 0; i < N; ++i) {
        tangent_bounds[i] = fixture_bound(dtype, FIXTURE_STATES, terms[i]);
    }
    fixture f = fixture_create(context, 1);
    nc_array *t = fixture_scalar(context, 0.0), *y = fixture_vector(context, state, FIXTURE_STATES);
    nc_array *p = fixture_vector(context, parameters, FIXTURE_PARAMETERS), *out = cupel_output_vector(context, dtype, N);
    nc_array *product = cupel_output_vector(context, dtype, N), *gradient = cupel_output_vector(context, dtype, FIXTURE_STATES);
    nc_array *jacobian = cupel_output(context, dtype, 2, shape);
    cupel_require_ok(context, nc_model_observables(f.model, t, y, p, out));
    cupel_require_ok(context, nc_model_jvp(f.model, NC_FUNCTION_OBSERVABLES, t, y, p, NULL,
                                           fixture_vector(context, tangent, FIXTURE_STATES), NULL, product));
    cupel_require_ok(context, nc_model_vjp(f.model, NC_FUNCTION_OBSERVABLES, t, y, p, fixture_vector(context, weights, N), NULL,
                                           gradient, NULL));
    cupel_require_ok(context, nc_model_jacobian(f.model, NC_FUNCTION_OBSERVABLES, t, y, p, jacobian));
    cupel_expect_within_bound(context, out, expected, bounds, N, FIXTURE_DERIVATION);
    cupel_expect_within_bound(context, product, along, tangent_bounds, N, FIXTURE_DERIVATION);
    // Everything here is a sum of cells: the Jacobian is of zeros and ones, and the gradient of weights, exactly.
    double rows[N * FIXTURE_STATES], sums[FIXTURE_STATES];
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        int in_b = i >= FIXTURE_CELLS && i < 2 * FIXTURE_CELLS, group = i / FIXTURE_STAGES % FIXTURE_GROUPS;
        for (int k = 0; k < N; ++k) {
            rows[k * FIXTURE_STATES + i] = k == FIXTURE_GROUPS || (in_b && group == k) ? 1.0 : 0.0;
        }
        sums[i] = weights[FIXTURE_GROUPS] + (in_b ? weights[group] : 0.0);
    }
    cupel_expect_bits(context, jacobian, cupel_reals(context, dtype, rows, N * FIXTURE_STATES), N * FIXTURE_STATES);
    cupel_expect_bits(context, gradient, cupel_reals(context, dtype, sums, FIXTURE_STATES), FIXTURE_STATES);
    fixture_release(context, &f);
}

// An observable that is a compartment itself has the identity for its Jacobian.
static void state_as_observable(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double state[] = {3.0, -4.0}, identity[] = {1.0, 0.0, 0.0, 1.0};
    const int64_t square[] = {2, 2};
    sketch s = sketch_begin(context);
    int32_t axis = sketch_axis(s, "cell", 2, NULL), x = sketch_compartment(s, "x", 1, &axis);
    cupel_require_ok(context, nc_network_add_observable(s.network, x));
    nc_model *model = sketch_compile(s);
    nc_array *jacobian = cupel_output(context, dtype, 2, square), *out = cupel_output_vector(context, dtype, 2);
    nc_array *t = fixture_scalar(context, 0.0), *y = fixture_vector(context, state, 2);
    cupel_require_ok(context, nc_model_jacobian(model, NC_FUNCTION_OBSERVABLES, t, y, NULL, jacobian));
    cupel_expect_bits(context, jacobian, cupel_reals(context, dtype, identity, 4), 4);
    cupel_require_ok(context, nc_model_observables(model, t, y, NULL, out));
    cupel_expect_bits(context, out, cupel_reals(context, dtype, state, 2), 2);
    sketch_release(context, model);
}

// Every law's derivative on numbers that make it exact: rate S^2 E / (h + S) * f(t) / N with S = 6, E = 3, h = 2, N = 4, rate 0.5.
static void each_law_exactly(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double state[] = {6.0, 3.0}, parameters[] = {0.5, 2.0, 4.0}, times[] = {0.0, 4.0}, levels[] = {1.0, 3.0};
    // flux 1 = rate S^2 E f / N = 27 at f(2) = 2; flux 2 = rate S / (h + S) = 0.375
    const double by_state[] = {9.0 + 0.5 * 2.0 / 64.0, 9.0}, by_parameters[] = {54.0 + 0.75, -0.5 * 6.0 / 64.0, -6.75},
                 by_time = 6.75;
    const double weight[] = {0.0, 1.0};
    sketch s = sketch_begin(context);
    int32_t from = sketch_compartment(s, "S", 0, NULL), enzyme = sketch_compartment(s, "E", 0, NULL), season = NC_NONE;
    int32_t k = sketch_parameter(s, "k", 0, NULL), half = sketch_parameter(s, "half", 0, NULL),
            n = sketch_parameter(s, "N", 0, NULL);
    cupel_require_ok(context, nc_network_add_forcing(s.network, "season", 2, times, levels, &season));
    nc_flow first = sketch_flow("mass", NC_LAW_MASS_ACTION, NC_NONE, enzyme, k, from);
    nc_flow second = sketch_flow("saturating", NC_LAW_SATURATING, NC_NONE, enzyme, k, from);
    first.reactant_count = 2;
    first.orders[0] = 2;
    first.reactants[1] = enzyme;
    first.forcing = season;
    first.population = n;
    second.half_saturation = half;
    (void)sketch_add(s, first);
    (void)sketch_add(s, second);
    nc_model *model = sketch_compile(s);
    nc_array *t = fixture_scalar(context, 2.0), *y = fixture_vector(context, state, 2), *p = fixture_vector(context, parameters, 3);
    nc_array *gt = cupel_output(context, dtype, 0, NULL), *gy = cupel_output_vector(context, dtype, 2);
    nc_array *gp = cupel_output_vector(context, dtype, 3);
    cupel_require_ok(context, nc_model_vjp(model, NC_FUNCTION_RHS, t, y, p, fixture_vector(context, weight, 2), gt, gy, gp));
    cupel_expect_bits(context, gy, cupel_reals(context, dtype, by_state, 2), 2);
    cupel_expect_bits(context, gp, cupel_reals(context, dtype, by_parameters, 3), 3);
    cupel_expect_bits(context, gt, cupel_reals(context, dtype, &by_time, 1), 1);
    // Forward, each direction by itself.
    const double unit_state[2][2] = {{1.0, 0.0}, {0.0, 1.0}}, one = 1.0;
    for (int i = 0; i < 3; ++i) {
        nc_array *product = cupel_output_vector(context, dtype, 2);
        const double expected[] = {0.0, i < 2 ? by_state[i] : by_time};
        cupel_require_ok(context, nc_model_jvp(model, NC_FUNCTION_RHS, t, y, p, i == 2 ? fixture_scalar(context, one) : NULL,
                                               i < 2 ? fixture_vector(context, unit_state[i], 2) : NULL, NULL, product));
        cupel_expect_bits(context, product, cupel_reals(context, dtype, expected, 2), 2);
    }
    sketch_release(context, model);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("model.derivative.constant-forcing-has-zero-jacobian", constant_forcing_has_zero_jacobian),
    CUPEL_CASE_REALS("model.derivative.squared-objective", squared_objective),
    CUPEL_CASE_REALS("model.derivative.local-parameter-moves-its-group", local_parameter_moves_its_group),
    CUPEL_CASE_REALS("model.derivative.observables", observables),
    CUPEL_CASE_REALS("model.derivative.state-as-observable", state_as_observable),
    CUPEL_CASE_REALS("model.derivative.each-law-exactly", each_law_exactly),
};

const cupel_table model_derivative_table = CUPEL_TABLE(cases);
