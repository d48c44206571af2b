// SPDX-License-Identifier: Apache-2.0
// A network's axes and the quantities that are given: compartments, parameters, constants, time and forcings.
#include "network.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

nc_status nc_network_create(nc_network **network)
{
    NC_TRY(nc_check_pointer(network, "network"));
    nc_network *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a network (%zu bytes)", sizeof *made);
    }
    *network = made;
    return NC_OK;
}

void network_free_quantity(network_quantity *quantity)
{
    free(quantity->operands);
    free(quantity->orders);
    free(quantity->values);
}

nc_status nc_network_release(nc_network *network)
{
    if (network != NULL) {
        for (int32_t i = 0; i < network->axis_count; ++i) {
            free(network->axes[i].coordinates);
        }
        for (int32_t i = 0; i < network->quantity_count; ++i) {
            network_free_quantity(&network->quantities[i]);
        }
        free(network->axes);
        free(network->quantities);
        free(network->flows);
        free(network->observables);
        free(network);
    }
    return NC_OK;
}

nc_status network_grow(void **array, int32_t count, size_t size)
{
    void *grown = realloc(*array, ((size_t)count + 1) * size);
    if (grown == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for %" PRId32 " items of %zu bytes in a network", count + 1, size);
    }
    memset((unsigned char *)grown + (size_t)count * size, 0, size);
    *array = grown;
    return NC_OK;
}

nc_status network_duplicate(const void *items, int64_t count, size_t size, void **copy)
{
    *copy = NULL;
    if (count > 0 && items != NULL) {
        *copy = malloc((size_t)count * size);
        if (*copy == NULL) {
            return be_fail(NC_OUT_OF_MEMORY, "no host memory for %" PRId64 " items of %zu bytes in a network", count, size);
        }
        memcpy(*copy, items, (size_t)count * size);
    }
    return NC_OK;
}

nc_status network_check_axis(const nc_network *network, const char *name, int32_t axis)
{
    if (axis < 1 || axis > network->axis_count) {
        return be_fail(NC_INVALID_ARGUMENT, "%s is axis %" PRId32 "; the network has axes 1 to %" PRId32, name, axis,
                       network->axis_count);
    }
    return NC_OK;
}

nc_status network_check_quantity(const nc_network *network, const char *name, int32_t quantity)
{
    if (quantity < 1 || quantity > network->quantity_count) {
        return be_fail(NC_INVALID_ARGUMENT, "%s is quantity %" PRId32 "; the network has quantities 1 to %" PRId32, name, quantity,
                       network->quantity_count);
    }
    return NC_OK;
}

nc_status network_check_name(const nc_network *network, const char *name)
{
    NC_TRY(nc_check_pointer(name, "name"));
    size_t bytes = strlen(name);
    if (bytes == 0 || bytes >= NC_NAME_BYTES) {
        return be_fail(NC_INVALID_ARGUMENT, "name \"%s\" has %zu bytes; a name has 1 to %d", name, bytes, NC_NAME_BYTES - 1);
    }
    int taken = 0;
    for (int32_t i = 0; i < network->axis_count; ++i) {
        taken |= strcmp(network->axes[i].name, name) == 0;
    }
    for (int32_t i = 0; i < network->quantity_count; ++i) {
        taken |= strcmp(network->quantities[i].name, name) == 0;
    }
    for (int32_t i = 0; i < network->flow_count; ++i) {
        taken |= strcmp(network->flows[i].name, name) == 0;
    }
    return taken ? be_fail(NC_INVALID_ARGUMENT, "name \"%s\" is taken in this network; choose another", name) : NC_OK;
}

// Finite and strictly increasing.
static nc_status check_increasing(const char *name, const double *values, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        if (!(values[i] - values[i] == 0.0)) {
            return be_fail(NC_INVALID_ARGUMENT, "%s[%" PRId64 "] is %g; it must be finite", name, i, values[i]);
        }
        if (i > 0 && !(values[i] > values[i - 1])) {
            return be_fail(NC_INVALID_ARGUMENT, "%s[%" PRId64 "] is %.17g after %.17g; values must increase strictly", name, i,
                           values[i], values[i - 1]);
        }
    }
    return NC_OK;
}

nc_status nc_network_add_axis(nc_network *network, const char *name, int64_t extent, const double *coordinates, int32_t *axis)
{
    double *copy = NULL;
    NC_TRY(nc_check_pointer(network, "network"));
    NC_TRY(network_check_name(network, name));
    if (extent < 0 || extent > NETWORK_CELLS_MAX) {
        return be_fail(NC_INVALID_ARGUMENT, "extent of axis %s is %" PRId64 "; it must be 0 to %" PRId64, name, extent,
                       NETWORK_CELLS_MAX);
    }
    if (coordinates != NULL && extent < 2) {
        return be_fail(NC_INVALID_ARGUMENT, "axis %s has coordinates but extent %" PRId64 "; a continuous axis needs 2 or more",
                       name, extent);
    }
    if (coordinates != NULL) {
        NC_TRY(check_increasing("coordinates", coordinates, extent));
    }
    NC_TRY(nc_check_pointer(axis, "axis"));
    NC_TRY(network_grow((void **)&network->axes, network->axis_count, sizeof *network->axes));
    NC_TRY(network_duplicate(coordinates, extent, sizeof *coordinates, (void **)&copy));
    network_axis *made = &network->axes[network->axis_count];
    strcpy(made->name, name);
    made->extent = extent;
    made->coordinates = copy;
    *axis = ++network->axis_count;
    return NC_OK;
}

nc_status network_count(const nc_network *network, int32_t rank, const int32_t *axes, const char *what, int64_t *count)
{
    int64_t cells = 1;
    for (int32_t i = 0; i < rank; ++i) {
        int64_t extent = network_axis_at(network, axes[i])->extent;
        cells = extent == 0 ? 0 : cells;
    }
    for (int32_t i = 0; i < rank && cells != 0; ++i) {
        cells *= network_axis_at(network, axes[i])->extent; // both factors are at most 2^26
        if (cells > NETWORK_CELLS_MAX) {
            return be_fail(NC_OUT_OF_RANGE, "%s has more than %" PRId64 " cells; split the model", what, NETWORK_CELLS_MAX);
        }
    }
    *count = cells;
    return NC_OK;
}

int network_has_axis(int32_t rank, const int32_t *axes, int32_t axis)
{
    int found = 0;
    for (int32_t i = 0; i < rank; ++i) {
        found |= axes[i] == axis;
    }
    return found;
}

nc_status network_set_axes(const nc_network *network, network_quantity *quantity, int32_t rank, const int32_t *axes)
{
    if (rank < 0 || rank > NC_MODEL_MAX_RANK) {
        return be_fail(NC_INVALID_ARGUMENT, "rank of %s is %" PRId32 "; it must be 0 to %d", quantity->name, rank,
                       NC_MODEL_MAX_RANK);
    }
    if (rank > 0) {
        NC_TRY(nc_check_pointer(axes, "axes"));
    }
    for (int32_t i = 0; i < rank; ++i) {
        NC_TRY(network_check_axis(network, "axes", axes[i]));
        quantity->axes[i] = axes[i];
    }
    quantity->rank = rank;
    return network_count(network, rank, axes, quantity->name, &quantity->count);
}

nc_status network_merge_axes(const network_quantity *quantity, int32_t *rank, int32_t *axes)
{
    for (int32_t i = 0; i < quantity->rank; ++i) {
        if (network_has_axis(*rank, axes, quantity->axes[i])) {
            continue;
        }
        if (*rank == NC_MODEL_MAX_RANK) {
            return be_fail(NC_INVALID_ARGUMENT, "the operands have more than %d axes together, with those of %s", NC_MODEL_MAX_RANK,
                           quantity->name);
        }
        axes[(*rank)++] = quantity->axes[i];
    }
    return NC_OK;
}

nc_status network_new_quantity(nc_network *network, const char *name, network_quantity **quantity)
{
    NC_TRY(network_check_name(network, name));
    NC_TRY(network_grow((void **)&network->quantities, network->quantity_count, sizeof *network->quantities));
    *quantity = &network->quantities[network->quantity_count];
    strcpy((*quantity)->name, name);
    (*quantity)->offset = -1;
    (*quantity)->observable_offset = -1;
    return NC_OK;
}

nc_status network_commit_quantity(nc_network *network, network_quantity *quantity, int32_t *number)
{
    int64_t *total = quantity->kind == NC_QUANTITY_COMPARTMENT ? &network->states
                     : quantity->kind == NC_QUANTITY_PARAMETER ? &network->parameters
                                                               : NULL;
    nc_status status = nc_check_pointer(number, "quantity");
    if (status == NC_OK && total != NULL && quantity->count > NETWORK_CELLS_MAX - *total) {
        status = be_fail(NC_OUT_OF_RANGE, "with %s the network has more than %" PRId64 " cells; split the model", quantity->name,
                         NETWORK_CELLS_MAX);
    }
    if (status != NC_OK) {
        network_free_quantity(quantity);
        return status;
    }
    if (total != NULL) {
        quantity->offset = *total;
        *total += quantity->count;
    }
    quantity->varies =
        quantity->kind == NC_QUANTITY_COMPARTMENT || quantity->kind == NC_QUANTITY_TIME || quantity->kind == NC_QUANTITY_FORCING;
    for (int32_t i = 0; i < quantity->operand_count; ++i) {
        quantity->varies |= network_quantity_at(network, quantity->operands[i])->varies;
    }
    *number = ++network->quantity_count;
    return NC_OK;
}

// A compartment or parameter: an array with an offset. Only a parameter may be a matrix along an axis.
static nc_status add_given(nc_network *network, const char *name, nc_quantity_kind kind, int32_t rank, const int32_t *axes,
                           network_quantity **made)
{
    NC_TRY(nc_check_pointer(network, "network"));
    NC_TRY(network_new_quantity(network, name, made));
    (*made)->kind = kind;
    NC_TRY(network_set_axes(network, *made, rank, axes));
    for (int32_t i = 0; i < rank; ++i) {
        int is_matrix = kind != NC_QUANTITY_COMPARTMENT && rank == 2;
        if (network_has_axis(i, axes, axes[i]) && !is_matrix) {
            return be_fail(NC_INVALID_ARGUMENT,
                           "%s has axis %s twice; only a parameter or constant of rank 2 may, as a matrix along it", name,
                           network_axis_at(network, axes[i])->name);
        }
    }
    return NC_OK;
}

nc_status nc_network_add_compartment(nc_network *network, const char *name, int32_t rank, const int32_t *axes, int32_t *quantity)
{
    network_quantity *made = NULL;
    NC_TRY(add_given(network, name, NC_QUANTITY_COMPARTMENT, rank, axes, &made));
    return network_commit_quantity(network, made, quantity);
}

nc_status nc_network_add_parameter(nc_network *network, const char *name, int32_t rank, const int32_t *axes, int32_t *quantity)
{
    network_quantity *made = NULL;
    NC_TRY(add_given(network, name, NC_QUANTITY_PARAMETER, rank, axes, &made));
    return network_commit_quantity(network, made, quantity);
}

nc_status nc_network_add_constant(nc_network *network, const char *name, int32_t rank, const int32_t *axes, const double *values,
                                  int64_t count, int32_t *quantity)
{
    network_quantity *made = NULL;
    NC_TRY(add_given(network, name, NC_QUANTITY_CONSTANT, rank, axes, &made));
    if (count != made->count) {
        return be_fail(NC_SHAPE_MISMATCH, "count is %" PRId64 "; constant %s has %" PRId64 " cells", count, name, made->count);
    }
    if (count > 0) {
        NC_TRY(nc_check_pointer(values, "values"));
    }
    made->value_count = count;
    NC_TRY(network_duplicate(values, count, sizeof *values, (void **)&made->values));
    return network_commit_quantity(network, made, quantity);
}

nc_status nc_network_add_time(nc_network *network, const char *name, int32_t *quantity)
{
    network_quantity *made = NULL;
    NC_TRY(add_given(network, name, NC_QUANTITY_TIME, 0, NULL, &made));
    return network_commit_quantity(network, made, quantity);
}

nc_status nc_network_add_forcing(nc_network *network, const char *name, int64_t count, const double *times, const double *values,
                                 int32_t *quantity)
{
    network_quantity *made = NULL;
    if (count < 1 || count > NETWORK_CELLS_MAX) {
        return be_fail(NC_INVALID_ARGUMENT, "count is %" PRId64 "; a forcing has 1 to %" PRId64 " knots", count, NETWORK_CELLS_MAX);
    }
    NC_TRY(nc_check_pointer(times, "times"));
    NC_TRY(nc_check_pointer(values, "values"));
    NC_TRY(check_increasing("times", times, count));
    for (int64_t i = 0; i < count; ++i) {
        if (!(values[i] - values[i] == 0.0)) {
            return be_fail(NC_INVALID_ARGUMENT, "values[%" PRId64 "] is %g; it must be finite", i, values[i]);
        }
    }
    NC_TRY(add_given(network, name, NC_QUANTITY_FORCING, 0, NULL, &made));
    made->value_count = 2 * count;
    made->values = malloc(2 * (size_t)count * sizeof *values);
    if (made->values == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a forcing of %" PRId64 " knots", count);
    }
    memcpy(made->values, times, (size_t)count * sizeof *times);
    memcpy(made->values + count, values, (size_t)count * sizeof *values);
    return network_commit_quantity(network, made, quantity);
}
