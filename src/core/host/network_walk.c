// SPDX-License-Identifier: Apache-2.0
// Cells of arrays over a network's axes: walks in C order and positions under broadcasting.
#include "network.h"

network_walk network_walk_begin(const nc_network *network, int32_t rank, const int32_t *axes)
{
    network_walk walk = {.rank = rank};
    for (int32_t i = 0; i < rank; ++i) {
        walk.extent[i] = network_axis_at(network, axes[i])->extent;
    }
    return walk;
}

network_walk network_walk_at(const nc_network *network, int32_t rank, const int32_t *axes, int64_t cell)
{
    network_walk walk = network_walk_begin(network, rank, axes);
    for (int32_t i = rank - 1; i >= 0; --i) {
        walk.index[i] = cell % walk.extent[i];
        cell /= walk.extent[i];
    }
    return walk;
}

int network_walk_next(network_walk *walk)
{
    for (int32_t i = walk->rank - 1; i >= 0; --i) {
        if (++walk->index[i] < walk->extent[i]) {
            return 1;
        }
        walk->index[i] = 0;
    }
    return 0;
}

int64_t network_stride(const nc_network *network, const network_quantity *quantity, int32_t axis)
{
    int64_t stride = 1;
    for (int32_t i = quantity->rank - 1; i >= 0; --i) {
        if (quantity->axes[i] == axis) {
            return stride;
        }
        stride *= network_axis_at(network, quantity->axes[i])->extent;
    }
    return 0;
}

void network_strides(const nc_network *network, const network_quantity *quantity, int32_t rank, const int32_t *axes,
                     int64_t *strides)
{
    for (int32_t i = 0; i < rank; ++i) {
        strides[i] = network_stride(network, quantity, axes[i]);
    }
}

int64_t network_walk_cell(const network_walk *walk, const int64_t *strides)
{
    int64_t cell = 0;
    for (int32_t i = 0; i < walk->rank; ++i) {
        cell += walk->index[i] * strides[i];
    }
    return cell;
}

network_end network_flow_end(const nc_network *network, const network_flow *flow, int target)
{
    network_end end = {.offset = -1};
    const nc_flow *given = &flow->given;
    int32_t compartment = target ? given->target : given->source;
    int32_t pin_axis = target ? given->target_pin_axis : given->source_pin_axis;
    int64_t pin_node = target ? given->target_pin_node : given->source_pin_node;
    if (compartment != NC_NONE) {
        const network_quantity *quantity = network_quantity_at(network, compartment);
        network_strides(network, quantity, given->rank, given->axes, end.strides);
        end.offset = quantity->offset;
        if (pin_axis != NC_NONE) {
            end.offset += pin_node * network_stride(network, quantity, pin_axis);
            for (int32_t i = 0; i < given->rank; ++i) { // all nodes of the flux meet at the pinned one
                end.strides[i] = given->axes[i] == pin_axis ? 0 : end.strides[i];
            }
        }
    }
    return end;
}
