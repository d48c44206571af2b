// SPDX-License-Identifier: Apache-2.0
// Buffers: plain device memory from the library's own stream-ordered pool. Never managed memory. Transfers wait for the stream, so
// an error of an earlier kernel is the transfer's error.
#include "cuda.h"

#include <stdio.h>
#include <stdlib.h>

nc_status be_buffer_alloc(be_device *device, size_t bytes, be_buffer **buffer)
{
    char context[96];
    be_buffer *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a buffer handle (%zu bytes)", sizeof *made);
    }
    cudaError_t error = cudaSetDevice(device->index);
    if (error == cudaSuccess) {
        error = cudaMallocFromPoolAsync(&made->memory, bytes, device->pool, device->stream);
    }
    if (error != cudaSuccess) {
        free(made);
        (void)snprintf(context, sizeof context, "a buffer of %zu bytes on device %d", bytes, (int)device->index);
        return cuda_fail(error, "cudaMallocFromPoolAsync", context);
    }
    made->bytes = bytes;
    device->counters.bytes_allocated += bytes;
    if (device->counters.bytes_allocated > device->counters.bytes_allocated_peak) {
        device->counters.bytes_allocated_peak = device->counters.bytes_allocated;
    }
    *buffer = made;
    return NC_OK;
}

void be_buffer_free(be_device *device, be_buffer *buffer)
{
    if (buffer != NULL) {
        // Stream-ordered: kernels launched before this keep the memory. A failure here is the stream's earlier error, which the
        // next call that waits reports.
        (void)cudaFreeAsync(buffer->memory, device->stream);
        device->counters.bytes_allocated -= buffer->bytes;
        free(buffer);
    }
}

// Waits after a transfer; an error may come from any kernel since the last wait, so the message names the latest.
static nc_status finish_transfer(be_device *device, const char *what)
{
    char context[160];
    cudaError_t error = cudaStreamSynchronize(device->stream);
    if (error != cudaSuccess) {
        (void)snprintf(context, sizeof context, "%s on device %d; the latest kernel was %s", what, (int)device->index,
                       device->last_kernel != NULL ? device->last_kernel : "none");
        return cuda_fail(error, "cudaStreamSynchronize", context);
    }
    return NC_OK;
}

nc_status be_buffer_upload(be_device *device, be_buffer *buffer, size_t offset, const void *host, size_t bytes)
{
    char *place = (char *)buffer->memory + offset;
    CUDA_TRY(cudaSetDevice(device->index), "");
    CUDA_TRY(cudaMemcpyAsync(place, host, bytes, cudaMemcpyHostToDevice, device->stream), "upload");
    device->counters.bytes_uploaded += bytes;
    ++device->counters.uploads;
    return finish_transfer(device, "upload");
}

nc_status be_buffer_download(be_device *device, be_buffer *buffer, size_t offset, void *host, size_t bytes)
{
    const char *place = (const char *)buffer->memory + offset;
    CUDA_TRY(cudaSetDevice(device->index), "");
    CUDA_TRY(cudaMemcpyAsync(host, place, bytes, cudaMemcpyDeviceToHost, device->stream), "download");
    device->counters.bytes_downloaded += bytes;
    ++device->counters.downloads;
    return finish_transfer(device, "download");
}

nc_status be_buffer_copy(be_device *device, be_buffer *from, size_t from_offset, be_buffer *to, size_t to_offset, size_t bytes)
{
    CUDA_TRY(cudaSetDevice(device->index), "");
    CUDA_TRY(cudaMemcpyAsync((char *)to->memory + to_offset, (const char *)from->memory + from_offset, bytes,
                             cudaMemcpyDeviceToDevice, device->stream),
             "copy");
    return NC_OK;
}

nc_status be_buffer_residency(be_device *device, const be_buffer *buffer, nc_residency *residency)
{
    static const char *const kinds[] = {
        [cudaMemoryTypeUnregistered] = "cudaMemoryTypeUnregistered",
        [cudaMemoryTypeHost] = "cudaMemoryTypeHost",
        [cudaMemoryTypeDevice] = "cudaMemoryTypeDevice",
        [cudaMemoryTypeManaged] = "cudaMemoryTypeManaged",
    };
    struct cudaPointerAttributes attributes;
    CUDA_TRY(cudaSetDevice(device->index), "");
    CUDA_TRY(cudaPointerGetAttributes(&attributes, buffer->memory), "");
    size_t type = (size_t)attributes.type;
    residency->device_index = attributes.device;
    residency->is_device_memory = attributes.type == cudaMemoryTypeDevice && attributes.device == device->index;
    residency->address = (uint64_t)(uintptr_t)buffer->memory;
    (void)snprintf(residency->kind, sizeof residency->kind, "%s", type < sizeof kinds / sizeof kinds[0] ? kinds[type] : "unknown");
    return NC_OK;
}
