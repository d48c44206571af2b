// SPDX-License-Identifier: Apache-2.0
// Compiled models: making them on a device, and what they say of themselves.
#include "model.h"

#include "environment.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Not inlined: the rounding must happen between enter and leave.
__attribute__((noinline)) static void round_constants(const double *from, uint32_t count, float *to)
{
    for (uint32_t i = 0; i < count; ++i) {
        to[i] = (float)from[i];
    }
}

static nc_status upload(nc_device *device, const void *data, size_t bytes, be_buffer **buffer)
{
    NC_TRY(be_buffer_alloc(device->backend, bytes > 0 ? bytes : 1, buffer));
    return bytes > 0 ? be_buffer_upload(device->backend, *buffer, 0, data, bytes) : NC_OK;
}

static nc_status upload_plan(nc_model *model, const model_plan *plan)
{
    float *rounded = malloc(((size_t)plan->constant_count + 1) * sizeof *rounded);
    if (rounded == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a model's %" PRIu32 " constants", plan->constant_count);
    }
    nc_environment saved = nc_environment_enter();
    round_constants(plan->constants, plan->constant_count, rounded);
    nc_environment_leave(saved);
    nc_status status = upload(model->device, plan->words, plan->word_count * sizeof *plan->words, &model->plan);
    if (status == NC_OK) {
        status = upload(model->device, rounded, plan->constant_count * sizeof *rounded, &model->constants[0]);
    }
    if (status == NC_OK) {
        status = upload(model->device, plan->constants, plan->constant_count * sizeof *plan->constants, &model->constants[1]);
    }
    free(rounded);
    return status;
}

// A compiled model runs at once: no program is built after this, whatever it is asked and in which dtype.
static nc_status prepare_kernels(be_device *device)
{
    static const be_kernel kernels[] = {
#define NC_KERNEL_TYPED(module, name) BE_KERNEL_##name##_f32, BE_KERNEL_##name##_f64,
#define NC_KERNEL_PLAIN(module, name) BE_KERNEL_##name,
#include "../kernels/model.def"
#include "../kernels/solver.def"
#undef NC_KERNEL_TYPED
#undef NC_KERNEL_PLAIN
    };
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; ++k) {
        NC_TRY(be_prepare(device, kernels[k]));
    }
    return NC_OK;
}

// Takes the network.
static nc_status make_model(nc_device *device, nc_network *network, nc_model **model)
{
    model_plan plan = {.words = NULL};
    nc_model *made = calloc(1, sizeof *made);
    if (made == NULL) {
        (void)nc_network_release(network);
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a model (%zu bytes)", sizeof *made);
    }
    made->device = device;
    made->network = network;
    ++device->models;
    nc_status status = plan_compile(network, &plan);
    if (status == NC_OK) {
        memcpy(made->programs, plan.programs, sizeof made->programs);
        status = upload_plan(made, &plan);
    }
    if (status == NC_OK) {
        status = prepare_kernels(device->backend);
    }
    plan_free(&plan);
    if (status != NC_OK) {
        (void)nc_model_release(made);
        return status;
    }
    *model = made;
    return NC_OK;
}

nc_status nc_model_compile(nc_device *device, const nc_network *network, nc_model **model)
{
    nc_network *copy = NULL;
    NC_TRY(nc_check_pointer(device, "device"));
    NC_TRY(nc_check_pointer(network, "network"));
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(network_copy(network, &copy));
    return make_model(device, copy, model);
}

nc_status nc_model_block(const nc_model *model, int32_t axis, int64_t index, nc_model **block)
{
    nc_network *slice = NULL;
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(network_check_axis(model->network, "axis", axis));
    int64_t extent = network_axis_at(model->network, axis)->extent;
    if (index < 0 || index >= extent) {
        return be_fail(NC_OUT_OF_RANGE, "index is %" PRId64 "; axis %s has nodes 0 to %" PRId64, index,
                       network_axis_at(model->network, axis)->name, extent - 1);
    }
    NC_TRY(nc_check_pointer(block, "block"));
    NC_TRY(network_slice(model->network, axis, index, &slice));
    return make_model(model->device, slice, block);
}

nc_status nc_model_release(nc_model *model)
{
    if (model != NULL) {
        be_device *device = model->device->backend;
        be_buffer_free(device, model->plan);
        be_buffer_free(device, model->constants[0]);
        be_buffer_free(device, model->constants[1]);
        be_buffer_free(device, model->workspace.buffer);
        be_buffer_free(device, model->tape.buffer);
        --model->device->models;
        (void)nc_network_release(model->network);
        free(model);
    }
    return NC_OK;
}

nc_status nc_model_info_get(const nc_model *model, nc_model_info *info)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_abi(info, sizeof *info, "info"));
    const nc_network *network = model->network;
    info->states = network->states;
    info->parameters = network->parameters;
    info->observables = network->observable_cells;
    info->reactions = network->reactions;
    info->instructions = model->programs[PLAN_RHS].instruction_count;
    info->axes = network->axis_count;
    info->quantities = network->quantity_count;
    info->flows = network->flow_count;
    info->implicit_flows = 0;
    for (int32_t f = 0; f < network->flow_count; ++f) {
        info->implicit_flows += network->flows[f].given.implicit != 0;
    }
    return NC_OK;
}

nc_status nc_model_quantity_get(const nc_model *model, int32_t quantity, nc_quantity_info *info)
{
    nc_quantity_info filled;
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(network_check_quantity(model->network, "quantity", quantity));
    NC_TRY(nc_check_abi(info, sizeof *info, "info"));
    const network_quantity *found = network_quantity_at(model->network, quantity);
    NC_STRUCT_INIT(&filled);
    memcpy(filled.name, found->name, sizeof filled.name);
    filled.kind = (int32_t)found->kind;
    filled.rank = found->rank;
    for (int32_t i = 0; i < found->rank; ++i) {
        filled.axes[i] = found->axes[i];
        filled.shape[i] = network_axis_at(model->network, found->axes[i])->extent;
    }
    filled.count = found->count;
    filled.offset = found->offset;
    filled.observable_offset = found->observable_offset;
    *info = filled;
    return NC_OK;
}

nc_status nc_model_find(const nc_model *model, const char *name, int32_t *quantity)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_pointer(name, "name"));
    NC_TRY(nc_check_pointer(quantity, "quantity"));
    for (int32_t q = 1; q <= model->network->quantity_count; ++q) {
        if (strcmp(network_quantity_at(model->network, q)->name, name) == 0) {
            *quantity = q;
            return NC_OK;
        }
    }
    return be_fail(NC_INVALID_ARGUMENT, "name \"%s\" is no quantity of the model", name);
}

nc_status nc_model_find_flow(const nc_model *model, const char *name, int32_t *flow)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_pointer(name, "name"));
    NC_TRY(nc_check_pointer(flow, "flow"));
    for (int32_t f = 0; f < model->network->flow_count; ++f) {
        if (strcmp(model->network->flows[f].name, name) == 0) {
            *flow = f + 1;
            return NC_OK;
        }
    }
    return be_fail(NC_INVALID_ARGUMENT, "name \"%s\" is no flow of the model", name);
}

nc_status nc_model_view(const nc_model *model, nc_array *flat, int32_t quantity, int32_t observables, nc_array **view)
{
    nc_quantity_info info;
    int64_t shape[NC_ARRAY_MAX_RANK], strides[NC_ARRAY_MAX_RANK];
    NC_STRUCT_INIT(&info);
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_array(flat, "flat"));
    NC_TRY(nc_model_quantity_get(model, quantity, &info));
    int64_t cells = observables != 0                       ? model->network->observable_cells
                    : info.kind == NC_QUANTITY_COMPARTMENT ? model->network->states
                                                           : model->network->parameters;
    int64_t offset = observables != 0 ? info.observable_offset : info.offset;
    if (offset < 0) {
        return be_fail(NC_INVALID_ARGUMENT, "%s stands in no flat array%s; only compartments, parameters and observables do",
                       info.name, observables != 0 ? " of observables" : "");
    }
    if (flat->rank != 1 && flat->rank != 2) {
        return be_fail(NC_SHAPE_MISMATCH, "array flat has rank %" PRId32 "; it must be [cells] or [trajectory, cells]", flat->rank);
    }
    NC_TRY(nc_check_extent(flat, "flat", flat->rank - 1, cells, "the cells of the model"));
    int32_t batched = flat->rank - 1;
    int64_t stride = flat->strides[flat->rank - 1];
    shape[0] = flat->shape[0];
    strides[0] = flat->strides[0];
    offset = flat->offset + (info.count > 0 ? offset * stride : 0);
    for (int32_t i = info.rank - 1; i >= 0; --i) {
        shape[batched + i] = info.shape[i];
        strides[batched + i] = stride;
        stride *= info.shape[i];
    }
    return nc_array_view(flat, offset, batched + info.rank, shape, strides, view);
}
