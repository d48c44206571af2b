// SPDX-License-Identifier: Apache-2.0
// Options of the solver: names, defaults, and the working memory that each method takes.
#include "solver_host.h"

#include <inttypes.h>

// A method's name, its stages and the vectors that it needs besides (NC_EXTRA_...).
static const struct {
    const char *name;
    uint32_t stages, extras;
    int is_imex, has_matrix;
} methods[] = {
    [NC_METHOD_EULER] = {"euler", 1, 0, 0, 0},
    [NC_METHOD_HEUN] = {"heun", 2, 0, 0, 0},
    [NC_METHOD_RK4] = {"rk4", 4, 0, 0, 0},
    [NC_METHOD_DOPRI5] = {"dopri5", 7, 0, 0, 0},
    [NC_METHOD_IMPLICIT_EULER] = {"implicit-euler", 1, 2, 0, 1},
    [NC_METHOD_TRAPEZOIDAL] = {"trapezoidal", 1, 2, 0, 1},
    [NC_METHOD_BDF2] = {"bdf2", 1, 3, 0, 1},
    [NC_METHOD_ROS2] = {"ros2", 2, 2, 0, 1},
    [NC_METHOD_SDIRK2] = {"sdirk2", 1, 2, 0, 1},
    [NC_METHOD_IMEX_EULER] = {"imex-euler", 1, 2, 1, 1},
    [NC_METHOD_IMEX_HEUN_TR] = {"imex-heun-tr", 1, 2, 1, 1},
    [NC_METHOD_IMEX_TRBDF2] = {"imex-trbdf2", 3, 2, 1, 1},
    [NC_METHOD_IMEX_ARK3] = {"imex-ark3", 10, 2, 1, 1},
};
#define METHOD_COUNT ((int32_t)(sizeof methods / sizeof methods[0]))

static const char *const statuses[] = {
    [NC_TRAJECTORY_OK] = "OK",
    [NC_TRAJECTORY_NEGATIVE_STATE] = "NEGATIVE_STATE",
    [NC_TRAJECTORY_NONFINITE] = "NONFINITE",
    [NC_TRAJECTORY_STEP_LIMIT] = "STEP_LIMIT",
    [NC_TRAJECTORY_STEP_TOO_SMALL] = "STEP_TOO_SMALL",
    [NC_TRAJECTORY_REJECT_LIMIT] = "REJECT_LIMIT",
    [NC_TRAJECTORY_NEWTON_FAILED] = "NEWTON_FAILED",
    [NC_TRAJECTORY_SINGULAR_MATRIX] = "SINGULAR_MATRIX",
    [NC_TRAJECTORY_STEP_LIST_FULL] = "STEP_LIST_FULL",
    [NC_TRAJECTORY_STEP_LIST_INVALID] = "STEP_LIST_INVALID",
};

static const char *const gradient_statuses[] = {
    [NC_GRADIENT_PASSED] = "passed",
    [NC_GRADIENT_NOT_REQUESTED_STORED_HISTORY] = "not_requested_stored_history",
    [NC_GRADIENT_NOT_SUPPORTED] = "not_supported",
};

// The kernels know these numbers by names of their own.
#define SAME(public_name, kernel_name) _Static_assert((int)(public_name) == (kernel_name), #kernel_name " is " #public_name)
SAME(NC_METHOD_EULER, NC_SOLVE_EULER);
SAME(NC_METHOD_HEUN, NC_SOLVE_HEUN);
SAME(NC_METHOD_RK4, NC_SOLVE_RK4);
SAME(NC_METHOD_DOPRI5, NC_SOLVE_DOPRI5);
SAME(NC_METHOD_IMPLICIT_EULER, NC_SOLVE_IMPLICIT_EULER);
SAME(NC_METHOD_TRAPEZOIDAL, NC_SOLVE_TRAPEZOIDAL);
SAME(NC_METHOD_BDF2, NC_SOLVE_BDF2);
SAME(NC_METHOD_ROS2, NC_SOLVE_ROS2);
SAME(NC_METHOD_SDIRK2, NC_SOLVE_SDIRK2);
SAME(NC_METHOD_IMEX_EULER, NC_SOLVE_IMEX_EULER);
SAME(NC_METHOD_IMEX_HEUN_TR, NC_SOLVE_IMEX_HEUN_TR);
SAME(NC_METHOD_IMEX_TRBDF2, NC_SOLVE_IMEX_TRBDF2);
SAME(NC_METHOD_IMEX_ARK3, NC_SOLVE_IMEX_ARK3);
SAME(NC_STEPPING_GRID, NC_STEP_GRID);
SAME(NC_STEPPING_ADAPTIVE, NC_STEP_ADAPTIVE);
SAME(NC_STEPPING_REPLAY, NC_STEP_REPLAY);
SAME(NC_TRAJECTORY_OK, NC_LANE_OK);
SAME(NC_TRAJECTORY_NEGATIVE_STATE, NC_LANE_NEGATIVE_STATE);
SAME(NC_TRAJECTORY_NONFINITE, NC_LANE_NONFINITE);
SAME(NC_TRAJECTORY_STEP_LIMIT, NC_LANE_STEP_LIMIT);
SAME(NC_TRAJECTORY_STEP_TOO_SMALL, NC_LANE_STEP_TOO_SMALL);
SAME(NC_TRAJECTORY_REJECT_LIMIT, NC_LANE_REJECT_LIMIT);
SAME(NC_TRAJECTORY_NEWTON_FAILED, NC_LANE_NEWTON_FAILED);
SAME(NC_TRAJECTORY_SINGULAR_MATRIX, NC_LANE_SINGULAR_MATRIX);
SAME(NC_TRAJECTORY_STEP_LIST_FULL, NC_LANE_STEP_LIST_FULL);
SAME(NC_TRAJECTORY_STEP_LIST_INVALID, NC_LANE_STEP_LIST_INVALID);
SAME(NC_REPORT_COLUMNS, NC_REPORT_WIDTH);

const char *nc_method_name(nc_method method)
{
    return (int32_t)method >= 1 && (int32_t)method < METHOD_COUNT ? methods[method].name : "unknown";
}

const char *nc_trajectory_status_name(nc_trajectory_status status)
{
    return (uint32_t)status < NC_TRAJECTORY_STATUS_COUNT ? statuses[status] : "unknown";
}

const char *nc_gradient_status_name(nc_gradient_status status)
{
    return (size_t)status < sizeof gradient_statuses / sizeof gradient_statuses[0] ? gradient_statuses[status] : "unknown";
}

static nc_status check_choice(const char *name, int32_t value, int32_t least, int32_t most)
{
    if (value < least || value > most) {
        return be_fail(NC_INVALID_ARGUMENT, "options.%s is %" PRId32 "; it must be %" PRId32 " to %" PRId32, name, value, least,
                       most);
    }
    return NC_OK;
}

// 0 takes the default. Written so that NaN is refused.
static nc_status choose(const char *name, double value, double otherwise, double *chosen)
{
    if (!(value >= 0.0) || value - value != 0.0) {
        return be_fail(NC_INVALID_ARGUMENT, "options.%s is %g; it must be 0 (the default) or a positive number", name, value);
    }
    *chosen = value > 0.0 ? value : otherwise;
    return NC_OK;
}

static nc_status check_options(const nc_solver_options *options)
{
    NC_TRY(nc_check_abi(options, sizeof *options, "options"));
    NC_TRY(check_choice("method", options->method, 1, METHOD_COUNT - 1));
    NC_TRY(check_choice("stepping", options->stepping, NC_STEPPING_GRID, NC_STEPPING_REPLAY));
    NC_TRY(check_choice("history", options->history, 0, 1));
    NC_TRY(check_choice("allow_negative", options->allow_negative, 0, 1));
    NC_TRY(check_choice("newton_limit", options->newton_limit, 0, 1000000));
    NC_TRY(check_choice("reject_limit", options->reject_limit, 0, 1000000));
    if (options->step_limit < 0) {
        return be_fail(NC_INVALID_ARGUMENT, "options.step_limit is %" PRId64 "; it must be 0 (the default) or more",
                       options->step_limit);
    }
    if (options->stepping == NC_STEPPING_ADAPTIVE && options->method != NC_METHOD_DOPRI5) {
        return be_fail(NC_UNSUPPORTED, "options.stepping is adaptive with method %s; only dopri5 estimates its error",
                       methods[options->method].name);
    }
    return NC_OK;
}

nc_status solver_begin(const nc_model *model, const nc_solver_options *options, nc_dtype dtype, int64_t points,
                       nc_solver_call *call)
{
    int is_f32 = dtype == NC_F32;
    NC_TRY(check_options(options));
    NC_TRY(choose("relative_tolerance", options->relative_tolerance, is_f32 ? 1e-4 : 1e-6, &call->relative));
    NC_TRY(choose("absolute_tolerance", options->absolute_tolerance, is_f32 ? 1e-6 : 1e-9, &call->absolute));
    NC_TRY(choose("first_step", options->first_step, 0.0, &call->first_step));
    NC_TRY(choose("newton_tolerance", options->newton_tolerance, is_f32 ? 0x1p-14 : 0x1p-36, &call->newton_tolerance));
    call->method = options->method;
    call->stepping = options->stepping;
    call->history = options->history;
    call->allow_negative = options->allow_negative;
    call->newton_limit = options->newton_limit == 0 ? 10 : options->newton_limit;
    call->reject_limit = options->reject_limit == 0 ? 25 : options->reject_limit;
    int64_t otherwise = options->stepping == NC_STEPPING_GRID ? points : 1000000; // a grid says itself how many steps there are
    call->step_limit = options->step_limit == 0 ? otherwise : options->step_limit;
    call->points = (uint64_t)points;
    call->cells = model->network->states > 0 ? (double)model->network->states : 1.0;
    call->program = model->programs[methods[call->method].is_imex ? PLAN_EXPLICIT : PLAN_RHS];
    call->implicit = model->programs[PLAN_IMPLICIT];
    return NC_OK;
}

// Lays a lane's working memory out: the slots of its values, tangents, vectors, and `last` values at the end. An IMEX method makes
// its matrix before the stages of a step, from an A y that no stage changes, so its tangents stand where its stages will.
static uint64_t lay_out(nc_solver_call *call, uint64_t slots, uint64_t tangents, uint64_t extras, uint64_t last)
{
    uint64_t cells = call->program.state_count, stages = methods[call->method].stages * cells;
    if (methods[call->method].is_imex) {
        call->vectors = slots;
        call->tangents = call->vectors + NC_VECTOR_STAGE * cells;
        call->extras = call->tangents + (tangents > stages ? tangents : stages);
    } else {
        call->tangents = slots;
        call->vectors = call->tangents + tangents;
        call->extras = call->vectors + NC_VECTOR_STAGE * cells + stages;
    }
    call->matrix = call->extras + extras * cells;
    return call->matrix + last;
}

uint64_t solver_run_elements(nc_solver_call *call)
{
    uint64_t cells = call->program.state_count;
    uint64_t extras = methods[call->method].extras + (call->stepping == NC_STEP_ADAPTIVE ? NC_EXTRA_ERROR + 1u : 0u);
    uint64_t slots = call->program.slot_count > call->implicit.slot_count ? call->program.slot_count : call->implicit.slot_count;
    if (methods[call->method].has_matrix) {
        return lay_out(call, slots, slots, extras, (cells + 1) * cells);
    }
    return lay_out(call, slots, 0, extras, 0);
}

uint64_t solver_gradient_elements(nc_solver_call *call)
{
    call->tape_elements = (call->points - 1) * call->program.state_count * NC_TILE;
    return lay_out(call, call->program.slot_count, call->program.slot_count, NC_EXTRA_ADJOINT + 1u, call->program.parameter_count);
}

nc_status nc_solver_gradient_status(const nc_solver_options *options, nc_gradient_status *status)
{
    NC_TRY(check_options(options));
    NC_TRY(nc_check_pointer(status, "status"));
    int has_adjoint = !methods[options->method].has_matrix && options->stepping == NC_STEPPING_GRID;
    *status = options->history != 0 ? NC_GRADIENT_NOT_REQUESTED_STORED_HISTORY
              : has_adjoint         ? NC_GRADIENT_PASSED
                                    : NC_GRADIENT_NOT_SUPPORTED;
    return NC_OK;
}

nc_status nc_solver_workspace(const nc_model *model, const nc_solver_options *options, nc_dtype dtype, int64_t trajectories,
                              int64_t count, uint64_t *bytes)
{
    nc_solver_call call = {.points = 0};
    NC_TRY(nc_check_pointer(model, "model"));
    if (dtype != NC_F32 && dtype != NC_F64) {
        return be_fail(NC_MIXED_DTYPE, "dtype is %s; a solver takes f32 or f64", nc_dtype_name(dtype));
    }
    if (trajectories < 0 || count < 1) {
        return be_fail(NC_INVALID_ARGUMENT, "trajectories is %" PRId64 " and count %" PRId64 "; at least 0 and 1 are needed",
                       trajectories, count);
    }
    NC_TRY(solver_begin(model, options, dtype, count, &call));
    NC_TRY(nc_check_pointer(bytes, "bytes"));
    model_launch launch = {.device = model->device->backend,
                           .dtype = dtype,
                           .kernel = BE_KERNEL_TYPED(solver_run, dtype),
                           .trajectories = (uint64_t)trajectories};
    launch.tile_elements = solver_run_elements(&call);
    *bytes = model_workspace_bytes(&launch) + (uint64_t)count * nc_dtype_size(dtype);
    return NC_OK;
}
