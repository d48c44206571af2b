// SPDX-License-Identifier: Apache-2.0
// Copies of a network: whole, and the slice that one node of an axis has when no equation crosses that axis.
#include "network.h"

#include <stdlib.h>

static nc_status copy_axes(const nc_network *network, nc_network *copy)
{
    for (int32_t i = 0; i < network->axis_count; ++i) {
        NC_TRY(network_grow((void **)&copy->axes, i, sizeof *copy->axes));
        copy->axes[i] = network->axes[i];
        copy->axes[i].coordinates = NULL;
        copy->axis_count = i + 1;
        NC_TRY(network_duplicate(network->axes[i].coordinates, network->axes[i].extent, sizeof(double),
                                 (void **)&copy->axes[i].coordinates));
    }
    return NC_OK;
}

static nc_status copy_quantities(const nc_network *network, nc_network *copy)
{
    for (int32_t i = 0; i < network->quantity_count; ++i) {
        NC_TRY(network_grow((void **)&copy->quantities, i, sizeof *copy->quantities));
        const network_quantity *from = &network->quantities[i];
        network_quantity *to = &copy->quantities[i];
        *to = *from;
        to->operands = to->orders = NULL;
        to->values = NULL;
        copy->quantity_count = i + 1;
        NC_TRY(network_duplicate(from->operands, from->operand_count, sizeof *from->operands, (void **)&to->operands));
        NC_TRY(network_duplicate(from->orders, from->operand_count, sizeof *from->orders, (void **)&to->orders));
        NC_TRY(network_duplicate(from->values, from->value_count, sizeof *from->values, (void **)&to->values));
    }
    return NC_OK;
}

static nc_status copy_all(const nc_network *network, nc_network *copy)
{
    NC_TRY(copy_axes(network, copy));
    NC_TRY(copy_quantities(network, copy));
    NC_TRY(network_duplicate(network->flows, network->flow_count, sizeof *network->flows, (void **)&copy->flows));
    copy->flow_count = network->flow_count;
    NC_TRY(network_duplicate(network->observables, network->observable_count, sizeof *network->observables,
                             (void **)&copy->observables));
    copy->observable_count = network->observable_count;
    copy->states = network->states;
    copy->parameters = network->parameters;
    copy->observable_cells = network->observable_cells;
    copy->reactions = network->reactions;
    return NC_OK;
}

nc_status network_copy(const nc_network *network, nc_network **copy)
{
    nc_network *made = NULL;
    NC_TRY(nc_network_create(&made));
    nc_status status = copy_all(network, made);
    if (status != NC_OK) {
        (void)nc_network_release(made);
        return status;
    }
    *copy = made;
    return NC_OK;
}

// --- Slices

// Whether a quantity needs more than its own node of the axis: 0, or the number of the first quantity that runs along it.
static int32_t crossing(const nc_network *network, int32_t quantity, int32_t axis, const int32_t *crossings)
{
    const network_quantity *used = network_quantity_at(network, quantity);
    if (network_has_axis(used->reduced_rank, used->reduced, axis) || (network_is_matrix(used) && used->axes[0] == axis)) {
        return quantity;
    }
    for (int32_t i = 0; i < used->operand_count; ++i) {
        if (crossings[used->operands[i]] != 0) {
            return crossings[used->operands[i]];
        }
    }
    return 0;
}

static nc_status refuse_flow(const nc_network *network, const network_flow *flow, int32_t axis, const char *how, const char *what)
{
    int32_t equation = flow->given.target != NC_NONE ? flow->given.target : flow->given.source;
    return be_fail(
        NC_UNSUPPORTED,
        "the model is coupled along axis %s: the equation of %s has the flow %s, %s %s; groups of a coupled model cannot "
        "be computed apart",
        network_axis_at(network, axis)->name, network_quantity_at(network, equation)->name, flow->name, how, what);
}

static nc_status check_flow_apart(const nc_network *network, const network_flow *flow, int32_t axis, const int32_t *crossings)
{
    const nc_flow *given = &flow->given;
    const int32_t parts[] = {given->rate, given->forcing, given->population, given->half_saturation};
    const char *name = network_axis_at(network, axis)->name;
    if (given->source_pin_axis == axis || given->target_pin_axis == axis) {
        return refuse_flow(network, flow, axis, "pinned to one node of", name);
    }
    if (given->transport_axis == axis) {
        return refuse_flow(network, flow, axis, "a transport along", name);
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        if (parts[i] != NC_NONE && crossings[parts[i]] != 0) {
            return refuse_flow(network, flow, axis, "which uses", network_quantity_at(network, crossings[parts[i]])->name);
        }
    }
    for (int32_t i = 0; i < given->reactant_count; ++i) {
        if (crossings[given->reactants[i]] != 0) {
            return refuse_flow(network, flow, axis, "which uses",
                               network_quantity_at(network, crossings[given->reactants[i]])->name);
        }
    }
    return NC_OK;
}

static nc_status check_apart(const nc_network *network, int32_t axis, const int32_t *crossings)
{
    for (int32_t q = 1; q <= network->quantity_count; ++q) {
        const network_quantity *quantity = network_quantity_at(network, q);
        if (quantity->kind == NC_QUANTITY_COMPARTMENT && !network_has_axis(quantity->rank, quantity->axes, axis)) {
            return be_fail(NC_UNSUPPORTED,
                           "the model is coupled along axis %s: the equation of %s has no such axis and is shared by its nodes",
                           network_axis_at(network, axis)->name, quantity->name);
        }
    }
    for (int32_t f = 0; f < network->flow_count; ++f) {
        NC_TRY(check_flow_apart(network, &network->flows[f], axis, crossings));
    }
    return NC_OK;
}

static int32_t remove_axis(int32_t rank, int32_t *axes, int32_t axis)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < rank; ++i) {
        if (axes[i] != axis) {
            axes[kept++] = axes[i];
        }
    }
    return kept;
}

// The cells of a constant at one node, moved to the front of its values.
static void slice_values(const nc_network *network, network_quantity *quantity, int32_t axis, int64_t index)
{
    int64_t inner = network_stride(network, quantity, axis), extent = network_axis_at(network, axis)->extent;
    int64_t kept = 0;
    for (int64_t cell = 0; inner > 0 && cell < quantity->count; ++cell) {
        if (cell / inner % extent == index) {
            quantity->values[kept++] = quantity->values[cell];
        }
    }
    if (inner > 0) {
        quantity->value_count = kept;
    }
}

// `copy` is a copy of a network whose flows do not cross the axis. Layouts are counted anew.
static nc_status slice_quantities(nc_network *copy, int32_t axis, int64_t index, const int32_t *crossings)
{
    copy->states = copy->parameters = copy->observable_cells = 0;
    for (int32_t q = 1; q <= copy->quantity_count; ++q) {
        network_quantity *quantity = network_quantity_at(copy, q);
        if (crossings[q] != 0) {
            quantity->kind = NC_QUANTITY_ABSENT;
            quantity->rank = 0;
            quantity->count = 0;
            quantity->offset = quantity->observable_offset = -1;
            continue;
        }
        if (quantity->kind == NC_QUANTITY_CONSTANT) {
            slice_values(copy, quantity, axis, index);
        }
        quantity->rank = remove_axis(quantity->rank, quantity->axes, axis);
        NC_TRY(network_count(copy, quantity->rank, quantity->axes, quantity->name, &quantity->count));
        int64_t *total = quantity->kind == NC_QUANTITY_COMPARTMENT ? &copy->states : &copy->parameters;
        if (quantity->offset >= 0) {
            quantity->offset = *total;
            *total += quantity->count;
        }
    }
    return NC_OK;
}

static nc_status slice_rest(nc_network *copy, int32_t axis)
{
    int32_t kept = 0;
    copy->reactions = 0;
    for (int32_t f = 0; f < copy->flow_count; ++f) {
        network_flow *flow = &copy->flows[f];
        flow->given.rank = remove_axis(flow->given.rank, flow->given.axes, axis);
        NC_TRY(network_count(copy, flow->given.rank, flow->given.axes, flow->name, &flow->count));
        copy->reactions += flow->count;
    }
    for (int32_t i = 0; i < copy->observable_count; ++i) {
        network_quantity *quantity = network_quantity_at(copy, copy->observables[i]);
        if (quantity->kind != NC_QUANTITY_ABSENT) {
            quantity->observable_offset = copy->observable_cells;
            copy->observable_cells += quantity->count;
            copy->observables[kept++] = copy->observables[i];
        }
    }
    copy->observable_count = kept;
    return NC_OK;
}

static nc_status slice_copy(const nc_network *network, int32_t axis, int64_t index, int32_t *crossings, nc_network **slice)
{
    for (int32_t q = 1; q <= network->quantity_count; ++q) {
        crossings[q] = crossing(network, q, axis, crossings);
    }
    NC_TRY(check_apart(network, axis, crossings));
    NC_TRY(network_copy(network, slice));
    NC_TRY(slice_quantities(*slice, axis, index, crossings));
    return slice_rest(*slice, axis);
}

nc_status network_slice(const nc_network *network, int32_t axis, int64_t index, nc_network **slice)
{
    nc_network *made = NULL;
    int32_t *crossings = calloc((size_t)network->quantity_count + 1, sizeof *crossings); // by quantity number
    if (crossings == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory to slice a network");
    }
    nc_status status = slice_copy(network, axis, index, crossings, &made);
    free(crossings);
    if (status != NC_OK) {
        (void)nc_network_release(made);
        return status;
    }
    *slice = made;
    return NC_OK;
}
