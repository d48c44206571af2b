// SPDX-License-Identifier: Apache-2.0
// nc_gram: validation, weights as float64, the sum, and one rounding into the caller's array.
#include "gram.h"

static nc_status nc_gram_check(const nc_array *x, const nc_array *weights, const nc_array *out)
{
    NC_TRY(nc_check_real(x, "x"));
    NC_TRY(nc_check_rank(x, "x", 2));
    if (weights != NULL) {
        NC_TRY(nc_check_array(weights, "weights"));
        NC_TRY(nc_check_same_device(weights, "weights", x, "x"));
        NC_TRY(nc_check_same_dtype(weights, "weights", x, "x"));
        NC_TRY(nc_check_rank(weights, "weights", 1));
        NC_TRY(nc_check_extent(weights, "weights", 0, x->shape[0], "the rows of x"));
    }
    NC_TRY(nc_check_array(out, "out"));
    NC_TRY(nc_check_same_device(out, "out", x, "x"));
    NC_TRY(nc_check_same_dtype(out, "out", x, "x"));
    NC_TRY(nc_check_rank(out, "out", 2));
    NC_TRY(nc_check_extent(out, "out", 0, x->shape[1], "the columns of x"));
    NC_TRY(nc_check_extent(out, "out", 1, x->shape[1], "the columns of x"));
    NC_TRY(nc_check_output(out, "out"));
    NC_TRY(nc_check_apart(out, "out", x, "x"));
    return weights == NULL ? NC_OK : nc_check_apart(out, "out", weights, "weights");
}

// Float64 weights, one a row: the caller's widened, or ones.
static nc_status nc_gram_weights(const nc_array *x, const nc_array *weights, be_buffer *wide)
{
    be_device *device = x->storage->device->backend;
    uint64_t rows = (uint64_t)x->shape[0];
    if (weights == NULL) {
        nc_layout layout = nc_contiguous_layout(0, x->shape[0]);
        uint64_t one = nc_bits_of_f64(1.0);
        be_arg args[] = {BE_BUFFER(wide), BE_VALUE(layout), BE_VALUE(one), BE_VALUE(rows)};
        return be_launch(device, BE_KERNEL_array_fill_u64, rows, args, 4);
    }
    nc_layout layout = nc_array_layout(weights);
    be_arg args[] = {BE_BUFFER(weights->storage->buffer), BE_VALUE(layout), BE_BUFFER(wide), BE_VALUE(rows)};
    return be_launch(device, BE_KERNEL_TYPED(gram_widen, x->dtype), rows, args, 4);
}

nc_status nc_gram(const nc_array *x, const nc_array *weights, nc_array *out)
{
    NC_TRY(nc_gram_check(x, weights, out));
    if (out->count == 0) {
        return NC_OK;
    }
    nc_device *device = x->storage->device;
    be_buffer *wide = NULL;
    be_buffer *square = NULL;
    uint64_t columns = (uint64_t)x->shape[1];
    size_t rows = x->shape[0] > 0 ? (size_t)x->shape[0] : 1;
    nc_status status = be_buffer_alloc(device->backend, rows * sizeof(double), &wide);
    if (status == NC_OK) {
        status = be_buffer_alloc(device->backend, columns * columns * sizeof(double), &square);
    }
    if (status == NC_OK && x->shape[0] > 0) {
        status = nc_gram_weights(x, weights, wide);
    }
    if (status == NC_OK) {
        nc_row_sum sum = {.device = device,
                          .dtype = x->dtype,
                          .x = {x->storage->buffer, x->offset, x->strides[0], x->strides[1]},
                          .rows = x->shape[0],
                          .columns = x->shape[1],
                          .weights = wide};
        status = nc_gram_f64(&sum, square);
    }
    if (status == NC_OK) {
        nc_layout layout = nc_array_layout(out);
        be_arg args[] = {BE_BUFFER(square), BE_BUFFER(out->storage->buffer), BE_VALUE(layout), BE_VALUE(columns)};
        status = be_launch(device->backend, BE_KERNEL_TYPED(gram_store, x->dtype), columns * columns, args, 4);
    }
    if (wide != NULL) {
        be_buffer_free(device->backend, wide);
    }
    if (square != NULL) {
        be_buffer_free(device->backend, square);
    }
    return status;
}
