// SPDX-License-Identifier: Apache-2.0
// Ensembles of trajectories of one model (nc_model.h) on a time grid, by thirteen one-step and two-step methods.
//
// Grid. The times are given as doubles and rounded once to the state's dtype; t[n] is the rounded value and h = t[n+1] - t[n] is
// computed in that dtype. Times must not decrease and must be finite (NC_INVALID_ARGUMENT names the index). Equal times are one
// time: no step is made between them and the state is the same, bit for bit. A grid of one point makes no step.
//
// Trajectories do not touch each other. One that fails stops where it stands, its row of the report says why, at which step and in
// which cell, and every output it did not reach is the canonical NaN. nc_solver_run is then still NC_OK: read the report.
//
// Formulas and their sources: docs/solvers.md.
#ifndef NC_SOLVER_H
#define NC_SOLVER_H

#include "nc_model.h"

#ifdef __cplusplus
extern "C" {
#endif

// f is the right-hand side; in the IMEX methods f = F + A y, where A y are the flows marked implicit and F all others.
typedef enum nc_method {
    NC_METHOD_EULER = 1,          // order 1
    NC_METHOD_HEUN = 2,           // order 2
    NC_METHOD_RK4 = 3,            // order 4
    NC_METHOD_DOPRI5 = 4,         // order 5, Dormand and Prince 1980; the only one with adaptive steps
    NC_METHOD_IMPLICIT_EULER = 5, // order 1, Newton
    NC_METHOD_TRAPEZOIDAL = 6,    // order 2, Newton
    NC_METHOD_BDF2 = 7,           // order 2, Newton; variable step, first step implicit Euler
    NC_METHOD_ROS2 = 8,           // order 2, L-stable Rosenbrock method, gamma = 1 - 1/sqrt(2); one linear factorisation a step
    NC_METHOD_SDIRK2 = 9,         // order 2, Newton, two stages, gamma as above
    NC_METHOD_IMEX_EULER = 10,    // order 1
    NC_METHOD_IMEX_HEUN_TR = 11,  // order 2, Heun with the trapezoidal rule
    NC_METHOD_IMEX_TRBDF2 = 12,   // order 2, the same over gamma h, then BDF2
    NC_METHOD_IMEX_ARK3 = 13      // order 3, ARS(4,4,3), Ascher, Ruuth and Spiteri 1997
} nc_method;
NC_API const char *nc_method_name(nc_method method); // "imex-trbdf2"; "unknown"

typedef enum nc_stepping {
    NC_STEPPING_GRID = 0,     // one step for each interval of the grid
    NC_STEPPING_ADAPTIVE = 1, // dopri5 only; steps end on every grid point
    NC_STEPPING_REPLAY = 2    // the steps of a list that an adaptive run recorded, the same bytes
} nc_stepping;

typedef enum nc_trajectory_status {
    NC_TRAJECTORY_OK = 0,
    NC_TRAJECTORY_NEGATIVE_STATE = 1,    // a cell became negative; it is not clipped
    NC_TRAJECTORY_NONFINITE = 2,         // a cell became infinite or NaN
    NC_TRAJECTORY_STEP_LIMIT = 3,        // step_limit steps were not enough
    NC_TRAJECTORY_STEP_TOO_SMALL = 4,    // t + h = t
    NC_TRAJECTORY_REJECT_LIMIT = 5,      // one step was rejected reject_limit times in a row
    NC_TRAJECTORY_NEWTON_FAILED = 6,     // Newton's method did not converge in newton_limit iterations
    NC_TRAJECTORY_SINGULAR_MATRIX = 7,   // a linear system of the method has a zero pivot
    NC_TRAJECTORY_STEP_LIST_FULL = 8,    // an accepted step had no room in the list
    NC_TRAJECTORY_STEP_LIST_INVALID = 9, // a replayed list does not increase from the first to the last grid point through all
    NC_TRAJECTORY_STATUS_COUNT = 10
} nc_trajectory_status;
NC_API const char *nc_trajectory_status_name(nc_trajectory_status status); // "NEGATIVE_STATE"; "unknown"

// The report is i32 [trajectory, NC_REPORT_COLUMNS] (for one state [NC_REPORT_COLUMNS]).
typedef enum nc_report_column {
    NC_REPORT_STATUS = 0,
    NC_REPORT_STEP = 1,     // the step that failed, from 1; 0 for the initial state. After success the number of steps
    NC_REPORT_CELL = 2,     // the first cell that failed, or -1
    NC_REPORT_ACCEPTED = 3, // steps
    NC_REPORT_REJECTED = 4,
    NC_REPORT_NEWTON = 5,   // iterations of all steps
    NC_REPORT_RECORDED = 6, // entries of the step list
    NC_REPORT_COLUMNS = 7
} nc_report_column;

// Set with NC_STRUCT_INIT; members left 0 mean the default.
typedef struct nc_solver_options {
    uint32_t abi_version;
    uint32_t struct_size;
    int32_t method;         // nc_method; required
    int32_t stepping;       // nc_stepping
    int32_t history;        // 0: the final state only; 1: the state at every grid point
    int32_t allow_negative; // 0: a negative cell is NEGATIVE_STATE (compartments are populations); 1: it is not looked at
    int32_t newton_limit;   // 0: 10
    int32_t reject_limit;   // 0: 25
    int64_t step_limit;     // 0: 1,000,000
    // Adaptive: error norm = RMS of error / (absolute + relative max(|y_new|, |y_old|)); a step is accepted at 1 or less.
    // Defaults: float64 1e-6 and 1e-9, float32 1e-4 and 1e-6.
    double relative_tolerance, absolute_tolerance;
    double first_step;       // adaptive; 0: from the size of state and rate of change
    double newton_tolerance; // max |change| <= tolerance * max |state|; 0: 2^-36, float32 2^-14
} nc_solver_options;

// Times that an adaptive run passed, from the first grid point on. times is [trajectory, capacity] (for one state [capacity]) of
// the state's dtype. A recording writes the entries it needs, and report column NC_REPORT_RECORDED says how many; entries after
// these keep what they held. A replay reads `lengths`, i32 [trajectory] (rank 0 for one state); a recording ignores it.
typedef struct nc_step_list {
    uint32_t abi_version;
    uint32_t struct_size;
    nc_array *times;
    const nc_array *lengths;
} nc_step_list;

// Runs every trajectory from times[0] to times[count - 1], count >= 1. `state` is [states] or [B, states], `parameters` as in
// nc_model_rhs. `out` is [B, states], with history [B, count, states] (for one state [states] or [count, states]). `steps` may be
// null unless stepping is REPLAY; with ADAPTIVE it records.
NC_API nc_status nc_solver_run(nc_model *model, const nc_solver_options *options, const double *times, int64_t count,
                               const nc_array *state, const nc_array *parameters, const nc_step_list *steps, nc_array *out,
                               nc_array *report);

// Bytes of device memory that a run of `trajectories` takes besides its arrays.
NC_API nc_status nc_solver_workspace(const nc_model *model, const nc_solver_options *options, nc_dtype dtype, int64_t trajectories,
                                     int64_t count, uint64_t *bytes);

// --- Gradients of an objective of the final state, by the adjoint of the discrete scheme: the exact derivative of what was
// computed, for the explicit methods with stepping GRID.
typedef enum nc_gradient_status {
    NC_GRADIENT_PASSED = 0,                       // nc_solver_gradient gives it
    NC_GRADIENT_NOT_REQUESTED_STORED_HISTORY = 1, // a stored history has no gradient
    NC_GRADIENT_NOT_SUPPORTED = 2                 // the method or the stepping has no adjoint
} nc_gradient_status;
NC_API const char *nc_gradient_status_name(nc_gradient_status status); // "not_requested_stored_history"; "unknown"
NC_API nc_status nc_solver_gradient_status(const nc_solver_options *options, nc_gradient_status *status);
// `seed` [B?, states] is the derivative of the objective in the final state. Gives its gradients in the initial state
// [B?, states] and in the parameters [B?, parameters]; either may be null, not both. A failed trajectory has NaN gradients.
// Refused with NC_UNSUPPORTED where nc_solver_gradient_status does not say passed.
NC_API nc_status nc_solver_gradient(nc_model *model, const nc_solver_options *options, const double *times, int64_t count,
                                    const nc_array *state, const nc_array *parameters, const nc_array *seed,
                                    nc_array *state_gradient, nc_array *parameters_gradient, nc_array *report);

// --- Uniform grids. `*count` = steps + 1 points t0, t0 + step, t0 + 2 step, ..., t1: the last is t1 exactly and the last step is
// shorter when `step` does not divide t1 - t0. A quotient within 2^-40 of a whole number, relative, is that number: 0 to 1 by 0.1
// is ten steps. t0 = t1 is one point. step must be positive and finite, t1 >= t0. With times null only the count is given; else
// `capacity` is the room in `times`.
NC_API nc_status nc_time_grid(double t0, double t1, double step, double *times, int64_t capacity, int64_t *count);

#ifdef __cplusplus
}
#endif
#endif
