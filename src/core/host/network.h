// SPDX-License-Identifier: Apache-2.0
// Insides of a network: what nc_network_* builds, a model compiles and keeps a copy of.
#ifndef NC_NETWORK_H
#define NC_NETWORK_H

#include "../nc_model.h"
#include "host.h"

// Largest number of cells of one array of a network, and of slots of a program: positions stay below 2^31 with NC_TILE lanes.
#define NETWORK_CELLS_MAX ((int64_t)1 << 26)

typedef struct network_axis {
    char name[NC_NAME_BYTES];
    int64_t extent;
    double *coordinates; // null: a categorical axis
} network_axis;

// How an alias is made of its operands.
typedef enum network_operation {
    NETWORK_GIVEN, // not an alias
    NETWORK_REDUCTION,
    NETWORK_INTEGRAL,
    NETWORK_SELECTION,
    NETWORK_TRANSPORT,
    NETWORK_COMBINATION,
    NETWORK_PRODUCT,
    NETWORK_EXPONENTIAL
} network_operation;

typedef struct network_quantity {
    char name[NC_NAME_BYTES];
    nc_quantity_kind kind;
    network_operation operation;
    int32_t rank;
    int32_t axes[NC_MODEL_MAX_RANK];
    int varies;                // depends on the state or on time
    int64_t count;             // cells
    int64_t offset;            // of a compartment or parameter in its flat array
    int64_t observable_offset; // -1: not published
    nc_reduction reduction;
    int32_t reduced_rank; // axes that the operation runs along
    int32_t reduced[NC_MODEL_MAX_RANK];
    int64_t node, nodes; // selection: node; integral: first node and number of nodes
    int32_t operand_count;
    int32_t *operands;
    int32_t *orders; // product: one for each operand
    double *values;  // constant: cells; forcing: times, then values; combination: one for each operand
    int64_t value_count;
} network_quantity;

typedef struct network_flow {
    char name[NC_NAME_BYTES];
    nc_flow given; // its name is null; axes and defaults are filled in
    int64_t count; // cells
} network_flow;

struct nc_network {
    network_axis *axes;
    int32_t axis_count;
    network_quantity *quantities;
    int32_t quantity_count;
    network_flow *flows;
    int32_t flow_count;
    int32_t *observables; // quantities in the order they were published
    int32_t observable_count;
    int64_t states, parameters, observable_cells, reactions;
};

// Items are numbered from 1. The number must be valid.
static inline network_axis *network_axis_at(const nc_network *network, int32_t axis)
{
    return &network->axes[axis - 1];
}
static inline network_quantity *network_quantity_at(const nc_network *network, int32_t quantity)
{
    return &network->quantities[quantity - 1];
}

static inline int network_is_matrix(const network_quantity *quantity)
{
    return quantity->rank == 2 && quantity->axes[0] == quantity->axes[1];
}

// --- Checks. `name` is the argument's name.
nc_status network_check_axis(const nc_network *network, const char *name, int32_t axis);
nc_status network_check_quantity(const nc_network *network, const char *name, int32_t quantity);
nc_status network_check_name(const nc_network *network, const char *name);

// --- Growing. A new quantity is zeroed, has its name and is not counted until network_commit_quantity.
nc_status network_new_quantity(nc_network *network, const char *name, network_quantity **quantity);
nc_status network_commit_quantity(nc_network *network, network_quantity *quantity, int32_t *number);
void network_free_quantity(network_quantity *quantity);
// Appends room for one zeroed item of `size` bytes to an array of `count`; the array may move.
nc_status network_grow(void **array, int32_t count, size_t size);
// Duplicates `count` items; null for none.
nc_status network_duplicate(const void *items, int64_t count, size_t size, void **copy);
// Adds the axes of `quantity` that are not in the list yet.
nc_status network_merge_axes(const network_quantity *quantity, int32_t *rank, int32_t *axes);
// Sets axes and the number of cells.
nc_status network_set_axes(const nc_network *network, network_quantity *quantity, int32_t rank, const int32_t *axes);
int network_has_axis(int32_t rank, const int32_t *axes, int32_t axis);
nc_status network_count(const nc_network *network, int32_t rank, const int32_t *axes, const char *what, int64_t *count);

nc_status network_copy(const nc_network *network, nc_network **copy);
// The copy without `axis`, sliced at `index`, if no equation crosses the axis.
nc_status network_slice(const nc_network *network, int32_t axis, int64_t index, nc_network **slice);

// --- Walking the cells of an array in C order.
typedef struct network_walk {
    int32_t rank;
    int64_t extent[NC_MODEL_MAX_RANK];
    int64_t index[NC_MODEL_MAX_RANK];
} network_walk;
network_walk network_walk_begin(const nc_network *network, int32_t rank, const int32_t *axes);
network_walk network_walk_at(const nc_network *network, int32_t rank, const int32_t *axes, int64_t cell);
// Moves to the next cell; 0 after the last. Call only when there is a first.
int network_walk_next(network_walk *walk);
// Strides of `quantity` along each axis of a walk; 0 for an axis that it lacks.
void network_strides(const nc_network *network, const network_quantity *quantity, int32_t rank, const int32_t *axes,
                     int64_t *strides);
// The stride of `quantity` along one axis, its last occurrence.
int64_t network_stride(const nc_network *network, const network_quantity *quantity, int32_t axis);
int64_t network_walk_cell(const network_walk *walk, const int64_t *strides);

// The state cell that a compartment of a flow has for one cell of the flux; -1 for NC_NONE.
typedef struct network_end {
    int64_t strides[NC_MODEL_MAX_RANK];
    int64_t offset; // -1: no compartment
} network_end;
network_end network_flow_end(const nc_network *network, const network_flow *flow, int target);
static inline int64_t network_end_cell(const network_end *end, const network_walk *walk)
{
    return end->offset < 0 ? -1 : end->offset + network_walk_cell(walk, end->strides);
}

#endif
