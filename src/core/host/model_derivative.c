// SPDX-License-Identifier: Apache-2.0
// Products of a model's derivative with tangents and with adjoints.
#include "model.h"

#include <inttypes.h>

// A tangent or gradient that may be absent, with the shape that `cells` a trajectory have; time's has none or the trajectory only.
static nc_status check_optional(const model_inputs *inputs, const nc_array *array, const char *name, int64_t cells)
{
    return array == NULL ? NC_OK : model_check_cells(inputs, array, name, cells);
}

static nc_status check_optional_time(const model_inputs *inputs, const nc_array *array, const char *name)
{
    if (array == NULL) {
        return NC_OK;
    }
    NC_TRY(nc_check_same_device(array, name, inputs->state, "state"));
    NC_TRY(nc_check_same_dtype(array, name, inputs->state, "state"));
    NC_TRY(nc_check_rank(array, name, inputs->batched ? 1 : 0));
    return inputs->batched ? nc_check_extent(array, name, 0, inputs->batch, "the trajectories of state") : NC_OK;
}

static nc_status check_gradient(const model_inputs *inputs, const nc_array *array, const char *name, const nc_array *weights,
                                const nc_array *other, const char *other_name)
{
    if (array == NULL) {
        return NC_OK;
    }
    NC_TRY(model_check_output(inputs, array, name));
    NC_TRY(nc_check_apart(array, name, weights, "weights"));
    return other == NULL ? NC_OK : nc_check_apart(array, name, other, other_name);
}

nc_status nc_model_jvp(nc_model *model, nc_model_function function, const nc_array *time, const nc_array *state,
                       const nc_array *parameters, const nc_array *time_tangent, const nc_array *state_tangent,
                       const nc_array *parameters_tangent, nc_array *product)
{
    plan_program program = PLAN_RHS;
    model_inputs inputs = {.time = NULL};
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(model_check_function(function, &program));
    NC_TRY(model_check_inputs(model, time, state, parameters, &inputs));
    NC_TRY(check_optional_time(&inputs, time_tangent, "time_tangent"));
    NC_TRY(check_optional(&inputs, state_tangent, "state_tangent", model->network->states));
    NC_TRY(check_optional(&inputs, parameters_tangent, "parameters_tangent", model->network->parameters));
    NC_TRY(model_check_cells(&inputs, product, "product", model->programs[program].output_count));
    NC_TRY(model_check_output(&inputs, product, "product"));
    const nc_array *const tangents[] = {time_tangent, state_tangent, parameters_tangent};
    static const char *const names[] = {"time_tangent", "state_tangent", "parameters_tangent"};
    for (int i = 0; i < 3; ++i) {
        if (tangents[i] != NULL) {
            NC_TRY(nc_check_apart(product, "product", tangents[i], names[i]));
        }
    }
    nc_model_call call = model_call_begin(model, program, &inputs);
    model_call_add(&call, NC_MODEL_TIME_TANGENT, time_tangent, &inputs);
    model_call_add(&call, NC_MODEL_STATE_TANGENT, state_tangent, &inputs);
    model_call_add(&call, NC_MODEL_PARAMETERS_TANGENT, parameters_tangent, &inputs);
    model_call_add(&call, NC_MODEL_OUT, product, &inputs);
    model_launch launch = model_launch_begin(model, BE_KERNEL_TYPED(model_jvp, state->dtype), &call, &inputs);
    launch.tile_elements = 2 * (uint64_t)call.program.slot_count;
    model_launch_add(&launch, model_buffer(time_tangent));
    model_launch_add(&launch, model_buffer(state_tangent));
    model_launch_add(&launch, model_buffer(parameters_tangent));
    model_launch_add(&launch, model_buffer(product));
    return product->count == 0 ? NC_OK : model_run(&launch);
}

nc_status nc_model_vjp(nc_model *model, nc_model_function function, const nc_array *time, const nc_array *state,
                       const nc_array *parameters, const nc_array *weights, nc_array *time_gradient, nc_array *state_gradient,
                       nc_array *parameters_gradient)
{
    plan_program program = PLAN_RHS;
    model_inputs inputs = {.time = NULL};
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(model_check_function(function, &program));
    NC_TRY(model_check_inputs(model, time, state, parameters, &inputs));
    NC_TRY(model_check_cells(&inputs, weights, "weights", model->programs[program].output_count));
    NC_TRY(check_optional_time(&inputs, time_gradient, "time_gradient"));
    NC_TRY(check_optional(&inputs, state_gradient, "state_gradient", model->network->states));
    NC_TRY(check_optional(&inputs, parameters_gradient, "parameters_gradient", model->network->parameters));
    if (time_gradient == NULL && state_gradient == NULL && parameters_gradient == NULL) {
        return be_fail(NC_NULL_ARGUMENT, "time_gradient, state_gradient and parameters_gradient are all null; pass at least one");
    }
    NC_TRY(check_gradient(&inputs, time_gradient, "time_gradient", weights, state_gradient, "state_gradient"));
    NC_TRY(check_gradient(&inputs, state_gradient, "state_gradient", weights, parameters_gradient, "parameters_gradient"));
    NC_TRY(check_gradient(&inputs, parameters_gradient, "parameters_gradient", weights, time_gradient, "time_gradient"));
    nc_model_call call = model_call_begin(model, program, &inputs);
    model_call_add(&call, NC_MODEL_OUT, weights, &inputs);
    model_call_add(&call, NC_MODEL_TIME_TANGENT, time_gradient, &inputs);
    model_call_add(&call, NC_MODEL_STATE_TANGENT, state_gradient, &inputs);
    model_call_add(&call, NC_MODEL_PARAMETERS_TANGENT, parameters_gradient, &inputs);
    model_launch launch = model_launch_begin(model, BE_KERNEL_TYPED(model_vjp, state->dtype), &call, &inputs);
    launch.tile_elements = 2 * (uint64_t)call.program.slot_count;
    model_launch_add(&launch, model_buffer(weights));
    model_launch_add(&launch, model_buffer(time_gradient));
    model_launch_add(&launch, model_buffer(state_gradient));
    model_launch_add(&launch, model_buffer(parameters_gradient));
    return model_run(&launch);
}
