// SPDX-License-Identifier: Apache-2.0
// Argument checks. Each sentence names the argument, the value it has and what to pass instead.
#include "host.h"

#include <inttypes.h>
#include <string.h>

nc_status nc_check_pointer(const void *pointer, const char *name)
{
    if (pointer == NULL) {
        return be_fail(NC_NULL_ARGUMENT, "%s is null; pass a valid pointer", name);
    }
    return NC_OK;
}

nc_status nc_check_abi(const void *pointer, size_t size, const char *name)
{
    uint32_t header[2];
    NC_TRY(nc_check_pointer(pointer, name));
    memcpy(header, pointer, sizeof header);
    if (header[0] != NC_ABI_VERSION) {
        return be_fail(NC_ABI_MISMATCH, "%s has abi_version %" PRIu32 ", this library has %u; call NC_STRUCT_INIT and rebuild",
                       name, header[0], NC_ABI_VERSION);
    }
    if (header[1] != size) {
        return be_fail(NC_ABI_MISMATCH, "%s has struct_size %" PRIu32 ", this library expects %zu; call NC_STRUCT_INIT and rebuild",
                       name, header[1], size);
    }
    return NC_OK;
}

nc_status nc_check_array(const nc_array *array, const char *name)
{
    if (array == NULL) {
        return be_fail(NC_NULL_ARGUMENT, "array %s is null; pass an array made by nc_array_create or nc_array_view", name);
    }
    return NC_OK;
}

nc_status nc_check_dtype(const nc_array *array, const char *name, nc_dtype dtype)
{
    NC_TRY(nc_check_array(array, name));
    if (array->dtype != dtype) {
        return be_fail(NC_MIXED_DTYPE, "array %s is %s; this operation takes %s here", name, nc_dtype_name(array->dtype),
                       nc_dtype_name(dtype));
    }
    return NC_OK;
}

nc_status nc_check_real(const nc_array *array, const char *name)
{
    NC_TRY(nc_check_array(array, name));
    if (array->dtype != NC_F32 && array->dtype != NC_F64) {
        return be_fail(NC_MIXED_DTYPE, "array %s is %s; this operation takes f32 or f64", name, nc_dtype_name(array->dtype));
    }
    return NC_OK;
}

nc_status nc_check_rank(const nc_array *array, const char *name, int32_t rank)
{
    if (array->rank != rank) {
        return be_fail(NC_SHAPE_MISMATCH, "array %s has rank %" PRId32 "; this operation takes rank %" PRId32, name, array->rank,
                       rank);
    }
    return NC_OK;
}

nc_status nc_check_count(const nc_array *array, const char *name, int64_t count)
{
    if (array->count != count) {
        return be_fail(NC_SHAPE_MISMATCH, "array %s has %" PRId64 " elements; this operation needs %" PRId64, name, array->count,
                       count);
    }
    return NC_OK;
}

nc_status nc_check_extent(const nc_array *array, const char *name, int32_t axis, int64_t extent, const char *why)
{
    if (array->shape[axis] != extent) {
        return be_fail(NC_SHAPE_MISMATCH, "array %s has extent %" PRId64 " on axis %" PRId32 "; it must be %" PRId64 ", %s", name,
                       array->shape[axis], axis, extent, why);
    }
    return NC_OK;
}

nc_status nc_check_same_device(const nc_array *array, const char *name, const nc_array *other, const char *other_name)
{
    if (array->storage->device != other->storage->device) {
        return be_fail(NC_WRONG_DEVICE,
                       "array %s belongs to another device handle than %s (devices %" PRId32 " and %" PRId32
                       "); create all arrays of one call from one handle",
                       name, other_name, array->storage->device->info.index, other->storage->device->info.index);
    }
    return NC_OK;
}

nc_status nc_check_same_dtype(const nc_array *array, const char *name, const nc_array *other, const char *other_name)
{
    if (array->dtype != other->dtype) {
        return be_fail(NC_MIXED_DTYPE, "array %s is %s but %s is %s; pass one dtype", name, nc_dtype_name(array->dtype), other_name,
                       nc_dtype_name(other->dtype));
    }
    return NC_OK;
}

nc_status nc_check_same_shape(const nc_array *array, const char *name, const nc_array *other, const char *other_name)
{
    if (array->rank != other->rank) {
        return be_fail(NC_SHAPE_MISMATCH, "array %s has rank %" PRId32 " but %s has rank %" PRId32 "; the shapes must be equal",
                       name, array->rank, other_name, other->rank);
    }
    for (int32_t axis = 0; axis < array->rank; ++axis) {
        if (array->shape[axis] != other->shape[axis]) {
            return be_fail(NC_SHAPE_MISMATCH,
                           "array %s has extent %" PRId64 " on axis %" PRId32 " but %s has %" PRId64 "; the shapes must be equal",
                           name, array->shape[axis], axis, other_name, other->shape[axis]);
        }
    }
    return NC_OK;
}
