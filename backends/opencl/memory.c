// SPDX-License-Identifier: Apache-2.0
// Buffers: cl_mem objects of the device's own context. Transfers block; a kernel that failed before one is the transfer's error.
#include "opencl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// Some runtimes give memory out when it is first used, so that one which was never there fails in a kernel. What cannot be is
// refused here.
static nc_status allocation_check(be_device *device, size_t bytes)
{
    uint64_t used = device->counters.bytes_allocated;
    if (bytes > device->allocation_max_bytes) {
        return be_fail(NC_OUT_OF_MEMORY, "a buffer of %zu bytes: device %d allows %" PRIu64 " bytes in one; use smaller arrays",
                       bytes, (int)device->index, (uint64_t)device->allocation_max_bytes);
    }
    if (used > device->memory_bytes || bytes > device->memory_bytes - used) {
        return be_fail(NC_OUT_OF_MEMORY,
                       "a buffer of %zu bytes: device %d has %" PRIu64 " bytes of memory, of which arrays here have %" PRIu64
                       "; release some",
                       bytes, (int)device->index, (uint64_t)device->memory_bytes, used);
    }
    if (device->pool.held_bytes > device->memory_bytes - used - bytes) {
        opencl_pool_empty(device);
    }
    return NC_OK;
}

nc_status be_buffer_alloc(be_device *device, size_t bytes, be_buffer **buffer)
{
    nc_status possible = allocation_check(device, bytes);
    if (possible != NC_OK) {
        return possible;
    }
    cl_int code = CL_SUCCESS;
    char context[96];
    be_buffer *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a buffer handle (%zu bytes)", sizeof *made);
    }
    made->memory = opencl_pool_take(device, bytes);
    if (made->memory == NULL) {
        made->memory = device->api->clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    }
    if (code != CL_SUCCESS && device->pool.count > 0) {
        opencl_pool_empty(device);
        made->memory = device->api->clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    }
    if (code != CL_SUCCESS) {
        free(made);
        (void)snprintf(context, sizeof context, "a buffer of %zu bytes on device %d", bytes, (int)device->index);
        return opencl_fail(code, "clCreateBuffer", context);
    }
    made->bytes = bytes;
    device->counters.bytes_allocated += bytes;
    if (device->counters.bytes_allocated > device->counters.bytes_allocated_peak) {
        device->counters.bytes_allocated_peak = device->counters.bytes_allocated;
    }
    // The memory objects that there are: what the runtime itself adds to each, OpenCL does not tell.
    uint64_t reserved = device->counters.bytes_allocated + device->pool.held_bytes;
    if (reserved > device->counters.bytes_reserved_peak) {
        device->counters.bytes_reserved_peak = reserved;
    }
    *buffer = made;
    return NC_OK;
}

void be_buffer_free(be_device *device, be_buffer *buffer)
{
    if (buffer != NULL) {
        opencl_pool_put(device, buffer->memory, buffer->bytes);
        device->counters.bytes_allocated -= buffer->bytes;
        free(buffer);
    }
}

nc_status be_buffer_upload(be_device *device, be_buffer *buffer, size_t offset, const void *host, size_t bytes)
{
    cl_int code = device->api->clEnqueueWriteBuffer(device->queue, buffer->memory, CL_TRUE, offset, bytes, host, 0, NULL, NULL);
    if (code != CL_SUCCESS) {
        return opencl_fail(code, "clEnqueueWriteBuffer", "");
    }
    opencl_pending_retire(device, 1);
    device->counters.bytes_uploaded += bytes;
    ++device->counters.uploads;
    return opencl_late_status(device);
}

nc_status be_buffer_download(be_device *device, be_buffer *buffer, size_t offset, void *host, size_t bytes)
{
    cl_int code = device->api->clEnqueueReadBuffer(device->queue, buffer->memory, CL_TRUE, offset, bytes, host, 0, NULL, NULL);
    opencl_pending_retire(device, 1);
    if (device->late_error != CL_SUCCESS) {
        return opencl_late_status(device);
    }
    if (code != CL_SUCCESS) {
        return opencl_fail(code, "clEnqueueReadBuffer", "");
    }
    device->counters.bytes_downloaded += bytes;
    ++device->counters.downloads;
    return NC_OK;
}

nc_status be_buffer_copy(be_device *device, be_buffer *from, size_t from_offset, be_buffer *to, size_t to_offset, size_t bytes)
{
    cl_event event = NULL;
    cl_int code =
        device->api->clEnqueueCopyBuffer(device->queue, from->memory, to->memory, from_offset, to_offset, bytes, 0, NULL, &event);
    if (code != CL_SUCCESS) {
        return opencl_fail(code, "clEnqueueCopyBuffer", "");
    }
    opencl_pending_add(device, event, "clEnqueueCopyBuffer");
    return NC_OK;
}

// True when `context` holds the device and no other.
static int context_is_of_device(const be_device *device, cl_context context)
{
    cl_device_id devices[2] = {NULL, NULL};
    size_t size = 0;
    return device->api->clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, &size) == CL_SUCCESS &&
           size == sizeof devices[0] && devices[0] == device->id;
}

nc_status be_buffer_residency(be_device *device, const be_buffer *buffer, nc_residency *residency)
{
    cl_context context = NULL;
    cl_mem_object_type type = 0;
    cl_mem_flags flags = 0;
    cl_int code = device->api->clGetMemObjectInfo(buffer->memory, CL_MEM_CONTEXT, sizeof context, &context, NULL);
    if (code == CL_SUCCESS) {
        code = device->api->clGetMemObjectInfo(buffer->memory, CL_MEM_TYPE, sizeof type, &type, NULL);
    }
    if (code == CL_SUCCESS) {
        code = device->api->clGetMemObjectInfo(buffer->memory, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    }
    if (code != CL_SUCCESS) {
        return opencl_fail(code, "clGetMemObjectInfo", "");
    }
    residency->device_index = device->index;
    residency->is_device_memory = type == CL_MEM_OBJECT_BUFFER && context_is_of_device(device, context) &&
                                  (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR)) == 0;
    residency->address = (uint64_t)(uintptr_t)buffer->memory;
    (void)snprintf(residency->kind, sizeof residency->kind, "%s",
                   type == CL_MEM_OBJECT_BUFFER ? "CL_MEM_OBJECT_BUFFER" : "not a buffer");
    return NC_OK;
}
