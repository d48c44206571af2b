// SPDX-License-Identifier: Apache-2.0
// Compartment models: networks given as data, compiled to one straight-line plan that serves any batch of states and parameters, in
// float32 and in float64, with the same bytes on every backend. docs/models.md shows how a model is described.
//
// A network is a list of named quantities, each an array over some of the network's axes, and of flows between compartments:
//   d compartment / dt = sum over the flows that touch it of weight * flux, weight > 0 where it is the target, < 0 where the
//   source.
// Quantities combine by axis: an axis that a quantity lacks is broadcast, whatever the order of the axes is.
//
// Layout. The state is one flat vector: the compartments in the order they were added, each in C order of its axes. Parameters and
// observables are laid out likewise. A batch is [trajectory, cell]; what has no trajectory axis is shared by the whole batch.
//
// Arithmetic. Everything takes the state's dtype: constants, coordinates' weights, stoichiometry and time. A double given to the
// network is rounded once to it; a float32 model never computes in float64, and mixed dtypes are refused. A sum is one fma chain in
// ascending C order, a product goes from left to right, and a cell's equation adds its flows in the order they were added.
//
// Empty groups. A ratio 0/0 is exactly +0 and so is its derivative: nobody among nobody moves nobody. A sum or mean over no cells
// is +0. An axis may have no node; then what has that axis has no cells.
//
// Axes, quantities and flows are numbered from 1 in their network; 0 (NC_NONE) is none.
#ifndef NC_MODEL_H
#define NC_MODEL_H

#include "nc_array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nc_network nc_network;
typedef struct nc_model nc_model;

#define NC_NONE 0
#define NC_MODEL_MAX_RANK 6 // axes of one quantity
#define NC_MAX_REACTANTS 8  // of one flow
#define NC_MAX_ORDER 8      // of one factor
#define NC_NAME_BYTES 64    // with the final zero

// --- Describing a network. A network lives on the host and belongs to no device.

NC_API nc_status nc_network_create(nc_network **network);
NC_API nc_status nc_network_release(nc_network *network); // null is NC_OK

// A categorical axis has no coordinates (null). A continuous axis has `extent` >= 2 strictly increasing finite coordinates, which
// trapezoid integrals use.
NC_API nc_status nc_network_add_axis(nc_network *network, const char *name, int64_t extent, const double *coordinates,
                                     int32_t *axis);

// Names are unique in their network and have 1 to 63 bytes. `axes` lists the array's axes, outermost first.
NC_API nc_status nc_network_add_compartment(nc_network *network, const char *name, int32_t rank, const int32_t *axes,
                                            int32_t *quantity);
// A matrix along an axis is a parameter or constant with that axis twice: axes {s, s}.
NC_API nc_status nc_network_add_parameter(nc_network *network, const char *name, int32_t rank, const int32_t *axes,
                                          int32_t *quantity);
// `values` in C order; `count` must be the product of the extents.
NC_API nc_status nc_network_add_constant(nc_network *network, const char *name, int32_t rank, const int32_t *axes,
                                         const double *values, int64_t count, int32_t *quantity);
// The time itself, a scalar.
NC_API nc_status nc_network_add_time(nc_network *network, const char *name, int32_t *quantity);
// A scalar that is piecewise linear in time through `count` >= 1 knots (times strictly increasing, all finite) and constant outside
// them. Its derivative in time is the slope of the segment on the right.
NC_API nc_status nc_network_add_forcing(nc_network *network, const char *name, int64_t count, const double *times,
                                        const double *values, int32_t *quantity);

// Aliases. Each is a new quantity made of earlier ones.
typedef enum nc_reduction {
    NC_REDUCTION_SUM = 1,
    NC_REDUCTION_MEAN = 2,     // the sum divided by the number of cells
    NC_REDUCTION_TRAPEZOID = 3 // weights (c1-c0)/2, (c[i+1]-c[i-1])/2, (cn-c[n-1])/2; a continuous axis
} nc_reduction;
// Reduces `source` over `axes`, the last of them innermost: an integral over two axes is nested.
NC_API nc_status nc_network_add_reduction(nc_network *network, const char *name, int32_t source, nc_reduction reduction,
                                          int32_t rank, const int32_t *axes, int32_t *quantity);
// Trapezoid over the nodes with low <= coordinate <= high, at least two; the weights are those of the selected nodes alone.
NC_API nc_status nc_network_add_integral(nc_network *network, const char *name, int32_t source, int32_t axis, double low,
                                         double high, int32_t *quantity);
// The slice of `source` at one node of an axis.
NC_API nc_status nc_network_add_selection(nc_network *network, const char *name, int32_t source, int32_t axis, int64_t node,
                                          int32_t *quantity);
// out[.., i, ..] = sum over j, ascending, of matrix[i, j] source[.., j, ..]. `matrix` has the axis twice.
NC_API nc_status nc_network_add_transport(nc_network *network, const char *name, int32_t matrix, int32_t source, int32_t axis,
                                          int32_t *quantity);
// sum of weights[i] * terms[i]; the axes are those of all terms in the order they are first met. count >= 1.
NC_API nc_status nc_network_add_combination(nc_network *network, const char *name, int32_t count, const int32_t *terms,
                                            const double *weights, int32_t *quantity);
// Product of factors[i]^orders[i] from left to right, 1 <= |orders[i]| <= NC_MAX_ORDER; a negative order divides. Axes as above.
NC_API nc_status nc_network_add_product(nc_network *network, const char *name, int32_t count, const int32_t *factors,
                                        const int32_t *orders, int32_t *quantity);
NC_API nc_status nc_network_add_exponential(nc_network *network, const char *name, int32_t source, int32_t *quantity);

// Flows.
typedef enum nc_law {
    NC_LAW_CONSTANT = 1,    // rate
    NC_LAW_LINEAR = 2,      // rate * reactant
    NC_LAW_MASS_ACTION = 3, // rate * product of reactant[i]^order[i]
    NC_LAW_SATURATING = 4,  // rate * reactant / (half_saturation + reactant); 0/0 is 0
    NC_LAW_TRANSPORT = 5    // sum over j of rate[i, j] reactant[.., j, ..] along transport_axis; no source
} nc_law;

// One flow. Set it with NC_STRUCT_INIT; members left 0 mean none or the default.
//   flux = rate [* forcing] * law [/ population]
// The flux is an array over `axes` (with has_axes = 1), or else over the axes of the source (of the target when there is none)
// without the pinned one. Each quantity of the flux may only have axes of the flux. A compartment that lacks an axis of the flux
// gets the sum over it. Of a pinned axis only one node takes part: births of all ages enter at age 0.
typedef struct nc_flow {
    uint32_t abi_version;
    uint32_t struct_size;
    const char *name;
    int32_t law;                          // nc_law
    int32_t source, target;               // compartments; at least one
    int32_t source_weight, target_weight; // exact integers >= 1; 0 means 1
    int32_t rate;                         // required
    int32_t forcing;                      // an extra factor, for instance a forcing in time
    int32_t population;                   // a divisor
    int32_t half_saturation;              // NC_LAW_SATURATING only
    int32_t transport_axis;               // NC_LAW_TRANSPORT only
    int32_t reactant_count;               // constant 0; linear, saturating, transport 1; mass action 1 to NC_MAX_REACTANTS
    int32_t reactants[NC_MAX_REACTANTS];  // compartments or aliases
    int32_t orders[NC_MAX_REACTANTS];     // mass action: 1 to NC_MAX_ORDER; 0 means 1
    int32_t has_axes;                     // 1: `rank` and `axes` give the axes of the flux
    int32_t rank;
    int32_t axes[NC_MODEL_MAX_RANK];
    int32_t source_pin_axis, target_pin_axis;
    int64_t source_pin_node, target_pin_node; // numbered from 0
    int32_t implicit;                         // 1: the implicit part of an IMEX method (nc_solver.h)
    int32_t pad;
} nc_flow;
NC_API nc_status nc_network_add_flow(nc_network *network, const nc_flow *flow, int32_t *number);

// Publishes a quantity: its cells become the next observables.
NC_API nc_status nc_network_add_observable(nc_network *network, int32_t quantity);

// --- The compiled model.

// Compiles the network and places the plan on the device. The network may be released or extended afterwards. Release the model
// before the device is closed.
NC_API nc_status nc_model_compile(nc_device *device, const nc_network *network, nc_model **model);
NC_API nc_status nc_model_release(nc_model *model); // null is NC_OK

// The model of one node of `axis`: the same network without that axis, with parameters and constants that have it sliced at
// `index`. Its results are the whole model's results for that node, bit for bit. Refused (NC_UNSUPPORTED, the message names the
// axis and the equation) when any equation crosses the axis: a reduction, selection, transport or pinned flow along it, or a
// compartment without it. Observables that cross the axis are left out. Quantities keep their numbers.
NC_API nc_status nc_model_block(const nc_model *model, int32_t axis, int64_t index, nc_model **block);

typedef struct nc_model_info {
    uint32_t abi_version;
    uint32_t struct_size;
    int64_t states, parameters, observables; // cells
    int64_t reactions;                       // cells of all flows
    int64_t instructions;                    // of the right-hand side
    int32_t axes, quantities, flows;
    int32_t implicit_flows;
} nc_model_info;
NC_API nc_status nc_model_info_get(const nc_model *model, nc_model_info *info);

typedef enum nc_quantity_kind {
    NC_QUANTITY_COMPARTMENT = 1,
    NC_QUANTITY_PARAMETER = 2,
    NC_QUANTITY_CONSTANT = 3,
    NC_QUANTITY_TIME = 4,
    NC_QUANTITY_FORCING = 5,
    NC_QUANTITY_ALIAS = 6,
    NC_QUANTITY_ABSENT = 7 // left out of a block
} nc_quantity_kind;

typedef struct nc_quantity_info {
    uint32_t abi_version;
    uint32_t struct_size;
    char name[NC_NAME_BYTES];
    int32_t kind; // nc_quantity_kind
    int32_t rank;
    int32_t axes[NC_MODEL_MAX_RANK];
    int64_t shape[NC_MODEL_MAX_RANK];
    int64_t count;
    int64_t offset;            // first cell in the flat state (compartments) or parameters; -1 for others
    int64_t observable_offset; // first cell among the observables; -1 when not published
} nc_quantity_info;
NC_API nc_status nc_model_quantity_get(const nc_model *model, int32_t quantity, nc_quantity_info *info);
// The number of a named quantity or flow; NC_INVALID_ARGUMENT when there is none.
NC_API nc_status nc_model_find(const nc_model *model, const char *name, int32_t *quantity);
NC_API nc_status nc_model_find_flow(const nc_model *model, const char *name, int32_t *flow);

// One reaction: one cell of a flow. Cells are positions in the flat state. A catalyst is a reactant whose cell is neither source
// nor target. An alias among the reactants has cell -1.
typedef struct nc_reaction {
    uint32_t abi_version;
    uint32_t struct_size;
    int32_t flow;
    int32_t reactant_count;
    int64_t source_cell, target_cell;     // -1: none
    int32_t source_weight, target_weight; // exact; d source = -source_weight * flux, d target = +target_weight * flux
    int32_t reactants[NC_MAX_REACTANTS];  // quantities
    int32_t orders[NC_MAX_REACTANTS];
    int64_t cells[NC_MAX_REACTANTS];
} nc_reaction;
NC_API nc_status nc_model_reaction_get(const nc_model *model, int64_t reaction, nc_reaction *info);

// Whether sum over the state of weights[cell] * state[cell] is conserved by every reaction, decided in exact integers from the
// stoichiometry. A transport conserves it when the weights are equal along its axis and the matrix has zero column sums, which is
// the caller's business: *conserved is then 2 if all else conserves. Otherwise 1 (conserved) or 0, and *flow is the first flow that
// breaks it (NC_NONE if none). `count` must be the number of states. `flow` may be null.
NC_API nc_status nc_model_conserves(const nc_model *model, const int64_t *weights, int64_t count, int32_t *conserved,
                                    int32_t *flow);

// A view of a flat array with the structured shape of one quantity: [axes...] or [trajectory, axes...]. `flat` is a state (or its
// rate of change) for a compartment, the parameters for a parameter; an observables array serves any published quantity when
// `observables` is 1.
NC_API nc_status nc_model_view(const nc_model *model, nc_array *flat, int32_t quantity, int32_t observables, nc_array **view);

// --- Evaluating. All arrays of a call have one dtype (f32 or f64) and one device, the model's. `time` is a scalar (rank 0) or has
// one value for each trajectory [B]; `state` is [states] or [B, states]; `parameters` is [parameters] (shared) or [B, parameters]
// and may be null for a model without parameters. Outputs are [n] when state is [states], else [B, n], any strides. Outputs must
// not overlap inputs. Non-finite values propagate; NaN is canonical.

// rate of change of the state.
NC_API nc_status nc_model_rhs(nc_model *model, const nc_array *time, const nc_array *state, const nc_array *parameters,
                              nc_array *rhs);
// The same with one array for each compartment, in the order they were added, each [axes...] or each [B, axes...].
NC_API nc_status nc_model_rhs_structured(nc_model *model, const nc_array *time, const nc_array *const *state,
                                         const nc_array *parameters, nc_array *const *rhs, int32_t count);
NC_API nc_status nc_model_observables(nc_model *model, const nc_array *time, const nc_array *state, const nc_array *parameters,
                                      nc_array *observables);
// The flux of every reaction.
NC_API nc_status nc_model_fluxes(nc_model *model, const nc_array *time, const nc_array *state, const nc_array *parameters,
                                 nc_array *fluxes);
// rhs = stoichiometry * fluxes, each cell one fma chain over its reactions in ascending order: the bytes of nc_model_rhs.
NC_API nc_status nc_model_balance(nc_model *model, const nc_array *fluxes, nc_array *rhs);

typedef enum nc_model_function { NC_FUNCTION_RHS = 1, NC_FUNCTION_OBSERVABLES = 2 } nc_model_function;
// jacobian[B?, n, states]: exact partial derivatives, computed one column at a time.
NC_API nc_status nc_model_jacobian(nc_model *model, nc_model_function function, const nc_array *time, const nc_array *state,
                                   const nc_array *parameters, nc_array *jacobian);
// product[B?, n] = derivative along the tangents. A null tangent is zero. Tangents have the shapes of what they belong to.
NC_API nc_status nc_model_jvp(nc_model *model, nc_model_function function, const nc_array *time, const nc_array *state,
                              const nc_array *parameters, const nc_array *time_tangent, const nc_array *state_tangent,
                              const nc_array *parameters_tangent, nc_array *product);
// Gradients of sum_i weights[i] * output[i] in time [B?], state [B?, states] and parameters [B?, parameters]; each trajectory has
// its own, also of shared parameters. A null gradient is not computed; at least one must be given.
NC_API nc_status nc_model_vjp(nc_model *model, nc_model_function function, const nc_array *time, const nc_array *state,
                              const nc_array *parameters, const nc_array *weights, nc_array *time_gradient,
                              nc_array *state_gradient, nc_array *parameters_gradient);

#ifdef __cplusplus
}
#endif
#endif
