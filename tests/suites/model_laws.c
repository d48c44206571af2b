// SPDX-License-Identifier: Apache-2.0
// Rate laws, forcings and aliases one by one, on numbers that make every answer exact.
#include "model.h"

#include <math.h>
#include <string.h>

// The right-hand side of a model at a time, by bits.
static void expect_rates(cupel_context *context, nc_model *model, double time, const double *state, int64_t states,
                         const double *parameters, int64_t parameter_count, const double *expected)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_array *out = cupel_output_vector(context, dtype, states);
    nc_array *set = parameter_count == 0 ? NULL : fixture_vector(context, parameters, parameter_count);
    cupel_require_ok(context, nc_model_rhs(model, fixture_scalar(context, time), fixture_vector(context, state, states), set, out));
    cupel_expect_bits(context, out, cupel_reals(context, dtype, expected, (size_t)states), (size_t)states);
}

// One flow S -> P of each law with a parameter as its rate. S = 6, P = 2, E = 3.
static void each_law(cupel_context *context)
{
    static const struct {
        nc_law law;
        int32_t orders[2];
        double half, flux;
    } laws[] = {{NC_LAW_CONSTANT, {0, 0}, 0.0, 0.5},          // rate
                {NC_LAW_LINEAR, {1, 0}, 0.0, 3.0},            // rate S
                {NC_LAW_MASS_ACTION, {1, 1}, 0.0, 9.0},       // rate S E
                {NC_LAW_MASS_ACTION, {2, 3}, 0.0, 486.0},     // rate S^2 E^3
                {NC_LAW_MASS_ACTION, {8, 1}, 0.0, 2519424.0}, // rate S^8 E
                {NC_LAW_SATURATING, {1, 0}, 2.0, 0.375}};     // rate S / (2 + S)
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; ++i) {
        const double state[] = {6.0, 2.0, 3.0}, rate = 0.5, expected[] = {-laws[i].flux, laws[i].flux, 0.0};
        sketch s = sketch_begin(context);
        int32_t from = sketch_compartment(s, "S", 0, NULL), to = sketch_compartment(s, "P", 0, NULL);
        int32_t enzyme = sketch_compartment(s, "E", 0, NULL), k = sketch_parameter(s, "k", 0, NULL);
        nc_flow flow = sketch_flow("flow", laws[i].law, from, to, k, laws[i].orders[0] > 0 ? from : NC_NONE);
        flow.orders[0] = laws[i].orders[0];
        if (laws[i].orders[1] > 0) {
            flow.reactant_count = 2;
            flow.reactants[1] = enzyme; // a catalyst: it takes part and stays
            flow.orders[1] = laws[i].orders[1];
        }
        if (laws[i].half > 0.0) {
            flow.half_saturation = sketch_constant(s, "half", 0, NULL, &laws[i].half, 1);
        }
        (void)sketch_add(s, flow);
        nc_model *model = sketch_compile(s);
        expect_rates(context, model, 0.0, state, 3, &rate, 1, expected);
        sketch_release(context, model);
    }
}

// A factor and a divisor: rate * forcing * S / N, and 0/0 for a saturating flow without half saturation and without anybody.
static void factor_and_population(cupel_context *context)
{
    const double times[] = {0.0, 4.0}, values[] = {1.0, 3.0}, state[] = {6.0, 2.0}, expected[] = {-1.5, 1.5}, rate = 0.5,
                 none = 0.0;
    sketch s = sketch_begin(context);
    int32_t from = sketch_compartment(s, "S", 0, NULL), to = sketch_compartment(s, "P", 0, NULL), season = NC_NONE, n = NC_NONE;
    int32_t k = sketch_parameter(s, "k", 0, NULL), zero = sketch_constant(s, "zero", 0, NULL, &none, 1);
    cupel_require_ok(context, nc_network_add_forcing(s.network, "season", 2, times, values, &season));
    const int32_t terms[] = {from, to};
    const double weights[] = {0.5, 0.5};
    cupel_require_ok(context, nc_network_add_combination(s.network, "N", 2, terms, weights, &n));
    nc_flow flow = sketch_flow("flow", NC_LAW_LINEAR, from, to, k, from),
            idle = sketch_flow("idle", NC_LAW_SATURATING, from, to, k, zero);
    flow.forcing = season;
    flow.population = n; // 4
    idle.half_saturation = zero;
    (void)sketch_add(s, flow);
    (void)sketch_add(s, idle);
    nc_model *model = sketch_compile(s);
    expect_rates(context, model, 2.0, state, 2, &rate, 1, expected); // 0.5 * 2 * 6 / 4
    sketch_release(context, model);
}

// Piecewise linear in time, constant outside; at a knot the segments agree and the slope is that of the right one.
static void forcing_in_time(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    static const double knots[] = {-1.0, 0.0, 2.0, 2.5}, values[] = {4.0, 1.0, 2.0, 0.0};
    static const struct {
        double time, value, slope;
    } points[] = {{-9.0, 4.0, 0.0}, {-1.0, 4.0, -3.0}, {-0.5, 2.5, -3.0}, {0.0, 1.0, 0.5}, {1.0, 1.5, 0.5},
                  {2.0, 2.0, -4.0}, {2.25, 1.0, -4.0}, {2.5, 0.0, 0.0},   {99.0, 0.0, 0.0}};
    sketch s = sketch_begin(context);
    int32_t x = sketch_compartment(s, "x", 0, NULL), f = NC_NONE, single = NC_NONE;
    cupel_require_ok(context, nc_network_add_forcing(s.network, "f", 4, knots, values, &f));
    cupel_require_ok(context, nc_network_add_forcing(s.network, "steady", 1, knots, values, &single));
    (void)sketch_add(s, sketch_flow("source", NC_LAW_CONSTANT, NC_NONE, x, f, NC_NONE));
    (void)sketch_add(s, sketch_flow("sink", NC_LAW_CONSTANT, x, NC_NONE, single, NC_NONE));
    nc_model *model = sketch_compile(s);
    const double state = 7.0, one = 1.0;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; ++i) {
        double expected = points[i].value - values[0];
        expect_rates(context, model, points[i].time, &state, 1, NULL, 0, &expected);
        nc_array *product = cupel_output_vector(context, dtype, 1);
        cupel_require_ok(context,
                         nc_model_jvp(model, NC_FUNCTION_RHS, fixture_scalar(context, points[i].time),
                                      fixture_vector(context, &state, 1), NULL, fixture_scalar(context, one), NULL, NULL, product));
        const void *slope = cupel_download(context, product);
        cupel_expect_true(context, cupel_get_real(dtype, slope, 0) == points[i].slope);
    }
    const double nan = (double)NAN;
    const uint8_t nan_at = 1;
    nc_array *out = cupel_output_vector(context, dtype, 1);
    cupel_require_ok(context, nc_model_rhs(model, fixture_scalar(context, nan), fixture_vector(context, &state, 1), NULL, out));
    cupel_expect_bits_nan(context, out, cupel_reals(context, dtype, &nan, 1), 1, &nan_at);
    sketch_release(context, model);
}

// Constants are rounded once to the state's precision, so a float32 model gives float32's answers: 0.1f + 0.6f, not 0.1 + 0.6.
static void constants_inherit_precision(cupel_context *context)
{
    const double tenth = 0.1, more = 0.6, state = 0.0;
    sketch s = sketch_begin(context);
    int32_t x = sketch_compartment(s, "x", 0, NULL);
    (void)sketch_add(s, sketch_flow("a", NC_LAW_CONSTANT, NC_NONE, x, sketch_constant(s, "tenth", 0, NULL, &tenth, 1), NC_NONE));
    (void)sketch_add(s, sketch_flow("b", NC_LAW_CONSTANT, NC_NONE, x, sketch_constant(s, "more", 0, NULL, &more, 1), NC_NONE));
    nc_model *model = sketch_compile(s);
    double narrow = (double)((float)tenth + (float)more), wide = tenth + more;
    cupel_expect_true(context, narrow != wide && (double)(float)wide != narrow); // rounding at the end would be another number
    expect_rates(context, model, 0.0, &state, 1, NULL, 0, cupel_dtype(context) == NC_F32 ? &narrow : &wide);
    sketch_release(context, model);
}

// One compiled model serves both precisions, one state and batches, and keeps nothing between calls.
static void one_model_for_all(cupel_context *context)
{
    fixture f = fixture_create(context, 0);
    const int64_t shape[] = {3, FIXTURE_STATES};
    double values[3 * FIXTURE_STATES], parameters[FIXTURE_PARAMETERS], time = 0.25;
    fixture_parameters(0, parameters);
    for (int64_t i = 0; i < 3; ++i) {
        fixture_state(i, values + i * FIXTURE_STATES);
    }
    const void *first[2];
    for (int round = 0; round < 4; ++round) {
        nc_dtype dtype = round % 2 == 0 ? NC_F32 : NC_F64;
        size_t count = 3 * FIXTURE_STATES;
        nc_array *t = cupel_input(context, dtype, 0, NULL, cupel_reals(context, dtype, &time, 1));
        nc_array *y = cupel_input(context, dtype, 2, shape, cupel_reals(context, dtype, values, count));
        nc_array *p =
            cupel_input_vector(context, dtype, FIXTURE_PARAMETERS, cupel_reals(context, dtype, parameters, FIXTURE_PARAMETERS));
        nc_array *out = cupel_output(context, dtype, 2, shape);
        cupel_require_ok(context, nc_model_rhs(f.model, t, y, p, out));
        if (round < 2) {
            first[round] = cupel_download(context, out);
        } else {
            cupel_expect_bits(context, out, first[round % 2], count);
        }
    }
    fixture_release(context, &f);
}

// exp of an alias, within the core's own bound for exp.
static void exponential(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double state[] = {0.5, -2.0, 0.0, 3.25};
    double expected[4], bounds[4];
    sketch s = sketch_begin(context);
    int32_t axis = sketch_axis(s, "cell", 4, NULL), x = sketch_compartment(s, "x", 1, &axis), e = NC_NONE;
    cupel_require_ok(context, nc_network_add_exponential(s.network, "growth", x, &e));
    cupel_require_ok(context, nc_network_add_observable(s.network, e));
    nc_model *model = sketch_compile(s);
    for (int i = 0; i < 4; ++i) {
        expected[i] = exp(state[i]);
        bounds[i] = fixture_bound(dtype, 2, 2.0 * expected[i]); // one ulp is two units of roundoff
    }
    nc_array *out = cupel_output_vector(context, dtype, 4);
    cupel_require_ok(context,
                     nc_model_observables(model, fixture_scalar(context, 0.0), fixture_vector(context, state, 4), NULL, out));
    cupel_expect_within_bound(context, out, expected, bounds, 4, "exp is within one ulp here and in the reference");
    sketch_release(context, model);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("model.law.each", each_law),
    CUPEL_CASE_REALS("model.law.factor-and-population", factor_and_population),
    CUPEL_CASE_REALS("model.law.forcing-in-time", forcing_in_time),
    CUPEL_CASE_REALS("model.law.constants-inherit-precision", constants_inherit_precision),
    CUPEL_CASE("model.law.one-model-for-all", one_model_for_all),
    CUPEL_CASE_REALS("model.law.exponential", exponential),
};

const cupel_table model_laws_table = CUPEL_TABLE(cases);
