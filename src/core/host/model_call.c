// SPDX-License-Identifier: Apache-2.0
// Evaluating a model: right-hand side, observables, fluxes, balance, Jacobian.
#include "model.h"

#include <inttypes.h>

static void set_operand(nc_model_call *call, int which, const nc_array *array, int batched)
{
    call->operand[which] = model_operand(array, batched, 0);
    call->present |= array != NULL ? 1u << which : 0u;
}

nc_model_call model_call_begin(const nc_model *model, plan_program program, const model_inputs *inputs)
{
    nc_model_call call = {.program = model->programs[program]};
    set_operand(&call, NC_MODEL_TIME, inputs->time, inputs->time != NULL && inputs->time->rank == 1);
    set_operand(&call, NC_MODEL_STATE, inputs->state, inputs->batched);
    set_operand(&call, NC_MODEL_PARAMETERS, inputs->parameters, inputs->parameters != NULL && inputs->parameters->rank == 2);
    return call;
}

void model_call_add(nc_model_call *call, int which, const nc_array *array, const model_inputs *inputs)
{
    set_operand(call, which, array, inputs->batched);
}

model_launch model_launch_begin(nc_model *model, be_kernel kernel, nc_model_call *call, const model_inputs *inputs)
{
    model_launch launch = {.device = model->device->backend,
                           .model = model,
                           .dtype = inputs->state->dtype,
                           .kernel = kernel,
                           .trajectories = (uint64_t)inputs->batch,
                           .tile_elements = call->program.slot_count,
                           .call = call,
                           .call_size = sizeof *call};
    model_launch_add(&launch, model->plan);
    model_launch_add(&launch, model_constants(model, launch.dtype));
    model_launch_add(&launch, model_buffer(inputs->time));
    model_launch_add(&launch, model_buffer(inputs->state));
    model_launch_add(&launch, model_buffer(inputs->parameters));
    return launch;
}

// Runs one program on checked inputs.
static nc_status evaluate(nc_model *model, plan_program program, const model_inputs *inputs, const nc_array *out)
{
    nc_model_call call = model_call_begin(model, program, inputs);
    model_call_add(&call, NC_MODEL_OUT, out, inputs);
    model_launch launch = model_launch_begin(model, BE_KERNEL_TYPED(model_evaluate, out->dtype), &call, inputs);
    model_launch_add(&launch, model_buffer(out));
    return out->count == 0 ? NC_OK : model_run(&launch);
}

static nc_status check_and_evaluate(nc_model *model, plan_program program, const nc_array *time, const nc_array *state,
                                    const nc_array *parameters, nc_array *out, const char *name)
{
    model_inputs inputs = {.time = NULL};
    NC_TRY(model_check_inputs(model, time, state, parameters, &inputs));
    NC_TRY(model_check_cells(&inputs, out, name, model->programs[program].output_count));
    NC_TRY(model_check_output(&inputs, out, name));
    return evaluate(model, program, &inputs, out);
}

nc_status nc_model_rhs(nc_model *model, const nc_array *time, const nc_array *state, const nc_array *parameters, nc_array *rhs)
{
    return check_and_evaluate(model, PLAN_RHS, time, state, parameters, rhs, "rhs");
}

nc_status nc_model_observables(nc_model *model, const nc_array *time, const nc_array *state, const nc_array *parameters,
                               nc_array *observables)
{
    return check_and_evaluate(model, PLAN_OBSERVABLES, time, state, parameters, observables, "observables");
}

nc_status nc_model_fluxes(nc_model *model, const nc_array *time, const nc_array *state, const nc_array *parameters,
                          nc_array *fluxes)
{
    return check_and_evaluate(model, PLAN_FLUXES, time, state, parameters, fluxes, "fluxes");
}

nc_status nc_model_balance(nc_model *model, const nc_array *fluxes, nc_array *rhs)
{
    model_inputs inputs = {.time = NULL};
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(model_check_state(model, fluxes, "fluxes", model->network->reactions, &inputs));
    NC_TRY(model_check_cells(&inputs, rhs, "rhs", model->network->states));
    NC_TRY(nc_check_output(rhs, "rhs"));
    NC_TRY(nc_check_apart(rhs, "rhs", fluxes, "fluxes"));
    return evaluate(model, PLAN_BALANCE, &inputs, rhs);
}

nc_status model_check_function(nc_model_function function, plan_program *program)
{
    if (function != NC_FUNCTION_RHS && function != NC_FUNCTION_OBSERVABLES) {
        return be_fail(NC_INVALID_ARGUMENT, "function is %d; it must be one of nc_model_function", (int)function);
    }
    *program = function == NC_FUNCTION_RHS ? PLAN_RHS : PLAN_OBSERVABLES;
    return NC_OK;
}

nc_status nc_model_jacobian(nc_model *model, nc_model_function function, const nc_array *time, const nc_array *state,
                            const nc_array *parameters, nc_array *jacobian)
{
    plan_program program = PLAN_RHS;
    model_inputs inputs = {.time = NULL};
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(model_check_function(function, &program));
    NC_TRY(model_check_inputs(model, time, state, parameters, &inputs));
    NC_TRY(nc_check_array(jacobian, "jacobian"));
    NC_TRY(nc_check_same_device(jacobian, "jacobian", state, "state"));
    NC_TRY(nc_check_same_dtype(jacobian, "jacobian", state, "state"));
    NC_TRY(nc_check_rank(jacobian, "jacobian", inputs.batched ? 3 : 2));
    if (inputs.batched) {
        NC_TRY(nc_check_extent(jacobian, "jacobian", 0, inputs.batch, "the trajectories of state"));
    }
    int64_t rows = model->programs[program].output_count;
    NC_TRY(nc_check_extent(jacobian, "jacobian", jacobian->rank - 2, rows, "the cells of the function"));
    NC_TRY(nc_check_extent(jacobian, "jacobian", jacobian->rank - 1, model->network->states, "the cells of the state"));
    NC_TRY(model_check_output(&inputs, jacobian, "jacobian"));
    nc_model_call call = model_call_begin(model, program, &inputs);
    call.operand[NC_MODEL_OUT] = model_operand(jacobian, inputs.batched, 1);
    model_launch launch = model_launch_begin(model, BE_KERNEL_TYPED(model_jacobian, state->dtype), &call, &inputs);
    launch.tile_elements = 2 * (uint64_t)call.program.slot_count;
    model_launch_add(&launch, model_buffer(jacobian));
    return jacobian->count == 0 ? NC_OK : model_run(&launch);
}
