// SPDX-License-Identifier: Apache-2.0
// Opening, waiting for and closing CUDA devices.
#include "cuda.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// A unit with fewer tiles than this at once waits for its own chains and is faster with a buffer behind its caches: on an H200 near
// memory is worth it at 13 tiles a unit and no longer at 10.
#define NEAR_TILES_MIN 12

const char *be_name(void)
{
    return "cuda";
}

// A build without code for this device must say so here, not at some later launch.
static nc_status check_image(const be_device *device)
{
    struct cudaFuncAttributes attributes;
    char sentence[512];
    int major = 0, minor = 0;
    cudaError_t error = cudaFuncGetAttributes(&attributes, cuda_kernel_array_fill_u32);
    if (error == cudaSuccess) {
        return NC_OK;
    }
    (void)cudaGetLastError();
    (void)cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device->index);
    (void)cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device->index);
    const char *cause = cuda_diagnose_image(error, device->index, major, minor, sentence, sizeof sentence);
    return be_fail_cause(NC_DEVICE_ERROR, cause, "%s", sentence);
}

static nc_status make_pool(be_device *device)
{
    struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
                                          .location = {.type = cudaMemLocationTypeDevice}};
    uint64_t keep = UINT64_MAX; // freed memory stays in the pool until the device is closed
    int supported = 0;
    properties.location.id = device->index;
    CUDA_TRY(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device->index), "");
    if (!supported) {
        return be_fail_cause(NC_UNSUPPORTED, "device-open-failed", "device %" PRId32 " has no stream-ordered memory pools",
                             device->index);
    }
    CUDA_TRY(cudaMemPoolCreate(&device->pool, &properties), "");
    CUDA_TRY(cudaMemPoolSetAttribute(device->pool, cudaMemPoolAttrReleaseThreshold, &keep), "");
    return NC_OK;
}

static nc_status open_device(be_device *device)
{
    int units = 0, shared = 0;
    cudaError_t error = cudaSetDevice(device->index);
    if (error != cudaSuccess) {
        nc_status status = cuda_fail(error, "cudaSetDevice", "");
        char sentence[512];
        (void)snprintf(sentence, sizeof sentence, "%.500s", nc_last_error());
        return be_fail_cause(status, "device-open-failed", "%s", sentence);
    }
    CUDA_TRY(cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device->index), "");
    CUDA_TRY(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device->index), "");
    device->units = (uint32_t)units;
    device->shared_bytes = (uint64_t)shared;
    be_near_limit(device, device->shared_bytes / NEAR_TILES_MIN);
    CUDA_TRY(cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking), "");
    nc_status status = make_pool(device);
    return status != NC_OK ? status : check_image(device);
}

nc_status be_device_open(int32_t index, be_device **device)
{
    be_device *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a CUDA device (%zu bytes)", sizeof *opened);
    }
    NC_STRUCT_INIT(&opened->counters);
    opened->index = index;
    nc_status status = open_device(opened);
    if (status != NC_OK) {
        be_device_close(opened);
        return status;
    }
    *device = opened;
    return NC_OK;
}

void be_device_close(be_device *device)
{
    if (device == NULL) {
        return;
    }
    (void)cudaSetDevice(device->index);
    if (device->stream != NULL) {
        be_buffer_free(device, device->scratch.buffer);
        (void)cudaStreamSynchronize(device->stream);
        (void)cudaStreamDestroy(device->stream);
    }
    if (device->pool != NULL) {
        (void)cudaMemPoolDestroy(device->pool);
    }
    (void)cudaGetLastError();
    free(device);
}

nc_status be_device_sync(be_device *device)
{
    char context[128];
    CUDA_TRY(cudaSetDevice(device->index), "");
    cudaError_t error = cudaStreamSynchronize(device->stream);
    if (error == cudaSuccess) {
        error = cudaGetLastError();
    }
    if (error != cudaSuccess) {
        (void)snprintf(context, sizeof context, "device %d; the latest kernel was %s", (int)device->index,
                       device->last_kernel != NULL ? device->last_kernel : "none");
        return cuda_fail(error, "cudaStreamSynchronize", context);
    }
    return NC_OK;
}

void be_device_counters(const be_device *device, nc_device_counters *counters)
{
    // What the pool has from the driver. A failure here is an earlier error of the device, which the next call that waits reports.
    uint64_t now = 0, peak = 0;
    int told = cudaMemPoolGetAttribute(device->pool, cudaMemPoolAttrReservedMemCurrent, &now) == cudaSuccess &&
               cudaMemPoolGetAttribute(device->pool, cudaMemPoolAttrReservedMemHigh, &peak) == cudaSuccess;
    *counters = device->counters;
    counters->bytes_reserved = told ? now : 0;
    counters->bytes_reserved_peak = told ? peak : 0;
}

be_scratch *be_device_scratch(be_device *device)
{
    return &device->scratch;
}

uint32_t be_device_units(const be_device *device)
{
    return device->units;
}
