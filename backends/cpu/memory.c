// SPDX-License-Identifier: Apache-2.0
// Buffers in host memory, aligned to a cache line.
#include "cpu.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64u

void cpu_memory_take(be_device *device, size_t bytes)
{
    nc_device_counters *counters = &device->counters;
    counters->bytes_reserved += bytes;
    if (counters->bytes_reserved > counters->bytes_reserved_peak) {
        counters->bytes_reserved_peak = counters->bytes_reserved;
    }
}

void cpu_memory_give(be_device *device, size_t bytes)
{
    device->counters.bytes_reserved -= bytes;
}

nc_status be_buffer_alloc(be_device *device, size_t bytes, be_buffer **buffer)
{
    be_buffer *made = calloc(1, sizeof *made);
    void *memory = NULL;
    if (made == NULL || posix_memalign(&memory, ALIGNMENT, bytes) != 0) {
        free(made);
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a buffer of %zu bytes", bytes);
    }
    made->memory = memory;
    made->bytes = bytes;
    cpu_memory_take(device, bytes);
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
        cpu_memory_give(device, buffer->bytes);
        device->counters.bytes_allocated -= buffer->bytes;
        free(buffer->memory);
        free(buffer);
    }
}

nc_status be_buffer_upload(be_device *device, be_buffer *buffer, size_t offset, const void *host, size_t bytes)
{
    memcpy(buffer->memory + offset, host, bytes);
    device->counters.bytes_uploaded += bytes;
    ++device->counters.uploads;
    return NC_OK;
}

nc_status be_buffer_download(be_device *device, be_buffer *buffer, size_t offset, void *host, size_t bytes)
{
    memcpy(host, buffer->memory + offset, bytes);
    device->counters.bytes_downloaded += bytes;
    ++device->counters.downloads;
    return NC_OK;
}

nc_status be_buffer_copy(be_device *device, be_buffer *from, size_t from_offset, be_buffer *to, size_t to_offset, size_t bytes)
{
    (void)device;
    memcpy(to->memory + to_offset, from->memory + from_offset, bytes);
    return NC_OK;
}

nc_status be_buffer_residency(be_device *device, const be_buffer *buffer, nc_residency *residency)
{
    (void)device;
    residency->device_index = 0;
    residency->is_device_memory = 1;
    residency->address = (uint64_t)(uintptr_t)buffer->memory;
    memcpy(residency->kind, "host", sizeof "host");
    return NC_OK;
}
