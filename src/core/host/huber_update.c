// SPDX-License-Identifier: Apache-2.0
// One update: check, take the batch in, solve, and commit in one piece.
#include "environment.h"
#include "huber.h"

#include "../dialect/real_f64.h"

#include "../kernels/elementary.h"

#include "../dialect/real_undef.h"

static nc_status nc_huber_check_config(const nc_huber_config *config)
{
    struct {
        const char *name;
        double value;
        int may_be_zero;
    } const rows[] = {{"config.tau", config->tau, 0},
                      {"config.bandwidth_scale", config->bandwidth_scale, 0},
                      {"config.lambda_scale", config->lambda_scale, 1},
                      {"config.tolerance", config->tolerance, 0},
                      {"config.ridge", config->ridge, 1}};
    NC_TRY(nc_check_abi(config, sizeof *config, "config"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        int sound = nc_is_finite_f64(rows[i].value) && (rows[i].may_be_zero ? rows[i].value >= 0.0 : rows[i].value > 0.0);
        if (!sound) {
            return be_fail(NC_INVALID_ARGUMENT, "%s is %g; it must be finite and %s", rows[i].name, rows[i].value,
                           rows[i].may_be_zero ? "not negative" : "greater than 0");
        }
    }
    if (config->max_iterations < 1) {
        return be_fail(NC_INVALID_ARGUMENT, "config.max_iterations is %lld; it must be at least 1",
                       (long long)config->max_iterations);
    }
    if (config->penalty != NC_HUBER_PENALTY_NONE && config->penalty != NC_HUBER_PENALTY_L1) {
        return be_fail(NC_INVALID_ARGUMENT, "config.penalty is %d; it must be 0 (none) or 1 (L1)", (int)config->penalty);
    }
    if (config->reserved != 0) {
        return be_fail(NC_INVALID_ARGUMENT, "config.reserved is %d; it must be 0", (int)config->reserved);
    }
    return NC_OK;
}

// One array of the batch: the model's device and dtype, rank, and its extents.
static nc_status nc_huber_check_operand(const nc_huber *model, const nc_array *array, const char *name, int32_t rank)
{
    NC_TRY(nc_check_array(array, name));
    if (array->storage->device != model->device) {
        return be_fail(NC_WRONG_DEVICE, "%s lies on device %d and the model on device %d; use arrays of the model's device", name,
                       (int)array->storage->device->info.index, (int)model->device->info.index);
    }
    if (array->dtype != model->dtype) {
        return be_fail(NC_MIXED_DTYPE, "%s is %s and the model is %s; nothing is converted", name, nc_dtype_name(array->dtype),
                       nc_dtype_name(model->dtype));
    }
    return nc_check_rank(array, name, rank);
}

nc_status nc_huber_check_design(const nc_huber *model, const nc_array *x, const char *name)
{
    NC_TRY(nc_huber_check_operand(model, x, name, 2));
    if (x->shape[1] != model->features && x->shape[1] != model->coefficients) {
        return be_fail(NC_SHAPE_MISMATCH, "%s has %lld columns; the model has %lld features (%lld with the column of ones)", name,
                       (long long)x->shape[1], (long long)model->features, (long long)model->coefficients);
    }
    return NC_OK;
}

nc_status nc_huber_check_vector(const nc_huber *model, const nc_array *array, const char *name, int64_t extent, const char *why)
{
    NC_TRY(nc_huber_check_operand(model, array, name, 1));
    return nc_check_extent(array, name, 0, extent, why);
}

// Strides by axis, as the kernels of this module read them.
static nc_layout nc_huber_layout(const nc_array *array)
{
    nc_layout layout = {.offset = 0, .extent = {0}, .stride = {0}};
    if (array != NULL) {
        layout.offset = array->offset;
        for (int axis = 0; axis < array->rank; ++axis) {
            layout.extent[axis] = array->shape[axis];
            layout.stride[axis] = array->strides[axis];
        }
    }
    return layout;
}

nc_huber_rows nc_huber_rows_of(const nc_huber *model, const nc_array *x, const nc_array *y, const nc_array *weights)
{
    return (nc_huber_rows){.x = nc_huber_layout(x),
                           .y = nc_huber_layout(y),
                           .weights = nc_huber_layout(weights),
                           .rows = x->shape[0],
                           .columns = x->shape[1],
                           .coefficients = model->coefficients,
                           .has_weights = weights != NULL};
}

// Reduces a contiguous float64 work array to one number on the host.
static nc_status nc_huber_reduce(const nc_huber *model, be_reduction reduction, be_buffer *values, int64_t count, double *result)
{
    nc_layout in = nc_contiguous_layout(0, count);
    nc_layout out = nc_contiguous_layout(0, 1);
    be_buffer *losses = model->work[NC_HUBER_LOSSES];
    NC_TRY(be_reduce(model->device->backend, reduction, NC_F64, (uint64_t)count, values, &in, NULL, NULL, losses, &out));
    return be_buffer_download(model->device->backend, losses, 0, result, sizeof *result);
}

// Copies the batch into the work arrays; refuses it when a row is bad or no weight is positive.
static nc_status nc_huber_take_in(nc_huber_step *step, const nc_array *x, const nc_array *y, const nc_array *weights)
{
    nc_huber *model = step->model;
    be_buffer **work = model->work;
    nc_huber_rows shape = nc_huber_rows_of(model, x, y, weights);
    const nc_array *w = weights != NULL ? weights : y;
    double first_bad = 0.0;
    be_arg args[] = {BE_BUFFER(x->storage->buffer),       BE_BUFFER(y->storage->buffer),
                     BE_BUFFER(w->storage->buffer),       BE_VALUE(shape),
                     BE_BUFFER(work[NC_HUBER_DESIGN]),    BE_BUFFER(work[NC_HUBER_RESPONSE]),
                     BE_BUFFER(work[NC_HUBER_FREQUENCY]), BE_BUFFER(work[NC_HUBER_BAD])};
    NC_TRY(be_launch(model->device->backend, BE_KERNEL_TYPED(huber_expand, model->dtype), (uint64_t)step->rows, args, 8));
    NC_TRY(nc_huber_reduce(model, BE_MINIMUM, work[NC_HUBER_BAD], step->rows, &first_bad));
    if (first_bad < (double)step->rows) {
        step->diagnostics.bad_row = (int64_t)first_bad;
        return be_fail(NC_NUMERICAL_ERROR,
                       "row %lld has a value that is not finite or a weight that is negative; the batch was refused",
                       (long long)step->diagnostics.bad_row);
    }
    NC_TRY(nc_huber_reduce(model, BE_SUM, work[NC_HUBER_FREQUENCY], step->rows, &step->diagnostics.batch_weight));
    if (!(step->diagnostics.batch_weight > 0.0) || !nc_is_finite_f64(step->diagnostics.batch_weight)) {
        return be_fail(NC_INVALID_ARGUMENT, "the weights sum to %g; at least one must be positive and their sum finite",
                       step->diagnostics.batch_weight);
    }
    return NC_OK;
}

// N, h, lambda and c of this update (docs/huber.md).
static void nc_huber_scalars_of_batch(nc_huber_step *step)
{
    const nc_huber *model = step->model;
    const nc_huber_config *config = &step->config;
    double log_p = nc_log_f64(model->features < 2 ? 2.0 : (double)model->features);
    double total = model->weight + step->diagnostics.batch_weight;
    double bandwidth = config->bandwidth_scale / (NC_SQRT_F64(total) * log_p);
    int l1 = config->penalty == NC_HUBER_PENALTY_L1;
    step->total_weight = total;
    step->loss.tau = config->tau;
    step->loss.bandwidth = bandwidth < config->tau ? bandwidth : config->tau;
    step->threshold = l1 ? config->lambda_scale * config->tau * NC_SQRT_F64(log_p / total) : 0.0;
    step->sign_weight = l1 && model->rows_seen > 0 ? model->weight / total * model->lambda : 0.0;
    step->diagnostics.bandwidth = step->loss.bandwidth;
    step->diagnostics.lambda = step->threshold;
}

// The objective at the coefficients of the state, where both solvers start.
static nc_status nc_huber_start(nc_huber_step *step)
{
    nc_huber *model = step->model;
    size_t bytes = (size_t)model->coefficients * nc_dtype_size(model->dtype);
    nc_huber_scalars scalars;
    NC_TRY(be_buffer_copy(model->device->backend, model->beta, 0, model->work[NC_HUBER_NOW], 0, bytes));
    NC_TRY(be_buffer_copy(model->device->backend, model->beta, 0, model->work[NC_HUBER_TRIED], 0, bytes));
    // There is no gradient yet. Any finite numbers do: the step whose slope they give is zero.
    NC_TRY(be_buffer_copy(model->device->backend, model->information, 0, model->work[NC_HUBER_GRADIENT], 0,
                          (size_t)model->coefficients * sizeof(double)));
    NC_TRY(nc_huber_evaluate(step, 1, &scalars));
    step->objective = scalars[NC_HUBER_OBJECTIVE];
    step->size = scalars[NC_HUBER_SIZE];
    step->diagnostics.objective = step->objective + step->threshold * scalars[NC_HUBER_ABS];
    if (!nc_is_finite_f64(step->objective)) {
        return be_fail(NC_NUMERICAL_ERROR, "the objective at the starting coefficients is %g; rescale the data", step->objective);
    }
    return NC_OK;
}

// J + X' diag(w kappa) X at the accepted coefficients, then the swap: nothing before it touches the state.
static nc_status nc_huber_commit(nc_huber_step *step)
{
    nc_huber *model = step->model;
    uint64_t entries = (uint64_t)model->coefficients * (uint64_t)model->coefficients;
    be_arg args[] = {BE_BUFFER(model->information), BE_BUFFER(model->work[NC_HUBER_GRAM]),
                     BE_BUFFER(model->work[NC_HUBER_NEXT_INFORMATION]), BE_VALUE(entries)};
    NC_TRY(nc_huber_scores_at(step));
    NC_TRY(nc_huber_gram_at(step));
    NC_TRY(be_launch(model->device->backend, BE_KERNEL_add_f64, entries, args, 4));
    NC_TRY(be_device_sync(model->device->backend));
    be_buffer *beta = model->beta;
    be_buffer *information = model->information;
    model->beta = model->work[NC_HUBER_NOW];
    model->information = model->work[NC_HUBER_NEXT_INFORMATION];
    model->work[NC_HUBER_NOW] = beta;
    model->work[NC_HUBER_NEXT_INFORMATION] = information;
    model->weight = step->total_weight;
    model->lambda = step->threshold;
    model->rows_seen += step->rows;
    model->batches += 1;
    return NC_OK;
}

__attribute__((noinline)) static nc_status nc_huber_run(nc_huber_step *step, const nc_array *x, const nc_array *y,
                                                        const nc_array *weights)
{
    NC_TRY(nc_huber_work_reserve(step->model, step->rows));
    NC_TRY(nc_huber_take_in(step, x, y, weights));
    nc_huber_scalars_of_batch(step);
    NC_TRY(nc_huber_start(step));
    NC_TRY(step->config.penalty == NC_HUBER_PENALTY_L1 ? nc_huber_proximal(step) : nc_huber_newton(step));
    NC_TRY(nc_huber_commit(step));
    if (step->outcome != NC_OK) {
        return be_fail(step->outcome, "the Newton system has a pivot ratio of %g; the minimum-norm answer was committed",
                       step->diagnostics.pivot_ratio);
    }
    if (!step->diagnostics.converged) {
        return be_fail(NC_NOT_CONVERGED, "no convergence to tolerance %g in %lld iterations; the last coefficients were committed",
                       step->config.tolerance, (long long)step->diagnostics.iterations);
    }
    return NC_OK;
}

nc_status nc_huber_update(nc_huber *model, const nc_huber_config *config, const nc_array *x, const nc_array *y,
                          const nc_array *weights, nc_huber_diagnostics *diagnostics)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_pointer(config, "config"));
    NC_TRY(nc_huber_check_config(config));
    NC_TRY(nc_huber_check_design(model, x, "x"));
    if (x->shape[0] < 1) {
        return be_fail(NC_EMPTY, "x has no rows; a batch needs at least one");
    }
    NC_TRY(nc_huber_check_vector(model, y, "y", x->shape[0], "the rows of x"));
    if (weights != NULL) {
        NC_TRY(nc_huber_check_vector(model, weights, "weights", x->shape[0], "the rows of x"));
    }
    NC_TRY(nc_check_pointer(diagnostics, "diagnostics"));
    NC_TRY(nc_check_abi(diagnostics, sizeof *diagnostics, "diagnostics"));
    if (model->rows_seen > INT64_MAX - x->shape[0] || model->batches == INT64_MAX) {
        return be_fail(NC_OUT_OF_RANGE, "the model has seen %lld rows in %lld batches; its counters cannot take this batch",
                       (long long)model->rows_seen, (long long)model->batches);
    }
    nc_huber_step step = {.model = model, .config = *config, .rows = x->shape[0], .outcome = NC_OK};
    NC_STRUCT_INIT(&step.diagnostics);
    step.diagnostics.bad_row = -1;
    nc_environment saved = nc_environment_enter();
    nc_status status = nc_huber_run(&step, x, y, weights);
    nc_environment_leave(saved);
    *diagnostics = step.diagnostics;
    return status;
}
