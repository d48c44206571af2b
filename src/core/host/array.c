// SPDX-License-Identifier: Apache-2.0
// Arrays and views: shapes, strides, bounds and lifetime. All sizes are checked in 64 bits before anything is made.
#include "host.h"

#include <inttypes.h>
#include <stdlib.h>

// Shape is valid, *count its product.
static nc_status check_shape(int32_t rank, const int64_t *shape, int64_t *count)
{
    int64_t product = 1;
    if (rank < 0 || rank > NC_ARRAY_MAX_RANK) {
        return be_fail(NC_INVALID_ARGUMENT, "rank is %" PRId32 "; it must be 0 to %d", rank, NC_ARRAY_MAX_RANK);
    }
    if (rank > 0) {
        NC_TRY(nc_check_pointer(shape, "shape"));
    }
    for (int32_t axis = 0; axis < rank; ++axis) {
        if (shape[axis] < 0) {
            return be_fail(NC_INVALID_ARGUMENT, "shape[%" PRId32 "] is %" PRId64 "; an extent is 0 or more", axis, shape[axis]);
        }
        product = shape[axis] == 0 ? 0 : product;
    }
    for (int32_t axis = 0; axis < rank && product != 0; ++axis) {
        if (__builtin_mul_overflow(product, shape[axis], &product)) {
            return be_fail(NC_OUT_OF_RANGE, "shape[%" PRId32 "] = %" PRId64 " takes the number of elements past 2^63 - 1", axis,
                           shape[axis]);
        }
    }
    *count = product;
    return NC_OK;
}

static nc_status check_dtype_known(nc_dtype dtype)
{
    if (nc_dtype_size(dtype) == 0) {
        return be_fail(NC_INVALID_ARGUMENT, "dtype is %d; it must be one of nc_dtype", (int)dtype);
    }
    return NC_OK;
}

static nc_status storage_create(nc_device *device, int64_t elements, size_t element_size, nc_storage **storage)
{
    uint64_t bytes = 0;
    if (__builtin_mul_overflow((uint64_t)elements, (uint64_t)element_size, &bytes) || bytes > (uint64_t)INT64_MAX) {
        return be_fail(NC_OUT_OF_RANGE, "shape has %" PRId64 " elements of %zu bytes, past 2^63 - 1 bytes", elements, element_size);
    }
    nc_storage *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for an array handle (%zu bytes)", sizeof *made);
    }
    // An empty array still has a buffer, so that no operation meets a null one.
    nc_status status = be_buffer_alloc(device->backend, bytes > 0 ? (size_t)bytes : 1, &made->buffer);
    if (status != NC_OK) {
        free(made);
        return status;
    }
    made->device = device;
    made->elements = elements;
    *storage = made;
    return NC_OK;
}

static void storage_release(nc_storage *storage)
{
    if (--storage->references == 0) {
        be_buffer_free(storage->device->backend, storage->buffer);
        free(storage);
    }
}

// Takes a reference on the storage.
static nc_array *array_make(nc_storage *storage, nc_dtype dtype, int32_t rank, const int64_t *shape, int64_t count)
{
    nc_array *array = calloc(1, sizeof *array);
    if (array != NULL) {
        array->storage = storage;
        array->dtype = dtype;
        array->rank = rank;
        array->count = count;
        for (int32_t axis = 0; axis < rank; ++axis) {
            array->shape[axis] = shape[axis];
        }
        ++storage->references;
        ++storage->device->arrays;
    }
    return array;
}

nc_status nc_array_create(nc_device *device, nc_dtype dtype, int32_t rank, const int64_t *shape, nc_array **array)
{
    int64_t count = 0;
    nc_storage *storage = NULL;
    NC_TRY(nc_check_pointer(device, "device"));
    NC_TRY(check_dtype_known(dtype));
    NC_TRY(check_shape(rank, shape, &count));
    NC_TRY(nc_check_pointer(array, "array"));
    NC_TRY(storage_create(device, count, nc_dtype_size(dtype), &storage));
    nc_array *made = array_make(storage, dtype, rank, shape, count);
    if (made == NULL) {
        ++storage->references;
        storage_release(storage);
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for an array handle (%zu bytes)", sizeof *made);
    }
    int64_t stride = 1;
    for (int32_t axis = rank - 1; axis >= 0; --axis) {
        made->strides[axis] = stride;
        // Extents beside a 0 may multiply past 64 bits; an empty array's strides are never followed.
        stride = count == 0 ? 1 : stride * shape[axis];
    }
    *array = made;
    return NC_OK;
}

// Every element's position is in 0 .. elements-1.
static nc_status check_bounds(int64_t elements, int64_t offset, int32_t rank, const int64_t *shape, const int64_t *strides,
                              int64_t count)
{
    int64_t lowest = offset, highest = offset;
    if (offset < 0 || offset > elements || (count > 0 && offset == elements)) {
        return be_fail(NC_OUT_OF_RANGE, "offset is %" PRId64 "; the storage has %" PRId64 " elements", offset, elements);
    }
    for (int32_t axis = 0; axis < rank && count > 0; ++axis) {
        int64_t reach = 0;
        int64_t *end = strides[axis] < 0 ? &lowest : &highest;
        if (__builtin_mul_overflow(shape[axis] - 1, strides[axis], &reach) || __builtin_add_overflow(*end, reach, end) ||
            lowest < 0 || highest >= elements) {
            return be_fail(NC_OUT_OF_RANGE,
                           "strides[%" PRId32 "] = %" PRId64 " with shape[%" PRId32 "] = %" PRId64 " and offset %" PRId64
                           " leaves the storage of %" PRId64 " elements",
                           axis, strides[axis], axis, shape[axis], offset, elements);
        }
    }
    return NC_OK;
}

nc_status nc_array_view(nc_array *base, int64_t offset, int32_t rank, const int64_t *shape, const int64_t *strides, nc_array **view)
{
    int64_t count = 0;
    NC_TRY(nc_check_array(base, "base"));
    NC_TRY(check_shape(rank, shape, &count));
    if (rank > 0) {
        NC_TRY(nc_check_pointer(strides, "strides"));
    }
    NC_TRY(check_bounds(base->storage->elements, offset, rank, shape, strides, count));
    NC_TRY(nc_check_pointer(view, "view"));
    nc_array *made = array_make(base->storage, base->dtype, rank, shape, count);
    if (made == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for an array handle (%zu bytes)", sizeof *made);
    }
    made->offset = offset;
    for (int32_t axis = 0; axis < rank; ++axis) {
        made->strides[axis] = strides[axis];
    }
    *view = made;
    return NC_OK;
}

nc_status nc_array_release(nc_array *array)
{
    if (array != NULL) {
        --array->storage->device->arrays;
        storage_release(array->storage);
        free(array);
    }
    return NC_OK;
}

nc_status nc_array_info_get(const nc_array *array, nc_array_info *info)
{
    NC_TRY(nc_check_array(array, "array"));
    NC_TRY(nc_check_abi(info, sizeof *info, "info"));
    nc_array_info filled;
    NC_STRUCT_INIT(&filled);
    filled.dtype = (int32_t)array->dtype;
    filled.rank = array->rank;
    for (int32_t axis = 0; axis < array->rank; ++axis) {
        filled.shape[axis] = array->shape[axis];
        filled.strides[axis] = array->strides[axis];
    }
    filled.offset = array->offset;
    filled.count = array->count;
    filled.storage_bytes = (uint64_t)array->storage->elements * nc_dtype_size(array->dtype);
    *info = filled;
    return NC_OK;
}

nc_status nc_array_residency(const nc_array *array, nc_residency *residency)
{
    NC_TRY(nc_check_array(array, "array"));
    NC_TRY(nc_check_abi(residency, sizeof *residency, "residency"));
    nc_residency found;
    NC_STRUCT_INIT(&found);
    NC_TRY(be_buffer_residency(array->storage->device->backend, array->storage->buffer, &found));
    *residency = found;
    return NC_OK;
}

nc_layout nc_contiguous_layout(int64_t offset, int64_t count)
{
    nc_layout layout = {.offset = offset};
    for (int axis = 0; axis < NC_MAX_RANK; ++axis) {
        layout.extent[axis] = 1;
    }
    layout.extent[NC_MAX_RANK - 1] = count;
    layout.stride[NC_MAX_RANK - 1] = 1;
    return layout;
}

nc_layout nc_array_layout(const nc_array *array)
{
    nc_layout layout = {.offset = array->offset};
    int32_t top = NC_MAX_RANK; // first axis in use
    for (int32_t axis = 0; axis < NC_MAX_RANK; ++axis) {
        layout.extent[axis] = 1;
    }
    for (int32_t axis = array->rank - 1; axis >= 0; --axis) {
        int64_t extent = array->shape[axis];
        if (extent == 1) {
            continue;
        }
        if (top < NC_MAX_RANK && array->count > 0 && array->strides[axis] == layout.extent[top] * layout.stride[top]) {
            layout.extent[top] *= extent;
            continue;
        }
        --top;
        layout.extent[top] = extent;
        layout.stride[top] = array->strides[axis];
    }
    return layout;
}

int nc_array_is_contiguous(const nc_array *array)
{
    nc_layout layout = nc_array_layout(array);
    int64_t last = layout.extent[NC_MAX_RANK - 1];
    return array->count <= 1 || (last == array->count && layout.stride[NC_MAX_RANK - 1] == 1);
}
