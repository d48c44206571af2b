// SPDX-License-Identifier: Apache-2.0
// An update from host memory: the batch goes to the device once, then it is an update like any other.
#include "huber.h"

#include <stdlib.h>
#include <string.h>

// Creates an array and fills it from `rows` host rows of `columns` elements, `row_stride` elements apart; columns 0: a vector.
static nc_status nc_huber_bring(const nc_huber *model, const void *host, int64_t rows, int64_t columns, int64_t row_stride,
                                nc_array **array)
{
    const int64_t shape[2] = {rows, columns};
    size_t width = nc_dtype_size(model->dtype);
    size_t row_bytes = (size_t)(columns > 0 ? columns : 1) * width;
    size_t bytes = (size_t)rows * row_bytes;
    NC_TRY(nc_array_create(model->device, model->dtype, columns > 0 ? 2 : 1, shape, array));
    if (row_stride == columns || columns == 0) {
        return nc_array_upload(*array, host, bytes);
    }
    unsigned char *packed = malloc(bytes);
    if (packed == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory to pack x (%zu bytes); pass rows without padding", bytes);
    }
    for (int64_t r = 0; r < rows; ++r) {
        memcpy(packed + (size_t)r * row_bytes, (const unsigned char *)host + (size_t)(r * row_stride) * width, row_bytes);
    }
    nc_status status = nc_array_upload(*array, packed, bytes);
    free(packed);
    return status;
}

static nc_status nc_huber_check_host(const nc_huber *model, const void *x, int64_t rows, int64_t columns, int64_t row_stride,
                                     const void *y)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_pointer(x, "x"));
    if (rows < 1) {
        return be_fail(NC_EMPTY, "rows is %lld; a batch needs at least one", (long long)rows);
    }
    if (columns != model->features && columns != model->coefficients) {
        return be_fail(NC_SHAPE_MISMATCH, "columns is %lld; the model has %lld features (%lld with the column of ones)",
                       (long long)columns, (long long)model->features, (long long)model->coefficients);
    }
    if (row_stride < columns) {
        return be_fail(NC_INVALID_ARGUMENT, "row_stride is %lld; it must be at least columns (%lld)", (long long)row_stride,
                       (long long)columns);
    }
    if (rows > INT64_MAX / row_stride / (int64_t)nc_dtype_size(model->dtype)) {
        return be_fail(NC_OUT_OF_RANGE, "rows is %lld; rows times row_stride does not fit 64 bits", (long long)rows);
    }
    return nc_check_pointer(y, "y");
}

nc_status nc_huber_update_host(nc_huber *model, const nc_huber_config *config, const void *x, int64_t rows, int64_t columns,
                               int64_t row_stride, const void *y, const void *weights, nc_huber_diagnostics *diagnostics)
{
    nc_array *x_array = NULL;
    nc_array *y_array = NULL;
    nc_array *w_array = NULL;
    NC_TRY(nc_huber_check_host(model, x, rows, columns, row_stride, y));
    nc_status status = nc_huber_bring(model, x, rows, columns, row_stride, &x_array);
    if (status == NC_OK) {
        status = nc_huber_bring(model, y, rows, 0, 0, &y_array);
    }
    if (status == NC_OK && weights != NULL) {
        status = nc_huber_bring(model, weights, rows, 0, 0, &w_array);
    }
    if (status == NC_OK) {
        status = nc_huber_update(model, config, x_array, y_array, w_array, diagnostics);
    }
    (void)nc_array_release(w_array);
    (void)nc_array_release(y_array);
    (void)nc_array_release(x_array);
    return status;
}
