// SPDX-License-Identifier: Apache-2.0
// The parts of the suite solver, and small models with known solutions.
#ifndef SUITE_SOLVER_H
#define SUITE_SOLVER_H

#include "cupel.h"

extern const cupel_table solver_core_table;
extern const cupel_table solver_order_table;
extern const cupel_table solver_golden_table;
extern const cupel_table solver_grid_table;
extern const cupel_table solver_status_table;
extern const cupel_table solver_adaptive_table;
extern const cupel_table solver_ensemble_table;
extern const cupel_table solver_value_table;

#define METHODS 13 // nc_method is 1 to METHODS
static inline int method_is_imex(int32_t method)
{
    return method >= NC_METHOD_IMEX_EULER;
}
static inline int method_is_explicit(int32_t method)
{
    return method <= NC_METHOD_DOPRI5;
}

// --- Models. Each is released by the case.

// x' = -k x for one cell, k the only parameter. `implicit`: the flow is the implicit part.
nc_model *model_decay(cupel_context *context, int32_t implicit);
// x' = -2 t x^2: x(t) = 1 / (1/x0 + t^2). No parameters.
nc_model *model_riccati(cupel_context *context);
// x' = r x - c x^2 with parameters r, c; the growth is implicit when asked. x(t) = r / (c + (r/x0 - c) exp(-r t)).
nc_model *model_logistic(cupel_context *context, int32_t implicit);
// x1' = -2 x1 + x2 + t, x2' = x1 - 2 x2: the flow x1 -> x2 and the loss of x2 are implicit when asked, the rest is explicit, and
// the two parts do not commute. No parameters.
nc_model *model_forced_pair(cupel_context *context, int32_t implicit);
void forced_pair_solution(double t, const double *start, double *x);
// S, I, R of one population with parameters beta, gamma: S' = -beta S I / N, R' = gamma I, N = S + I + R.
nc_model *model_sir(cupel_context *context, int64_t groups);

// --- Runs of one trajectory in the case's dtype.
nc_array *vector_of(cupel_context *context, const double *values, int64_t count);
nc_array *report_of(cupel_context *context, int64_t batch); // batch 0: for one state
void expect_report(cupel_context *context, const nc_array *report, int64_t trajectory, nc_report_column column, int32_t value);
nc_solver_options options_of(int32_t method);
// The final state of a run over `steps` equal steps of [t0, t1].
void run_uniform(cupel_context *context, nc_model *model, const nc_solver_options *options, double t0, double t1, int64_t steps,
                 const double *state, int64_t states, const double *parameters, int64_t parameter_count, double *final);

#endif
