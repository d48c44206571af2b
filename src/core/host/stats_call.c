// SPDX-License-Identifier: Apache-2.0
// Operands of an elementwise call: validation, broadcasting, and one axis list for all of them.
#include "stats.h"

#include <inttypes.h>
#include <string.h>

nc_status nc_stats_begin(nc_stats_call *call, const nc_array *output, const char *name)
{
    memset(call, 0, sizeof *call);
    NC_TRY(nc_check_array(output, name));
    call->reference = output;
    return NC_OK;
}

static nc_status check_shape(const nc_stats_call *call, const nc_array *array, const char *name)
{
    const nc_array *output = call->reference;
    int same = array->rank == output->rank;
    for (int32_t axis = 0; same && axis < array->rank; ++axis) {
        same = array->shape[axis] == output->shape[axis];
    }
    if (same || array->count == 1) {
        return NC_OK;
    }
    return be_fail(NC_SHAPE_MISMATCH,
                   "array %s has rank %" PRId32 " and %" PRId64 " elements, the output rank %" PRId32 " and %" PRId64
                   "; pass the output's shape, a view of that shape with strides of 0, or one element",
                   name, array->rank, array->count, output->rank, output->count);
}

nc_status nc_stats_bind_input(nc_stats_call *call, int slot, const nc_array *array, const char *name, nc_dtype dtype)
{
    NC_TRY(nc_check_dtype(array, name, dtype));
    NC_TRY(nc_check_same_device(array, name, call->reference, "output"));
    NC_TRY(check_shape(call, array, name));
    call->operand[slot] = array;
    call->name[slot] = name;
    return NC_OK;
}

nc_status nc_stats_bind_output(nc_stats_call *call, int slot, nc_array *array, const char *name, nc_dtype dtype)
{
    NC_TRY(nc_check_dtype(array, name, dtype));
    NC_TRY(nc_check_same_device(array, name, call->reference, "output"));
    NC_TRY(nc_check_same_shape(array, name, call->reference, "output"));
    NC_TRY(nc_check_output(array, name));
    for (int other = 0; other < NC_STATS_OPERANDS; ++other) {
        if (call->operand[other] != NULL) {
            NC_TRY(nc_check_apart(array, name, call->operand[other], call->name[other]));
        }
    }
    call->operand[slot] = array;
    call->name[slot] = name;
    return NC_OK;
}

nc_status nc_stats_bind_parameters(nc_stats_call *call, const nc_array *const *parameters, const char *const *names, int32_t needed,
                                   const char *family, nc_dtype dtype)
{
    for (int32_t k = 0; k < NC_STATS_MAX_PARAMETERS; ++k) {
        if (k >= needed && parameters[k] != NULL) {
            return be_fail(NC_INVALID_ARGUMENT, "parameters[%" PRId32 "] is given, but %s has %" PRId32 "; pass null", k, family,
                           needed);
        }
        if (k < needed) {
            NC_TRY(nc_stats_bind_input(call, NC_STATS_PARAMETER + k, parameters[k], names[k], dtype));
        }
    }
    return NC_OK;
}

static int64_t stride_of(const nc_stats_call *call, int slot, int32_t axis)
{
    const nc_array *array = call->operand[slot];
    return array == NULL || array->count == 1 || array->rank != call->reference->rank ? 0 : array->strides[axis];
}

// Axes of extent 1 vanish, and neighbours that every operand walks as one are joined.
nc_stats_operands nc_stats_layout(const nc_stats_call *call)
{
    nc_stats_operands operands;
    int32_t top = NC_MAX_RANK;
    memset(&operands, 0, sizeof operands);
    for (int32_t axis = 0; axis < NC_MAX_RANK; ++axis) {
        operands.extent[axis] = 1;
    }
    for (int slot = 0; slot < NC_STATS_OPERANDS; ++slot) {
        operands.offset[slot] = call->operand[slot] != NULL ? call->operand[slot]->offset : 0;
    }
    for (int32_t axis = call->reference->rank - 1; axis >= 0; --axis) {
        int64_t extent = call->reference->shape[axis];
        int joins = top < NC_MAX_RANK;
        if (extent == 1) {
            continue;
        }
        for (int slot = 0; joins && slot < NC_STATS_OPERANDS; ++slot) {
            joins = stride_of(call, slot, axis) == operands.extent[top] * operands.stride[slot][top];
        }
        if (joins) {
            operands.extent[top] *= extent;
            continue;
        }
        --top;
        operands.extent[top] = extent;
        for (int slot = 0; slot < NC_STATS_OPERANDS; ++slot) {
            operands.stride[slot][top] = stride_of(call, slot, axis);
        }
    }
    return operands;
}

be_buffer *nc_stats_buffer(const nc_stats_call *call, int slot, int substitute)
{
    const nc_array *array = call->operand[slot] != NULL ? call->operand[slot] : call->operand[substitute];
    return array->storage->buffer;
}
