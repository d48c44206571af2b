// SPDX-License-Identifier: Apache-2.0
// Groups: empty ones, axes without a node, and the models of single groups.
#include "model.h"

#include <math.h>
#include <string.h>

// S, I, R by group with frequency-dependent infection: beta S I / N.
static nc_model *epidemic(cupel_context *context, int64_t groups)
{
    sketch s = sketch_begin(context);
    int32_t group = sketch_axis(s, "group", groups, NULL), n = NC_NONE;
    int32_t susceptible = sketch_compartment(s, "S", 1, &group), infected = sketch_compartment(s, "I", 1, &group);
    int32_t recovered = sketch_compartment(s, "R", 1, &group);
    int32_t beta = sketch_parameter(s, "beta", 0, NULL), gamma = sketch_parameter(s, "gamma", 0, NULL);
    const int32_t terms[] = {susceptible, infected, recovered};
    const double ones[] = {1.0, 1.0, 1.0};
    cupel_require_ok(context, nc_network_add_combination(s.network, "N", 3, terms, ones, &n));
    nc_flow infection = sketch_flow("infection", NC_LAW_MASS_ACTION, susceptible, infected, beta, susceptible);
    infection.reactant_count = 2;
    infection.reactants[1] = infected;
    infection.population = n;
    (void)sketch_add(s, infection);
    (void)sketch_add(s, sketch_flow("recovery", NC_LAW_LINEAR, infected, recovered, gamma, infected));
    cupel_require_ok(context, nc_network_add_observable(s.network, n));
    return sketch_compile(s);
}

// The middle group is empty: its rates and all their derivatives are exactly 0, and the other groups have, bit for bit, the rates
// of a model without it.
static void zero_population(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    static const double three[] = {900.0, 0.0, 500.0, 100.0, 0.0, 1.0, 0.0, 0.0, 0.0}, two[] = {900.0, 500.0, 100.0, 1.0, 0.0, 0.0};
    const double parameters[] = {0.5, 0.2};
    const int64_t square[] = {9, 9};
    nc_model *with = epidemic(context, 3), *without = epidemic(context, 2);
    nc_array *t = fixture_scalar(context, 0.0), *p = fixture_vector(context, parameters, 2), *y = fixture_vector(context, three, 9);
    nc_array *all = cupel_output_vector(context, dtype, 9), *rest = cupel_output_vector(context, dtype, 6);
    nc_array *jacobian = cupel_output(context, dtype, 2, square);
    cupel_require_ok(context, nc_model_rhs(with, t, y, p, all));
    cupel_require_ok(context, nc_model_rhs(without, t, fixture_vector(context, two, 6), p, rest));
    cupel_require_ok(context, nc_model_jacobian(with, NC_FUNCTION_RHS, t, y, p, jacobian));
    size_t size = nc_dtype_size(dtype);
    unsigned char expected[9 * sizeof(double)] = {0};
    const unsigned char *smaller = cupel_download(context, rest);
    for (size_t i = 0; i < 6; ++i) {
        memcpy(expected + (i / 2 * 3 + i % 2 * 2) * size, smaller + i * size, size);
    }
    const void *found = cupel_download(context, all), *slopes = cupel_download(context, jacobian);
    for (size_t i = 0; i < 9; ++i) {
        if (i % 3 == 1) { // a zero has no sign that anybody reads
            cupel_expect_true(context, cupel_get_real(dtype, found, i) == 0.0);
            memcpy(expected + i * size, (const unsigned char *)found + i * size, size);
        }
        for (size_t j = 0; j < 9; ++j) {
            int finite = isfinite(cupel_get_real(dtype, slopes, i * 9 + j));
            // -gamma stays: the derivative of recovery in I does not ask how many there are.
            int is_gamma = i % 3 == 1 && j == 4 && i >= 4;
            cupel_expect_true(context, finite && (i % 3 != 1 || is_gamma || cupel_get_real(dtype, slopes, i * 9 + j) == 0.0));
        }
    }
    cupel_expect_bits(context, all, expected, 9);
    sketch_release(context, with);
    sketch_release(context, without);
}

// An axis without a node: no states, no reactions; sums over it are +0; every call is in order and writes nothing.
static void axis_without_node(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t none[] = {0}, batch[] = {4, 0}, one[] = {4, 1};
    const double parameters[] = {0.5, 0.2}, zeros[4] = {0.0, 0.0, 0.0, 0.0};
    nc_model *model = epidemic(context, 0);
    nc_model_info info;
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_model_info_get(model, &info));
    cupel_expect_true(context, info.states == 0 && info.reactions == 0 && info.observables == 0 && info.parameters == 2);
    nc_array *t = fixture_scalar(context, 0.0), *p = fixture_vector(context, parameters, 2);
    cupel_require_ok(context,
                     nc_model_rhs(model, t, cupel_input(context, dtype, 1, none, NULL), p, cupel_output(context, dtype, 1, none)));
    cupel_require_ok(
        context, nc_model_rhs(model, t, cupel_input(context, dtype, 2, batch, NULL), p, cupel_output(context, dtype, 2, batch)));
    sketch_release(context, model);
    // A compartment without the axis, fed by the sum over nobody.
    sketch s = sketch_begin(context);
    int32_t group = sketch_axis(s, "group", 0, NULL), x = sketch_compartment(s, "x", 1, &group),
            y = sketch_compartment(s, "y", 0, NULL);
    int32_t sum = sketch_reduction(s, "sum", x, NC_REDUCTION_SUM, 1, &group),
            mean = sketch_reduction(s, "mean", x, NC_REDUCTION_MEAN, 1, &group);
    (void)sketch_add(s, sketch_flow("by sum", NC_LAW_CONSTANT, NC_NONE, y, sum, NC_NONE));
    (void)sketch_add(s, sketch_flow("by mean", NC_LAW_CONSTANT, NC_NONE, y, mean, NC_NONE));
    nc_model *fed = sketch_compile(s);
    nc_array *out = cupel_output(context, dtype, 2, one);
    cupel_require_ok(context,
                     nc_model_rhs(fed, t, cupel_input(context, dtype, 2, one, cupel_reals(context, dtype, zeros, 4)), NULL, out));
    cupel_expect_bits(context, out, cupel_reals(context, dtype, zeros, 4), 4);
    sketch_release(context, fed);
}

// No trajectories: every function accepts the batch and writes nothing.
static void batch_of_none(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t none[] = {0, FIXTURE_STATES}, matrices[] = {0, FIXTURE_STATES, FIXTURE_STATES};
    double parameters[FIXTURE_PARAMETERS];
    fixture_parameters(0, parameters);
    fixture f = fixture_create(context, 0);
    nc_array *t = fixture_scalar(context, 0.0), *y = cupel_input(context, dtype, 2, none, NULL);
    nc_array *p = fixture_vector(context, parameters, FIXTURE_PARAMETERS);
    uint64_t kernels = cupel_kernels(context);
    cupel_expect_status(context, nc_model_rhs(f.model, t, y, p, cupel_output(context, dtype, 2, none)), NC_OK);
    cupel_expect_status(context, nc_model_jacobian(f.model, NC_FUNCTION_RHS, t, y, p, cupel_output(context, dtype, 3, matrices)),
                        NC_OK);
    cupel_expect_u64(context, cupel_kernels(context), kernels);
    fixture_release(context, &f);
}

// What makes a model coupled along an axis, and the words of each refusal.
typedef enum coupling { BY_REDUCTION, BY_SELECTION, BY_TRANSPORT, BY_PIN, BY_SHARED, BY_FLOW_TRANSPORT, COUPLINGS } coupling;

static nc_model *coupled_model(cupel_context *context, coupling kind, int32_t *group)
{
    static const double square[4] = {-1.0, 0.5, 1.0, -0.5};
    sketch s = sketch_begin(context);
    *group = sketch_axis(s, "group", 2, NULL);
    int32_t x = sketch_compartment(s, "x", 1, group), k = sketch_parameter(s, "k", 0, NULL), pressure = x;
    const int32_t twice[] = {*group, *group};
    int32_t matrix = sketch_constant(s, "matrix", 2, twice, square, 4);
    if (kind == BY_REDUCTION) {
        pressure = sketch_reduction(s, "pressure", x, NC_REDUCTION_SUM, 1, group);
    } else if (kind == BY_SELECTION) {
        cupel_require_ok(context, nc_network_add_selection(s.network, "pressure", x, *group, 0, &pressure));
    } else if (kind == BY_TRANSPORT) {
        cupel_require_ok(context, nc_network_add_transport(s.network, "pressure", matrix, x, *group, &pressure));
    }
    nc_flow flow = sketch_flow("loss", NC_LAW_LINEAR, x, NC_NONE, k, pressure);
    if (kind == BY_PIN) {
        flow.source_pin_axis = *group;
        flow.reactants[0] = k;
    } else if (kind == BY_SHARED) {
        flow.target = sketch_compartment(s, "sink", 0, NULL);
    } else if (kind == BY_FLOW_TRANSPORT) {
        flow = sketch_flow("loss", NC_LAW_TRANSPORT, NC_NONE, x, matrix, x);
        flow.transport_axis = *group;
    }
    (void)sketch_add(s, flow);
    return sketch_compile(s);
}

static void coupled_blocks_refused(cupel_context *context)
{
    static const char *const words[COUPLINGS] = {"uses pressure",         "uses pressure",    "uses pressure",
                                                 "pinned to one node of", "equation of sink", "a transport along"};
    for (int kind = 0; kind < COUPLINGS; ++kind) {
        int32_t group = NC_NONE;
        nc_model *model = coupled_model(context, (coupling)kind, &group), *block = NULL;
        cupel_expect_status(context, nc_model_block(model, group, 0, &block), NC_UNSUPPORTED);
        cupel_expect_true(context, block == NULL && strstr(nc_last_error(), "axis group") != NULL &&
                                       strstr(nc_last_error(), "equation of") != NULL &&
                                       strstr(nc_last_error(), words[kind]) != NULL);
        sketch_release(context, model);
    }
}

// A block keeps what has its group: constants sliced, observables across groups left out, quantities with their numbers.
static void blocks_are_sliced(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    enum { G = 3, A = 2 };
    static const double losses[A * G] = {0.5, 1.0, 2.0, 4.0, 8.0, 16.0}; // over (age, group)
    const double state[] = {3.0, 5.0};
    sketch s = sketch_begin(context);
    int32_t group = sketch_axis(s, "group", G, NULL), age = sketch_axis(s, "age", A, NULL), loss = NC_NONE, total = NC_NONE;
    const int32_t axes[] = {group, age}, turned[] = {age, group};
    int32_t x = sketch_compartment(s, "x", 2, axes), c = sketch_constant(s, "c", 2, turned, losses, A * G);
    (void)sketch_parameter(s, "local", 1, &group);
    loss = sketch_add(s, sketch_flow("loss", NC_LAW_LINEAR, x, NC_NONE, c, x));
    cupel_require_ok(context, nc_network_add_observable(s.network, sketch_reduction(s, "by group", x, NC_REDUCTION_SUM, 1, &age)));
    total = sketch_reduction(s, "total", x, NC_REDUCTION_SUM, 2, axes);
    cupel_require_ok(context, nc_network_add_observable(s.network, total));
    nc_model *model = sketch_compile(s);
    for (int64_t g = 0; g < G; ++g) {
        nc_model *block = NULL;
        nc_model_info info;
        nc_quantity_info quantity;
        int32_t number = NC_NONE;
        const double parameter = 9.0;
        double expected[A];
        NC_STRUCT_INIT(&info);
        NC_STRUCT_INIT(&quantity);
        cupel_require_ok(context, nc_model_block(model, group, g, &block));
        cupel_require_ok(context, nc_model_info_get(block, &info));
        cupel_expect_true(context, info.states == A && info.parameters == 1 && info.observables == 1 && info.reactions == A);
        cupel_require_ok(context, nc_model_quantity_get(block, total, &quantity));
        cupel_expect_u64(context, (uint64_t)quantity.kind, NC_QUANTITY_ABSENT);
        cupel_require_ok(context, nc_model_find(block, "x", &number));
        cupel_expect_u64(context, (uint64_t)number, (uint64_t)x);
        cupel_require_ok(context, nc_model_find_flow(block, "loss", &number));
        cupel_expect_u64(context, (uint64_t)number, (uint64_t)loss);
        for (int a = 0; a < A; ++a) {
            expected[a] = -losses[a * G + (int)g] * state[a];
        }
        nc_array *out = cupel_output_vector(context, dtype, A);
        cupel_require_ok(context, nc_model_rhs(block, fixture_scalar(context, 0.0), fixture_vector(context, state, A),
                                               fixture_vector(context, &parameter, 1), out));
        cupel_expect_bits(context, out, cupel_reals(context, dtype, expected, A), A);
        sketch_release(context, block);
    }
    nc_model *block = NULL;
    cupel_expect_status(context, nc_model_block(model, group, G, &block), NC_OUT_OF_RANGE);
    cupel_expect_status(context, nc_model_block(model, group, -1, &block), NC_OUT_OF_RANGE);
    cupel_expect_status(context, nc_model_block(model, 3, 0, &block), NC_INVALID_ARGUMENT);
    sketch_release(context, model);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("model.groups.zero-population", zero_population),
    CUPEL_CASE_REALS("model.groups.axis-without-node", axis_without_node),
    CUPEL_CASE_REALS("model.groups.batch-of-none", batch_of_none),
    CUPEL_CASE("model.groups.coupled-blocks-refused", coupled_blocks_refused),
    CUPEL_CASE_REALS("model.groups.blocks-are-sliced", blocks_are_sliced),
};

const cupel_table model_groups_table = CUPEL_TABLE(cases);
