// SPDX-License-Identifier: Apache-2.0
// What the solver's entry points share.
#ifndef NC_SOLVER_HOST_H
#define NC_SOLVER_HOST_H

#include "../kernels/solver_plan.h"
#include "../nc_solver.h"
#include "model.h"

// Options with defaults filled in, as a kernel takes them; programs, sizes and operands are the caller's.
nc_status solver_begin(const nc_model *model, const nc_solver_options *options, nc_dtype dtype, int64_t points,
                       nc_solver_call *call);
// Sets the sizes of a run's working memory. Returns the values of one lane.
uint64_t solver_run_elements(nc_solver_call *call);
// The same for a gradient: stages and adjoints, and of the tape, which holds the state before every step.
uint64_t solver_gradient_elements(nc_solver_call *call);

// The grid on the device, rounded to the dtype. The caller frees it.
nc_status solver_grid_upload(nc_device *device, nc_dtype dtype, const double *times, int64_t count, be_buffer **grid);
// count >= 1, finite, not decreasing.
nc_status solver_grid_check(const double *times, int64_t count);

// State and parameters, checked as a model's, without a time.
nc_status solver_check_inputs(nc_model *model, const nc_array *state, const nc_array *parameters, model_inputs *inputs);
nc_status solver_check_report(const model_inputs *inputs, const nc_array *report);

#endif
