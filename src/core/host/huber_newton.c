// SPDX-License-Identifier: Apache-2.0
// Unpenalised solver: damped Newton with step halving. Takes the first step size 1, 1/2, 1/4, ... >= NC_HUBER_STEP_MIN whose
// objective does not exceed the current one by more than its rounding. Where none does, the minimum of the quadratic that touches
// the objective from above is tried: it cannot lie higher. If rounding hides even that, it is no error, but no convergence either.
#include "huber.h"

#include <string.h>

#define NC_HUBER_STEP_MIN 1e-8

// Tries step sizes in passes of model->candidates; *accepted tells whether one was taken, with its scalars in `taken`.
static nc_status nc_huber_line_search(nc_huber_step *step, int *accepted, double *taken)
{
    nc_huber *model = step->model;
    nc_huber_scalars scalars[NC_HUBER_CANDIDATES_MAX];
    *accepted = 0;
    for (double first = 1.0; first >= NC_HUBER_STEP_MIN && !*accepted;) {
        int64_t count = 0;
        for (double t = first; count < model->candidates && t >= NC_HUBER_STEP_MIN; t *= 0.5) {
            ++count;
        }
        nc_huber_scale scale = nc_huber_scale_of(step, first, count);
        uint64_t items = (uint64_t)(count * model->coefficients);
        be_arg args[] = {BE_BUFFER(model->work[NC_HUBER_NOW]), BE_BUFFER(model->work[NC_HUBER_DIRECTION]), BE_VALUE(scale),
                         BE_BUFFER(model->work[NC_HUBER_TRIED]), BE_VALUE(items)};
        NC_TRY(be_launch(model->device->backend, BE_KERNEL_TYPED(huber_newton_try, model->dtype), items, args, 5));
        NC_TRY(nc_huber_evaluate(step, count, scalars));
        for (int64_t c = 0; c < count && !*accepted; ++c, first *= 0.5) {
            if (scalars[c][NC_HUBER_OBJECTIVE] <= step->objective + nc_huber_objective_noise(step)) {
                *accepted = 1;
                memcpy(taken, scalars[c], sizeof scalars[c]);
                NC_TRY(nc_huber_accept(step, c));
            } else {
                step->diagnostics.rejected_candidates += 1;
            }
        }
    }
    return NC_OK;
}

nc_status nc_huber_newton(nc_huber_step *step)
{
    nc_huber_scalars taken;
    for (int64_t k = 1; k <= step->config.max_iterations; ++k) {
        int accepted = 0;
        step->diagnostics.iterations = k;
        NC_TRY(nc_huber_gradient_at(step));
        NC_TRY(nc_huber_direction_solve(step));
        NC_TRY(nc_huber_line_search(step, &accepted, taken));
        if (!accepted) { // curvature that is nearly absent in some direction makes a step longer than the search can shorten
            NC_TRY(nc_huber_return(step));
            NC_TRY(nc_huber_direction_majorised(step));
            NC_TRY(nc_huber_line_search(step, &accepted, taken));
        }
        if (!accepted) {
            return nc_huber_return(step);
        }
        double before = step->objective;
        step->objective = taken[NC_HUBER_OBJECTIVE];
        step->size = taken[NC_HUBER_SIZE];
        step->diagnostics.objective = step->objective;
        if (nc_huber_newton_is_done(step, before, taken)) {
            step->diagnostics.converged = 1;
            break;
        }
    }
    return NC_OK;
}
