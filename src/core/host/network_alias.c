// SPDX-License-Identifier: Apache-2.0
// Aliases: quantities made of earlier quantities.
#include "network.h"

#include <inttypes.h>
#include <stdlib.h>

// A new alias with one operand, whose number is checked. Matrices serve as operands of a transport only.
static nc_status new_alias(nc_network *network, const char *name, network_operation operation, int32_t count,
                           const int32_t *sources, network_quantity **made)
{
    NC_TRY(nc_check_pointer(network, "network"));
    for (int32_t i = 0; i < count; ++i) {
        NC_TRY(network_check_quantity(network, "source", sources[i]));
        const network_quantity *source = network_quantity_at(network, sources[i]);
        if (network_is_matrix(source) && !(operation == NETWORK_TRANSPORT && i == 0)) {
            return be_fail(NC_INVALID_ARGUMENT, "%s is a matrix along axis %s; only a transport takes it", source->name,
                           network_axis_at(network, source->axes[0])->name);
        }
    }
    NC_TRY(network_new_quantity(network, name, made));
    (*made)->kind = NC_QUANTITY_ALIAS;
    (*made)->operation = operation;
    (*made)->operand_count = count;
    return network_duplicate(sources, count, sizeof *sources, (void **)&(*made)->operands);
}

// Frees what the alias owns when a later step of its making failed.
static nc_status finish_alias(nc_network *network, network_quantity *made, nc_status status, int32_t *quantity)
{
    if (status != NC_OK) {
        network_free_quantity(made);
        return status;
    }
    return network_commit_quantity(network, made, quantity);
}

static nc_status check_source_axis(const nc_network *network, int32_t source, int32_t axis)
{
    const network_quantity *quantity = network_quantity_at(network, source);
    NC_TRY(network_check_axis(network, "axis", axis));
    if (!network_has_axis(quantity->rank, quantity->axes, axis)) {
        return be_fail(NC_SHAPE_MISMATCH, "%s has no axis %s", quantity->name, network_axis_at(network, axis)->name);
    }
    return NC_OK;
}

static nc_status check_continuous(const nc_network *network, int32_t axis)
{
    if (network_axis_at(network, axis)->coordinates == NULL) {
        return be_fail(NC_INVALID_ARGUMENT, "axis %s has no coordinates; a trapezoid integral needs a continuous axis",
                       network_axis_at(network, axis)->name);
    }
    return NC_OK;
}

// The axes of the alias: those of its first operand without the reduced ones.
static nc_status drop_axes(const nc_network *network, network_quantity *made, const network_quantity *source)
{
    int32_t rank = 0, axes[NC_MODEL_MAX_RANK];
    for (int32_t i = 0; i < source->rank; ++i) {
        if (!network_has_axis(made->reduced_rank, made->reduced, source->axes[i])) {
            axes[rank++] = source->axes[i];
        }
    }
    return network_set_axes(network, made, rank, axes);
}

static nc_status check_reduced_axes(const nc_network *network, int32_t source, nc_reduction reduction, int32_t rank,
                                    const int32_t *axes)
{
    if (rank < 1 || rank > NC_MODEL_MAX_RANK) {
        return be_fail(NC_INVALID_ARGUMENT, "rank is %" PRId32 "; a reduction runs over 1 to %d axes", rank, NC_MODEL_MAX_RANK);
    }
    NC_TRY(nc_check_pointer(axes, "axes"));
    for (int32_t i = 0; i < rank; ++i) {
        NC_TRY(check_source_axis(network, source, axes[i]));
        if (network_has_axis(i, axes, axes[i])) {
            return be_fail(NC_INVALID_ARGUMENT, "axis %s is reduced twice", network_axis_at(network, axes[i])->name);
        }
        if (reduction == NC_REDUCTION_TRAPEZOID) {
            NC_TRY(check_continuous(network, axes[i]));
        }
    }
    return NC_OK;
}

nc_status nc_network_add_reduction(nc_network *network, const char *name, int32_t source, nc_reduction reduction, int32_t rank,
                                   const int32_t *axes, int32_t *quantity)
{
    network_quantity *made = NULL;
    NC_TRY(nc_check_pointer(network, "network"));
    NC_TRY(network_check_quantity(network, "source", source));
    if (reduction != NC_REDUCTION_SUM && reduction != NC_REDUCTION_MEAN && reduction != NC_REDUCTION_TRAPEZOID) {
        return be_fail(NC_INVALID_ARGUMENT, "reduction is %d; it must be one of nc_reduction", (int)reduction);
    }
    NC_TRY(check_reduced_axes(network, source, reduction, rank, axes));
    NC_TRY(new_alias(network, name, NETWORK_REDUCTION, 1, &source, &made));
    made->reduction = reduction;
    made->reduced_rank = rank;
    for (int32_t i = 0; i < rank; ++i) {
        made->reduced[i] = axes[i];
    }
    return finish_alias(network, made, drop_axes(network, made, network_quantity_at(network, source)), quantity);
}

// An alias along one axis of its last operand.
static nc_status new_along(nc_network *network, const char *name, network_operation operation, int32_t count,
                           const int32_t *sources, int32_t axis, network_quantity **made)
{
    NC_TRY(nc_check_pointer(network, "network"));
    NC_TRY(network_check_quantity(network, "source", sources[count - 1]));
    NC_TRY(check_source_axis(network, sources[count - 1], axis));
    NC_TRY(new_alias(network, name, operation, count, sources, made));
    (*made)->reduced_rank = 1;
    (*made)->reduced[0] = axis;
    return NC_OK;
}

nc_status nc_network_add_integral(nc_network *network, const char *name, int32_t source, int32_t axis, double low, double high,
                                  int32_t *quantity)
{
    network_quantity *made = NULL;
    NC_TRY(nc_check_pointer(network, "network"));
    NC_TRY(network_check_axis(network, "axis", axis));
    NC_TRY(check_continuous(network, axis));
    const network_axis *along = network_axis_at(network, axis);
    int64_t node = 0, nodes = 0;
    for (int64_t i = 0; i < along->extent; ++i) {
        if (along->coordinates[i] >= low && along->coordinates[i] <= high) {
            node = nodes == 0 ? i : node;
            ++nodes;
        }
    }
    if (nodes < 2) {
        return be_fail(NC_INVALID_ARGUMENT,
                       "[%g, %g] holds %" PRId64 " coordinates of axis %s; a trapezoid integral needs at least 2", low, high, nodes,
                       along->name);
    }
    NC_TRY(new_along(network, name, NETWORK_INTEGRAL, 1, &source, axis, &made));
    made->node = node;
    made->nodes = nodes;
    return finish_alias(network, made, drop_axes(network, made, network_quantity_at(network, source)), quantity);
}

nc_status nc_network_add_selection(nc_network *network, const char *name, int32_t source, int32_t axis, int64_t node,
                                   int32_t *quantity)
{
    network_quantity *made = NULL;
    NC_TRY(nc_check_pointer(network, "network"));
    NC_TRY(network_check_axis(network, "axis", axis));
    if (node < 0 || node >= network_axis_at(network, axis)->extent) {
        return be_fail(NC_OUT_OF_RANGE, "node is %" PRId64 "; axis %s has nodes 0 to %" PRId64, node,
                       network_axis_at(network, axis)->name, network_axis_at(network, axis)->extent - 1);
    }
    NC_TRY(new_along(network, name, NETWORK_SELECTION, 1, &source, axis, &made));
    made->node = node;
    return finish_alias(network, made, drop_axes(network, made, network_quantity_at(network, source)), quantity);
}

nc_status nc_network_add_transport(nc_network *network, const char *name, int32_t matrix, int32_t source, int32_t axis,
                                   int32_t *quantity)
{
    network_quantity *made = NULL;
    const int32_t sources[2] = {matrix, source};
    NC_TRY(nc_check_pointer(network, "network"));
    NC_TRY(network_check_quantity(network, "matrix", matrix));
    NC_TRY(network_check_axis(network, "axis", axis));
    const network_quantity *mover = network_quantity_at(network, matrix);
    if (!network_is_matrix(mover) || mover->axes[0] != axis) {
        return be_fail(NC_SHAPE_MISMATCH, "%s is no matrix along axis %s; its axes must be that axis, twice", mover->name,
                       network_axis_at(network, axis)->name);
    }
    NC_TRY(new_along(network, name, NETWORK_TRANSPORT, 2, sources, axis, &made));
    const network_quantity *moved = network_quantity_at(network, source);
    return finish_alias(network, made, network_set_axes(network, made, moved->rank, moved->axes), quantity);
}

// The axes of all operands together.
static nc_status join_axes(const nc_network *network, network_quantity *made)
{
    int32_t rank = 0, axes[NC_MODEL_MAX_RANK];
    for (int32_t i = 0; i < made->operand_count; ++i) {
        NC_TRY(network_merge_axes(network_quantity_at(network, made->operands[i]), &rank, axes));
    }
    return network_set_axes(network, made, rank, axes);
}

static nc_status check_list(int32_t count, const int32_t *items, const char *name)
{
    if (count < 1) {
        return be_fail(NC_INVALID_ARGUMENT, "count is %" PRId32 "; at least one of %s is needed", count, name);
    }
    return nc_check_pointer(items, name);
}

nc_status nc_network_add_combination(nc_network *network, const char *name, int32_t count, const int32_t *terms,
                                     const double *weights, int32_t *quantity)
{
    network_quantity *made = NULL;
    NC_TRY(check_list(count, terms, "terms"));
    NC_TRY(nc_check_pointer(weights, "weights"));
    NC_TRY(new_alias(network, name, NETWORK_COMBINATION, count, terms, &made));
    made->value_count = count;
    nc_status status = network_duplicate(weights, count, sizeof *weights, (void **)&made->values);
    return finish_alias(network, made, status == NC_OK ? join_axes(network, made) : status, quantity);
}

nc_status nc_network_add_product(nc_network *network, const char *name, int32_t count, const int32_t *factors,
                                 const int32_t *orders, int32_t *quantity)
{
    network_quantity *made = NULL;
    NC_TRY(check_list(count, factors, "factors"));
    NC_TRY(nc_check_pointer(orders, "orders"));
    for (int32_t i = 0; i < count; ++i) {
        if (orders[i] == 0 || orders[i] < -NC_MAX_ORDER || orders[i] > NC_MAX_ORDER) {
            return be_fail(NC_INVALID_ARGUMENT, "orders[%" PRId32 "] is %" PRId32 "; it must be 1 to %d, or -1 to %d to divide", i,
                           orders[i], NC_MAX_ORDER, -NC_MAX_ORDER);
        }
    }
    NC_TRY(new_alias(network, name, NETWORK_PRODUCT, count, factors, &made));
    nc_status status = network_duplicate(orders, count, sizeof *orders, (void **)&made->orders);
    return finish_alias(network, made, status == NC_OK ? join_axes(network, made) : status, quantity);
}

nc_status nc_network_add_exponential(nc_network *network, const char *name, int32_t source, int32_t *quantity)
{
    network_quantity *made = NULL;
    NC_TRY(new_alias(network, name, NETWORK_EXPONENTIAL, 1, &source, &made));
    const network_quantity *argument = network_quantity_at(network, source);
    return finish_alias(network, made, network_set_axes(network, made, argument->rank, argument->axes), quantity);
}

nc_status nc_network_add_observable(nc_network *network, int32_t quantity)
{
    NC_TRY(nc_check_pointer(network, "network"));
    NC_TRY(network_check_quantity(network, "quantity", quantity));
    network_quantity *published = network_quantity_at(network, quantity);
    if (published->observable_offset >= 0) {
        return be_fail(NC_INVALID_ARGUMENT, "%s is published already", published->name);
    }
    if (published->count > NETWORK_CELLS_MAX - network->observable_cells) {
        return be_fail(NC_OUT_OF_RANGE, "with %s the observables have more than %" PRId64 " cells", published->name,
                       NETWORK_CELLS_MAX);
    }
    NC_TRY(network_grow((void **)&network->observables, network->observable_count, sizeof *network->observables));
    network->observables[network->observable_count++] = quantity;
    published->observable_offset = network->observable_cells;
    network->observable_cells += published->count;
    return NC_OK;
}
