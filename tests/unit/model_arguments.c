// SPDX-License-Identifier: Apache-2.0
// Every argument of every function of a compiled model, wrong once: the named status comes back, nothing is written, and
// nc_last_error names the argument and its value.
#include "core_device.h"

enum { STATES = 4, REACTIONS = 2, OBSERVABLES = 2, UNTOUCHED = 77, MOST_BYTES = 16 * 8 };

// A model of two compartments over an axis of two nodes, and what its functions take: arrays that hold poison, of float64.
typedef struct fixture {
    nc_device *device, *second;
    nc_network *network;
    nc_model *model;
    int32_t nodes, x, y, k;
    nc_array *time, *state, *parameters;                    // inputs: rank 0, [4], [1]
    nc_array *rhs, *seen, *fluxes, *jacobian;               // outputs: [4], [2], [2], [4, 4]
    nc_array *weights, *time_slope, *state_slope, *slopes;  // [4], rank 0, [4], [1]
    nc_array *wide, *state32, *time32, *integers, *foreign; // [5], f32 [4], f32 rank 0, i64 [4], [4] of the second handle
    nc_array *x_part, *y_part, *x_rhs, *y_rhs;              // [2] each, for the structured call
    const nc_array *parts[2], *no_parts[2], *wide_parts[2]; // of the state
    nc_array *results[2], *no_results[2], *same_results[2]; // of the rate of change
    nc_model_info info, old_info;
    nc_quantity_info quantity, old_quantity;
    nc_reaction reaction, old_reaction;
    nc_model *made;
    nc_array *view;
    int32_t number, conserved;
} fixture;

static const int64_t ones[STATES] = {1, 1, 1, 1};

#define M f->model
#define RHS NC_FUNCTION_RHS
#define BAD (nc_model_function)3
#define IN f->time, f->state, f->parameters
// X(name, call, status, first text, second text): both texts must stand in nc_last_error.
#define CASES(X)                                                                                                                   \
    X(compile_device, nc_model_compile(NULL, f->network, &f->made), NC_NULL_ARGUMENT, "device", "null")                            \
    X(compile_network, nc_model_compile(f->device, NULL, &f->made), NC_NULL_ARGUMENT, "network", "null")                           \
    X(compile_model, nc_model_compile(f->device, f->network, NULL), NC_NULL_ARGUMENT, "model", "null")                             \
    X(block_model, nc_model_block(NULL, f->nodes, 0, &f->made), NC_NULL_ARGUMENT, "model", "null")                                 \
    X(block_axis, nc_model_block(M, 99, 0, &f->made), NC_INVALID_ARGUMENT, "axis", "axis 99")                                      \
    X(block_index, nc_model_block(M, f->nodes, 2, &f->made), NC_OUT_OF_RANGE, "index is 2", "0 to 1")                              \
    X(block_index_low, nc_model_block(M, f->nodes, -1, &f->made), NC_OUT_OF_RANGE, "index is -1", "0 to 1")                        \
    X(block_block, nc_model_block(M, f->nodes, 0, NULL), NC_NULL_ARGUMENT, "block", "null")                                        \
    X(info_model, nc_model_info_get(NULL, &f->info), NC_NULL_ARGUMENT, "model", "null")                                            \
    X(info_info, nc_model_info_get(M, NULL), NC_NULL_ARGUMENT, "info", "null")                                                     \
    X(info_abi, nc_model_info_get(M, &f->old_info), NC_ABI_MISMATCH, "info", "abi_version 0")                                      \
    X(quantity_model, nc_model_quantity_get(NULL, f->x, &f->quantity), NC_NULL_ARGUMENT, "model", "null")                          \
    X(quantity_quantity, nc_model_quantity_get(M, 99, &f->quantity), NC_INVALID_ARGUMENT, "quantity", "quantity 99")               \
    X(quantity_info, nc_model_quantity_get(M, f->x, NULL), NC_NULL_ARGUMENT, "info", "null")                                       \
    X(quantity_abi, nc_model_quantity_get(M, f->x, &f->old_quantity), NC_ABI_MISMATCH, "info", "abi_version 0")                    \
    X(find_model, nc_model_find(NULL, "x", &f->number), NC_NULL_ARGUMENT, "model", "null")                                         \
    X(find_name, nc_model_find(M, NULL, &f->number), NC_NULL_ARGUMENT, "name", "null")                                             \
    X(find_nobody, nc_model_find(M, "out", &f->number), NC_INVALID_ARGUMENT, "name \"out\"", "no quantity")                        \
    X(find_quantity, nc_model_find(M, "x", NULL), NC_NULL_ARGUMENT, "quantity", "null")                                            \
    X(find_flow_model, nc_model_find_flow(NULL, "out", &f->number), NC_NULL_ARGUMENT, "model", "null")                             \
    X(find_flow_name, nc_model_find_flow(M, NULL, &f->number), NC_NULL_ARGUMENT, "name", "null")                                   \
    X(find_flow_nobody, nc_model_find_flow(M, "x", &f->number), NC_INVALID_ARGUMENT, "name \"x\"", "no flow")                      \
    X(find_flow_flow, nc_model_find_flow(M, "out", NULL), NC_NULL_ARGUMENT, "flow", "null")                                        \
    X(reaction_model, nc_model_reaction_get(NULL, 0, &f->reaction), NC_NULL_ARGUMENT, "model", "null")                             \
    X(reaction_reaction, nc_model_reaction_get(M, 2, &f->reaction), NC_OUT_OF_RANGE, "reaction is 2", "0 to 1")                    \
    X(reaction_low, nc_model_reaction_get(M, -1, &f->reaction), NC_OUT_OF_RANGE, "reaction is -1", "0 to 1")                       \
    X(reaction_info, nc_model_reaction_get(M, 0, NULL), NC_NULL_ARGUMENT, "info", "null")                                          \
    X(reaction_abi, nc_model_reaction_get(M, 0, &f->old_reaction), NC_ABI_MISMATCH, "info", "abi_version 0")                       \
    X(conserves_model, nc_model_conserves(NULL, ones, STATES, &f->conserved, &f->number), NC_NULL_ARGUMENT, "model", "null")       \
    X(conserves_weights, nc_model_conserves(M, NULL, STATES, &f->conserved, &f->number), NC_NULL_ARGUMENT, "weights", "null")      \
    X(conserves_count, nc_model_conserves(M, ones, 3, &f->conserved, &f->number), NC_SHAPE_MISMATCH, "count is 3", "4 states")     \
    X(conserves_conserved, nc_model_conserves(M, ones, STATES, NULL, &f->number), NC_NULL_ARGUMENT, "conserved", "null")           \
    X(view_model, nc_model_view(NULL, f->state, f->x, 0, &f->view), NC_NULL_ARGUMENT, "model", "null")                             \
    X(view_flat, nc_model_view(M, NULL, f->x, 0, &f->view), NC_NULL_ARGUMENT, "flat", "null")                                      \
    X(view_flat_shape, nc_model_view(M, f->wide, f->x, 0, &f->view), NC_SHAPE_MISMATCH, "flat", "extent 5")                        \
    X(view_flat_rank, nc_model_view(M, f->time, f->x, 0, &f->view), NC_SHAPE_MISMATCH, "flat", "rank 0")                           \
    X(view_quantity, nc_model_view(M, f->state, 99, 0, &f->view), NC_INVALID_ARGUMENT, "quantity", "quantity 99")                  \
    X(view_observables, nc_model_view(M, f->state, f->y, 1, &f->view), NC_INVALID_ARGUMENT, "observables", "y stands in no")       \
    X(view_view, nc_model_view(M, f->state, f->x, 0, NULL), NC_NULL_ARGUMENT, "view", "null")                                      \
    X(rhs_model, nc_model_rhs(NULL, IN, f->rhs), NC_NULL_ARGUMENT, "model", "null")                                                \
    X(rhs_time, nc_model_rhs(M, NULL, f->state, f->parameters, f->rhs), NC_NULL_ARGUMENT, "time", "null")                          \
    X(rhs_time_dtype, nc_model_rhs(M, f->time32, f->state, f->parameters, f->rhs), NC_MIXED_DTYPE, "time is f32", "f64")           \
    X(rhs_time_shape, nc_model_rhs(M, f->wide, f->state, f->parameters, f->rhs), NC_SHAPE_MISMATCH, "time", "rank 1")              \
    X(rhs_state, nc_model_rhs(M, f->time, NULL, f->parameters, f->rhs), NC_NULL_ARGUMENT, "state", "null")                         \
    X(rhs_state_dtype, nc_model_rhs(M, f->time, f->integers, f->parameters, f->rhs), NC_MIXED_DTYPE, "state is i64", "f32 or f64") \
    X(rhs_state_shape, nc_model_rhs(M, f->time, f->wide, f->parameters, f->rhs), NC_SHAPE_MISMATCH, "state", "extent 5")           \
    X(rhs_state_device, nc_model_rhs(M, f->time, f->foreign, f->parameters, f->rhs), NC_WRONG_DEVICE, "state", "model")            \
    X(rhs_parameters, nc_model_rhs(M, f->time, f->state, NULL, f->rhs), NC_NULL_ARGUMENT, "parameters", "null")                    \
    X(rhs_parameters_shape, nc_model_rhs(M, f->time, f->state, f->wide, f->rhs), NC_SHAPE_MISMATCH, "parameters", "extent 5")      \
    X(rhs_rhs, nc_model_rhs(M, IN, NULL), NC_NULL_ARGUMENT, "rhs", "null")                                                         \
    X(rhs_rhs_dtype, nc_model_rhs(M, IN, f->state32), NC_MIXED_DTYPE, "rhs is f32", "f64")                                         \
    X(rhs_rhs_shape, nc_model_rhs(M, IN, f->wide), NC_SHAPE_MISMATCH, "rhs", "extent 5")                                           \
    X(rhs_rhs_device, nc_model_rhs(M, IN, f->foreign), NC_WRONG_DEVICE, "rhs", "another device")                                   \
    X(rhs_rhs_is_state, nc_model_rhs(M, IN, f->state), NC_OVERLAP, "rhs", "overlaps state")                                        \
    X(parts_model, nc_model_rhs_structured(NULL, f->time, f->parts, f->parameters, f->results, 2), NC_NULL_ARGUMENT, "model",      \
      "null")                                                                                                                      \
    X(parts_time, nc_model_rhs_structured(M, NULL, f->parts, f->parameters, f->results, 2), NC_NULL_ARGUMENT, "time", "null")      \
    X(parts_state, nc_model_rhs_structured(M, f->time, NULL, f->parameters, f->results, 2), NC_NULL_ARGUMENT, "state", "null")     \
    X(parts_state_null, nc_model_rhs_structured(M, f->time, f->no_parts, f->parameters, f->results, 2), NC_NULL_ARGUMENT, "state", \
      "null")                                                                                                                      \
    X(parts_state_shape, nc_model_rhs_structured(M, f->time, f->wide_parts, f->parameters, f->results, 2), NC_SHAPE_MISMATCH,      \
      "state", "extent 5")                                                                                                         \
    X(parts_parameters, nc_model_rhs_structured(M, f->time, f->parts, NULL, f->results, 2), NC_NULL_ARGUMENT, "parameters",        \
      "null")                                                                                                                      \
    X(parts_rhs, nc_model_rhs_structured(M, f->time, f->parts, f->parameters, NULL, 2), NC_NULL_ARGUMENT, "rhs", "null")           \
    X(parts_rhs_null, nc_model_rhs_structured(M, f->time, f->parts, f->parameters, f->no_results, 2), NC_NULL_ARGUMENT, "rhs",     \
      "null")                                                                                                                      \
    X(parts_rhs_same, nc_model_rhs_structured(M, f->time, f->parts, f->parameters, f->same_results, 2), NC_OVERLAP, "rhs",         \
      "another rhs")                                                                                                               \
    X(parts_count, nc_model_rhs_structured(M, f->time, f->parts, f->parameters, f->results, 3), NC_SHAPE_MISMATCH, "count is 3",   \
      "2 compartments")                                                                                                            \
    X(seen_model, nc_model_observables(NULL, IN, f->seen), NC_NULL_ARGUMENT, "model", "null")                                      \
    X(seen_time, nc_model_observables(M, NULL, f->state, f->parameters, f->seen), NC_NULL_ARGUMENT, "time", "null")                \
    X(seen_state, nc_model_observables(M, f->time, NULL, f->parameters, f->seen), NC_NULL_ARGUMENT, "state", "null")               \
    X(seen_parameters, nc_model_observables(M, f->time, f->state, NULL, f->seen), NC_NULL_ARGUMENT, "parameters", "null")          \
    X(seen_seen, nc_model_observables(M, IN, NULL), NC_NULL_ARGUMENT, "observables", "null")                                       \
    X(seen_seen_shape, nc_model_observables(M, IN, f->rhs), NC_SHAPE_MISMATCH, "observables", "extent 4")                          \
    X(fluxes_model, nc_model_fluxes(NULL, IN, f->fluxes), NC_NULL_ARGUMENT, "model", "null")                                       \
    X(fluxes_time, nc_model_fluxes(M, NULL, f->state, f->parameters, f->fluxes), NC_NULL_ARGUMENT, "time", "null")                 \
    X(fluxes_state, nc_model_fluxes(M, f->time, NULL, f->parameters, f->fluxes), NC_NULL_ARGUMENT, "state", "null")                \
    X(fluxes_parameters, nc_model_fluxes(M, f->time, f->state, NULL, f->fluxes), NC_NULL_ARGUMENT, "parameters", "null")           \
    X(fluxes_fluxes, nc_model_fluxes(M, IN, NULL), NC_NULL_ARGUMENT, "fluxes", "null")                                             \
    X(fluxes_fluxes_shape, nc_model_fluxes(M, IN, f->rhs), NC_SHAPE_MISMATCH, "fluxes", "extent 4")                                \
    X(balance_model, nc_model_balance(NULL, f->fluxes, f->rhs), NC_NULL_ARGUMENT, "model", "null")                                 \
    X(balance_fluxes, nc_model_balance(M, NULL, f->rhs), NC_NULL_ARGUMENT, "fluxes", "null")                                       \
    X(balance_fluxes_shape, nc_model_balance(M, f->state, f->rhs), NC_SHAPE_MISMATCH, "fluxes", "extent 4")                        \
    X(balance_rhs, nc_model_balance(M, f->fluxes, NULL), NC_NULL_ARGUMENT, "rhs", "null")                                          \
    X(balance_rhs_shape, nc_model_balance(M, f->fluxes, f->wide), NC_SHAPE_MISMATCH, "rhs", "extent 5")                            \
    X(jacobian_model, nc_model_jacobian(NULL, RHS, IN, f->jacobian), NC_NULL_ARGUMENT, "model", "null")                            \
    X(jacobian_function, nc_model_jacobian(M, BAD, IN, f->jacobian), NC_INVALID_ARGUMENT, "function is 3", "nc_model_function")    \
    X(jacobian_time, nc_model_jacobian(M, RHS, NULL, f->state, f->parameters, f->jacobian), NC_NULL_ARGUMENT, "time", "null")      \
    X(jacobian_state, nc_model_jacobian(M, RHS, f->time, NULL, f->parameters, f->jacobian), NC_NULL_ARGUMENT, "state", "null")     \
    X(jacobian_parameters, nc_model_jacobian(M, RHS, f->time, f->state, NULL, f->jacobian), NC_NULL_ARGUMENT, "parameters",        \
      "null")                                                                                                                      \
    X(jacobian_jacobian, nc_model_jacobian(M, RHS, IN, NULL), NC_NULL_ARGUMENT, "jacobian", "null")                                \
    X(jacobian_shape, nc_model_jacobian(M, NC_FUNCTION_OBSERVABLES, IN, f->jacobian), NC_SHAPE_MISMATCH, "jacobian", "extent 4")   \
    X(jvp_model, nc_model_jvp(NULL, RHS, IN, NULL, NULL, NULL, f->rhs), NC_NULL_ARGUMENT, "model", "null")                         \
    X(jvp_function, nc_model_jvp(M, BAD, IN, NULL, NULL, NULL, f->rhs), NC_INVALID_ARGUMENT, "function is 3", "nc_model_function") \
    X(jvp_time, nc_model_jvp(M, RHS, NULL, f->state, f->parameters, NULL, NULL, NULL, f->rhs), NC_NULL_ARGUMENT, "time", "null")   \
    X(jvp_state, nc_model_jvp(M, RHS, f->time, NULL, f->parameters, NULL, NULL, NULL, f->rhs), NC_NULL_ARGUMENT, "state", "null")  \
    X(jvp_parameters, nc_model_jvp(M, RHS, f->time, f->state, NULL, NULL, NULL, NULL, f->rhs), NC_NULL_ARGUMENT, "parameters",     \
      "null")                                                                                                                      \
    X(jvp_time_tangent, nc_model_jvp(M, RHS, IN, f->slopes, NULL, NULL, f->rhs), NC_SHAPE_MISMATCH, "time_tangent", "rank 1")      \
    X(jvp_state_tangent, nc_model_jvp(M, RHS, IN, NULL, f->wide, NULL, f->rhs), NC_SHAPE_MISMATCH, "state_tangent", "extent 5")    \
    X(jvp_parameters_tangent, nc_model_jvp(M, RHS, IN, NULL, NULL, f->wide, f->rhs), NC_SHAPE_MISMATCH, "parameters_tangent",      \
      "extent 5")                                                                                                                  \
    X(jvp_product, nc_model_jvp(M, RHS, IN, NULL, f->weights, NULL, NULL), NC_NULL_ARGUMENT, "product", "null")                    \
    X(jvp_product_is_tangent, nc_model_jvp(M, RHS, IN, NULL, f->weights, NULL, f->weights), NC_OVERLAP, "product",                 \
      "state_tangent")                                                                                                             \
    X(vjp_model, nc_model_vjp(NULL, RHS, IN, f->weights, NULL, f->state_slope, NULL), NC_NULL_ARGUMENT, "model", "null")           \
    X(vjp_function, nc_model_vjp(M, BAD, IN, f->weights, NULL, f->state_slope, NULL), NC_INVALID_ARGUMENT, "function is 3",        \
      "nc_model_function")                                                                                                         \
    X(vjp_time, nc_model_vjp(M, RHS, NULL, f->state, f->parameters, f->weights, NULL, f->state_slope, NULL), NC_NULL_ARGUMENT,     \
      "time", "null")                                                                                                              \
    X(vjp_state, nc_model_vjp(M, RHS, f->time, NULL, f->parameters, f->weights, NULL, f->state_slope, NULL), NC_NULL_ARGUMENT,     \
      "state", "null")                                                                                                             \
    X(vjp_parameters, nc_model_vjp(M, RHS, f->time, f->state, NULL, f->weights, NULL, f->state_slope, NULL), NC_NULL_ARGUMENT,     \
      "parameters", "null")                                                                                                        \
    X(vjp_weights, nc_model_vjp(M, RHS, IN, NULL, NULL, f->state_slope, NULL), NC_NULL_ARGUMENT, "weights", "null")                \
    X(vjp_weights_shape, nc_model_vjp(M, RHS, IN, f->wide, NULL, f->state_slope, NULL), NC_SHAPE_MISMATCH, "weights", "extent 5")  \
    X(vjp_no_gradient, nc_model_vjp(M, RHS, IN, f->weights, NULL, NULL, NULL), NC_NULL_ARGUMENT, "time_gradient", "all null")      \
    X(vjp_time_gradient, nc_model_vjp(M, RHS, IN, f->weights, f->slopes, NULL, NULL), NC_SHAPE_MISMATCH, "time_gradient",          \
      "rank 1")                                                                                                                    \
    X(vjp_state_gradient, nc_model_vjp(M, RHS, IN, f->weights, NULL, f->wide, NULL), NC_SHAPE_MISMATCH, "state_gradient",          \
      "extent 5")                                                                                                                  \
    X(vjp_state_gradient_is_weights, nc_model_vjp(M, RHS, IN, f->weights, NULL, f->weights, NULL), NC_OVERLAP, "state_gradient",   \
      "weights")                                                                                                                   \
    X(vjp_parameters_gradient, nc_model_vjp(M, RHS, IN, f->weights, NULL, NULL, f->wide), NC_SHAPE_MISMATCH,                       \
      "parameters_gradient", "extent 5")

#include "argument_rows.h"

static void model_open(fixture *f)
{
    nc_flow flow;
    int32_t number;
    assert_int_equal(nc_network_create(&f->network), NC_OK);
    assert_int_equal(nc_network_add_axis(f->network, "nodes", 2, NULL, &f->nodes), NC_OK);
    assert_int_equal(nc_network_add_compartment(f->network, "x", 1, &f->nodes, &f->x), NC_OK);
    assert_int_equal(nc_network_add_compartment(f->network, "y", 1, &f->nodes, &f->y), NC_OK);
    assert_int_equal(nc_network_add_parameter(f->network, "k", 0, NULL, &f->k), NC_OK);
    NC_STRUCT_INIT(&flow);
    flow.name = "out";
    flow.law = NC_LAW_LINEAR;
    flow.source = f->x;
    flow.rate = f->k;
    flow.reactant_count = 1;
    flow.reactants[0] = f->x;
    assert_int_equal(nc_network_add_flow(f->network, &flow, &number), NC_OK);
    assert_int_equal(nc_network_add_observable(f->network, f->x), NC_OK);
    assert_int_equal(nc_model_compile(f->device, f->network, &f->model), NC_OK);
}

// Every array of the fixture once: A(member, dtype, rank, extent, columns, device).
#define FORMS(A)                                                                                                                   \
    A(time, NC_F64, 0, 1, 1, device)                                                                                               \
    A(state, NC_F64, 1, STATES, 1, device)                                                                                         \
    A(parameters, NC_F64, 1, 1, 1, device)                                                                                         \
    A(rhs, NC_F64, 1, STATES, 1, device)                                                                                           \
    A(seen, NC_F64, 1, OBSERVABLES, 1, device)                                                                                     \
    A(fluxes, NC_F64, 1, REACTIONS, 1, device)                                                                                     \
    A(jacobian, NC_F64, 2, STATES, STATES, device)                                                                                 \
    A(weights, NC_F64, 1, STATES, 1, device)                                                                                       \
    A(time_slope, NC_F64, 0, 1, 1, device)                                                                                         \
    A(state_slope, NC_F64, 1, STATES, 1, device)                                                                                   \
    A(slopes, NC_F64, 1, 1, 1, device)                                                                                             \
    A(wide, NC_F64, 1, STATES + 1, 1, device)                                                                                      \
    A(state32, NC_F32, 1, STATES, 1, device)                                                                                       \
    A(time32, NC_F32, 0, 1, 1, device)                                                                                             \
    A(integers, NC_I64, 1, STATES, 1, device)                                                                                      \
    A(foreign, NC_F64, 1, STATES, 1, second)                                                                                       \
    A(x_part, NC_F64, 1, 2, 1, device)                                                                                             \
    A(y_part, NC_F64, 1, 2, 1, device)                                                                                             \
    A(x_rhs, NC_F64, 1, 2, 1, device)                                                                                              \
    A(y_rhs, NC_F64, 1, 2, 1, device)

#include "argument_arrays.h"

static void fixture_open(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->device = open_cpu();
    f->second = open_cpu();
    model_open(f);
    arrays_make(f);
    f->parts[0] = f->no_parts[0] = f->x_part;
    f->parts[1] = f->y_part;
    f->wide_parts[0] = f->wide;
    f->wide_parts[1] = f->y_part;
    f->results[0] = f->no_results[0] = f->same_results[0] = f->same_results[1] = f->x_rhs;
    f->results[1] = f->y_rhs;
    NC_STRUCT_INIT(&f->info);
    NC_STRUCT_INIT(&f->quantity);
    NC_STRUCT_INIT(&f->reaction);
    f->number = f->conserved = UNTOUCHED;
}

static void assert_untouched(fixture *f, const char *name)
{
    assert_arrays_untouched(f, name);
    assert_true(f->made == NULL && f->view == NULL && f->number == UNTOUCHED && f->conserved == UNTOUCHED);
    assert_true(f->info.states == 0 && f->quantity.name[0] == '\0' && f->reaction.flow == 0);
    assert_true(f->old_info.states == 0 && f->old_quantity.name[0] == '\0' && f->old_reaction.flow == 0);
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
    assert_int_equal(nc_model_rhs(f.model, f.time, f.state, f.parameters, f.rhs), NC_OK);
    assert_int_equal(nc_model_rhs_structured(f.model, f.time, f.parts, f.parameters, f.results, 2), NC_OK);
    assert_int_equal(nc_model_observables(f.model, f.time, f.state, f.parameters, f.seen), NC_OK);
    assert_int_equal(nc_model_fluxes(f.model, f.time, f.state, f.parameters, f.fluxes), NC_OK);
    assert_int_equal(nc_model_balance(f.model, f.fluxes, f.rhs), NC_OK);
    assert_int_equal(nc_model_jacobian(f.model, RHS, f.time, f.state, f.parameters, f.jacobian), NC_OK);
    assert_int_equal(nc_model_jvp(f.model, RHS, f.time, f.state, f.parameters, f.time_slope, f.weights, f.slopes, f.rhs), NC_OK);
    assert_int_equal(nc_model_vjp(f.model, RHS, f.time, f.state, f.parameters, f.weights, f.time_slope, f.state_slope, f.slopes),
                     NC_OK);
    assert_int_equal(nc_model_conserves(f.model, ones, STATES, &f.conserved, NULL), NC_OK);
    arrays_release(&f);
    assert_int_equal(nc_model_release(f.model), NC_OK);
    assert_int_equal(nc_model_release(NULL), NC_OK);
    assert_int_equal(nc_network_release(f.network), NC_OK);
    close_device(f.device);
    close_device(f.second);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_wrong_argument_is_refused_by_name),
};

UNIT_MAIN(tests)
