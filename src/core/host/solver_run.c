// SPDX-License-Identifier: Apache-2.0
// Runs of an ensemble and gradients of its final state: validation, operands, launch.
#include "solver_host.h"

#include <inttypes.h>

nc_status solver_check_inputs(nc_model *model, const nc_array *state, const nc_array *parameters, model_inputs *inputs)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(model_check_state(model, state, "state", model->network->states, inputs));
    NC_TRY(model_check_parameters(inputs, parameters, "parameters", model->network->parameters));
    inputs->parameters = parameters;
    return NC_OK;
}

nc_status solver_check_report(const model_inputs *inputs, const nc_array *report)
{
    NC_TRY(nc_check_dtype(report, "report", NC_I32));
    NC_TRY(nc_check_same_device(report, "report", inputs->state, "state"));
    NC_TRY(nc_check_rank(report, "report", inputs->batched ? 2 : 1));
    if (inputs->batched) {
        NC_TRY(nc_check_extent(report, "report", 0, inputs->batch, "the trajectories of state"));
    }
    NC_TRY(nc_check_extent(report, "report", report->rank - 1, NC_REPORT_COLUMNS, "NC_REPORT_COLUMNS"));
    return nc_check_output(report, "report");
}

static nc_status check_out(const model_inputs *inputs, const nc_array *out, int history, int64_t count, int64_t states)
{
    NC_TRY(nc_check_array(out, "out"));
    NC_TRY(nc_check_same_device(out, "out", inputs->state, "state"));
    NC_TRY(nc_check_same_dtype(out, "out", inputs->state, "state"));
    NC_TRY(nc_check_rank(out, "out", (inputs->batched ? 2 : 1) + (history ? 1 : 0)));
    if (inputs->batched) {
        NC_TRY(nc_check_extent(out, "out", 0, inputs->batch, "the trajectories of state"));
    }
    if (history) {
        NC_TRY(nc_check_extent(out, "out", out->rank - 2, count, "the points of the grid"));
    }
    NC_TRY(nc_check_extent(out, "out", out->rank - 1, states, "the cells of the model"));
    return model_check_output(inputs, out, "out");
}

static nc_status check_steps(const model_inputs *inputs, const nc_step_list *steps, int stepping, const nc_array *out)
{
    if (steps == NULL) {
        return stepping == NC_STEPPING_REPLAY
                   ? be_fail(NC_NULL_ARGUMENT, "steps is null; a replay needs the list that an adaptive run recorded")
                   : NC_OK;
    }
    NC_TRY(nc_check_abi(steps, sizeof *steps, "steps"));
    if (stepping == NC_STEPPING_GRID) {
        return be_fail(NC_INVALID_ARGUMENT, "steps is given but options.stepping is grid; a list is recorded or replayed only");
    }
    NC_TRY(nc_check_array(steps->times, "steps.times"));
    NC_TRY(nc_check_same_device(steps->times, "steps.times", inputs->state, "state"));
    NC_TRY(nc_check_same_dtype(steps->times, "steps.times", inputs->state, "state"));
    NC_TRY(nc_check_rank(steps->times, "steps.times", inputs->batched ? 2 : 1));
    if (inputs->batched) {
        NC_TRY(nc_check_extent(steps->times, "steps.times", 0, inputs->batch, "the trajectories of state"));
    }
    NC_TRY(nc_check_apart(out, "out", steps->times, "steps.times"));
    if (stepping == NC_STEPPING_ADAPTIVE) {
        return model_check_output(inputs, steps->times, "steps.times");
    }
    NC_TRY(nc_check_dtype(steps->lengths, "steps.lengths", NC_I32));
    NC_TRY(nc_check_same_device(steps->lengths, "steps.lengths", inputs->state, "state"));
    NC_TRY(nc_check_rank(steps->lengths, "steps.lengths", inputs->batched ? 1 : 0));
    return inputs->batched ? nc_check_extent(steps->lengths, "steps.lengths", 0, inputs->batch, "the trajectories of state")
                           : NC_OK;
}

static void set_inputs(nc_solver_call *call, const model_inputs *inputs, const nc_array *report)
{
    call->state = model_operand(inputs->state, inputs->batched, 0);
    call->parameters = model_operand(inputs->parameters, inputs->parameters != NULL && inputs->parameters->rank == 2, 0);
    call->report = model_operand(report, inputs->batched, 0);
}

static model_launch begin_launch(nc_model *model, be_kernel kernel, nc_solver_call *call, const model_inputs *inputs,
                                 be_buffer *grid)
{
    model_launch launch = {.device = model->device->backend,
                           .model = model,
                           .dtype = inputs->state->dtype,
                           .kernel = kernel,
                           .trajectories = (uint64_t)inputs->batch,
                           .call = call,
                           .call_size = sizeof *call};
    model_launch_add(&launch, model->plan);
    model_launch_add(&launch, model_constants(model, launch.dtype));
    model_launch_add(&launch, grid);
    model_launch_add(&launch, model_buffer(inputs->state));
    model_launch_add(&launch, model_buffer(inputs->parameters));
    return launch;
}

nc_status nc_solver_run(nc_model *model, const nc_solver_options *options, const double *times, int64_t count,
                        const nc_array *state, const nc_array *parameters, const nc_step_list *steps, nc_array *out,
                        nc_array *report)
{
    model_inputs inputs = {.time = NULL};
    nc_solver_call call = {.points = 0};
    be_buffer *grid = NULL;
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_real(state, "state"));
    NC_TRY(solver_begin(model, options, state->dtype, count, &call));
    NC_TRY(solver_grid_check(times, count));
    NC_TRY(solver_check_inputs(model, state, parameters, &inputs));
    NC_TRY(check_out(&inputs, out, options->history, count, model->network->states));
    NC_TRY(check_steps(&inputs, steps, options->stepping, out));
    NC_TRY(solver_check_report(&inputs, report));
    set_inputs(&call, &inputs, report);
    call.out = model_operand(out, inputs.batched, options->history);
    if (steps != NULL) {
        call.list = model_operand(steps->times, inputs.batched, 0);
        call.lengths = model_operand(steps->lengths, inputs.batched, 0);
        call.capacity = (uint64_t)steps->times->shape[steps->times->rank - 1];
        call.records = options->stepping == NC_STEPPING_ADAPTIVE;
    }
    NC_TRY(solver_grid_upload(model->device, state->dtype, times, count, &grid));
    model_launch launch = begin_launch(model, BE_KERNEL_TYPED(solver_run, state->dtype), &call, &inputs, grid);
    launch.tile_elements = solver_run_elements(&call);
    model_launch_add(&launch, model_buffer(out));
    model_launch_add(&launch, model_buffer(report));
    model_launch_add(&launch, steps == NULL ? NULL : model_buffer(steps->times));
    model_launch_add(&launch, steps == NULL ? NULL : model_buffer(steps->lengths));
    nc_status status = model_run(&launch);
    be_buffer_free(model->device->backend, grid);
    return status;
}

static nc_status check_gradient(const model_inputs *inputs, const nc_array *seed, const nc_array *gradient, const char *name,
                                int64_t cells)
{
    if (gradient == NULL) {
        return NC_OK;
    }
    NC_TRY(model_check_cells(inputs, gradient, name, cells));
    NC_TRY(model_check_output(inputs, gradient, name));
    return nc_check_apart(gradient, name, seed, "seed");
}

static nc_status check_gradients(const nc_model *model, const model_inputs *inputs, const nc_array *seed,
                                 const nc_array *state_gradient, const nc_array *parameters_gradient)
{
    NC_TRY(model_check_cells(inputs, seed, "seed", model->network->states));
    NC_TRY(check_gradient(inputs, seed, state_gradient, "state_gradient", model->network->states));
    NC_TRY(check_gradient(inputs, seed, parameters_gradient, "parameters_gradient", model->network->parameters));
    if (state_gradient == NULL && parameters_gradient == NULL) {
        return be_fail(NC_NULL_ARGUMENT, "state_gradient and parameters_gradient are both null; pass at least one");
    }
    return state_gradient == NULL || parameters_gradient == NULL
               ? NC_OK
               : nc_check_apart(parameters_gradient, "parameters_gradient", state_gradient, "state_gradient");
}

nc_status nc_solver_gradient(nc_model *model, const nc_solver_options *options, const double *times, int64_t count,
                             const nc_array *state, const nc_array *parameters, const nc_array *seed, nc_array *state_gradient,
                             nc_array *parameters_gradient, nc_array *report)
{
    model_inputs inputs = {.time = NULL};
    nc_solver_call call = {.points = 0};
    nc_gradient_status offered = NC_GRADIENT_NOT_SUPPORTED;
    be_buffer *grid = NULL;
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_real(state, "state"));
    NC_TRY(solver_begin(model, options, state->dtype, count, &call));
    NC_TRY(nc_solver_gradient_status(options, &offered));
    if (offered != NC_GRADIENT_PASSED) {
        return be_fail(NC_UNSUPPORTED, "no gradient for method %s, stepping %" PRId32 ", history %" PRId32 ": %s",
                       nc_method_name((nc_method)options->method), options->stepping, options->history,
                       nc_gradient_status_name(offered));
    }
    NC_TRY(solver_grid_check(times, count));
    NC_TRY(solver_check_inputs(model, state, parameters, &inputs));
    NC_TRY(check_gradients(model, &inputs, seed, state_gradient, parameters_gradient));
    NC_TRY(solver_check_report(&inputs, report));
    set_inputs(&call, &inputs, report);
    call.seed = model_operand(seed, inputs.batched, 0);
    call.state_gradient = model_operand(state_gradient, inputs.batched, 0);
    call.parameters_gradient = model_operand(parameters_gradient, inputs.batched, 0);
    call.wanted = (state_gradient != NULL ? 1u : 0u) | (parameters_gradient != NULL ? 2u : 0u);
    NC_TRY(solver_grid_upload(model->device, state->dtype, times, count, &grid));
    model_launch launch = begin_launch(model, BE_KERNEL_TYPED(solver_gradient, state->dtype), &call, &inputs, grid);
    launch.tile_elements = solver_gradient_elements(&call);
    launch.tape_elements = call.tape_elements / NC_TILE;
    launch.has_tape = 1;
    model_launch_add(&launch, model_buffer(seed));
    model_launch_add(&launch, model_buffer(report));
    model_launch_add(&launch, model_buffer(state_gradient));
    model_launch_add(&launch, model_buffer(parameters_gradient));
    nc_status status = model_run(&launch);
    be_buffer_free(model->device->backend, grid);
    return status;
}
