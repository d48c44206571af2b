// SPDX-License-Identifier: Apache-2.0
// The steps that both solvers share. Each launches kernels; only scalars come back.
#include "huber.h"

#include <float.h>

nc_huber_scale nc_huber_scale_of(const nc_huber_step *step, double first, int64_t candidates)
{
    return (nc_huber_scale){.total_weight = step->total_weight,
                            .sign_weight = step->sign_weight,
                            .threshold = step->threshold,
                            .step = first,
                            .coefficients = step->model->coefficients,
                            .penalised = step->model->features,
                            .candidates = candidates};
}

nc_status nc_huber_evaluate(nc_huber_step *step, int64_t candidates, nc_huber_scalars *scalars)
{
    nc_huber *model = step->model;
    be_device *device = model->device->backend;
    be_buffer **work = model->work;
    nc_huber_pass pass = {.rows = step->rows, .coefficients = model->coefficients, .candidates = candidates};
    nc_huber_scale scale = nc_huber_scale_of(step, 0.0, candidates);
    uint64_t entries = (uint64_t)(candidates * model->coefficients);
    be_arg residuals[] = {BE_BUFFER(work[NC_HUBER_DESIGN]),
                          BE_BUFFER(work[NC_HUBER_RESPONSE]),
                          BE_BUFFER(work[NC_HUBER_FREQUENCY]),
                          BE_BUFFER(work[NC_HUBER_TRIED]),
                          BE_VALUE(pass),
                          BE_VALUE(step->loss),
                          BE_BUFFER(work[NC_HUBER_RESIDUALS]),
                          BE_BUFFER(work[NC_HUBER_TERMS])};
    be_arg quadratic[] = {BE_BUFFER(model->information), BE_BUFFER(work[NC_HUBER_TRIED]),   BE_BUFFER(model->beta),
                          BE_VALUE(model->coefficients), BE_BUFFER(work[NC_HUBER_PARTIAL]), BE_VALUE(entries)};
    be_arg surrogate[] = {BE_BUFFER(work[NC_HUBER_LOSSES]),
                          BE_BUFFER(work[NC_HUBER_PARTIAL]),
                          BE_BUFFER(work[NC_HUBER_TRIED]),
                          BE_BUFFER(work[NC_HUBER_NOW]),
                          BE_BUFFER(model->beta),
                          BE_BUFFER(work[NC_HUBER_GRADIENT]),
                          BE_VALUE(scale),
                          BE_BUFFER(work[NC_HUBER_SCALARS_OUT])};
    NC_TRY(be_launch(device, BE_KERNEL_TYPED(huber_residuals, model->dtype), (uint64_t)(step->rows * candidates), residuals, 8));
    NC_TRY(be_sums(device, step->rows, candidates, work[NC_HUBER_TERMS], work[NC_HUBER_LOSSES]));
    NC_TRY(be_launch(device, BE_KERNEL_TYPED(huber_quadratic, model->dtype), entries, quadratic, 6));
    NC_TRY(be_launch(device, BE_KERNEL_TYPED(huber_surrogate, model->dtype), (uint64_t)candidates, surrogate, 8));
    return be_buffer_download(device, work[NC_HUBER_SCALARS_OUT], 0, scalars, (size_t)candidates * sizeof *scalars);
}

nc_status nc_huber_accept(nc_huber_step *step, int64_t index)
{
    nc_huber *model = step->model;
    size_t beta_bytes = (size_t)model->coefficients * nc_dtype_size(model->dtype);
    size_t row_bytes = (size_t)step->rows * sizeof(double);
    NC_TRY(be_buffer_copy(model->device->backend, model->work[NC_HUBER_TRIED], (size_t)index * beta_bytes,
                          model->work[NC_HUBER_NOW], 0, beta_bytes));
    if (index == 0) {
        return NC_OK;
    }
    return be_buffer_copy(model->device->backend, model->work[NC_HUBER_RESIDUALS], (size_t)index * row_bytes,
                          model->work[NC_HUBER_RESIDUALS], 0, row_bytes);
}

nc_status nc_huber_return(nc_huber_step *step)
{
    nc_huber *model = step->model;
    nc_huber_scalars scalars;
    size_t bytes = (size_t)model->coefficients * nc_dtype_size(model->dtype);
    NC_TRY(be_buffer_copy(model->device->backend, model->work[NC_HUBER_NOW], 0, model->work[NC_HUBER_TRIED], 0, bytes));
    return nc_huber_evaluate(step, 1, &scalars);
}

nc_status nc_huber_scores_at(nc_huber_step *step)
{
    be_buffer **work = step->model->work;
    uint64_t rows = (uint64_t)step->rows;
    be_arg args[] = {BE_BUFFER(work[NC_HUBER_RESIDUALS]), BE_BUFFER(work[NC_HUBER_FREQUENCY]),  BE_VALUE(step->loss),
                     BE_BUFFER(work[NC_HUBER_SCORES]),    BE_BUFFER(work[NC_HUBER_CURVATURES]), BE_VALUE(rows)};
    return be_launch(step->model->device->backend, BE_KERNEL_huber_scores, rows, args, 6);
}

static nc_row_sum nc_huber_row_sum(const nc_huber_step *step, nc_huber_work weights)
{
    nc_huber *model = step->model;
    return (nc_row_sum){.device = model->device,
                        .dtype = model->dtype,
                        .x = {model->work[NC_HUBER_DESIGN], 0, model->coefficients, 1},
                        .rows = step->rows,
                        .columns = model->coefficients,
                        .weights = model->work[weights]};
}

nc_status nc_huber_gradient_at(nc_huber_step *step)
{
    nc_huber *model = step->model;
    be_buffer **work = model->work;
    nc_huber_scale scale = nc_huber_scale_of(step, 0.0, 1);
    be_arg args[] = {BE_BUFFER(work[NC_HUBER_COLUMN_SUMS]),
                     BE_BUFFER(model->information),
                     BE_BUFFER(work[NC_HUBER_NOW]),
                     BE_BUFFER(model->beta),
                     BE_VALUE(scale),
                     BE_BUFFER(work[NC_HUBER_GRADIENT])};
    NC_TRY(nc_huber_scores_at(step));
    nc_row_sum sum = nc_huber_row_sum(step, NC_HUBER_SCORES);
    NC_TRY(nc_column_sums_f64(&sum, work[NC_HUBER_COLUMN_SUMS]));
    return be_launch(model->device->backend, BE_KERNEL_TYPED(huber_gradient, model->dtype), (uint64_t)model->coefficients, args, 6);
}

nc_status nc_huber_gram_of(nc_huber_step *step, nc_huber_work weights)
{
    nc_row_sum sum = nc_huber_row_sum(step, weights);
    return nc_gram_f64(&sum, step->model->work[NC_HUBER_GRAM]);
}

nc_status nc_huber_gram_at(nc_huber_step *step)
{
    return nc_huber_gram_of(step, NC_HUBER_CURVATURES);
}

// Relative to its terms, the objective's noise: a canonical sum of rounded, non-negative losses, with 3 roundings in a term, up to
// 16 in a lane, 8 in the tree and as many again for each further level of chunks, 3 after the sum. Two values that are equal in
// truth differ by at most twice that: 64 units of 2^-53 cover one level, and what further levels add grows with data that pays for
// it in digits anyway. A step is accepted within them: at the floor the gradient still shows the way when the objective no longer
// does, and refusing full steps there costs half the digits.
#define NC_HUBER_NOISE 0x1p-47

double nc_huber_objective_noise(const nc_huber_step *step)
{
    return NC_HUBER_NOISE * step->size;
}

int nc_huber_is_close(const nc_huber_step *step, const double *scalars)
{
    // The unit of the coefficients is unknown; tau bounds what a residual of interest is, so data in tiny units, with a tau to
    // match, converge to the same relative accuracy.
    double unit = step->config.tau < 1.0 ? step->config.tau : 1.0;
    return NC_SQRT_F64(scalars[NC_HUBER_STEP2]) <= step->config.tolerance * (unit + NC_SQRT_F64(scalars[NC_HUBER_BETA2]));
}

// Near the answer a step shrinks by less than the rounding of its coefficients, so two equal steps say nothing, nor does a step
// that is longer than the one before: the matrices of two Newton steps do not commute. Steps n/2 + 1 to n are held against all
// before them, n = 8, 16, ...: over so many, a step longer than a few units shrinks by more than a unit.
#define NC_HUBER_FLOOR_STEPS 8

int nc_huber_has_stalled(nc_huber_step *step, int unjudged, double step2)
{
    nc_huber_floor *floor = &step->floor;
    int stalled = 0;
    floor->steps = unjudged ? floor->steps + 1 : 0;
    if (floor->steps <= 1) {
        floor->least2 = step2;
        floor->latest2 = DBL_MAX;
        return 0;
    }
    floor->latest2 = step2 < floor->latest2 ? step2 : floor->latest2;
    if ((floor->steps & (floor->steps - 1)) == 0) {
        stalled = floor->steps >= NC_HUBER_FLOOR_STEPS && floor->latest2 >= floor->least2;
        floor->least2 = floor->latest2 < floor->least2 ? floor->latest2 : floor->least2;
        floor->latest2 = DBL_MAX;
    }
    return stalled;
}

// Steps as short as the coefficients' rounding may promise more than the noise one way and less the other way, over and over: of
// those counts what they won.
#define NC_HUBER_ROUNDING_UNITS 4.0

int nc_huber_newton_is_done(nc_huber_step *step, double before, const double *scalars)
{
    double unit = step->model->dtype == NC_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
    double predicted = -0.5 * scalars[NC_HUBER_SLOPE], noise = nc_huber_objective_noise(step);
    int is_short =
        scalars[NC_HUBER_STEP2] <= NC_HUBER_ROUNDING_UNITS * NC_HUBER_ROUNDING_UNITS * unit * unit * scalars[NC_HUBER_BETA2];
    int at_floor = predicted <= noise || (is_short && before - step->objective <= noise);
    int stalled = nc_huber_has_stalled(step, at_floor, scalars[NC_HUBER_STEP2]);
    return nc_huber_is_close(step, scalars) || stalled;
}
