// SPDX-License-Identifier: Apache-2.0
// Every argument of every function that describes a network, wrong once: the named status comes back, the network and the outputs
// are what they were, and nc_last_error names the argument and its value.
#include "core_device.h"

#include <math.h>
#include <stddef.h>

enum { UNTOUCHED = 77 };

// A network of two axes of two nodes, and a flow that it takes.
typedef struct fixture {
    nc_network *network;
    int32_t nodes, points; // axes: categorical and continuous
    int32_t x, y, k, m;    // compartments over nodes and over points, a scalar parameter, a matrix along nodes
    nc_flow flow;
    int32_t made;
} fixture;

static const double rising[] = {0.0, 1.0}, falling[] = {1.0, 0.0}, broken[] = {0.0, (double)NAN}, square[] = {1.0, 0.0, 0.0, 1.0};
static const int32_t beyond[] = {99};

// The flow with one member changed.
static nc_status flow_with(fixture *f, size_t offset, int32_t value)
{
    nc_flow flow = f->flow;
    memcpy((unsigned char *)&flow + offset, &value, sizeof value);
    return nc_network_add_flow(f->network, &flow, &f->made);
}
#define FLOW(member, value) flow_with(f, offsetof(nc_flow, member), value)

static nc_status flow_named(fixture *f, const char *name)
{
    nc_flow flow = f->flow;
    flow.name = name;
    return nc_network_add_flow(f->network, &flow, &f->made);
}

// Members that mean something together: axes of the flux, and a pinned axis with its node.
static nc_status flow_over(fixture *f, int32_t rank, int32_t axis)
{
    nc_flow flow = f->flow;
    flow.has_axes = 1;
    flow.rank = rank;
    flow.axes[0] = axis;
    return nc_network_add_flow(f->network, &flow, &f->made);
}
static nc_status flow_pinned(fixture *f, int at_source, int64_t node)
{
    nc_flow flow = f->flow;
    flow.target = at_source ? flow.target : f->x;
    *(at_source ? &flow.source_pin_axis : &flow.target_pin_axis) = f->nodes;
    *(at_source ? &flow.source_pin_node : &flow.target_pin_node) = node;
    return nc_network_add_flow(f->network, &flow, &f->made);
}

// A rate that depends on the state cannot be implicit.
static nc_status flow_implicit(fixture *f)
{
    nc_flow flow = f->flow;
    flow.rate = f->x;
    flow.implicit = 1;
    return nc_network_add_flow(f->network, &flow, &f->made);
}

#define N f->network
#define MADE &f->made
// X(name, call, status, first text, second text): both texts must stand in nc_last_error.
#define CASES(X)                                                                                                                   \
    X(create, nc_network_create(NULL), NC_NULL_ARGUMENT, "network", "null")                                                        \
    X(axis_network, nc_network_add_axis(NULL, "z", 2, NULL, MADE), NC_NULL_ARGUMENT, "network", "null")                            \
    X(axis_name, nc_network_add_axis(N, NULL, 2, NULL, MADE), NC_NULL_ARGUMENT, "name", "null")                                    \
    X(axis_name_taken, nc_network_add_axis(N, "x", 2, NULL, MADE), NC_INVALID_ARGUMENT, "name \"x\"", "taken")                     \
    X(axis_extent, nc_network_add_axis(N, "z", -1, NULL, MADE), NC_INVALID_ARGUMENT, "extent of axis z", "-1")                     \
    X(axis_coordinates, nc_network_add_axis(N, "z", 2, falling, MADE), NC_INVALID_ARGUMENT, "coordinates[1]", "0 after 1")         \
    X(axis_coordinates_nan, nc_network_add_axis(N, "z", 2, broken, MADE), NC_INVALID_ARGUMENT, "coordinates[1]", "nan")            \
    X(axis_axis, nc_network_add_axis(N, "z", 2, NULL, NULL), NC_NULL_ARGUMENT, "axis", "null")                                     \
    X(compartment_network, nc_network_add_compartment(NULL, "z", 0, NULL, MADE), NC_NULL_ARGUMENT, "network", "null")              \
    X(compartment_name, nc_network_add_compartment(N, NULL, 0, NULL, MADE), NC_NULL_ARGUMENT, "name", "null")                      \
    X(compartment_name_empty, nc_network_add_compartment(N, "", 0, NULL, MADE), NC_INVALID_ARGUMENT, "name", "0 bytes")            \
    X(compartment_rank, nc_network_add_compartment(N, "z", 7, beyond, MADE), NC_INVALID_ARGUMENT, "rank of z", "7")                \
    X(compartment_rank_low, nc_network_add_compartment(N, "z", -1, beyond, MADE), NC_INVALID_ARGUMENT, "rank of z", "-1")          \
    X(compartment_axes, nc_network_add_compartment(N, "z", 1, NULL, MADE), NC_NULL_ARGUMENT, "axes", "null")                       \
    X(compartment_axes_beyond, nc_network_add_compartment(N, "z", 1, beyond, MADE), NC_INVALID_ARGUMENT, "axes", "axis 99")        \
    X(compartment_quantity, nc_network_add_compartment(N, "z", 0, NULL, NULL), NC_NULL_ARGUMENT, "quantity", "null")               \
    X(parameter_network, nc_network_add_parameter(NULL, "z", 0, NULL, MADE), NC_NULL_ARGUMENT, "network", "null")                  \
    X(parameter_name, nc_network_add_parameter(N, NULL, 0, NULL, MADE), NC_NULL_ARGUMENT, "name", "null")                          \
    X(parameter_rank, nc_network_add_parameter(N, "z", 7, beyond, MADE), NC_INVALID_ARGUMENT, "rank of z", "7")                    \
    X(parameter_axes, nc_network_add_parameter(N, "z", 1, beyond, MADE), NC_INVALID_ARGUMENT, "axes", "axis 99")                   \
    X(parameter_quantity, nc_network_add_parameter(N, "z", 0, NULL, NULL), NC_NULL_ARGUMENT, "quantity", "null")                   \
    X(constant_network, nc_network_add_constant(NULL, "z", 0, NULL, rising, 1, MADE), NC_NULL_ARGUMENT, "network", "null")         \
    X(constant_name, nc_network_add_constant(N, NULL, 0, NULL, rising, 1, MADE), NC_NULL_ARGUMENT, "name", "null")                 \
    X(constant_rank, nc_network_add_constant(N, "z", 7, beyond, rising, 1, MADE), NC_INVALID_ARGUMENT, "rank of z", "7")           \
    X(constant_axes, nc_network_add_constant(N, "z", 1, beyond, rising, 2, MADE), NC_INVALID_ARGUMENT, "axes", "axis 99")          \
    X(constant_values, nc_network_add_constant(N, "z", 0, NULL, NULL, 1, MADE), NC_NULL_ARGUMENT, "values", "null")                \
    X(constant_count, nc_network_add_constant(N, "z", 0, NULL, rising, 2, MADE), NC_SHAPE_MISMATCH, "count is 2", "1 cells")       \
    X(constant_quantity, nc_network_add_constant(N, "z", 0, NULL, rising, 1, NULL), NC_NULL_ARGUMENT, "quantity", "null")          \
    X(time_network, nc_network_add_time(NULL, "z", MADE), NC_NULL_ARGUMENT, "network", "null")                                     \
    X(time_name, nc_network_add_time(N, NULL, MADE), NC_NULL_ARGUMENT, "name", "null")                                             \
    X(time_quantity, nc_network_add_time(N, "z", NULL), NC_NULL_ARGUMENT, "quantity", "null")                                      \
    X(forcing_network, nc_network_add_forcing(NULL, "z", 2, rising, square, MADE), NC_NULL_ARGUMENT, "network", "null")            \
    X(forcing_name, nc_network_add_forcing(N, NULL, 2, rising, square, MADE), NC_NULL_ARGUMENT, "name", "null")                    \
    X(forcing_count, nc_network_add_forcing(N, "z", 0, rising, square, MADE), NC_INVALID_ARGUMENT, "count is 0", "1 to")           \
    X(forcing_times, nc_network_add_forcing(N, "z", 2, NULL, square, MADE), NC_NULL_ARGUMENT, "times", "null")                     \
    X(forcing_times_fall, nc_network_add_forcing(N, "z", 2, falling, square, MADE), NC_INVALID_ARGUMENT, "times[1]", "0 after 1")  \
    X(forcing_values, nc_network_add_forcing(N, "z", 2, rising, NULL, MADE), NC_NULL_ARGUMENT, "values", "null")                   \
    X(forcing_values_nan, nc_network_add_forcing(N, "z", 2, rising, broken, MADE), NC_INVALID_ARGUMENT, "values[1]", "nan")        \
    X(forcing_quantity, nc_network_add_forcing(N, "z", 2, rising, square, NULL), NC_NULL_ARGUMENT, "quantity", "null")             \
    X(reduction_network, nc_network_add_reduction(NULL, "z", f->x, NC_REDUCTION_SUM, 1, &f->nodes, MADE), NC_NULL_ARGUMENT,        \
      "network", "null")                                                                                                           \
    X(reduction_name, nc_network_add_reduction(N, NULL, f->x, NC_REDUCTION_SUM, 1, &f->nodes, MADE), NC_NULL_ARGUMENT, "name",     \
      "null")                                                                                                                      \
    X(reduction_source, nc_network_add_reduction(N, "z", 99, NC_REDUCTION_SUM, 1, &f->nodes, MADE), NC_INVALID_ARGUMENT, "source", \
      "quantity 99")                                                                                                               \
    X(reduction_reduction, nc_network_add_reduction(N, "z", f->x, (nc_reduction)4, 1, &f->nodes, MADE), NC_INVALID_ARGUMENT,       \
      "reduction is 4", "nc_reduction")                                                                                            \
    X(reduction_rank, nc_network_add_reduction(N, "z", f->x, NC_REDUCTION_SUM, 0, &f->nodes, MADE), NC_INVALID_ARGUMENT,           \
      "rank is 0", "1 to")                                                                                                         \
    X(reduction_axes, nc_network_add_reduction(N, "z", f->x, NC_REDUCTION_SUM, 1, NULL, MADE), NC_NULL_ARGUMENT, "axes", "null")   \
    X(reduction_quantity, nc_network_add_reduction(N, "z", f->x, NC_REDUCTION_SUM, 1, &f->nodes, NULL), NC_NULL_ARGUMENT,          \
      "quantity", "null")                                                                                                          \
    X(integral_network, nc_network_add_integral(NULL, "z", f->y, f->points, 0.0, 1.0, MADE), NC_NULL_ARGUMENT, "network", "null")  \
    X(integral_name, nc_network_add_integral(N, NULL, f->y, f->points, 0.0, 1.0, MADE), NC_NULL_ARGUMENT, "name", "null")          \
    X(integral_source, nc_network_add_integral(N, "z", 0, f->points, 0.0, 1.0, MADE), NC_INVALID_ARGUMENT, "source", "quantity 0") \
    X(integral_axis, nc_network_add_integral(N, "z", f->y, 99, 0.0, 1.0, MADE), NC_INVALID_ARGUMENT, "axis", "axis 99")            \
    X(integral_low, nc_network_add_integral(N, "z", f->y, f->points, 0.25, 1.0, MADE), NC_INVALID_ARGUMENT, "[0.25, ",             \
      "1 coordinates of axis points")                                                                                              \
    X(integral_high, nc_network_add_integral(N, "z", f->y, f->points, 0.0, (double)NAN, MADE), NC_INVALID_ARGUMENT, ", nan]",      \
      "0 coordinates of axis points")                                                                                              \
    X(integral_quantity, nc_network_add_integral(N, "z", f->y, f->points, 0.0, 1.0, NULL), NC_NULL_ARGUMENT, "quantity", "null")   \
    X(selection_network, nc_network_add_selection(NULL, "z", f->x, f->nodes, 0, MADE), NC_NULL_ARGUMENT, "network", "null")        \
    X(selection_name, nc_network_add_selection(N, NULL, f->x, f->nodes, 0, MADE), NC_NULL_ARGUMENT, "name", "null")                \
    X(selection_source, nc_network_add_selection(N, "z", -1, f->nodes, 0, MADE), NC_INVALID_ARGUMENT, "source", "quantity -1")     \
    X(selection_axis, nc_network_add_selection(N, "z", f->x, 0, 0, MADE), NC_INVALID_ARGUMENT, "axis", "axis 0")                   \
    X(selection_node, nc_network_add_selection(N, "z", f->x, f->nodes, 2, MADE), NC_OUT_OF_RANGE, "node is 2", "0 to 1")           \
    X(selection_node_low, nc_network_add_selection(N, "z", f->x, f->nodes, -1, MADE), NC_OUT_OF_RANGE, "node is -1", "0 to 1")     \
    X(selection_quantity, nc_network_add_selection(N, "z", f->x, f->nodes, 0, NULL), NC_NULL_ARGUMENT, "quantity", "null")         \
    X(transport_network, nc_network_add_transport(NULL, "z", f->m, f->x, f->nodes, MADE), NC_NULL_ARGUMENT, "network", "null")     \
    X(transport_name, nc_network_add_transport(N, NULL, f->m, f->x, f->nodes, MADE), NC_NULL_ARGUMENT, "name", "null")             \
    X(transport_matrix, nc_network_add_transport(N, "z", 99, f->x, f->nodes, MADE), NC_INVALID_ARGUMENT, "matrix", "quantity 99")  \
    X(transport_source, nc_network_add_transport(N, "z", f->m, 99, f->nodes, MADE), NC_INVALID_ARGUMENT, "source", "quantity 99")  \
    X(transport_axis, nc_network_add_transport(N, "z", f->m, f->x, 99, MADE), NC_INVALID_ARGUMENT, "axis", "axis 99")              \
    X(transport_quantity, nc_network_add_transport(N, "z", f->m, f->x, f->nodes, NULL), NC_NULL_ARGUMENT, "quantity", "null")      \
    X(combination_network, nc_network_add_combination(NULL, "z", 1, &f->x, rising, MADE), NC_NULL_ARGUMENT, "network", "null")     \
    X(combination_name, nc_network_add_combination(N, NULL, 1, &f->x, rising, MADE), NC_NULL_ARGUMENT, "name", "null")             \
    X(combination_count, nc_network_add_combination(N, "z", 0, &f->x, rising, MADE), NC_INVALID_ARGUMENT, "count is 0", "terms")   \
    X(combination_terms, nc_network_add_combination(N, "z", 1, NULL, rising, MADE), NC_NULL_ARGUMENT, "terms", "null")             \
    X(combination_weights, nc_network_add_combination(N, "z", 1, &f->x, NULL, MADE), NC_NULL_ARGUMENT, "weights", "null")          \
    X(combination_quantity, nc_network_add_combination(N, "z", 1, &f->x, rising, NULL), NC_NULL_ARGUMENT, "quantity", "null")      \
    X(product_network, nc_network_add_product(NULL, "z", 1, &f->x, &f->nodes, MADE), NC_NULL_ARGUMENT, "network", "null")          \
    X(product_name, nc_network_add_product(N, NULL, 1, &f->x, &f->nodes, MADE), NC_NULL_ARGUMENT, "name", "null")                  \
    X(product_count, nc_network_add_product(N, "z", -1, &f->x, &f->nodes, MADE), NC_INVALID_ARGUMENT, "count is -1", "factors")    \
    X(product_factors, nc_network_add_product(N, "z", 1, NULL, &f->nodes, MADE), NC_NULL_ARGUMENT, "factors", "null")              \
    X(product_orders, nc_network_add_product(N, "z", 1, &f->x, NULL, MADE), NC_NULL_ARGUMENT, "orders", "null")                    \
    X(product_orders_high, nc_network_add_product(N, "z", 1, &f->x, beyond, MADE), NC_INVALID_ARGUMENT, "orders[0] is 99", "1 to") \
    X(product_quantity, nc_network_add_product(N, "z", 1, &f->x, &f->nodes, NULL), NC_NULL_ARGUMENT, "quantity", "null")           \
    X(exponential_network, nc_network_add_exponential(NULL, "z", f->k, MADE), NC_NULL_ARGUMENT, "network", "null")                 \
    X(exponential_name, nc_network_add_exponential(N, NULL, f->k, MADE), NC_NULL_ARGUMENT, "name", "null")                         \
    X(exponential_source, nc_network_add_exponential(N, "z", 0, MADE), NC_INVALID_ARGUMENT, "source", "quantity 0")                \
    X(exponential_quantity, nc_network_add_exponential(N, "z", f->k, NULL), NC_NULL_ARGUMENT, "quantity", "null")                  \
    X(observable_network, nc_network_add_observable(NULL, f->x), NC_NULL_ARGUMENT, "network", "null")                              \
    X(observable_quantity, nc_network_add_observable(N, 99), NC_INVALID_ARGUMENT, "quantity", "quantity 99")                       \
    X(flow_network, nc_network_add_flow(NULL, &f->flow, MADE), NC_NULL_ARGUMENT, "network", "null")                                \
    X(flow_flow, nc_network_add_flow(N, NULL, MADE), NC_NULL_ARGUMENT, "flow", "null")                                             \
    X(flow_number, nc_network_add_flow(N, &f->flow, NULL), NC_NULL_ARGUMENT, "number", "null")                                     \
    X(flow_abi, FLOW(abi_version, 7), NC_ABI_MISMATCH, "flow", "abi_version 7")                                                    \
    X(flow_size, FLOW(struct_size, 8), NC_ABI_MISMATCH, "flow", "struct_size 8")                                                   \
    X(flow_name, flow_named(f, NULL), NC_NULL_ARGUMENT, "name", "null")                                                            \
    X(flow_law, FLOW(law, 6), NC_INVALID_ARGUMENT, "law of flow out", "is 6")                                                      \
    X(flow_source, FLOW(source, f->k), NC_INVALID_ARGUMENT, "source of flow out is k", "no compartment")                           \
    X(flow_target, FLOW(target, f->k), NC_INVALID_ARGUMENT, "target of flow out is k", "no compartment")                           \
    X(flow_source_weight, FLOW(source_weight, -1), NC_INVALID_ARGUMENT, "source_weight of flow out", "is -1")                      \
    X(flow_target_weight, FLOW(target_weight, -1), NC_INVALID_ARGUMENT, "target_weight of flow out", "is -1")                      \
    X(flow_rate, FLOW(rate, 0), NC_INVALID_ARGUMENT, "rate", "quantity 0")                                                         \
    X(flow_forcing, FLOW(forcing, f->y), NC_SHAPE_MISMATCH, "forcing of flow out", "axis points")                                  \
    X(flow_population, FLOW(population, f->y), NC_SHAPE_MISMATCH, "population of flow out", "axis points")                         \
    X(flow_half_saturation, FLOW(half_saturation, f->k), NC_INVALID_ARGUMENT, "half_saturation of flow out", "saturating")         \
    X(flow_transport_axis, FLOW(transport_axis, f->nodes), NC_INVALID_ARGUMENT, "transport_axis of flow out", "transport")         \
    X(flow_reactant_count, FLOW(reactant_count, 2), NC_INVALID_ARGUMENT, "flow out has 2 reactants", "1 to 1")                     \
    X(flow_reactants, FLOW(reactants, 99), NC_INVALID_ARGUMENT, "reactant", "quantity 99")                                         \
    X(flow_orders, FLOW(orders, 2), NC_INVALID_ARGUMENT, "orders[0] of flow out", "is 2")                                          \
    X(flow_rank, flow_over(f, 7, f->nodes), NC_INVALID_ARGUMENT, "rank of flow out", "is 7")                                       \
    X(flow_axes, flow_over(f, 1, 99), NC_INVALID_ARGUMENT, "axes", "axis 99")                                                      \
    X(flow_source_pin_axis, FLOW(source_pin_axis, 99), NC_INVALID_ARGUMENT, "pin axis", "axis 99")                                 \
    X(flow_target_pin_axis, FLOW(target_pin_axis, f->nodes), NC_SHAPE_MISMATCH, "the target of flow out", "axis nodes to pin")     \
    X(flow_source_pin_node, flow_pinned(f, 1, 2), NC_OUT_OF_RANGE, "source_pin_node of flow out", "is 2")                          \
    X(flow_target_pin_node, flow_pinned(f, 0, -1), NC_OUT_OF_RANGE, "target_pin_node of flow out", "is -1")                        \
    X(flow_implicit, flow_implicit(f), NC_UNSUPPORTED, "implicit", "made of parameters and constants")

#include "argument_rows.h"

static void fixture_open(fixture *f)
{
    memset(f, 0, sizeof *f);
    assert_int_equal(nc_network_create(&f->network), NC_OK);
    assert_int_equal(nc_network_add_axis(N, "nodes", 2, NULL, &f->nodes), NC_OK);
    assert_int_equal(nc_network_add_axis(N, "points", 2, rising, &f->points), NC_OK);
    const int32_t twice[] = {f->nodes, f->nodes};
    assert_int_equal(nc_network_add_compartment(N, "x", 1, &f->nodes, &f->x), NC_OK);
    assert_int_equal(nc_network_add_compartment(N, "y", 1, &f->points, &f->y), NC_OK);
    assert_int_equal(nc_network_add_parameter(N, "k", 0, NULL, &f->k), NC_OK);
    assert_int_equal(nc_network_add_constant(N, "m", 2, twice, square, 4, &f->m), NC_OK);
    NC_STRUCT_INIT(&f->flow);
    f->flow.name = "out";
    f->flow.law = NC_LAW_LINEAR;
    f->flow.source = f->x;
    f->flow.rate = f->k;
    f->flow.reactant_count = 1;
    f->flow.reactants[0] = f->x;
    f->made = UNTOUCHED;
}

// What the network holds, by way of a model of it.
static nc_model_info network_count(const fixture *f)
{
    nc_device *device = open_cpu();
    nc_model *model = NULL;
    nc_model_info info;
    NC_STRUCT_INIT(&info);
    assert_int_equal(nc_model_compile(device, f->network, &model), NC_OK);
    assert_int_equal(nc_model_info_get(model, &info), NC_OK);
    assert_int_equal(nc_model_release(model), NC_OK);
    close_device(device);
    return info;
}

static void each_wrong_argument_is_refused_by_name(void **state)
{
    static fixture f;
    (void)state;
    fixture_open(&f);
    const nc_flow sound = f.flow;
    const nc_model_info before = network_count(&f);
    for (size_t i = 0; i < CASE_COUNT; ++i) {
        expect_refusal(cases[i].name, cases[i].call(&f), cases[i].status, cases[i].first, cases[i].second);
        const nc_model_info after = network_count(&f);
        if (f.made != UNTOUCHED || memcmp(&before, &after, sizeof after) != 0) {
            fail_msg("%s changed the network or its output", cases[i].name);
        }
    }
    assert_memory_equal(&f.flow, &sound, sizeof sound);
    assert_int_equal(nc_network_add_flow(f.network, &f.flow, &f.made), NC_OK); // refused for nothing else
    assert_int_equal(network_count(&f).flows, before.flows + 1);
    assert_int_equal(nc_network_add_time(f.network, "z", &f.made), NC_OK); // a refused name is free
    assert_int_equal(nc_network_release(f.network), NC_OK);
    assert_int_equal(nc_network_release(NULL), NC_OK);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_wrong_argument_is_refused_by_name),
};

UNIT_MAIN(tests)
