// SPDX-License-Identifier: Apache-2.0
// Argument checks of evaluations, and launching in waves.
#include "model.h"

#include <inttypes.h>
#include <string.h>

// A wave takes at most this much working memory, but always one tile. Large enough to fill a GPU, small enough for any.
#define WORKSPACE_BYTES ((uint64_t)256 << 20)

static nc_status check_device(const nc_model *model, const nc_array *array, const char *name)
{
    if (array->storage->device != model->device) {
        return be_fail(NC_WRONG_DEVICE,
                       "array %s belongs to another device handle than the model; compile the model for its device", name);
    }
    return NC_OK;
}

nc_status model_check_state(const nc_model *model, const nc_array *state, const char *name, int64_t cells, model_inputs *inputs)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_real(state, name));
    NC_TRY(check_device(model, state, name));
    if (state->rank != 1 && state->rank != 2) {
        return be_fail(NC_SHAPE_MISMATCH, "array %s has rank %" PRId32 "; it must be [cells] or [trajectory, cells]", name,
                       state->rank);
    }
    NC_TRY(nc_check_extent(state, name, state->rank - 1, cells, "the cells of the model"));
    inputs->state = state;
    inputs->batched = state->rank == 2;
    inputs->batch = state->rank == 2 ? state->shape[0] : 1;
    return NC_OK;
}

static nc_status check_like_state(const model_inputs *inputs, const nc_array *array, const char *name)
{
    NC_TRY(nc_check_array(array, name));
    NC_TRY(nc_check_same_device(array, name, inputs->state, "state"));
    return nc_check_same_dtype(array, name, inputs->state, "state");
}

nc_status model_check_cells(const model_inputs *inputs, const nc_array *array, const char *name, int64_t cells)
{
    NC_TRY(check_like_state(inputs, array, name));
    NC_TRY(nc_check_rank(array, name, inputs->batched ? 2 : 1));
    if (inputs->batched) {
        NC_TRY(nc_check_extent(array, name, 0, inputs->batch, "the trajectories of state"));
    }
    return nc_check_extent(array, name, array->rank - 1, cells, "the cells of the model");
}

static nc_status check_time(const model_inputs *inputs, const nc_array *time, const char *name)
{
    NC_TRY(check_like_state(inputs, time, name));
    if (time->rank != 0 && !(time->rank == 1 && inputs->batched)) {
        return be_fail(NC_SHAPE_MISMATCH,
                       "array %s has rank %" PRId32 "; it must be a scalar (rank 0) or have one value for each "
                       "trajectory of a batch",
                       name, time->rank);
    }
    return time->rank == 1 ? nc_check_extent(time, name, 0, inputs->batch, "the trajectories of state") : NC_OK;
}

nc_status model_check_parameters(const model_inputs *inputs, const nc_array *parameters, const char *name, int64_t cells)
{
    if (parameters == NULL && cells == 0) {
        return NC_OK;
    }
    NC_TRY(check_like_state(inputs, parameters, name));
    if (parameters->rank != 1 && !(parameters->rank == 2 && inputs->batched)) {
        return be_fail(NC_SHAPE_MISMATCH,
                       "array %s has rank %" PRId32 "; it must be [parameters], or [trajectory, parameters] with "
                       "a batch of states",
                       name, parameters->rank);
    }
    if (parameters->rank == 2) {
        NC_TRY(nc_check_extent(parameters, name, 0, inputs->batch, "the trajectories of state"));
    }
    return nc_check_extent(parameters, name, parameters->rank - 1, cells, "the parameters of the model");
}

nc_status model_check_inputs(const nc_model *model, const nc_array *time, const nc_array *state, const nc_array *parameters,
                             model_inputs *inputs)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_array(time, "time"));
    NC_TRY(model_check_state(model, state, "state", model->network->states, inputs));
    NC_TRY(check_time(inputs, time, "time"));
    NC_TRY(model_check_parameters(inputs, parameters, "parameters", model->network->parameters));
    inputs->time = time;
    inputs->parameters = parameters;
    return NC_OK;
}

nc_status model_check_output(const model_inputs *inputs, const nc_array *array, const char *name)
{
    NC_TRY(nc_check_output(array, name));
    NC_TRY(nc_check_apart(array, name, inputs->state, "state"));
    if (inputs->time != NULL) {
        NC_TRY(nc_check_apart(array, name, inputs->time, "time"));
    }
    if (inputs->parameters != NULL) {
        NC_TRY(nc_check_apart(array, name, inputs->parameters, "parameters"));
    }
    return NC_OK;
}

nc_operand model_operand(const nc_array *array, int batched, int has_rows)
{
    nc_operand operand = {.offset = 0};
    if (array != NULL) {
        int32_t rank = array->rank;
        operand.offset = array->offset;
        operand.batch = batched && rank > 0 ? array->strides[0] : 0;
        operand.row = has_rows ? array->strides[rank - 2] : 0;
        operand.cell = rank > 0 ? array->strides[rank - 1] : 0;
    }
    return operand;
}

static uint64_t tile_bytes(const model_launch *launch)
{
    return launch->tile_elements * NC_TILE * nc_dtype_size(launch->dtype);
}

static uint64_t tape_bytes(const model_launch *launch)
{
    return launch->tape_elements * NC_TILE * nc_dtype_size(launch->dtype);
}

static int is_near(const model_launch *launch)
{
    return tile_bytes(launch) <= be_near_bytes(launch->device, launch->kernel);
}

// Bytes of buffers for one tile.
static uint64_t buffer_bytes(const model_launch *launch)
{
    return tape_bytes(launch) + (is_near(launch) ? 0 : tile_bytes(launch));
}

static uint64_t tiles_of_wave(const model_launch *launch)
{
    uint64_t tiles = (launch->trajectories + NC_TILE - 1) / NC_TILE, bytes = buffer_bytes(launch);
    uint64_t fit = bytes == 0 ? tiles : WORKSPACE_BYTES / bytes;
    fit = fit == 0 ? 1 : fit;
    return tiles < fit ? tiles : fit;
}

uint64_t model_workspace_bytes(const model_launch *launch)
{
    return tiles_of_wave(launch) * buffer_bytes(launch);
}

static nc_status reserve(be_device *device, model_memory *memory, uint64_t bytes)
{
    if (bytes > memory->bytes) {
        be_buffer_free(device, memory->buffer);
        *memory = (model_memory){.buffer = NULL};
        NC_TRY(be_buffer_alloc(device, (size_t)bytes, &memory->buffer));
        memory->bytes = bytes;
    }
    return NC_OK;
}

// An array that is absent is never touched; any buffer keeps the kernel's argument valid.
static be_arg argument(const nc_model *model, be_buffer *buffer)
{
    return BE_BUFFER(buffer == NULL ? model->plan : buffer);
}

// The kernel's arguments. Returns their number.
static int32_t set_arguments(const model_launch *launch, be_arg *args)
{
    const nc_model *model = launch->model;
    int32_t count = 0;
    args[count++] = (be_arg){.value = launch->call, .size = launch->call_size};
    for (int32_t i = 0; i < launch->buffer_count; ++i) {
        args[count++] = argument(model, launch->buffers[i]);
    }
    if (launch->has_tape) {
        args[count++] = argument(model, model->tape.buffer);
    }
    args[count++] = is_near(launch) ? BE_NEAR(tile_bytes(launch)) : BE_BUFFER(model->workspace.buffer);
    return count;
}

nc_status model_run(const model_launch *launch)
{
    nc_model *model = launch->model;
    nc_wave *wave = launch->call;
    be_arg args[MODEL_ARGUMENTS_MAX];
    uint64_t tiles = tiles_of_wave(launch);
    if (launch->trajectories == 0) {
        return NC_OK;
    }
    NC_TRY(reserve(launch->device, &model->tape, tiles * tape_bytes(launch)));
    NC_TRY(reserve(launch->device, &model->workspace, is_near(launch) ? 0 : tiles * tile_bytes(launch)));
    int32_t count = set_arguments(launch, args);
    wave->count = launch->trajectories;
    wave->tile_elements = launch->tile_elements * NC_TILE;
    for (wave->first = 0; wave->first < wave->count; wave->first += tiles * NC_TILE) {
        uint64_t left = (wave->count - wave->first + NC_TILE - 1) / NC_TILE;
        wave->tiles = left < tiles ? left : tiles;
        NC_TRY(be_launch(launch->device, launch->kernel, wave->tiles * NC_TILE, args, count));
    }
    return NC_OK;
}
