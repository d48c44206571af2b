// SPDX-License-Identifier: Apache-2.0
// Linear algebra: validation and layouts.
#include "host.h"

nc_status nc_axpy(double alpha, const nc_array *x, const nc_array *y, nc_array *out)
{
    NC_TRY(nc_check_real(x, "x"));
    NC_TRY(nc_check_array(y, "y"));
    NC_TRY(nc_check_same_device(y, "y", x, "x"));
    NC_TRY(nc_check_same_dtype(y, "y", x, "x"));
    NC_TRY(nc_check_same_shape(y, "y", x, "x"));
    NC_TRY(nc_check_array(out, "out"));
    NC_TRY(nc_check_same_device(out, "out", x, "x"));
    NC_TRY(nc_check_same_dtype(out, "out", x, "x"));
    NC_TRY(nc_check_same_shape(out, "out", x, "x"));
    NC_TRY(nc_check_output(out, "out"));
    NC_TRY(nc_check_apart(out, "out", x, "x"));
    if (!nc_array_is_same_view(out, y)) {
        NC_TRY(nc_check_apart(out, "out", y, "y"));
    }
    if (x->count == 0) {
        return NC_OK;
    }
    nc_scalar factor = nc_scalar_round(x->dtype, alpha);
    nc_layout x_layout = nc_array_layout(x), y_layout = nc_array_layout(y), out_layout = nc_array_layout(out);
    uint64_t count = (uint64_t)x->count;
    be_arg args[] = {BE_SCALAR(factor),  BE_BUFFER(x->storage->buffer),   BE_VALUE(x_layout),   BE_BUFFER(y->storage->buffer),
                     BE_VALUE(y_layout), BE_BUFFER(out->storage->buffer), BE_VALUE(out_layout), BE_VALUE(count)};
    return be_launch(x->storage->device->backend, BE_KERNEL_TYPED(axpy, x->dtype), count, args, 8);
}
