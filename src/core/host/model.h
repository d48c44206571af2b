// SPDX-License-Identifier: Apache-2.0
// A compiled model's insides, and the launching of its kernels that the model's and the solver's entry points share.
#ifndef NC_MODEL_HOST_H
#define NC_MODEL_HOST_H

#include "plan.h"

// Device memory that grows as calls need it and stays with the model.
typedef struct model_memory {
    be_buffer *buffer;
    uint64_t bytes;
} model_memory;

struct nc_model {
    nc_device *device;
    nc_network *network; // a copy
    nc_program programs[PLAN_PROGRAMS];
    be_buffer *plan;         // words
    be_buffer *constants[2]; // rounded to float32, float64
    model_memory workspace, tape;
};

static inline be_buffer *model_constants(const nc_model *model, nc_dtype dtype)
{
    return model->constants[dtype == NC_F32 ? 0 : 1];
}

// The arrays that every evaluation takes, checked.
typedef struct model_inputs {
    const nc_array *time, *state, *parameters; // parameters: null for a model without
    int batched;                               // state has a trajectory axis
    int64_t batch;                             // trajectories
} model_inputs;

nc_status model_check_inputs(const nc_model *model, const nc_array *time, const nc_array *state, const nc_array *parameters,
                             model_inputs *inputs);
// The state alone, of `cells` cells.
nc_status model_check_state(const nc_model *model, const nc_array *state, const char *name, int64_t cells, model_inputs *inputs);
// [parameters] or [B, parameters]; null when there are none.
nc_status model_check_parameters(const model_inputs *inputs, const nc_array *parameters, const char *name, int64_t cells);
// An array of the call that holds `cells` values a trajectory, like the state: [cells] or [B, cells].
nc_status model_check_cells(const model_inputs *inputs, const nc_array *array, const char *name, int64_t cells);
// An output: apart from itself and from the inputs.
nc_status model_check_output(const model_inputs *inputs, const nc_array *array, const char *name);

// Where an array's elements lie: its last axis is the cell, the axis before it the row with `has_rows`, and the first one the
// trajectory when it is `batched`. A null array has no place.
nc_operand model_operand(const nc_array *array, int batched, int has_rows);

#define MODEL_ARGUMENTS_MAX 12
// A launch over all trajectories, in waves that fit the working memory. The kernel's arguments are `call`, a struct that begins
// with an nc_wave, then the buffers, the tape if it has one, and the working memory; model_run fills in the wave and the memory.
// Working memory is near memory (backend.h) where the device has enough for a tile, else a buffer. A tape is always a buffer.
typedef struct model_launch {
    be_device *device;
    nc_model *model;
    nc_dtype dtype;
    be_kernel kernel;
    uint64_t trajectories;
    uint64_t tile_elements; // working memory, values a lane
    uint64_t tape_elements; // tape, values a lane
    int has_tape;           // the kernel takes one
    void *call;
    size_t call_size;
    be_buffer *buffers[MODEL_ARGUMENTS_MAX - 2]; // between the call and the working memory; null where an array is absent
    int32_t buffer_count;
} model_launch;
nc_status model_run(const model_launch *launch);

// Bytes of buffers that a launch takes for working memory and tape.
uint64_t model_workspace_bytes(const model_launch *launch);

static inline void model_launch_add(model_launch *launch, be_buffer *buffer)
{
    launch->buffers[launch->buffer_count++] = buffer;
}

// --- Calls of the model's kernels (model_call.c): the inputs' operands, then those that the entry point adds.
nc_status model_check_function(nc_model_function function, plan_program *program);
nc_model_call model_call_begin(const nc_model *model, plan_program program, const model_inputs *inputs);
void model_call_add(nc_model_call *call, int which, const nc_array *array, const model_inputs *inputs);
// The arguments up to the parameters; the entry point adds the others.
model_launch model_launch_begin(nc_model *model, be_kernel kernel, nc_model_call *call, const model_inputs *inputs);

static inline be_buffer *model_buffer(const nc_array *array)
{
    return array == NULL ? NULL : array->storage->buffer;
}

#endif
