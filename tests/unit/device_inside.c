// SPDX-License-Identifier: Apache-2.0
// The device for runs under a memory checker: links the backend's objects. A simulator need not have the core's arithmetic, and a
// planted fault shows that the checker sees.
#include "device_bytes.h"
#include "host/host.h"
#ifdef DEVICE_INSIDE_OPENCL
#include "opencl.h"
#endif

#include <stdlib.h>

nc_status device_bytes_open(const char *selector, nc_device **device)
{
    int32_t index = (int32_t)strtol(selector, NULL, 10);
    nc_device *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return NC_OUT_OF_MEMORY;
    }
    NC_STRUCT_INIT(&opened->info);
    nc_status status = be_device_describe(index, &opened->info);
    if (status == NC_OK) {
#ifdef DEVICE_INSIDE_OPENCL
        status = opencl_open(index, 0, &opened->backend);
#else
        status = be_device_open(index, &opened->backend);
#endif
    }
    if (status != NC_OK) {
        free(opened);
        return status;
    }
    *device = opened;
    return NC_OK;
}

nc_status device_bytes_fault(nc_device *device)
{
    const uint32_t element = 1;
    const uint64_t count = 65;
    be_buffer *buffer = NULL;
    nc_layout layout = {.extent = {1, 1, 1, 1, 1, 1, 1, 65}, .stride = {[NC_MAX_RANK - 1] = 1}};
    nc_status status = be_buffer_alloc(device->backend, 64 * sizeof element, &buffer);
    if (status == NC_OK) {
        be_arg args[] = {BE_BUFFER(buffer), BE_VALUE(layout), BE_VALUE(element), BE_VALUE(count)};
        status = be_launch(device->backend, BE_KERNEL_array_fill_u32, count, args, 4);
        be_buffer_free(device->backend, buffer);
    }
    return status;
}
