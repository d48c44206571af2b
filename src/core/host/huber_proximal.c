// SPDX-License-Identifier: Apache-2.0
// L1 solver: proximal gradient with a local majoriser. phi doubles until the candidate's objective lies under the quadratic
// bound at phi (within the objective's rounding), and halves after each accepted step that the objective can judge. Once the
// bound's own curvature term is below that rounding the test says nothing, and once the penalised objective does not fall it is the
// rounding of the coefficients that moves them: from there on phi is the bound of every curvature, under which steps only shrink.
#include "huber.h"

#include <string.h>

#define NC_HUBER_PHI_MIN 1e-8
#define NC_HUBER_PHI_ATTEMPTS 40

// Tries phi, 2 phi, 4 phi, ...; *accepted tells whether one was taken, *phi then holds it and `taken` its scalars.
static nc_status nc_huber_majorise(nc_huber_step *step, double *phi, int *accepted, double *taken)
{
    nc_huber *model = step->model;
    nc_huber_scalars scalars[NC_HUBER_CANDIDATES_MAX];
    *accepted = 0;
    for (int64_t attempts = 0; attempts < NC_HUBER_PHI_ATTEMPTS && !*accepted;) {
        int64_t left = NC_HUBER_PHI_ATTEMPTS - attempts;
        int64_t count = left < model->candidates ? left : model->candidates;
        nc_huber_scale scale = nc_huber_scale_of(step, *phi, count);
        uint64_t items = (uint64_t)(count * model->coefficients);
        be_arg args[] = {BE_BUFFER(model->work[NC_HUBER_NOW]), BE_BUFFER(model->work[NC_HUBER_GRADIENT]), BE_VALUE(scale),
                         BE_BUFFER(model->work[NC_HUBER_TRIED]), BE_VALUE(items)};
        NC_TRY(be_launch(model->device->backend, BE_KERNEL_TYPED(huber_l1_try, model->dtype), items, args, 5));
        NC_TRY(nc_huber_evaluate(step, count, scalars));
        for (int64_t c = 0; c < count && !*accepted; ++c, ++attempts) {
            const double *s = scalars[c];
            double bound = step->objective + s[NC_HUBER_SLOPE] + 0.5 * *phi * s[NC_HUBER_STEP2] + nc_huber_objective_noise(step);
            if (s[NC_HUBER_OBJECTIVE] <= bound) {
                *accepted = 1;
                memcpy(taken, s, sizeof scalars[c]);
                NC_TRY(nc_huber_accept(step, c));
            } else {
                step->diagnostics.rejected_candidates += 1;
                *phi *= 2.0;
            }
        }
    }
    return NC_OK;
}

// The curvature that no direction of the surrogate exceeds: the trace of (X' diag(w) X + J) / N.
static nc_status nc_huber_curvature_bound(nc_huber_step *step, double *bound)
{
    nc_huber *model = step->model;
    be_device *device = model->device->backend;
    be_buffer **work = model->work;
    be_arg args[] = {BE_BUFFER(work[NC_HUBER_GRAM]), BE_BUFFER(model->information), BE_VALUE(step->total_weight),
                     BE_VALUE(model->coefficients), BE_BUFFER(work[NC_HUBER_RATIO])};
    NC_TRY(nc_huber_gram_of(step, NC_HUBER_FREQUENCY));
    NC_TRY(be_launch(device, BE_KERNEL_huber_trace, 1, args, 5));
    return be_buffer_download(device, work[NC_HUBER_RATIO], 0, bound, sizeof *bound);
}

nc_status nc_huber_proximal(nc_huber_step *step)
{
    nc_huber_scalars taken;
    double phi = 1.0;
    double phi_safe = 0.0;
    int settled = 0;
    step->diagnostics.pivot_ratio = 1.0;
    NC_TRY(nc_huber_curvature_bound(step, &phi_safe));
    for (int64_t k = 1; k <= step->config.max_iterations; ++k) {
        int accepted = 0;
        step->diagnostics.iterations = k;
        NC_TRY(nc_huber_gradient_at(step));
        NC_TRY(nc_huber_majorise(step, &phi, &accepted, taken));
        if (!accepted) {
            return nc_huber_return(step);
        }
        double penalised = taken[NC_HUBER_OBJECTIVE] + step->threshold * taken[NC_HUBER_ABS];
        int resolved = 0.5 * phi * taken[NC_HUBER_STEP2] > nc_huber_objective_noise(step);
        settled = settled || !resolved || penalised >= step->diagnostics.objective;
        int safe = settled && phi == phi_safe;
        int stalled = nc_huber_has_stalled(step, safe, taken[NC_HUBER_STEP2]);
        step->objective = taken[NC_HUBER_OBJECTIVE];
        step->size = taken[NC_HUBER_SIZE];
        step->diagnostics.objective = penalised;
        if (stalled || (nc_huber_is_close(step, taken) && (safe || !settled))) {
            step->diagnostics.converged = 1;
            break;
        }
        if (settled) {
            phi = phi_safe;
        } else {
            phi = phi * 0.5 > NC_HUBER_PHI_MIN ? phi * 0.5 : NC_HUBER_PHI_MIN;
        }
    }
    return NC_OK;
}
