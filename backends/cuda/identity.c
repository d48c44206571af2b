// SPDX-License-Identifier: Apache-2.0
// Who is there: the devices that the runtime counts (masks are the runtime's business) and what each says of itself.
#include "cuda.h"

#include <stdio.h>
#include <string.h>

nc_status be_device_count(int32_t *count)
{
    int found = 0;
    cudaError_t error = cudaGetDeviceCount(&found);
    if (error == cudaSuccess && found > 0) {
        *count = found;
        return NC_OK;
    }
    cuda_findings findings;
    char sentence[768];
    cuda_find(error == cudaSuccess ? cudaErrorNoDevice : error, &findings);
    const char *cause = cuda_diagnose(&findings, sentence, sizeof sentence);
    return be_fail_cause(NC_DEVICE_ERROR, cause, "cudaGetDeviceCount: %s", sentence);
}

static void describe_versions(nc_device_info *info)
{
    int driver = 0, runtime = 0;
    char name[80];
    if (cudaDriverGetVersion(&driver) != cudaSuccess || cudaRuntimeGetVersion(&runtime) != cudaSuccess) {
        (void)cudaGetLastError();
    }
    (void)cuda_nvml_driver(name, sizeof name);
    (void)snprintf(info->driver, sizeof info->driver, "%.40s%sCUDA %d.%d", name, name[0] != '\0' ? ", " : "", driver / 1000,
                   driver % 1000 / 10);
    (void)snprintf(info->runtime, sizeof info->runtime, "CUDA runtime %d.%d", runtime / 1000, runtime % 1000 / 10);
}

nc_status be_device_describe(int32_t index, nc_device_info *info)
{
    struct cudaDeviceProp properties;
    CUDA_TRY(cudaGetDeviceProperties(&properties, index), "");
    const unsigned char *b = (const unsigned char *)properties.uuid.bytes;
    info->index = index;
    info->type = NC_DEVICE_GPU;
    info->memory_bytes = properties.totalGlobalMem;
    info->has_f64 = 1; // every compute capability that this toolkit supports
    info->compute_units = properties.multiProcessorCount;
    (void)snprintf(info->name, sizeof info->name, "%.127s", properties.name);
    // A part of a partitioned GPU is a device with a UUID of its own, which tools spell with another prefix.
    const char *prefix = strstr(info->name, " MIG ") != NULL ? "MIG" : "GPU";
    (void)snprintf(info->uuid, sizeof info->uuid, "%s-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", prefix,
                   b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
    (void)snprintf(info->vendor, sizeof info->vendor, "NVIDIA Corporation");
    (void)snprintf(info->platform, sizeof info->platform, "CUDA");
    (void)snprintf(info->capability, sizeof info->capability, "%d.%d", properties.major, properties.minor);
    describe_versions(info);
    return NC_OK;
}
