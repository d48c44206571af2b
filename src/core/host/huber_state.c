// SPDX-License-Identifier: Apache-2.0
// The state's life: create, release, info, work arrays.
#include "huber.h"

#include <stdlib.h>

// Elements of a work array: rows^a q^b, times the candidates where the table says so.
typedef struct nc_huber_extent {
    int8_t is_dtype;
    int8_t times_candidates;
    int8_t rows, coefficients; // exponents: rows^a * q^b
} nc_huber_extent;

static const nc_huber_extent nc_huber_extents[NC_HUBER_WORK_COUNT] = {
    [NC_HUBER_DESIGN] = {1, 0, 1, 1},       [NC_HUBER_RESPONSE] = {1, 0, 1, 0},   [NC_HUBER_FREQUENCY] = {0, 0, 1, 0},
    [NC_HUBER_BAD] = {0, 0, 1, 0},          [NC_HUBER_RESIDUALS] = {0, 1, 1, 0},  [NC_HUBER_TERMS] = {0, 1, 1, 0},
    [NC_HUBER_SCORES] = {0, 0, 1, 0},       [NC_HUBER_CURVATURES] = {0, 0, 1, 0}, [NC_HUBER_TRIED] = {1, 1, 0, 1},
    [NC_HUBER_NOW] = {1, 0, 0, 1},          [NC_HUBER_GRAM] = {0, 0, 0, 2},       [NC_HUBER_SYSTEM] = {0, 0, 0, 2},
    [NC_HUBER_COLUMN_SUMS] = {0, 0, 0, 1},  [NC_HUBER_GRADIENT] = {0, 0, 0, 1},   [NC_HUBER_DIRECTION] = {0, 0, 0, 1},
    [NC_HUBER_PARTIAL] = {0, 1, 0, 1},      [NC_HUBER_LOSSES] = {0, 1, 0, 0},     [NC_HUBER_SCALARS_OUT] = {0, 1, 0, 0},
    [NC_HUBER_SCALES] = {0, 0, 0, 1},       [NC_HUBER_FACTOR] = {0, 0, 0, 2},     [NC_HUBER_PIVOTS] = {0, 0, 0, 1},
    [NC_HUBER_STATUS] = {0, 0, 0, 0},       [NC_HUBER_RATIO] = {0, 0, 0, 0},      [NC_HUBER_TURNS] = {0, 0, 0, 2},
    [NC_HUBER_TURNS_VECTOR] = {0, 0, 0, 1}, [NC_HUBER_FLAGS] = {0, 0, 0, 1},      [NC_HUBER_NEXT_INFORMATION] = {0, 0, 0, 2},
};

static size_t nc_huber_work_bytes(const nc_huber *model, nc_huber_work which, int64_t rows)
{
    nc_huber_extent extent = nc_huber_extents[which];
    size_t bytes = extent.is_dtype ? nc_dtype_size(model->dtype) : sizeof(double);
    for (int a = 0; a < extent.rows; ++a) {
        bytes *= (size_t)rows;
    }
    for (int b = 0; b < extent.coefficients; ++b) {
        bytes *= (size_t)model->coefficients;
    }
    if (extent.times_candidates) {
        bytes *= (size_t)model->candidates;
    }
    return which == NC_HUBER_SCALARS_OUT ? bytes * NC_HUBER_SCALARS : bytes;
}

void nc_huber_work_release(nc_huber *model)
{
    for (int which = 0; which < NC_HUBER_WORK_COUNT; ++which) {
        if (model->work[which] != NULL) {
            be_buffer_free(model->device->backend, model->work[which]);
            model->work[which] = NULL;
        }
    }
    model->row_capacity = 0;
}

nc_status nc_huber_work_reserve(nc_huber *model, int64_t rows)
{
    if (rows <= model->row_capacity) {
        return NC_OK;
    }
    nc_huber_work_release(model);
    for (int which = 0; which < NC_HUBER_WORK_COUNT; ++which) {
        nc_status status =
            be_buffer_alloc(model->device->backend, nc_huber_work_bytes(model, (nc_huber_work)which, rows), &model->work[which]);
        if (status != NC_OK) {
            nc_huber_work_release(model);
            return status;
        }
    }
    model->row_capacity = rows;
    return NC_OK;
}

void nc_huber_config_init(nc_huber_config *config)
{
    if (config == NULL) {
        return;
    }
    NC_STRUCT_INIT(config);
    config->tau = 1.345; // 95 % efficiency at the normal for unit scale (Huber 1964)
    config->bandwidth_scale = 1.0;
    config->lambda_scale = 1.0;
    config->tolerance = 1e-6;
    config->ridge = 1e-8;
    config->max_iterations = 100;
    config->penalty = NC_HUBER_PENALTY_NONE;
}

nc_status nc_huber_check_options(const nc_huber_options *options)
{
    NC_TRY(nc_check_pointer(options, "options"));
    NC_TRY(nc_check_abi(options, sizeof *options, "options"));
    if (options->dtype != NC_F32 && options->dtype != NC_F64) {
        return be_fail(NC_MIXED_DTYPE, "options.dtype is %d; a Huber model is f32 or f64", (int)options->dtype);
    }
    if (options->fit_intercept != 0 && options->fit_intercept != 1) {
        return be_fail(NC_INVALID_ARGUMENT, "options.fit_intercept is %d; it must be 0 or 1", (int)options->fit_intercept);
    }
    if (options->features < 1 || options->features > NC_HUBER_FEATURES_MAX) {
        return be_fail(NC_INVALID_ARGUMENT, "options.features is %lld; it must be 1 to %d", (long long)options->features,
                       NC_HUBER_FEATURES_MAX);
    }
    return NC_OK;
}

nc_status nc_huber_create(nc_device *device, const nc_huber_options *options, nc_huber **model)
{
    NC_TRY(nc_check_pointer(device, "device"));
    NC_TRY(nc_huber_check_options(options));
    NC_TRY(nc_check_pointer(model, "model"));
    nc_huber *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a Huber model (%zu bytes)", sizeof *made);
    }
    made->device = device;
    made->dtype = (nc_dtype)options->dtype;
    made->fit_intercept = options->fit_intercept;
    made->features = options->features;
    made->coefficients = options->features + options->fit_intercept;
    made->candidates = be_candidates(device->backend);
    size_t q = (size_t)made->coefficients;
    void *zeros = calloc(q * q, sizeof(double));
    nc_status status = zeros != NULL ? NC_OK : be_fail(NC_OUT_OF_MEMORY, "no host memory for %zu x %zu zeros", q, q);
    if (status == NC_OK) {
        status = be_buffer_alloc(device->backend, q * nc_dtype_size(made->dtype), &made->beta);
    }
    if (status == NC_OK) {
        status = be_buffer_alloc(device->backend, q * q * sizeof(double), &made->information);
    }
    if (status == NC_OK) {
        status = be_buffer_upload(device->backend, made->beta, 0, zeros, q * nc_dtype_size(made->dtype));
    }
    if (status == NC_OK) {
        status = be_buffer_upload(device->backend, made->information, 0, zeros, q * q * sizeof(double));
    }
    free(zeros);
    device->arrays += 1;
    if (status != NC_OK) {
        (void)nc_huber_release(made);
        return status;
    }
    *model = made;
    return NC_OK;
}

nc_status nc_huber_release(nc_huber *model)
{
    if (model == NULL) {
        return NC_OK;
    }
    nc_huber_work_release(model);
    if (model->beta != NULL) {
        be_buffer_free(model->device->backend, model->beta);
    }
    if (model->information != NULL) {
        be_buffer_free(model->device->backend, model->information);
    }
    model->device->arrays -= 1;
    free(model);
    return NC_OK;
}

nc_status nc_huber_info_get(const nc_huber *model, nc_huber_info *info)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_pointer(info, "info"));
    NC_TRY(nc_check_abi(info, sizeof *info, "info"));
    info->dtype = (int32_t)model->dtype;
    info->fit_intercept = model->fit_intercept;
    info->features = model->features;
    info->coefficients = model->coefficients;
    info->rows_seen = model->rows_seen;
    info->batches = model->batches;
    info->weight = model->weight;
    info->lambda = model->lambda;
    return NC_OK;
}
