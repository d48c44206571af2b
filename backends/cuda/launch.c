// SPDX-License-Identifier: Apache-2.0
// Launches. A launch that the runtime refuses is the error of its call; a kernel that fails while it runs is reported by the next
// call that waits (download, upload, sync).
#include "cuda.h"

#include <stdio.h>

typedef struct cuda_kernel {
    const char *name;
    const void *const *function;
} cuda_kernel;

static const cuda_kernel kernel_table[BE_KERNEL_COUNT] = {
#define NC_KERNEL_TYPED(module, name)                                                                                              \
    [BE_KERNEL_##name##_f32] = {#name "_f32", &cuda_kernel_##name##_f32},                                                          \
    [BE_KERNEL_##name##_f64] = {#name "_f64", &cuda_kernel_##name##_f64},
#define NC_KERNEL_PLAIN(module, name) [BE_KERNEL_##name] = {#name, &cuda_kernel_##name},
#include "../../src/core/kernels/kernels.def"
};

static const cuda_kernel group_table[BE_GROUP_KERNEL_COUNT] = {
#define BE_GROUP_KERNEL(name)                                                                                                      \
    [BE_GROUP_##name##_f32] = {#name "_f32", &cuda_kernel_##name##_f32},                                                           \
    [BE_GROUP_##name##_f64] = {#name "_f64", &cuda_kernel_##name##_f64},
#include "../device/group.def"
};

#define ARGUMENTS_MAX 64

static nc_status launch(be_device *device, const cuda_kernel *kernel, uint32_t groups, uint32_t lanes, const be_arg *args,
                        int32_t count)
{
    void *values[ARGUMENTS_MAX];
    char context[96];
    if (count > ARGUMENTS_MAX) {
        return be_fail(NC_DEVICE_ERROR, "kernel %s has %d arguments; the CUDA backend passes %d", kernel->name, (int)count,
                       ARGUMENTS_MAX);
    }
    for (int32_t i = 0; i < count; ++i) {
        // The runtime's parameter is not const; it only reads.
        values[i] = args[i].buffer != NULL ? (void *)&args[i].buffer->memory : (void *)(uintptr_t)args[i].value;
    }
    CUDA_TRY(cudaSetDevice(device->index), kernel->name);
    cudaError_t error = cudaLaunchKernel(*kernel->function, (dim3){groups, 1, 1}, (dim3){lanes, 1, 1}, values, 0, device->stream);
    cudaError_t last = cudaGetLastError();
    if (error != cudaSuccess || last != cudaSuccess) {
        (void)snprintf(context, sizeof context, "kernel %s, %u groups of %u lanes", kernel->name, groups, lanes);
        return cuda_fail(error != cudaSuccess ? error : last, "cudaLaunchKernel", context);
    }
    device->last_kernel = kernel->name;
    ++device->counters.kernels_launched;
    return NC_OK;
}

nc_status be_prepare(be_device *device, be_kernel kernel)
{
    struct cudaFuncAttributes attributes; // asking for them loads the code
    CUDA_TRY(cudaSetDevice(device->index), kernel_table[kernel].name);
    CUDA_TRY(cudaFuncGetAttributes(&attributes, *kernel_table[kernel].function), kernel_table[kernel].name);
    return NC_OK;
}

nc_status be_launch(be_device *device, be_kernel kernel, uint64_t items, const be_arg *args, int32_t count)
{
    be_group_kernel twin;
    if (be_twin_find(kernel, args, &twin)) {
        return be_group_launch(device, twin, items, args, count);
    }
    be_geometry geometry = be_geometry_for(items, device->units);
    return launch(device, &kernel_table[kernel], geometry.groups, geometry.lanes, args, count);
}

nc_status be_group_launch(be_device *device, be_group_kernel kernel, uint64_t groups, const be_arg *args, int32_t count)
{
    return launch(device, &group_table[kernel], (uint32_t)groups, NC_SUM_LANES, args, count);
}
