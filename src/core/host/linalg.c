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

// One reduction of x (and y, else null) into the single element of out.
static nc_status reduce(be_reduction reduction, const nc_array *x, const nc_array *y, nc_array *out)
{
    NC_TRY(nc_check_array(out, "out"));
    NC_TRY(nc_check_same_device(out, "out", x, "x"));
    NC_TRY(nc_check_same_dtype(out, "out", x, "x"));
    NC_TRY(nc_check_count(out, "out", 1));
    NC_TRY(nc_check_apart(out, "out", x, "x"));
    if (y != NULL) {
        NC_TRY(nc_check_apart(out, "out", y, "y"));
    }
    if (x->count == 0) {
        nc_scalar zero = nc_scalar_round(x->dtype, 0.0);
        return nc_array_fill(out, &zero.value, zero.size);
    }
    nc_layout x_layout = nc_array_layout(x), out_layout = nc_array_layout(out), y_layout = nc_array_layout(y != NULL ? y : x);
    return be_reduce(x->storage->device->backend, reduction, x->dtype, (uint64_t)x->count, x->storage->buffer, &x_layout,
                     y != NULL ? y->storage->buffer : NULL, y != NULL ? &y_layout : NULL, out->storage->buffer, &out_layout);
}

nc_status nc_sum(const nc_array *x, nc_array *out)
{
    NC_TRY(nc_check_real(x, "x"));
    return reduce(BE_SUM, x, NULL, out);
}

nc_status nc_dot(const nc_array *x, const nc_array *y, nc_array *out)
{
    NC_TRY(nc_check_real(x, "x"));
    NC_TRY(nc_check_array(y, "y"));
    NC_TRY(nc_check_same_device(y, "y", x, "x"));
    NC_TRY(nc_check_same_dtype(y, "y", x, "x"));
    NC_TRY(nc_check_same_shape(y, "y", x, "x"));
    return reduce(BE_DOT, x, y, out);
}

static nc_status extremum(be_reduction reduction, const nc_array *x, nc_array *out)
{
    NC_TRY(nc_check_real(x, "x"));
    if (x->count == 0) {
        return be_fail(NC_EMPTY, "array x has 0 elements; a minimum or maximum needs one");
    }
    return reduce(reduction, x, NULL, out);
}

nc_status nc_minimum(const nc_array *x, nc_array *out)
{
    return extremum(BE_MINIMUM, x, out);
}

nc_status nc_maximum(const nc_array *x, nc_array *out)
{
    return extremum(BE_MAXIMUM, x, out);
}

nc_status nc_block_maximum(const nc_array *x, int64_t block, nc_array *out)
{
    NC_TRY(nc_check_real(x, "x"));
    if (block < 1) {
        return be_fail(NC_INVALID_ARGUMENT, "block is %lld; it must be 1 or more", (long long)block);
    }
    NC_TRY(nc_check_array(out, "out"));
    NC_TRY(nc_check_same_device(out, "out", x, "x"));
    NC_TRY(nc_check_same_dtype(out, "out", x, "x"));
    NC_TRY(nc_check_count(out, "out", x->count / block + (x->count % block != 0)));
    NC_TRY(nc_check_output(out, "out"));
    NC_TRY(nc_check_apart(out, "out", x, "x"));
    if (x->count == 0) {
        return NC_OK;
    }
    nc_layout x_layout = nc_array_layout(x), out_layout = nc_array_layout(out);
    return be_block_maximum(x->storage->device->backend, x->dtype, (uint64_t)x->count, (uint64_t)block, x->storage->buffer,
                            &x_layout, out->storage->buffer, &out_layout);
}

static be_matrix matrix_of(const nc_array *array)
{
    return (be_matrix){array->storage->buffer, array->offset, array->strides[0], array->strides[1]};
}

nc_status nc_gemm(double alpha, const nc_array *a, const nc_array *b, double beta, nc_array *c)
{
    NC_TRY(nc_check_real(a, "a"));
    NC_TRY(nc_check_rank(a, "a", 2));
    NC_TRY(nc_check_array(b, "b"));
    NC_TRY(nc_check_same_device(b, "b", a, "a"));
    NC_TRY(nc_check_same_dtype(b, "b", a, "a"));
    NC_TRY(nc_check_rank(b, "b", 2));
    NC_TRY(nc_check_extent(b, "b", 0, a->shape[1], "the columns of a"));
    NC_TRY(nc_check_array(c, "c"));
    NC_TRY(nc_check_same_device(c, "c", a, "a"));
    NC_TRY(nc_check_same_dtype(c, "c", a, "a"));
    NC_TRY(nc_check_rank(c, "c", 2));
    NC_TRY(nc_check_extent(c, "c", 0, a->shape[0], "the rows of a"));
    NC_TRY(nc_check_extent(c, "c", 1, b->shape[1], "the columns of b"));
    NC_TRY(nc_check_output(c, "c"));
    NC_TRY(nc_check_apart(c, "c", a, "a"));
    NC_TRY(nc_check_apart(c, "c", b, "b"));
    if (c->count == 0) {
        return NC_OK;
    }
    nc_scalar alpha_rounded = nc_scalar_round(a->dtype, alpha), beta_rounded = nc_scalar_round(a->dtype, beta);
    return be_gemm(a->storage->device->backend, a->dtype, a->shape[0], b->shape[1], a->shape[1], &alpha_rounded.value, matrix_of(a),
                   matrix_of(b), &beta_rounded.value, matrix_of(c));
}
