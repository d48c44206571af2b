// SPDX-License-Identifier: Apache-2.0
// What a network refuses, each with its status and with what is wrong in its words.
#include "model.h"

#include <math.h>
#include <string.h>

static void expect_refused(cupel_context *context, nc_status found, nc_status expected, const char *words)
{
    cupel_expect_u64(context, (uint64_t)found, (uint64_t)expected);
    if (strstr(nc_last_error(), words) == NULL) {
        cupel_fail(context, "\"%s\" does not say \"%s\"", nc_last_error(), words);
    }
    cupel_expect_true(context, strstr(nc_last_error(), words) != NULL);
}

static void axes_and_names(cupel_context *context)
{
    static const double falling[] = {0.0, 2.0, 1.0}, equal[] = {0.0, 1.0, 1.0}, broken[] = {0.0, (double)NAN, 1.0};
    sketch s = sketch_begin(context);
    nc_network *n = s.network;
    int32_t axis = sketch_axis(s, "a", 3, NULL), made = 77;
    const char *long_name = "0123456789012345678901234567890123456789012345678901234567890123";
    expect_refused(context, nc_network_add_axis(n, "b", -1, NULL, &made), NC_INVALID_ARGUMENT, "-1");
    expect_refused(context, nc_network_add_axis(n, "b", 3, falling, &made), NC_INVALID_ARGUMENT, "coordinates[2]");
    expect_refused(context, nc_network_add_axis(n, "b", 3, equal, &made), NC_INVALID_ARGUMENT, "coordinates[2]");
    expect_refused(context, nc_network_add_axis(n, "b", 3, broken, &made), NC_INVALID_ARGUMENT, "coordinates[1]");
    expect_refused(context, nc_network_add_axis(n, "b", 1, falling, &made), NC_INVALID_ARGUMENT, "extent 1");
    expect_refused(context, nc_network_add_axis(n, "a", 3, NULL, &made), NC_INVALID_ARGUMENT, "taken");
    expect_refused(context, nc_network_add_compartment(n, "a", 0, NULL, &made), NC_INVALID_ARGUMENT, "taken");
    expect_refused(context, nc_network_add_compartment(n, "", 0, NULL, &made), NC_INVALID_ARGUMENT, "0 bytes");
    expect_refused(context, nc_network_add_compartment(n, long_name, 0, NULL, &made), NC_INVALID_ARGUMENT, "64 bytes");
    expect_refused(context, nc_network_add_compartment(n, NULL, 0, NULL, &made), NC_NULL_ARGUMENT, "name");
    expect_refused(context, nc_network_add_compartment(n, "x", 7, NULL, &made), NC_INVALID_ARGUMENT, "rank");
    expect_refused(context, nc_network_add_compartment(n, "x", 1, (const int32_t[]){2}, &made), NC_INVALID_ARGUMENT, "axis 2");
    expect_refused(context, nc_network_add_compartment(n, "x", 2, (const int32_t[]){axis, axis}, &made), NC_INVALID_ARGUMENT,
                   "twice");
    expect_refused(context, nc_network_add_compartment(n, "x", 0, NULL, NULL), NC_NULL_ARGUMENT, "quantity");
    expect_refused(context, nc_network_add_constant(n, "x", 1, &axis, falling, 2, &made), NC_SHAPE_MISMATCH, "3 cells");
    expect_refused(context, nc_network_add_forcing(n, "x", 3, falling, equal, &made), NC_INVALID_ARGUMENT, "times[2]");
    expect_refused(context, nc_network_add_forcing(n, "x", 0, falling, equal, &made), NC_INVALID_ARGUMENT, "count");
    expect_refused(context, nc_network_add_forcing(n, "x", 2, falling, broken, &made), NC_INVALID_ARGUMENT, "values[1]");
    cupel_expect_u64(context, (uint64_t)made, 77);
    (void)sketch_compartment(s, "x", 0, NULL); // a refused name is free
    cupel_require_ok(context, nc_network_release(n));
}

static void aliases(cupel_context *context)
{
    static const double coordinates[] = {0.0, 1.0}, weights[] = {1.0, 1.0}, square[] = {1.0, 0.0, 0.0, 1.0};
    sketch s = sketch_begin(context);
    nc_network *n = s.network;
    int32_t a = sketch_axis(s, "a", 2, NULL), b = sketch_axis(s, "b", 2, coordinates), made = 77;
    const int32_t twice[] = {a, a};
    int32_t x = sketch_compartment(s, "x", 1, &a), y = sketch_compartment(s, "y", 1, &b),
            m = sketch_constant(s, "m", 2, twice, square, 4);
    expect_refused(context, nc_network_add_reduction(n, "r", 99, NC_REDUCTION_SUM, 1, &a, &made), NC_INVALID_ARGUMENT,
                   "quantity 99");
    expect_refused(context, nc_network_add_reduction(n, "r", x, NC_REDUCTION_SUM, 1, &b, &made), NC_SHAPE_MISMATCH, "no axis b");
    expect_refused(context, nc_network_add_reduction(n, "r", x, NC_REDUCTION_SUM, 2, twice, &made), NC_INVALID_ARGUMENT, "twice");
    expect_refused(context, nc_network_add_reduction(n, "r", x, NC_REDUCTION_SUM, 0, NULL, &made), NC_INVALID_ARGUMENT, "rank");
    expect_refused(context, nc_network_add_reduction(n, "r", x, (nc_reduction)4, 1, &a, &made), NC_INVALID_ARGUMENT, "reduction");
    expect_refused(context, nc_network_add_reduction(n, "r", x, NC_REDUCTION_TRAPEZOID, 1, &a, &made), NC_INVALID_ARGUMENT,
                   "no coordinates");
    expect_refused(context, nc_network_add_reduction(n, "r", m, NC_REDUCTION_SUM, 1, &a, &made), NC_INVALID_ARGUMENT, "matrix");
    expect_refused(context, nc_network_add_integral(n, "r", x, a, 0.0, 1.0, &made), NC_INVALID_ARGUMENT, "no coordinates");
    expect_refused(context, nc_network_add_integral(n, "r", y, b, 0.25, 1.0, &made), NC_INVALID_ARGUMENT, "1 coordinates");
    expect_refused(context, nc_network_add_integral(n, "r", y, b, (double)NAN, 1.0, &made), NC_INVALID_ARGUMENT, "0 coordinates");
    expect_refused(context, nc_network_add_selection(n, "r", x, a, 2, &made), NC_OUT_OF_RANGE, "node is 2");
    expect_refused(context, nc_network_add_selection(n, "r", y, a, 0, &made), NC_SHAPE_MISMATCH, "no axis a");
    expect_refused(context, nc_network_add_transport(n, "r", x, x, a, &made), NC_SHAPE_MISMATCH, "no matrix");
    expect_refused(context, nc_network_add_transport(n, "r", m, y, a, &made), NC_SHAPE_MISMATCH, "no axis a");
    expect_refused(context, nc_network_add_combination(n, "r", 0, &x, weights, &made), NC_INVALID_ARGUMENT, "count");
    expect_refused(context, nc_network_add_combination(n, "r", 1, &x, NULL, &made), NC_NULL_ARGUMENT, "weights");
    expect_refused(context, nc_network_add_product(n, "r", 1, &x, (const int32_t[]){0}, &made), NC_INVALID_ARGUMENT,
                   "orders[0] is 0");
    expect_refused(context, nc_network_add_product(n, "r", 1, &x, (const int32_t[]){9}, &made), NC_INVALID_ARGUMENT,
                   "orders[0] is 9");
    expect_refused(context, nc_network_add_exponential(n, "r", 0, &made), NC_INVALID_ARGUMENT, "quantity 0");
    cupel_require_ok(context, nc_network_add_observable(n, x));
    expect_refused(context, nc_network_add_observable(n, x), NC_INVALID_ARGUMENT, "published already");
    cupel_expect_u64(context, (uint64_t)made, 77);
    cupel_require_ok(context, nc_network_release(n));
}

// Each row spoils one member of a sound flow.
static void flows(cupel_context *context)
{
    static const double square[] = {1.0, 0.0, 0.0, 1.0};
    sketch s = sketch_begin(context);
    int32_t a = sketch_axis(s, "a", 2, NULL), b = sketch_axis(s, "b", 2, NULL), x = sketch_compartment(s, "x", 1, &a);
    int32_t y = sketch_compartment(s, "y", 1, &b), k = sketch_parameter(s, "k", 0, NULL), time = NC_NONE, made = 77;
    const int32_t twice[] = {a, a};
    int32_t m = sketch_constant(s, "m", 2, twice, square, 4);
    cupel_require_ok(context, nc_network_add_time(s.network, "t", &time));
    const struct {
        size_t offset;
        int32_t value;
        nc_status status;
        const char *words;
    } rows[] = {
        {offsetof(nc_flow, law), 0, NC_INVALID_ARGUMENT, "law"},
        {offsetof(nc_flow, law), 6, NC_INVALID_ARGUMENT, "law"},
        {offsetof(nc_flow, law), NC_LAW_CONSTANT, NC_INVALID_ARGUMENT, "reactants"},
        {offsetof(nc_flow, law), NC_LAW_SATURATING, NC_INVALID_ARGUMENT, "half_saturation"},
        {offsetof(nc_flow, law), NC_LAW_TRANSPORT, NC_INVALID_ARGUMENT, "transport_axis"},
        {offsetof(nc_flow, source), k, NC_INVALID_ARGUMENT, "no compartment"},
        {offsetof(nc_flow, target), y, NC_SHAPE_MISMATCH, "axis b"},
        {offsetof(nc_flow, source), 99, NC_INVALID_ARGUMENT, "quantity 99"},
        {offsetof(nc_flow, source_weight), -1, NC_INVALID_ARGUMENT, "source_weight"},
        {offsetof(nc_flow, rate), 0, NC_INVALID_ARGUMENT, "rate is quantity 0"},
        {offsetof(nc_flow, rate), m, NC_SHAPE_MISMATCH, "transport"},
        {offsetof(nc_flow, forcing), y, NC_SHAPE_MISMATCH, "forcing"},
        {offsetof(nc_flow, forcing), m, NC_SHAPE_MISMATCH, "matrix"},
        {offsetof(nc_flow, population), y, NC_SHAPE_MISMATCH, "population"},
        {offsetof(nc_flow, half_saturation), k, NC_INVALID_ARGUMENT, "half_saturation"},
        {offsetof(nc_flow, transport_axis), a, NC_INVALID_ARGUMENT, "transport_axis"},
        {offsetof(nc_flow, reactant_count), 0, NC_INVALID_ARGUMENT, "0 reactants"},
        {offsetof(nc_flow, reactant_count), 2, NC_INVALID_ARGUMENT, "2 reactants"},
        {offsetof(nc_flow, reactants), y, NC_SHAPE_MISMATCH, "reactant"},
        {offsetof(nc_flow, orders), 2, NC_INVALID_ARGUMENT, "orders[0]"},
        {offsetof(nc_flow, source_pin_axis), b, NC_SHAPE_MISMATCH, "no axis b to pin"},
        {offsetof(nc_flow, target_pin_axis), a, NC_SHAPE_MISMATCH, "no axis a to pin"},
        {offsetof(nc_flow, abi_version), 9, NC_ABI_MISMATCH, "abi_version"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        nc_flow flow = sketch_flow("flow", NC_LAW_LINEAR, x, NC_NONE, k, x);
        memcpy((unsigned char *)&flow + rows[i].offset, &rows[i].value, sizeof rows[i].value);
        expect_refused(context, nc_network_add_flow(s.network, &flow, &made), rows[i].status, rows[i].words);
    }
    nc_flow nowhere = sketch_flow("flow", NC_LAW_LINEAR, NC_NONE, NC_NONE, k, x);
    expect_refused(context, nc_network_add_flow(s.network, &nowhere, &made), NC_INVALID_ARGUMENT, "neither source nor target");
    nc_flow pinned = sketch_flow("flow", NC_LAW_LINEAR, x, NC_NONE, k, k);
    pinned.source_pin_axis = a;
    pinned.source_pin_node = 2;
    expect_refused(context, nc_network_add_flow(s.network, &pinned, &made), NC_OUT_OF_RANGE, "source_pin_node");
    nc_flow moving = sketch_flow("flow", NC_LAW_TRANSPORT, x, x, m, x);
    moving.transport_axis = a;
    expect_refused(context, nc_network_add_flow(s.network, &moving, &made), NC_INVALID_ARGUMENT, "target only");
    // The implicit part of an IMEX method is linear with a fixed rate.
    const int32_t rates[] = {time, x}, orders[] = {1, 2};
    for (int i = 0; i < 2; ++i) {
        nc_flow implicit = sketch_flow("flow", i == 0 ? NC_LAW_LINEAR : NC_LAW_MASS_ACTION, x, NC_NONE, i == 0 ? rates[0] : k, x);
        implicit.orders[0] = orders[i];
        implicit.implicit = 1;
        expect_refused(context, nc_network_add_flow(s.network, &implicit, &made), NC_UNSUPPORTED, "implicit");
    }
    nc_flow linear = sketch_flow("flow", NC_LAW_LINEAR, x, NC_NONE, rates[1], x);
    linear.implicit = 1;
    expect_refused(context, nc_network_add_flow(s.network, &linear, &made), NC_UNSUPPORTED, "implicit");
    cupel_expect_u64(context, (uint64_t)made, 77);
    cupel_require_ok(context, nc_network_release(s.network));
}

// Queries, views and derivatives of a compiled model.
static void calls(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    fixture f = fixture_create(context, 0);
    int32_t number = 77;
    nc_quantity_info info;
    nc_array *view = NULL, *flat = cupel_output_vector(context, dtype, FIXTURE_STATES);
    nc_array *odd = cupel_output_vector(context, dtype, FIXTURE_STATES + 1);
    NC_STRUCT_INIT(&info);
    expect_refused(context, nc_model_find(f.model, "nobody", &number), NC_INVALID_ARGUMENT, "nobody");
    expect_refused(context, nc_model_find_flow(f.model, "A", &number), NC_INVALID_ARGUMENT, "\"A\"");
    expect_refused(context, nc_model_quantity_get(f.model, 0, &info), NC_INVALID_ARGUMENT, "quantity 0");
    expect_refused(context, nc_model_view(f.model, odd, f.a, 0, &view), NC_SHAPE_MISMATCH, "flat");
    expect_refused(context, nc_model_view(f.model, flat, f.load, 0, &view), NC_INVALID_ARGUMENT, "load");
    expect_refused(context, nc_model_view(f.model, flat, f.a, 1, &view), NC_INVALID_ARGUMENT, "observables");
    cupel_expect_true(context, view == NULL && number == 77);
    double state[FIXTURE_STATES], parameters[FIXTURE_PARAMETERS];
    fixture_state(0, state);
    fixture_parameters(0, parameters);
    nc_array *t = fixture_scalar(context, 0.0), *y = fixture_vector(context, state, FIXTURE_STATES);
    nc_array *p = fixture_vector(context, parameters, FIXTURE_PARAMETERS);
    expect_refused(context, nc_model_vjp(f.model, NC_FUNCTION_RHS, t, y, p, y, NULL, NULL, NULL), NC_NULL_ARGUMENT, "all null");
    expect_refused(context, nc_model_jvp(f.model, (nc_model_function)3, t, y, p, NULL, y, NULL, flat), NC_INVALID_ARGUMENT,
                   "function");
    expect_refused(context, nc_model_jvp(f.model, NC_FUNCTION_RHS, t, y, p, NULL, p, NULL, flat), NC_SHAPE_MISMATCH,
                   "state_tangent");
    expect_refused(context, nc_model_jvp(f.model, NC_FUNCTION_RHS, t, y, p, p, NULL, NULL, flat), NC_SHAPE_MISMATCH,
                   "time_tangent");
    expect_refused(context, nc_model_balance(f.model, y, flat), NC_SHAPE_MISMATCH, "fluxes");
    expect_refused(context, nc_model_jacobian(f.model, NC_FUNCTION_RHS, t, y, p, flat), NC_SHAPE_MISMATCH, "jacobian");
    const nc_array *parts[] = {y, y, y};
    nc_array *results[] = {flat, flat, flat};
    expect_refused(context, nc_model_rhs_structured(f.model, t, parts, p, results, 2), NC_SHAPE_MISMATCH, "count is 2");
    expect_refused(context, nc_model_rhs_structured(f.model, t, parts, p, results, 3), NC_SHAPE_MISMATCH, "rank");
    cupel_expect_untouched(context, flat);
    cupel_expect_untouched(context, odd);
    fixture_release(context, &f);
}

static const cupel_case cases[] = {
    CUPEL_CASE("model.refusal.axes-and-names", axes_and_names),
    CUPEL_CASE("model.refusal.aliases", aliases),
    CUPEL_CASE("model.refusal.flows", flows),
    CUPEL_CASE_REALS("model.refusal.calls", calls),
};

const cupel_table model_refusal_table = CUPEL_TABLE(cases);
