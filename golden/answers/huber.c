// SPDX-License-Identifier: Apache-2.0
// Answers of the module huber: the coefficients after each batch of a stream.
#include "answers.h"

#include <string.h>

// A run of rows of one argument as an array of rank 1 (columns 0) or 2.
static golden_status part_load(nc_device *device, const golden_row *row, const golden_array *all, size_t first, size_t count,
                               int64_t columns, nc_array **array, golden_error *error)
{
    size_t width = golden_dtype_size(all->dtype);
    golden_array part;
    const int64_t shape[2] = {columns > 0 ? (int64_t)count / columns : (int64_t)count, columns};
    golden_status status = golden_array_alloc(all->dtype, count, &part, error);
    if (status == GOLDEN_OK) {
        memcpy(part.bytes, all->bytes + first * width, count * width);
        status = golden_upload(device, row, &part, columns > 0 ? 2 : 1, shape, array, error);
        golden_array_free(&part);
    }
    return status;
}

typedef struct huber_stream {
    int64_t p, intercept, batches, rows;
    golden_array x, y, w;
    nc_huber *model;
    nc_huber_config config;
} huber_stream;

static golden_status stream_read(const golden_row *row, int32_t penalty, huber_stream *stream, golden_error *error)
{
    nc_huber_config *config = &stream->config;
    nc_huber_config_init(config);
    config->penalty = penalty;
    const struct {
        const char *key;
        int64_t *integer;
        double *real;
    } keys[] = {{"p", &stream->p, NULL},
                {"intercept", &stream->intercept, NULL},
                {"batches", &stream->batches, NULL},
                {"rows", &stream->rows, NULL},
                {"max_iterations", &config->max_iterations, NULL},
                {"tau", NULL, &config->tau},
                {"bandwidth_scale", NULL, &config->bandwidth_scale},
                {"lambda_scale", NULL, &config->lambda_scale},
                {"tolerance", NULL, &config->tolerance},
                {"ridge", NULL, &config->ridge}};
    golden_status status = GOLDEN_OK;
    for (size_t i = 0; status == GOLDEN_OK && i < sizeof keys / sizeof keys[0]; ++i) {
        status = keys[i].integer != NULL ? golden_row_integer(row, keys[i].key, keys[i].integer, error)
                                         : golden_row_real(row, keys[i].key, keys[i].real, error);
    }
    status = status == GOLDEN_OK ? golden_row_array(row, "x", row->dtype, &stream->x, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "y", row->dtype, &stream->y, error) : status;
    if (status == GOLDEN_OK && golden_row_has(row, "w")) {
        status = golden_row_array(row, "w", row->dtype, &stream->w, error);
    }
    int64_t count = stream->batches * stream->rows;
    bool fits = status != GOLDEN_OK ||
                (count >= 0 && stream->p >= 1 && stream->y.count == (size_t)count &&
                 stream->x.count == (size_t)(count * stream->p) && (stream->w.count == 0 || stream->w.count == (size_t)count));
    return fits ? status : golden_fail(error, GOLDEN_REFUSED, "row %s: x, y and w do not fit batches x rows x p.", row->id);
}

static golden_status batch_answer(nc_device *device, const golden_row *row, huber_stream *stream, int64_t batch,
                                  golden_answer *answer, golden_error *error)
{
    nc_array *x = NULL, *y = NULL, *w = NULL, *beta = NULL;
    size_t first = (size_t)(batch * stream->rows), rows = (size_t)stream->rows, p = (size_t)stream->p;
    const int64_t shape[1] = {stream->p + stream->intercept};
    nc_huber_diagnostics diagnostics;
    NC_STRUCT_INIT(&diagnostics);
    golden_status status = part_load(device, row, &stream->x, first * p, rows * p, stream->p, &x, error);
    status = status == GOLDEN_OK ? part_load(device, row, &stream->y, first, rows, 0, &y, error) : status;
    if (status == GOLDEN_OK && stream->w.count > 0) {
        status = part_load(device, row, &stream->w, first, rows, 0, &w, error);
    }
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 1, shape, &beta, error) : status;
    if (status == GOLDEN_OK) {
        status = golden_nc(nc_huber_update(stream->model, &stream->config, x, y, w, &diagnostics), "nc_huber_update", row, error);
    }
    status =
        status == GOLDEN_OK ? golden_nc(nc_huber_coefficients(stream->model, beta), "nc_huber_coefficients", row, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, beta, row->dtype, answer, error) : status;
    nc_array_release(beta);
    nc_array_release(w);
    nc_array_release(y);
    nc_array_release(x);
    return status;
}

static golden_status regress(nc_device *device, const golden_row *row, int32_t penalty, golden_answer *answer, golden_error *error)
{
    huber_stream stream = {0};
    nc_huber_options options;
    golden_status status = stream_read(row, penalty, &stream, error);
    NC_STRUCT_INIT(&options);
    options.dtype = (int32_t)golden_nc_dtype(row->dtype);
    options.fit_intercept = (int32_t)stream.intercept;
    options.features = stream.p;
    status =
        status == GOLDEN_OK ? golden_nc(nc_huber_create(device, &options, &stream.model), "nc_huber_create", row, error) : status;
    for (int64_t batch = 0; status == GOLDEN_OK && batch < stream.batches; ++batch) {
        status = batch_answer(device, row, &stream, batch, answer, error);
    }
    nc_huber_release(stream.model);
    golden_array_free(&stream.x);
    golden_array_free(&stream.y);
    golden_array_free(&stream.w);
    return status;
}

golden_status golden_answer_huber_none(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    return regress(device, row, NC_HUBER_PENALTY_NONE, answer, error);
}

golden_status golden_answer_huber_l1(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    return regress(device, row, NC_HUBER_PENALTY_L1, answer, error);
}
