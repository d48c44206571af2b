// SPDX-License-Identifier: Apache-2.0
// What is read from a model: predictions, coefficients, information.
#include "huber.h"

nc_status nc_huber_predict(const nc_huber *model, const nc_array *x, nc_array *out)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_huber_check_design(model, x, "x"));
    NC_TRY(nc_huber_check_vector(model, out, "out", x->shape[0], "the rows of x"));
    NC_TRY(nc_check_output(out, "out"));
    NC_TRY(nc_check_apart(out, "out", x, "x"));
    if (out->count == 0) {
        return NC_OK;
    }
    nc_huber_rows shape = nc_huber_rows_of(model, x, out, NULL);
    be_arg args[] = {BE_BUFFER(x->storage->buffer), BE_BUFFER(model->beta), BE_VALUE(shape), BE_BUFFER(out->storage->buffer)};
    return be_launch(model->device->backend, BE_KERNEL_TYPED(huber_predict, model->dtype), (uint64_t)x->shape[0], args, 4);
}

// Copies `count` elements of a state buffer to an array, element by element on the device.
static nc_status nc_huber_read(const nc_huber *model, be_buffer *from, int64_t count, nc_array *out)
{
    nc_layout source = nc_contiguous_layout(0, count);
    nc_layout destination = nc_array_layout(out);
    uint64_t items = (uint64_t)count;
    be_arg args[] = {BE_BUFFER(from), BE_VALUE(source), BE_BUFFER(out->storage->buffer), BE_VALUE(destination), BE_VALUE(items)};
    be_kernel kernel = nc_dtype_size(out->dtype) == 4 ? BE_KERNEL_array_copy_u32 : BE_KERNEL_array_copy_u64;
    return be_launch(model->device->backend, kernel, items, args, 5);
}

nc_status nc_huber_coefficients(const nc_huber *model, nc_array *out)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_huber_check_vector(model, out, "out", model->coefficients, "the coefficients of the model"));
    NC_TRY(nc_check_output(out, "out"));
    return nc_huber_read(model, model->beta, model->coefficients, out);
}

nc_status nc_huber_information(const nc_huber *model, nc_array *out)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_dtype(out, "out", NC_F64));
    NC_TRY(nc_check_rank(out, "out", 2));
    NC_TRY(nc_check_extent(out, "out", 0, model->coefficients, "the coefficients of the model"));
    NC_TRY(nc_check_extent(out, "out", 1, model->coefficients, "the coefficients of the model"));
    NC_TRY(nc_check_output(out, "out"));
    if (out->storage->device != model->device) {
        return be_fail(NC_WRONG_DEVICE, "out lies on device %d and the model on device %d; use an array of the model's device",
                       (int)out->storage->device->info.index, (int)model->device->info.index);
    }
    return nc_huber_read(model, model->information, model->coefficients * model->coefficients, out);
}
