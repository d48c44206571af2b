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

static const cuda_kernel near_table[BE_NEAR_KERNEL_COUNT] = {
#define BE_NEAR_KERNEL(name)                                                                                                       \
    [BE_NEAR_##name##_f32] = {#name "_f32", &cuda_near_##name##_f32},                                                              \
    [BE_NEAR_##name##_f64] = {#name "_f64", &cuda_near_##name##_f64},
#include "../device/near.def"
};

#define ARGUMENTS_MAX 64
#define NEAR_TILES_MAX 8u // a block

// A place in the block's shared memory (dialect_cuda.h): its beginning.
static const uint32_t near_begin = 0;

static nc_status launch(be_device *device, const cuda_kernel *kernel, be_geometry geometry, size_t shared_bytes, const be_arg *args,
                        int32_t count)
{
    void *values[ARGUMENTS_MAX];
    char context[160];
    if (count > ARGUMENTS_MAX) {
        return be_fail(NC_DEVICE_ERROR, "kernel %s has %d arguments; the CUDA backend passes %d", kernel->name, (int)count,
                       ARGUMENTS_MAX);
    }
    for (int32_t i = 0; i < count; ++i) {
        // The runtime's parameter is not const; it only reads.
        const void *value = args[i].value != NULL ? args[i].value : &near_begin;
        values[i] = args[i].buffer != NULL ? (void *)&args[i].buffer->memory : (void *)(uintptr_t)value;
    }
    CUDA_TRY(cudaSetDevice(device->index), kernel->name);
    cudaError_t error = cudaLaunchKernel(*kernel->function, (dim3){geometry.groups, 1, 1}, (dim3){geometry.lanes, 1, 1}, values,
                                         shared_bytes, device->stream);
    cudaError_t last = cudaGetLastError();
    if (error != cudaSuccess || last != cudaSuccess) {
        (void)snprintf(context, sizeof context, "kernel %s, %u groups of %u lanes with %zu bytes of shared memory", kernel->name,
                       geometry.groups, geometry.lanes, shared_bytes);
        return cuda_fail(error != cudaSuccess ? error : last, "cudaLaunchKernel", context);
    }
    device->last_kernel = kernel->name;
    ++device->counters.kernels_launched;
    return NC_OK;
}

nc_status be_prepare(be_device *device, be_kernel kernel)
{
    struct cudaFuncAttributes attributes; // asking for them loads the code
    be_near_kernel near;
    CUDA_TRY(cudaSetDevice(device->index), kernel_table[kernel].name);
    CUDA_TRY(cudaFuncGetAttributes(&attributes, *kernel_table[kernel].function), kernel_table[kernel].name);
    if (be_near_find(kernel, &near)) {
        CUDA_TRY(cudaFuncGetAttributes(&attributes, *near_table[near].function), near_table[near].name);
    }
    return NC_OK;
}

uint64_t be_near_bytes(const be_device *device, be_kernel kernel)
{
    be_near_kernel near;
    return be_near_find(kernel, &near) ? device->near_bytes : 0;
}

void be_near_limit(be_device *device, uint64_t bytes)
{
    device->near_bytes = bytes < device->shared_bytes ? bytes : device->shared_bytes;
}

// As many tiles a block as let a unit hold the most; the fewest of those, for a block is not done before its slowest tile.
static nc_status near_tiles(const be_device *device, const cuda_kernel *kernel, size_t tile_bytes, uint32_t *tiles)
{
    int most = 0;
    for (uint32_t k = 1; k <= NEAR_TILES_MAX && k * tile_bytes <= device->shared_bytes; k *= 2) {
        int blocks = 0;
        CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, *kernel->function, (int)(k * NC_TILE), k * tile_bytes),
                 kernel->name);
        if (blocks * (int)k > most) {
            most = blocks * (int)k;
            *tiles = k;
        }
    }
    return NC_OK;
}

static nc_status launch_near(be_device *device, be_near_kernel near, uint64_t items, const be_arg *args, int32_t count)
{
    const cuda_kernel *entry = &near_table[near];
    size_t tile_bytes = args[count - 1].size;
    uint32_t tiles = 1;
    CUDA_TRY(cudaSetDevice(device->index), entry->name);
    CUDA_TRY(cudaFuncSetAttribute(*entry->function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)device->shared_bytes),
             entry->name);
    CUDA_TRY(cudaFuncSetAttribute(*entry->function, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared),
             entry->name);
    nc_status status = near_tiles(device, entry, tile_bytes, &tiles);
    if (status != NC_OK) {
        return status;
    }
    return launch(device, entry, be_geometry_of_lanes(items, tiles * NC_TILE), tiles * tile_bytes, args, count);
}

nc_status be_launch(be_device *device, be_kernel kernel, uint64_t items, const be_arg *args, int32_t count)
{
    be_group_kernel twin;
    be_near_kernel near;
    if (be_near_wanted(args, count) && be_near_find(kernel, &near)) {
        return launch_near(device, near, items, args, count);
    }
    if (be_twin_find(kernel, args, &twin)) {
        return be_group_launch(device, twin, items, args, count);
    }
    be_geometry geometry = be_geometry_for(items, device->units);
    return launch(device, &kernel_table[kernel], geometry, 0, args, count);
}

nc_status be_group_launch(be_device *device, be_group_kernel kernel, uint64_t groups, const be_arg *args, int32_t count)
{
    return launch(device, &group_table[kernel], (be_geometry){(uint32_t)groups, NC_SUM_LANES}, 0, args, count);
}
