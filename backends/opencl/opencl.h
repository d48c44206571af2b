// SPDX-License-Identifier: Apache-2.0
// Insides of the OpenCL backend.
#ifndef OPENCL_H
#define OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "../device/groups.h"
#include "../device/near.h"

// The loader's functions by their own names. The loader is opened at run time, so that an executable starts without it and says
// what is missing.
typedef struct opencl_api {
#define OPENCL_FUNCTION(name) __typeof__(&name) name;
#include "api.def"
} opencl_api;

// The loader's functions, loaded once per process; on failure *api is null and the status says why.
nc_status opencl_load(const opencl_api **api);

// "CL_DEVICE_NOT_FOUND" or "unknown OpenCL status". Static storage.
const char *opencl_error_name(cl_int code);
// Fails with the call, the status' name and number and what the caller adds (may be ""). Out-of-memory codes are NC_OUT_OF_MEMORY.
nc_status opencl_fail(cl_int code, const char *call, const char *context);

// Why there is no platform: lists the .icd files that the loader reads and which of their libraries fail to load.
// `vendors` overrides OCL_ICD_VENDORS and the loader's default when not null. Returns a cause code of nc_last_cause.
const char *opencl_diagnose_vendors(const char *vendors, char *sentence, size_t size);

// An environment variable that makes a driver compile with options of its own: its name, or null when none is set.
const char *opencl_injected_variable(void);

typedef struct opencl_place {
    cl_platform_id platform;
    cl_device_id device;
} opencl_place;
#define OPENCL_DEVICES_MAX 64
// All devices of all platforms in the loader's order.
nc_status opencl_enumerate(const opencl_api *api, opencl_place places[OPENCL_DEVICES_MAX], int32_t *count);

nc_status opencl_find(int32_t index, const opencl_api **api, opencl_place *place);
// A string property, cut to fit, without leading blanks; "" when the runtime has none.
void opencl_device_text(const opencl_api *api, cl_device_id device, cl_device_info key, char *text, size_t size);
int opencl_has_extension(const opencl_api *api, cl_device_id device, const char *name);
// What a device lacks for the core's arithmetic: a cause code and a sentence, or null.
const char *opencl_lacks(const opencl_api *api, cl_device_id device, const char **sentence);

// be_device_open with `qualified` 1. With 0 the device need not have the core's arithmetic: for simulators that check memory
// accesses and races, in programs that judge no value.
nc_status opencl_open(int32_t index, int qualified, be_device **device);

// Embedded programs by number: OPENCL_PROGRAM_nc_program_linalg_f32.
typedef enum opencl_program_number {
#define OPENCL_PROGRAM(name) OPENCL_PROGRAM_##name,
#include "opencl_programs.def"
    OPENCL_PROGRAM_COUNT
} opencl_program_number;

// The options of every build. Nothing else reaches the compiler.
#define OPENCL_BUILD_OPTIONS "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
// And of the solvers' programs where the device has cl_nv_compiler_options: their kernels hold every method, and registers bound
// the trajectories that a unit runs at once (as in backends/cuda/CMakeLists.txt).
#define OPENCL_SOLVER_OPTIONS OPENCL_BUILD_OPTIONS " -cl-nv-maxrregcount=128"
// Those of a device that was opened for memory checks only (opencl_open).
#define OPENCL_UNQUALIFIED_OPTIONS "-cl-std=CL1.2"

#define OPENCL_PENDING_MAX 128
typedef struct opencl_pending {
    cl_event event;
    const char *kernel;
} opencl_pending;

// Released memory that later buffers of the same size take over: runtimes wait for the device when they give memory back, and a
// model's update makes and releases its work space each time. Exact sizes, so that the runtime still knows where a buffer ends.
#define OPENCL_POOL_MAX 64
typedef struct opencl_pool {
    cl_mem memory[OPENCL_POOL_MAX]; // oldest first
    size_t bytes[OPENCL_POOL_MAX];
    int32_t count;
    cl_ulong held_bytes;
} opencl_pool;

struct be_device {
    const opencl_api *api;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    int32_t index;
    cl_device_type type;
    uint32_t compute_units;
    cl_ulong memory_bytes, allocation_max_bytes; // of the device in all, and of one buffer
    const char *build_options, *solver_options;
    nc_device_counters counters;
    cl_program programs[OPENCL_PROGRAM_COUNT];
    cl_kernel kernels[BE_KERNEL_COUNT];
    cl_kernel group_kernels[BE_GROUP_KERNEL_COUNT];
    cl_kernel near_kernels[BE_NEAR_KERNEL_COUNT];
    cl_ulong local_bytes; // of one group
    uint64_t near_bytes;  // what of them a tile may take; 0: no near memory
    be_scratch scratch;
    opencl_pool pool;
    opencl_pending pending[OPENCL_PENDING_MAX]; // launched, not yet known to have ended well
    int32_t pending_count;
    cl_int late_error; // first failure of a kernel that had been launched; 0: none
    const char *late_kernel;
};

struct be_buffer {
    cl_mem memory;
    size_t bytes;
};

// Builds the program on first use. A failure carries the compiler's log.
nc_status opencl_program_get(be_device *device, opencl_program_number number, cl_program *program);
// Builds one text with these options; `name` is for messages.
nc_status opencl_program_build(const be_device *device, const char *options, const char *name, const char *text, size_t size,
                               cl_program *program);
// Memory of exactly `bytes` from the pool, or null.
cl_mem opencl_pool_take(be_device *device, size_t bytes);
// Takes memory that no call will name again. Queued commands may still use it: the queue is in order, and so are its next users.
void opencl_pool_put(be_device *device, cl_mem memory, size_t bytes);
// Gives all of it back to the runtime.
void opencl_pool_empty(be_device *device);
// Remembers a launched command until its event is known to have ended well. Takes the event.
void opencl_pending_add(be_device *device, cl_event event, const char *kernel);
// Looks at the launched kernels' events: all of them when the queue is known to be finished, else those that have ended.
void opencl_pending_retire(be_device *device, int finished);
// The late error as a failure of the caller; NC_OK when there is none.
nc_status opencl_late_status(const be_device *device);

#endif
