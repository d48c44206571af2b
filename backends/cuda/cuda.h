// SPDX-License-Identifier: Apache-2.0
// Insides of the CUDA backend. Host files are C11 over the runtime API; kernels.cu.in holds all device code.
#ifndef CUDA_H
#define CUDA_H

#include <cuda_runtime_api.h>

#include "../device/groups.h"
#include "../device/near.h"

struct be_device {
    int32_t index;
    uint32_t units;
    uint64_t shared_bytes; // that one block can have
    uint64_t near_bytes;   // what of them a tile may take; 0: no near memory
    cudaStream_t stream;   // everything of this device, in order
    cudaMemPool_t pool;    // the library's own
    nc_device_counters counters;
    be_scratch scratch;
    const char *last_kernel; // for errors that surface later
};

struct be_buffer {
    void *memory;
    size_t bytes;
};

// Fails with the call, the error's native name and number, its text and what the caller adds (may be ""). Clears the runtime's
// last error. cudaErrorMemoryAllocation is NC_OUT_OF_MEMORY.
nc_status cuda_fail(cudaError_t error, const char *call, const char *context);

// What the runtime and the machine say when no device can be used: input of cuda_diagnose, so that tests can make it up.
typedef struct cuda_findings {
    cudaError_t error;   // of cudaGetDeviceCount
    int driver_version;  // of cudaDriverGetVersion; 0: no driver
    int runtime_version; // of cudaRuntimeGetVersion
    const char *mask;    // CUDA_VISIBLE_DEVICES, null when unset
    int nodes;           // device nodes /dev/nvidia<n>
    int nodes_closed;    // those of them that this user may not open
    int nvml_code;       // of nvmlInit_v2; 0: success, -1: no library
} cuda_findings;
void cuda_find(cudaError_t error, cuda_findings *findings);
// Returns a cause code of nc_last_cause and writes the sentence for it.
const char *cuda_diagnose(const cuda_findings *findings, char *sentence, size_t size);
// The same for a device whose kernels cannot be loaded: `error` of cudaFuncGetAttributes, its index and compute capability.
const char *cuda_diagnose_image(cudaError_t error, int32_t index, int major, int minor, char *sentence, size_t size);

// NVIDIA's management library, opened at run time. The code of nvmlInit_v2, or -1 without the library. `driver` receives the
// driver's version ("580.65.06"), "" when unknown.
int cuda_nvml_driver(char *driver, size_t size);

// Returns from the calling function when a CUDA call fails.
#define CUDA_TRY(call, context)                                                                                                    \
    do {                                                                                                                           \
        cudaError_t cuda_try_error = (call);                                                                                       \
        if (cuda_try_error != cudaSuccess) {                                                                                       \
            return cuda_fail(cuda_try_error, #call, context);                                                                      \
        }                                                                                                                          \
    } while (0)

// Host addresses of the kernels (kernels.cu.in), as cudaLaunchKernel takes them.
#define NC_KERNEL_TYPED(module, name) extern const void *const cuda_kernel_##name##_f32, *const cuda_kernel_##name##_f64;
#define NC_KERNEL_PLAIN(module, name) extern const void *const cuda_kernel_##name;
#include "../../src/core/kernels/kernels.def"
#define BE_GROUP_KERNEL(name) extern const void *const cuda_kernel_##name##_f32, *const cuda_kernel_##name##_f64;
#include "../device/group.def"
#define BE_NEAR_KERNEL(name) extern const void *const cuda_near_##name##_f32, *const cuda_near_##name##_f64;
#include "../device/near.def"

#endif
