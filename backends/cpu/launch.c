// SPDX-License-Identifier: Apache-2.0
// Runs single-source kernels: one loop over all items on the calling thread.
#include "../../src/core/host/environment.h"
#include "cpu.h"

#define ARGUMENTS_MAX 64

nc_status be_prepare(be_device *device, be_kernel kernel)
{
    (void)device;
    (void)kernel;
    return NC_OK; // compiled with the library
}

uint64_t be_near_bytes(const be_device *device, be_kernel kernel)
{
    (void)device;
    (void)kernel;
    return 0;
}

void be_near_limit(be_device *device, uint64_t bytes)
{
    (void)device; // a processor's caches are what it has
    (void)bytes;
}

nc_status be_launch(be_device *device, be_kernel kernel, uint64_t items, const be_arg *args, int32_t count)
{
    const void *values[ARGUMENTS_MAX];
    if (count > ARGUMENTS_MAX) {
        return be_fail(NC_DEVICE_ERROR, "kernel %d has %d arguments; the CPU backend passes %d", (int)kernel, (int)count,
                       ARGUMENTS_MAX);
    }
    for (int32_t i = 0; i < count; ++i) {
        values[i] = args[i].buffer != NULL ? (const void *)&args[i].buffer->memory : args[i].value;
    }
    nc_environment saved = nc_environment_enter();
    device->variant->kernels[kernel]((nc_range){0, items}, values);
    nc_environment_leave(saved);
    ++device->counters.kernels_launched;
    return NC_OK;
}
