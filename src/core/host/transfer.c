// SPDX-License-Identifier: Apache-2.0
// Upload, download, fill and copy. Bits move as integers. A strided array goes through a contiguous buffer on the device.
#include "host.h"

#include <inttypes.h>
#include <string.h>

// Kernels that move elements of 1, 4 and 8 bytes.
static be_kernel kernel_for_size(size_t size, be_kernel u8, be_kernel u32, be_kernel u64)
{
    return size == 1 ? u8 : size == 4 ? u32 : u64;
}

static nc_layout contiguous_layout(int64_t count)
{
    nc_layout layout = {.offset = 0};
    for (int32_t axis = 0; axis < NC_MAX_RANK; ++axis) {
        layout.extent[axis] = 1;
    }
    layout.extent[NC_MAX_RANK - 1] = count;
    layout.stride[NC_MAX_RANK - 1] = 1;
    return layout;
}

static nc_status copy_elements(be_device *device, size_t size, be_buffer *from, nc_layout from_layout, be_buffer *to,
                               nc_layout to_layout, uint64_t count)
{
    be_kernel kernel = kernel_for_size(size, BE_KERNEL_array_copy_u8, BE_KERNEL_array_copy_u32, BE_KERNEL_array_copy_u64);
    be_arg args[] = {BE_BUFFER(from), BE_VALUE(from_layout), BE_BUFFER(to), BE_VALUE(to_layout), BE_VALUE(count)};
    return be_launch(device, kernel, count, args, 5);
}

static nc_status check_host_data(const nc_array *array, const void *host, size_t bytes)
{
    size_t needed = (size_t)array->count * nc_dtype_size(array->dtype);
    if (bytes != needed) {
        return be_fail(NC_SHAPE_MISMATCH, "bytes is %zu; the array has %" PRId64 " elements of %zu bytes: %zu", bytes, array->count,
                       nc_dtype_size(array->dtype), needed);
    }
    if (bytes > 0) {
        NC_TRY(nc_check_pointer(host, "host"));
    }
    return NC_OK;
}

nc_status nc_array_upload(nc_array *array, const void *host, size_t bytes)
{
    NC_TRY(nc_check_array(array, "array"));
    NC_TRY(check_host_data(array, host, bytes));
    NC_TRY(nc_check_output(array, "array"));
    be_device *device = array->storage->device->backend;
    size_t size = nc_dtype_size(array->dtype);
    if (bytes == 0) {
        return NC_OK;
    }
    if (nc_array_is_contiguous(array)) {
        return be_buffer_upload(device, array->storage->buffer, (size_t)array->offset * size, host, bytes);
    }
    be_buffer *staging = NULL;
    NC_TRY(be_buffer_alloc(device, bytes, &staging));
    nc_status status = be_buffer_upload(device, staging, 0, host, bytes);
    if (status == NC_OK) {
        status = copy_elements(device, size, staging, contiguous_layout(array->count), array->storage->buffer,
                               nc_array_layout(array), (uint64_t)array->count);
    }
    be_buffer_free(device, staging);
    return status;
}

nc_status nc_array_download(const nc_array *array, void *host, size_t bytes)
{
    NC_TRY(nc_check_array(array, "array"));
    NC_TRY(check_host_data(array, host, bytes));
    be_device *device = array->storage->device->backend;
    size_t size = nc_dtype_size(array->dtype);
    if (bytes == 0) {
        return NC_OK;
    }
    if (nc_array_is_contiguous(array)) {
        return be_buffer_download(device, array->storage->buffer, (size_t)array->offset * size, host, bytes);
    }
    be_buffer *staging = NULL;
    NC_TRY(be_buffer_alloc(device, bytes, &staging));
    nc_status status = copy_elements(device, size, array->storage->buffer, nc_array_layout(array), staging,
                                     contiguous_layout(array->count), (uint64_t)array->count);
    if (status == NC_OK) {
        status = be_buffer_download(device, staging, 0, host, bytes);
    }
    be_buffer_free(device, staging);
    return status;
}

nc_status nc_array_fill(nc_array *array, const void *element, size_t bytes)
{
    NC_TRY(nc_check_array(array, "array"));
    NC_TRY(nc_check_pointer(element, "element"));
    size_t size = nc_dtype_size(array->dtype);
    if (bytes != size) {
        return be_fail(NC_SHAPE_MISMATCH, "bytes is %zu; an element of %s has %zu", bytes, nc_dtype_name(array->dtype), size);
    }
    NC_TRY(nc_check_output(array, "array"));
    if (array->count == 0) {
        return NC_OK;
    }
    uint64_t bits = 0;
    memcpy(&bits, element, size);
    uint32_t bits32 = 0;
    memcpy(&bits32, element, size < 4 ? size : 4);
    uint8_t bits8 = *(const uint8_t *)element;
    nc_layout layout = nc_array_layout(array);
    uint64_t count = (uint64_t)array->count;
    be_arg value = size == 1 ? BE_VALUE(bits8) : size == 4 ? BE_VALUE(bits32) : BE_VALUE(bits);
    be_arg args[] = {BE_BUFFER(array->storage->buffer), BE_VALUE(layout), value, BE_VALUE(count)};
    be_kernel kernel = kernel_for_size(size, BE_KERNEL_array_fill_u8, BE_KERNEL_array_fill_u32, BE_KERNEL_array_fill_u64);
    return be_launch(array->storage->device->backend, kernel, count, args, 4);
}

nc_status nc_array_copy(const nc_array *source, nc_array *destination)
{
    NC_TRY(nc_check_array(source, "source"));
    NC_TRY(nc_check_array(destination, "destination"));
    NC_TRY(nc_check_same_device(destination, "destination", source, "source"));
    NC_TRY(nc_check_same_dtype(destination, "destination", source, "source"));
    NC_TRY(nc_check_same_shape(destination, "destination", source, "source"));
    NC_TRY(nc_check_output(destination, "destination"));
    NC_TRY(nc_check_apart(destination, "destination", source, "source"));
    be_device *device = source->storage->device->backend;
    size_t size = nc_dtype_size(source->dtype);
    if (source->count == 0) {
        return NC_OK;
    }
    if (nc_array_is_contiguous(source) && nc_array_is_contiguous(destination)) {
        return be_buffer_copy(device, source->storage->buffer, (size_t)source->offset * size, destination->storage->buffer,
                              (size_t)destination->offset * size, (size_t)source->count * size);
    }
    return copy_elements(device, size, source->storage->buffer, nc_array_layout(source), destination->storage->buffer,
                         nc_array_layout(destination), (uint64_t)source->count);
}
