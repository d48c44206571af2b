// SPDX-License-Identifier: Apache-2.0
// Launches, and the watch over what was launched: a kernel that fails after it was enqueued is reported by the next call that
// waits (download, upload, sync).
#include "opencl.h"

#include <stdio.h>
#include <string.h>

typedef struct opencl_kernel {
    const char *name;
    opencl_program_number program;
} opencl_kernel;

static const opencl_kernel kernel_table[BE_KERNEL_COUNT] = {
#define NC_KERNEL_TYPED(module, name)                                                                                              \
    [BE_KERNEL_##name##_f32] = {#name "_f32", OPENCL_PROGRAM_nc_program_##module##_f32},                                           \
    [BE_KERNEL_##name##_f64] = {#name "_f64", OPENCL_PROGRAM_nc_program_##module##_f64},
#define NC_KERNEL_PLAIN(module, name) [BE_KERNEL_##name] = {#name, OPENCL_PROGRAM_nc_program_##module##_plain},
#include "../../src/core/kernels/kernels.def"
};

static const opencl_kernel group_table[BE_GROUP_KERNEL_COUNT] = {
#define BE_GROUP_KERNEL(name)                                                                                                      \
    [BE_GROUP_##name##_f32] = {#name "_f32", OPENCL_PROGRAM_nc_program_group_f32},                                                 \
    [BE_GROUP_##name##_f64] = {#name "_f64", OPENCL_PROGRAM_nc_program_group_f64},
#include "../device/group.def"
};

static const opencl_kernel near_table[BE_NEAR_KERNEL_COUNT] = {
#define BE_NEAR_KERNEL(name)                                                                                                       \
    [BE_NEAR_##name##_f32] = {#name "_f32", OPENCL_PROGRAM_nc_program_near_f32},                                                   \
    [BE_NEAR_##name##_f64] = {#name "_f64", OPENCL_PROGRAM_nc_program_near_f64},
#include "../device/near.def"
};

void opencl_pending_retire(be_device *device, int finished)
{
    int32_t ended = 0;
    for (; ended < device->pending_count; ++ended) {
        opencl_pending *pending = &device->pending[ended];
        cl_int state = CL_COMPLETE;
        cl_int code = device->api->clGetEventInfo(pending->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
        cl_int failure = code != CL_SUCCESS ? code : state;
        if (failure > CL_COMPLETE && !finished) {
            break; // the queue is in order: none after it has ended either
        }
        if (failure < CL_COMPLETE && device->late_error == CL_SUCCESS) {
            device->late_error = failure;
            device->late_kernel = pending->kernel;
        }
        (void)device->api->clReleaseEvent(pending->event);
    }
    device->pending_count -= ended;
    memmove(device->pending, device->pending + ended, (size_t)device->pending_count * sizeof device->pending[0]);
}

nc_status opencl_late_status(const be_device *device)
{
    if (device->late_error == CL_SUCCESS) {
        return NC_OK;
    }
    return be_fail(NC_DEVICE_ERROR, "%s failed after it was launched: %s (%d)", device->late_kernel,
                   opencl_error_name(device->late_error), (int)device->late_error);
}

void opencl_pending_add(be_device *device, cl_event event, const char *kernel)
{
    if (device->pending_count == OPENCL_PENDING_MAX) {
        opencl_pending_retire(device, 0);
    }
    if (device->pending_count == OPENCL_PENDING_MAX) {
        // Everything before the middle has ended when the middle has: the queue is in order.
        (void)device->api->clWaitForEvents(1, &device->pending[OPENCL_PENDING_MAX / 2].event);
        opencl_pending_retire(device, 0);
    }
    device->pending[device->pending_count++] = (opencl_pending){event, kernel};
}

static nc_status kernel_get(be_device *device, const opencl_kernel *entry, cl_kernel *slot)
{
    cl_program program = NULL;
    cl_int code = CL_SUCCESS;
    if (*slot != NULL) {
        return NC_OK;
    }
    nc_status status = opencl_program_get(device, entry->program, &program);
    if (status != NC_OK) {
        return status;
    }
    cl_kernel made = device->api->clCreateKernel(program, entry->name, &code);
    if (code != CL_SUCCESS) {
        return opencl_fail(code, "clCreateKernel", entry->name);
    }
    *slot = made;
    return NC_OK;
}

static nc_status enqueue(be_device *device, const opencl_kernel *entry, cl_kernel kernel, size_t groups, size_t lanes,
                         const be_arg *args, int32_t count)
{
    size_t global = groups * lanes;
    cl_event event = NULL;
    char context[96];
    for (int32_t i = 0; i < count; ++i) {
        cl_int code = args[i].buffer != NULL
                          ? device->api->clSetKernelArg(kernel, (cl_uint)i, sizeof(cl_mem), &args[i].buffer->memory)
                          : device->api->clSetKernelArg(kernel, (cl_uint)i, args[i].size, args[i].value);
        if (code != CL_SUCCESS) {
            (void)snprintf(context, sizeof context, "kernel %s, argument %d", entry->name, (int)i);
            return opencl_fail(code, "clSetKernelArg", context);
        }
    }
    cl_int code = device->api->clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &global, &lanes, 0, NULL, &event);
    if (code != CL_SUCCESS) {
        (void)snprintf(context, sizeof context, "kernel %s, %zu groups of %zu lanes", entry->name, groups, lanes);
        return opencl_fail(code, "clEnqueueNDRangeKernel", context);
    }
    ++device->counters.kernels_launched;
    opencl_pending_add(device, event, entry->name);
    return NC_OK;
}

#define NEAR_ARGUMENTS_MAX 16

// A compiler on a CPU builds a kernel again for every group size it meets, so a CPU always gets the same one.
#define CPU_LANES 64u

nc_status be_prepare(be_device *device, be_kernel kernel)
{
    be_near_kernel near;
    nc_status status = kernel_get(device, &kernel_table[kernel], &device->kernels[kernel]);
    if (status == NC_OK && device->near_bytes > 0 && be_near_find(kernel, &near)) {
        status = kernel_get(device, &near_table[near], &device->near_kernels[near]);
    }
    return status;
}

uint64_t be_near_bytes(const be_device *device, be_kernel kernel)
{
    be_near_kernel near;
    return be_near_find(kernel, &near) ? device->near_bytes : 0;
}

void be_near_limit(be_device *device, uint64_t bytes)
{
    device->near_bytes = bytes < device->local_bytes ? bytes : device->local_bytes;
}

// A group is one tile, or as many as fill what the hardware runs at once, if they have the memory.
static nc_status launch_near(be_device *device, be_near_kernel near, uint64_t items, const be_arg *args, int32_t count)
{
    be_arg own[NEAR_ARGUMENTS_MAX];
    size_t multiple = 0;
    cl_kernel *kernel = &device->near_kernels[near];
    nc_status status = kernel_get(device, &near_table[near], kernel);
    if (status != NC_OK) {
        return status;
    }
    cl_int code = device->api->clGetKernelWorkGroupInfo(*kernel, device->id, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                                        sizeof multiple, &multiple, NULL);
    if (code != CL_SUCCESS) {
        return opencl_fail(code, "clGetKernelWorkGroupInfo", near_table[near].name);
    }
    size_t tiles = multiple > NC_TILE ? multiple / NC_TILE : 1;
    tiles = tiles * args[count - 1].size <= device->near_bytes ? tiles : 1;
    memcpy(own, args, (size_t)count * sizeof *args);
    own[count - 1].size *= tiles;
    be_geometry geometry = be_geometry_of_lanes(items, (uint32_t)(tiles * NC_TILE));
    return enqueue(device, &near_table[near], *kernel, geometry.groups, geometry.lanes, own, count);
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
    be_geometry geometry =
        device->type & CL_DEVICE_TYPE_GPU ? be_geometry_for(items, device->compute_units) : be_geometry_of_lanes(items, CPU_LANES);
    nc_status status = kernel_get(device, &kernel_table[kernel], &device->kernels[kernel]);
    if (status != NC_OK) {
        return status;
    }
    return enqueue(device, &kernel_table[kernel], device->kernels[kernel], geometry.groups, geometry.lanes, args, count);
}

nc_status be_group_launch(be_device *device, be_group_kernel kernel, uint64_t groups, const be_arg *args, int32_t count)
{
    nc_status status = kernel_get(device, &group_table[kernel], &device->group_kernels[kernel]);
    if (status != NC_OK) {
        return status;
    }
    return enqueue(device, &group_table[kernel], device->group_kernels[kernel], (size_t)groups, NC_SUM_LANES, args, count);
}
