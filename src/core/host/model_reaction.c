// SPDX-License-Identifier: Apache-2.0
// Reactions: the stoichiometry of a model in exact integers.
#include "model.h"

#include <inttypes.h>

// The flow that reaction number `reaction` is a cell of, and which cell.
static const network_flow *find_reaction(const nc_network *network, int64_t reaction, int32_t *number, int64_t *cell)
{
    int32_t f = 0;
    while (reaction >= network->flows[f].count) {
        reaction -= network->flows[f++].count;
    }
    *number = f + 1;
    *cell = reaction;
    return &network->flows[f];
}

nc_status nc_model_reaction_get(const nc_model *model, int64_t reaction, nc_reaction *info)
{
    nc_reaction filled;
    int64_t cell = 0;
    NC_TRY(nc_check_pointer(model, "model"));
    const nc_network *network = model->network;
    if (reaction < 0 || reaction >= network->reactions) {
        return be_fail(NC_OUT_OF_RANGE, "reaction is %" PRId64 "; the model has reactions 0 to %" PRId64, reaction,
                       network->reactions - 1);
    }
    NC_TRY(nc_check_abi(info, sizeof *info, "info"));
    NC_STRUCT_INIT(&filled);
    const network_flow *flow = find_reaction(network, reaction, &filled.flow, &cell);
    const nc_flow *given = &flow->given;
    network_walk walk = network_walk_at(network, given->rank, given->axes, cell);
    network_end source = network_flow_end(network, flow, 0), target = network_flow_end(network, flow, 1);
    filled.source_cell = network_end_cell(&source, &walk);
    filled.target_cell = network_end_cell(&target, &walk);
    filled.source_weight = given->source_weight;
    filled.target_weight = given->target_weight;
    filled.reactant_count = given->reactant_count;
    for (int32_t i = 0; i < given->reactant_count; ++i) {
        int64_t strides[NC_MODEL_MAX_RANK];
        const network_quantity *reactant = network_quantity_at(network, given->reactants[i]);
        network_strides(network, reactant, given->rank, given->axes, strides);
        filled.reactants[i] = given->reactants[i];
        filled.orders[i] = given->orders[i];
        filled.cells[i] = reactant->kind == NC_QUANTITY_COMPARTMENT ? reactant->offset + network_walk_cell(&walk, strides) : -1;
    }
    *info = filled;
    return NC_OK;
}

// Exact: a weight times a stoichiometric number fits in 128 bits.
__extension__ typedef __int128 wide;

static int conserves_cell(const nc_flow *flow, const int64_t *weights, int64_t source, int64_t target)
{
    wide lost = source < 0 ? 0 : (wide)weights[source] * flow->source_weight;
    wide gained = target < 0 ? 0 : (wide)weights[target] * flow->target_weight;
    return lost == gained;
}

// 1 conserved, 0 not, 2 if the transport's matrix has zero column sums.
static int32_t conserves(const nc_network *network, const network_flow *flow, const int64_t *weights)
{
    int32_t result = flow->given.law == NC_LAW_TRANSPORT ? 2 : 1;
    network_end source = network_flow_end(network, flow, 0), target = network_flow_end(network, flow, 1);
    network_walk walk = network_walk_begin(network, flow->given.rank, flow->given.axes);
    for (int64_t i = 0; i < flow->count; ++i) {
        int64_t cell = network_end_cell(&target, &walk);
        if (result == 1) {
            result = conserves_cell(&flow->given, weights, network_end_cell(&source, &walk), cell);
        } else if (result == 2) {
            network_walk start = walk;
            for (int32_t a = 0; a < flow->given.rank; ++a) {
                start.index[a] = flow->given.axes[a] == flow->given.transport_axis ? 0 : walk.index[a];
            }
            result = weights[cell] == weights[network_end_cell(&target, &start)] ? 2 : 0;
        }
        (void)network_walk_next(&walk);
    }
    return result;
}

nc_status nc_model_conserves(const nc_model *model, const int64_t *weights, int64_t count, int32_t *conserved, int32_t *flow)
{
    NC_TRY(nc_check_pointer(model, "model"));
    const nc_network *network = model->network;
    if (count != network->states) {
        return be_fail(NC_SHAPE_MISMATCH, "count is %" PRId64 "; the model has %" PRId64 " states", count, network->states);
    }
    if (count > 0) {
        NC_TRY(nc_check_pointer(weights, "weights"));
    }
    NC_TRY(nc_check_pointer(conserved, "conserved"));
    int32_t all = 1, breaker = NC_NONE;
    for (int32_t f = 0; f < network->flow_count && all != 0; ++f) {
        int32_t result = conserves(network, &network->flows[f], weights);
        breaker = result == 0 ? f + 1 : breaker;
        all = result == 1 ? all : result;
    }
    *conserved = all;
    if (flow != NULL) {
        *flow = breaker;
    }
    return NC_OK;
}
