// SPDX-License-Identifier: Apache-2.0
// Opening, waiting for and closing OpenCL devices.
#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *be_name(void)
{
    return "opencl";
}

static nc_status open_place(be_device *device, opencl_place place, int qualified)
{
    const opencl_api *api = device->api;
    const char *sentence = NULL, *cause = qualified ? opencl_lacks(api, place.device, &sentence) : NULL;
    const char *injected = opencl_injected_variable();
    char name[128];
    cl_int code = CL_SUCCESS;
    opencl_device_text(api, place.device, CL_DEVICE_NAME, name, sizeof name);
    if (injected != NULL) {
        return be_fail_cause(NC_UNSUPPORTED, "environment-forbidden",
                             "%s is set: it changes how the driver compiles or answers; unset it before using device %d (%s)",
                             injected, (int)device->index, name);
    }
    if (cause != NULL) {
        return be_fail_cause(NC_UNSUPPORTED, cause, "device %d (%s): %s", (int)device->index, name, sentence);
    }
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)place.platform, 0};
    device->id = place.device;
    device->build_options = qualified ? OPENCL_BUILD_OPTIONS : OPENCL_UNQUALIFIED_OPTIONS;
    device->solver_options = qualified && opencl_has_extension(api, place.device, "cl_nv_compiler_options") ? OPENCL_SOLVER_OPTIONS
                                                                                                            : device->build_options;
    device->context = api->clCreateContext(properties, 1, &place.device, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        return opencl_fail(code, "clCreateContext", name);
    }
    device->queue = api->clCreateCommandQueue(device->context, place.device, 0, &code);
    if (code != CL_SUCCESS) {
        return opencl_fail(code, "clCreateCommandQueue", name);
    }
    (void)api->clGetDeviceInfo(place.device, CL_DEVICE_TYPE, sizeof device->type, &device->type, NULL);
    (void)api->clGetDeviceInfo(place.device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof device->memory_bytes, &device->memory_bytes, NULL);
    (void)api->clGetDeviceInfo(place.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof device->allocation_max_bytes,
                               &device->allocation_max_bytes, NULL);
    (void)api->clGetDeviceInfo(place.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof device->compute_units, &device->compute_units,
                               NULL);
    (void)api->clGetDeviceInfo(place.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof device->local_bytes, &device->local_bytes, NULL);
    be_near_limit(device, device->type & CL_DEVICE_TYPE_GPU ? device->local_bytes / 2 : 0);
    return NC_OK;
}

nc_status be_device_open(int32_t index, be_device **device)
{
    return opencl_open(index, 1, device);
}

nc_status opencl_open(int32_t index, int qualified, be_device **device)
{
    const opencl_api *api = NULL;
    opencl_place place;
    nc_status status = opencl_find(index, &api, &place);
    if (status != NC_OK) {
        return status;
    }
    be_device *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for an OpenCL device (%zu bytes)", sizeof *opened);
    }
    NC_STRUCT_INIT(&opened->counters);
    opened->api = api;
    opened->index = index;
    status = open_place(opened, place, qualified);
    if (status != NC_OK) {
        be_device_close(opened);
        return status;
    }
    *device = opened;
    return NC_OK;
}

static void release_kernels(const opencl_api *api, cl_kernel *kernels, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (kernels[i] != NULL) {
            (void)api->clReleaseKernel(kernels[i]);
        }
    }
}

void be_device_close(be_device *device)
{
    if (device == NULL) {
        return;
    }
    const opencl_api *api = device->api;
    if (device->queue != NULL) {
        (void)api->clFinish(device->queue);
        opencl_pending_retire(device, 1);
        be_buffer_free(device, device->scratch.buffer);
        opencl_pool_empty(device);
        release_kernels(api, device->kernels, BE_KERNEL_COUNT);
        release_kernels(api, device->group_kernels, BE_GROUP_KERNEL_COUNT);
        release_kernels(api, device->near_kernels, BE_NEAR_KERNEL_COUNT);
        for (size_t i = 0; i < OPENCL_PROGRAM_COUNT; ++i) {
            if (device->programs[i] != NULL) {
                (void)api->clReleaseProgram(device->programs[i]);
            }
        }
        (void)api->clReleaseCommandQueue(device->queue);
    }
    if (device->context != NULL) {
        (void)api->clReleaseContext(device->context);
    }
    free(device);
}

nc_status be_device_sync(be_device *device)
{
    cl_int code = device->api->clFinish(device->queue);
    opencl_pending_retire(device, 1);
    nc_status status = opencl_late_status(device);
    device->late_error = CL_SUCCESS;
    if (status == NC_OK && code != CL_SUCCESS) {
        status = opencl_fail(code, "clFinish", "");
    }
    return status;
}

void be_device_counters(const be_device *device, nc_device_counters *counters)
{
    *counters = device->counters;
    counters->bytes_reserved = counters->bytes_allocated + device->pool.held_bytes;
}

be_scratch *be_device_scratch(be_device *device)
{
    return &device->scratch;
}

uint32_t be_device_units(const be_device *device)
{
    return device->compute_units;
}
