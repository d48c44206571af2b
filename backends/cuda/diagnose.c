// SPDX-License-Identifier: Apache-2.0
// Says why no CUDA device can be used.
#include "cuda.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NVML_LIBRARY "libnvidia-ml.so.1"
#define NVML_MISMATCH 18 // NVML_ERROR_LIB_RM_VERSION_MISMATCH
#define NODES_MAX 32

int cuda_nvml_driver(char *driver, size_t size)
{
    int (*initialise)(void) = NULL;
    int (*version)(char *, unsigned) = NULL;
    int (*end)(void) = NULL;
    driver[0] = '\0';
    void *library = dlopen(NVML_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return -1;
    }
    *(void **)(&initialise) = dlsym(library, "nvmlInit_v2");
    *(void **)(&version) = dlsym(library, "nvmlSystemGetDriverVersion");
    *(void **)(&end) = dlsym(library, "nvmlShutdown");
    int code = -1;
    if (initialise != NULL && version != NULL && end != NULL) {
        code = initialise();
        if (code == 0) {
            if (version(driver, (unsigned)size) != 0) {
                driver[0] = '\0';
            }
            (void)end();
        }
    }
    (void)dlclose(library);
    return code;
}

void cuda_find(cudaError_t error, cuda_findings *findings)
{
    char driver[80];
    *findings = (cuda_findings){.error = error, .mask = getenv("CUDA_VISIBLE_DEVICES")};
    if (cudaDriverGetVersion(&findings->driver_version) != cudaSuccess) {
        findings->driver_version = 0;
    }
    if (cudaRuntimeGetVersion(&findings->runtime_version) != cudaSuccess) {
        findings->runtime_version = CUDART_VERSION;
    }
    for (int node = 0; node < NODES_MAX; ++node) {
        char path[32];
        (void)snprintf(path, sizeof path, "/dev/nvidia%d", node);
        int opened = open(path, O_RDWR | O_CLOEXEC);
        if (opened >= 0) {
            (void)close(opened);
            ++findings->nodes;
        } else if (errno != ENOENT) {
            ++findings->nodes;
            ++findings->nodes_closed;
        }
    }
    findings->nvml_code = cuda_nvml_driver(driver, sizeof driver);
    (void)cudaGetLastError();
}

// What a mask does that leaves no device; null when the mask is not to blame: none is set, or this user can open no device anyway.
static const char *mask_meaning(const cuda_findings *found)
{
    const char *mask = found->mask;
    if (mask == NULL) {
        return NULL;
    }
    if (mask[0] == '\0') {
        return "is empty and hides every device";
    }
    if (mask[0] == '-') {
        return "begins with a negative index and hides every device";
    }
    if (found->nodes > 0 && found->nodes_closed == found->nodes) {
        return NULL;
    }
    if (strncmp(mask, "GPU-", 4) == 0 || strncmp(mask, "MIG-", 4) == 0) {
        return "begins with a UUID that no device of this machine has";
    }
    return "names no device of this machine (an index past the last one?)";
}

const char *cuda_diagnose(const cuda_findings *found, char *sentence, size_t size)
{
    int driver[2] = {found->driver_version / 1000, found->driver_version % 1000 / 10};
    int runtime[2] = {found->runtime_version / 1000, found->runtime_version % 1000 / 10};
    const char *name = cudaGetErrorName(found->error);
    if (found->nvml_code == NVML_MISMATCH || found->error == cudaErrorSystemDriverMismatch) {
        (void)snprintf(sentence, size,
                       "%s (%d): the NVIDIA driver's library and kernel module have different versions (NVML error %d); reboot or "
                       "reload the module",
                       name, (int)found->error, NVML_MISMATCH);
        return "driver-mismatch";
    }
    if (found->driver_version == 0) {
        (void)snprintf(sentence, size, "%s (%d): there is no NVIDIA driver (libcuda.so.1 does not load or finds no kernel module)",
                       name, (int)found->error);
        return "driver-missing";
    }
    if (found->error == cudaErrorInsufficientDriver || found->driver_version / 1000 < found->runtime_version / 1000) {
        (void)snprintf(sentence, size,
                       "%s (%d): the runtime is CUDA %d.%d, the driver supports up to CUDA %d.%d; update the driver or build with "
                       "an older toolkit",
                       name, (int)found->error, runtime[0], runtime[1], driver[0], driver[1]);
        return "driver-too-old";
    }
    const char *mask_says = mask_meaning(found);
    if (mask_says != NULL) {
        (void)snprintf(sentence, size, "%s (%d): CUDA_VISIBLE_DEVICES is \"%.200s\", which %s; unset or correct it", name,
                       (int)found->error, found->mask, mask_says);
        return "device-hidden";
    }
    if (found->nodes_closed > 0) {
        (void)snprintf(sentence, size, "%s (%d): %d of %d device nodes /dev/nvidia<n> cannot be opened by this user", name,
                       (int)found->error, found->nodes_closed, found->nodes);
        return "device-open-failed";
    }
    (void)snprintf(sentence, size, "%s (%d): %s; %d device node(s) /dev/nvidia<n>", name, (int)found->error,
                   cudaGetErrorString(found->error), found->nodes);
    return found->error == cudaErrorNoDevice ? "device-none" : "device-open-failed";
}

const char *cuda_diagnose_image(cudaError_t error, int32_t index, int major, int minor, char *sentence, size_t size)
{
    (void)snprintf(
        sentence, size,
        "cudaFuncGetAttributes: %s (%d), %s: device %d has compute capability %d.%d, this build has code for " CUDA_ARCHITECTURES
        "; configure with -DCMAKE_CUDA_ARCHITECTURES=%d%d",
        cudaGetErrorName(error), (int)error, cudaGetErrorString(error), (int)index, major, minor, major, minor);
    return error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction ? "architecture-missing"
                                                                                               : "device-open-failed";
}
