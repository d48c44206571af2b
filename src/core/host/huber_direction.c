// SPDX-License-Identifier: Apache-2.0
// The direction of a Newton step. The system is equilibrated by powers of two (exact), so the judgement of its rank does not
// depend on the columns' units. A pivot ratio of at most q eps is singular to working precision:
//  - first for the curvature kappa: where every row is beyond tau it is zero though the data are sound, and the majorant's
//    curvature psi(r)/r takes its place;
//  - if that is singular too, the data are: the minimum-norm step is taken and the status says so.
#include "../kernels/solve_args.h"
#include "huber.h"

#define NC_HUBER_EPSILON 0x1p-52 // spacing of float64 at 1

static nc_systems nc_huber_systems(const nc_huber *model)
{
    int64_t q = model->coefficients;
    return (nc_systems){.matrix = {.row = q, .column = 1}, .vector = {.row = 1}, .pivots = {.row = 1}, .n = q, .count = 1};
}

// The system with `ridge` into NC_HUBER_FACTOR, equilibrated or as it is.
static nc_status nc_huber_build(nc_huber_step *step, double ridge, int64_t equilibrated)
{
    nc_huber *model = step->model;
    be_buffer **work = model->work;
    int64_t q = model->coefficients;
    be_arg scales[] = {BE_BUFFER(work[NC_HUBER_GRAM]),   BE_BUFFER(model->information),
                       BE_VALUE(step->total_weight),     BE_VALUE(ridge),
                       BE_BUFFER(work[NC_HUBER_SCALES]), BE_VALUE(q)};
    be_arg system[] = {BE_BUFFER(work[NC_HUBER_GRAM]),
                       BE_BUFFER(model->information),
                       BE_VALUE(step->total_weight),
                       BE_VALUE(ridge),
                       BE_BUFFER(work[NC_HUBER_SCALES]),
                       BE_BUFFER(work[NC_HUBER_FACTOR]),
                       BE_VALUE(q),
                       BE_VALUE(equilibrated)};
    NC_TRY(be_launch(model->device->backend, BE_KERNEL_huber_scales, (uint64_t)q, scales, 6));
    return be_launch(model->device->backend, BE_KERNEL_huber_system, (uint64_t)(q * q), system, 8);
}

static nc_status nc_huber_status(const nc_huber *model, int32_t *status)
{
    return be_buffer_download(model->device->backend, model->work[NC_HUBER_STATUS], 0, status, sizeof *status);
}

static nc_status nc_huber_ratio(nc_huber_step *step, int64_t power)
{
    nc_huber *model = step->model;
    be_arg args[] = {BE_BUFFER(model->work[NC_HUBER_FACTOR]), BE_VALUE(model->coefficients), BE_VALUE(power),
                     BE_BUFFER(model->work[NC_HUBER_RATIO])};
    NC_TRY(be_launch(model->device->backend, BE_KERNEL_huber_pivot_ratio, 1, args, 4));
    return be_buffer_download(model->device->backend, model->work[NC_HUBER_RATIO], 0, &step->diagnostics.pivot_ratio,
                              sizeof(double));
}

static int nc_huber_is_singular(const nc_huber_step *step)
{
    return !(step->diagnostics.pivot_ratio > (double)step->model->coefficients * NC_HUBER_EPSILON);
}

// Builds and factors the equilibrated system: Cholesky, or LU where a restored information is not symmetric. A symmetric one is a
// sum of positive semidefinite matrices, so a Cholesky that breaks down means singular to working precision: *singular, and LU
// only tells the pivot ratio. Sets diagnostics.solve and pivot_ratio.
static nc_status nc_huber_factor(nc_huber_step *step, double ridge, int *singular)
{
    nc_huber *model = step->model;
    be_device *device = model->device->backend;
    be_buffer **work = model->work;
    nc_systems systems = nc_huber_systems(model);
    int32_t status = NC_OK;
    be_arg cholesky[] = {BE_BUFFER(work[NC_HUBER_FACTOR]), BE_VALUE(systems), BE_BUFFER(work[NC_HUBER_STATUS])};
    be_arg lu[] = {BE_BUFFER(work[NC_HUBER_FACTOR]), BE_VALUE(systems), BE_BUFFER(work[NC_HUBER_PIVOTS]),
                   BE_BUFFER(work[NC_HUBER_STATUS])};
    NC_TRY(nc_huber_build(step, ridge, 1));
    NC_TRY(be_launch(device, BE_KERNEL_cholesky_factor_f64, 1, cholesky, 3));
    NC_TRY(nc_huber_status(model, &status));
    step->diagnostics.solve = NC_HUBER_SOLVE_CHOLESKY;
    if (status == NC_OK) {
        NC_TRY(nc_huber_ratio(step, 2));
        *singular = nc_huber_is_singular(step);
        return NC_OK;
    }
    int breakdown = status == NC_NUMERICAL_ERROR;
    step->diagnostics.solve = NC_HUBER_SOLVE_LU;
    NC_TRY(nc_huber_build(step, ridge, 1));
    NC_TRY(be_launch(device, BE_KERNEL_lu_factor_f64, 1, lu, 4));
    NC_TRY(nc_huber_status(model, &status));
    if (status == NC_NUMERICAL_ERROR) {
        return be_fail(NC_NUMERICAL_ERROR, "the Newton system is not finite; rescale the data");
    }
    NC_TRY(nc_huber_ratio(step, 1));
    *singular = breakdown || nc_huber_is_singular(step);
    return NC_OK;
}

static nc_status nc_huber_rescale(nc_huber *model, nc_huber_work from)
{
    be_buffer **work = model->work;
    be_arg args[] = {BE_BUFFER(work[from]), BE_BUFFER(work[NC_HUBER_SCALES]), BE_BUFFER(work[NC_HUBER_DIRECTION]),
                     BE_VALUE(model->coefficients)};
    return be_launch(model->device->backend, BE_KERNEL_huber_rescale, (uint64_t)model->coefficients, args, 4);
}

// The direction from the factors of the equilibrated system: d = S (S H S)^-1 S g.
static nc_status nc_huber_substitute(nc_huber_step *step)
{
    nc_huber *model = step->model;
    be_buffer **work = model->work;
    nc_systems systems = nc_huber_systems(model);
    be_arg cholesky[] = {BE_BUFFER(work[NC_HUBER_FACTOR]), BE_VALUE(systems), BE_BUFFER(work[NC_HUBER_DIRECTION])};
    be_arg lu[] = {BE_BUFFER(work[NC_HUBER_FACTOR]), BE_VALUE(systems), BE_BUFFER(work[NC_HUBER_PIVOTS]),
                   BE_BUFFER(work[NC_HUBER_DIRECTION])};
    NC_TRY(nc_huber_rescale(model, NC_HUBER_GRADIENT));
    if (step->diagnostics.solve == NC_HUBER_SOLVE_CHOLESKY) {
        NC_TRY(be_launch(model->device->backend, BE_KERNEL_cholesky_solve_f64, 1, cholesky, 3));
    } else {
        NC_TRY(be_launch(model->device->backend, BE_KERNEL_lu_solve_f64, 1, lu, 4));
    }
    return nc_huber_rescale(model, NC_HUBER_DIRECTION);
}

// RANK_DEFICIENT when columns are exactly proportional or a pivot is exactly zero, ILL_CONDITIONED when the system is singular
// only to working precision.
static nc_status nc_huber_name_deficiency(nc_huber_step *step)
{
    nc_huber *model = step->model;
    be_buffer **work = model->work;
    nc_layout flags = nc_contiguous_layout(0, model->coefficients), out = nc_contiguous_layout(0, 1);
    double collinear = 0.0;
    be_arg args[] = {BE_BUFFER(work[NC_HUBER_GRAM]), BE_BUFFER(model->information), BE_BUFFER(work[NC_HUBER_FLAGS]),
                     BE_VALUE(model->coefficients)};
    NC_TRY(be_launch(model->device->backend, BE_KERNEL_huber_collinear, (uint64_t)model->coefficients, args, 4));
    NC_TRY(be_reduce(model->device->backend, BE_MAXIMUM, NC_F64, (uint64_t)model->coefficients, work[NC_HUBER_FLAGS], &flags, NULL,
                     NULL, work[NC_HUBER_RATIO], &out));
    NC_TRY(be_buffer_download(model->device->backend, work[NC_HUBER_RATIO], 0, &collinear, sizeof collinear));
    int exact = collinear > 0.0 || step->diagnostics.pivot_ratio == 0.0;
    step->outcome = exact ? NC_RANK_DEFICIENT : NC_ILL_CONDITIONED;
    return NC_OK;
}

static nc_status nc_huber_minimum_norm(nc_huber_step *step)
{
    nc_huber *model = step->model;
    be_buffer **work = model->work;
    nc_systems systems = nc_huber_systems(model);
    int32_t status = NC_OK;
    be_arg args[] = {BE_BUFFER(work[NC_HUBER_FACTOR]),       BE_BUFFER(work[NC_HUBER_TURNS]),
                     BE_BUFFER(work[NC_HUBER_TURNS_VECTOR]), BE_VALUE(systems),
                     BE_BUFFER(work[NC_HUBER_DIRECTION]),    BE_BUFFER(work[NC_HUBER_STATUS])};
    NC_TRY(nc_huber_name_deficiency(step));
    NC_TRY(nc_huber_build(step, 0.0, 0));
    NC_TRY(be_buffer_copy(model->device->backend, work[NC_HUBER_GRADIENT], 0, work[NC_HUBER_DIRECTION], 0,
                          (size_t)model->coefficients * sizeof(double)));
    NC_TRY(be_launch(model->device->backend, BE_KERNEL_minimum_norm_f64, 1, args, 6));
    NC_TRY(nc_huber_status(model, &status));
    step->diagnostics.solve = NC_HUBER_SOLVE_MINIMUM_NORM;
    if (status == NC_NUMERICAL_ERROR) {
        return be_fail(NC_NUMERICAL_ERROR, "the minimum-norm step did not converge or is not finite; rescale the data");
    }
    return NC_OK;
}

static nc_status nc_huber_majorise_curvature(nc_huber_step *step)
{
    be_buffer **work = step->model->work;
    uint64_t rows = (uint64_t)step->rows;
    be_arg args[] = {BE_BUFFER(work[NC_HUBER_RESIDUALS]), BE_BUFFER(work[NC_HUBER_FREQUENCY]), BE_VALUE(step->loss),
                     BE_BUFFER(work[NC_HUBER_CURVATURES]), BE_VALUE(rows)};
    NC_TRY(be_launch(step->model->device->backend, BE_KERNEL_huber_majorants, rows, args, 5));
    return nc_huber_gram_at(step);
}

// The direction from the factored system, or the minimum-norm one.
static nc_status nc_huber_direction_finish(nc_huber_step *step, int singular)
{
    if (singular) {
        return nc_huber_minimum_norm(step);
    }
    if (step->config.ridge > 0.0) {
        double ratio = step->diagnostics.pivot_ratio;
        NC_TRY(nc_huber_factor(step, step->config.ridge, &singular));
        step->diagnostics.pivot_ratio = ratio;
    }
    return nc_huber_substitute(step);
}

nc_status nc_huber_direction_majorised(nc_huber_step *step)
{
    int singular = 0;
    step->outcome = NC_OK;
    NC_TRY(nc_huber_majorise_curvature(step));
    NC_TRY(nc_huber_factor(step, 0.0, &singular));
    return nc_huber_direction_finish(step, singular);
}

nc_status nc_huber_direction_solve(nc_huber_step *step)
{
    int singular = 0;
    step->outcome = NC_OK;
    NC_TRY(nc_huber_gram_at(step));
    NC_TRY(nc_huber_factor(step, 0.0, &singular));
    return singular ? nc_huber_direction_majorised(step) : nc_huber_direction_finish(step, 0);
}
