// SPDX-License-Identifier: Apache-2.0
// Answers of predictions with given coefficients: a model takes coefficients only from a checkpoint, so one is made as
// docs/huber.md describes it.
#include "answers.h"

#include <stdlib.h>
#include <string.h>

enum { CHECKPOINT_HEADER = 72, CHECKPOINT_CHECKSUM = 8 };

// CRC-64 (ECMA-182, reflected).
static uint64_t checksum(const unsigned char *bytes, size_t count)
{
    uint64_t rest = UINT64_MAX;
    for (size_t i = 0; i < count; ++i) {
        rest ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit) {
            rest = (rest >> 1) ^ (rest & 1 ? UINT64_C(0xc96c5795d7870f42) : 0);
        }
    }
    return ~rest;
}

static void put(unsigned char *at, uint64_t bits, size_t width)
{
    for (size_t b = 0; b < width; ++b) {
        at[b] = (unsigned char)(bits >> (8 * b));
    }
}

// Writes the coefficients into the export of an empty model and seals it again.
static void checkpoint_fill(unsigned char *bytes, size_t size, const golden_array *beta)
{
    size_t width = golden_dtype_size(beta->dtype);
    for (size_t j = 0; j < beta->count; ++j) {
        put(bytes + CHECKPOINT_HEADER + j * width, golden_array_at(beta, j).bits, width);
    }
    put(bytes + size - CHECKPOINT_CHECKSUM, checksum(bytes, size - CHECKPOINT_CHECKSUM), CHECKPOINT_CHECKSUM);
}

static golden_status model_make(nc_device *device, const golden_row *row, int64_t p, int64_t intercept, const golden_array *beta,
                                nc_huber **model, golden_error *error)
{
    nc_huber *empty = NULL;
    nc_huber_options options;
    size_t size = 0;
    NC_STRUCT_INIT(&options);
    options.dtype = (int32_t)golden_nc_dtype(row->dtype);
    options.fit_intercept = (int32_t)intercept;
    options.features = p;
    golden_status status = golden_nc(nc_huber_create(device, &options, &empty), "nc_huber_create", row, error);
    status = status == GOLDEN_OK ? golden_nc(nc_huber_export(empty, NULL, 0, &size), "nc_huber_export", row, error) : status;
    unsigned char *bytes = status == GOLDEN_OK ? malloc(size) : NULL;
    if (status == GOLDEN_OK && bytes == NULL) {
        status = golden_fail(error, GOLDEN_REFUSED, "out of memory for a checkpoint.");
    }
    status = status == GOLDEN_OK ? golden_nc(nc_huber_export(empty, bytes, size, &size), "nc_huber_export", row, error) : status;
    if (status == GOLDEN_OK) {
        checkpoint_fill(bytes, size, beta);
        status = golden_nc(nc_huber_restore(device, bytes, size, model), "nc_huber_restore", row, error);
    }
    free(bytes);
    nc_huber_release(empty);
    return status;
}

golden_status golden_answer_huber_predict(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    int64_t p = 0, intercept = 0, rows = 0;
    golden_array x = {0}, beta = {0};
    nc_huber *model = NULL;
    nc_array *design = NULL, *out = NULL;
    golden_status status = golden_row_integer(row, "p", &p, error);
    status = status == GOLDEN_OK ? golden_row_integer(row, "intercept", &intercept, error) : status;
    status = status == GOLDEN_OK ? golden_row_integer(row, "rows", &rows, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "x", row->dtype, &x, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "beta", row->dtype, &beta, error) : status;
    if (status == GOLDEN_OK && (p < 1 || rows < 1 || x.count != (size_t)(rows * p) || beta.count != (size_t)(p + intercept))) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: x and beta do not fit rows, p and intercept.", row->id);
    }
    const int64_t shape[2] = {rows, p};
    status = status == GOLDEN_OK ? model_make(device, row, p, intercept, &beta, &model, error) : status;
    status = status == GOLDEN_OK ? golden_upload(device, row, &x, 2, shape, &design, error) : status;
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 1, shape, &out, error) : status;
    status = status == GOLDEN_OK ? golden_nc(nc_huber_predict(model, design, out), "nc_huber_predict", row, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, out, row->dtype, answer, error) : status;
    nc_array_release(out);
    nc_array_release(design);
    nc_huber_release(model);
    golden_array_free(&beta);
    golden_array_free(&x);
    return status;
}
