// SPDX-License-Identifier: Apache-2.0
// Devices: enumeration, identity, opening, synchronisation and the counters that show what really ran.
#ifndef NC_DEVICE_H
#define NC_DEVICE_H

#include "nc_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nc_device nc_device;

typedef enum nc_device_type { NC_DEVICE_CPU = 1, NC_DEVICE_GPU = 2, NC_DEVICE_OTHER = 3 } nc_device_type;

// What a backend says of one device. Strings are zero-terminated and cut to fit.
typedef struct nc_device_info {
    uint32_t abi_version;
    uint32_t struct_size;
    int32_t index;         // as this process sees it
    int32_t type;          // nc_device_type
    uint64_t memory_bytes; // global memory
    int32_t has_f64;       // 1 when IEEE binary64 with fma is native
    int32_t compute_units;
    char name[128]; // "NVIDIA H200"; for the CPU the processor's model name
    char uuid[64];  // "GPU-..." for CUDA; a stable derived id where the runtime has none
    char vendor[64];
    char platform[128];  // OpenCL platform; "CUDA"; "cpu-reference"
    char driver[64];     // driver version
    char runtime[64];    // runtime or OpenCL version
    char capability[32]; // compute capability "9.0"; instruction set "x86-64-v3"
} nc_device_info;

// Totals since the device was opened. They only grow; a caller takes differences.
typedef struct nc_device_counters {
    uint32_t abi_version;
    uint32_t struct_size;
    uint64_t kernels_launched;
    uint64_t bytes_uploaded;
    uint64_t bytes_downloaded;
    uint64_t uploads;
    uint64_t downloads;
    uint64_t programs_built;       // run-time compilations (OpenCL programs, NVRTC)
    uint64_t bytes_allocated;      // now: arrays, and tables and scratch that are kept for the next call
    uint64_t bytes_allocated_peak; // ever
    uint64_t arrays;               // handles not yet released
    // What the backend holds of the device's memory for them: what is allocated, work space of a call that runs, and what a pool
    // keeps for later or a driver's granularity adds. Never less than bytes_allocated; 0 when the driver does not tell.
    uint64_t bytes_reserved;      // now
    uint64_t bytes_reserved_peak; // ever
} nc_device_counters;

// What the arithmetic of one device was seen to do: 1 when every probe of that kind gave the exact answer, in float32 and, where
// there is one, in float64.
typedef struct nc_device_probes {
    uint32_t abi_version;
    uint32_t struct_size;
    int32_t fp64;             // the device has float64
    int32_t fma_exact;        // fma rounds once
    int32_t subnormals_kept;  // as operands and as results
    int32_t contraction_off;  // a*b + c rounds twice, as it is written
    int32_t division_rounded; // quotients are correctly rounded
    int32_t sqrt_rounded;     // square roots are correctly rounded
    int32_t mulhi_u64;        // upper halves of 64-bit products are right
    int32_t reserved;
} nc_device_probes;

// Devices this process can see. 0 devices is NC_OK with *count = 0; a runtime that cannot be asked is NC_DEVICE_ERROR.
NC_API nc_status nc_device_count(int32_t *count);
// Describes device `index` without opening it.
NC_API nc_status nc_device_describe(int32_t index, nc_device_info *info);
// Opens the device that `selector` names: an index ("0"), a UUID, or a name that exactly one device has. There is no default
// device: a null or empty selector is refused. Release with nc_device_close.
NC_API nc_status nc_device_open(const char *selector, nc_device **device);
// Closes the device. Arrays and models must be released first (NC_INVALID_ARGUMENT otherwise, and the device stays open). Null is
// NC_OK.
NC_API nc_status nc_device_close(nc_device *device);

NC_API nc_status nc_device_info_get(const nc_device *device, nc_device_info *info);
NC_API nc_status nc_device_counters_get(const nc_device *device, nc_device_counters *counters);
// Waits for all work of this device and returns the first asynchronous error since the last sync, then clears it.
NC_API nc_status nc_device_sync(nc_device *device);

// Runs small kernels whose exact answers are known and reports what held. NC_OK says that they ran, not that all held.
NC_API nc_status nc_device_probe(nc_device *device, nc_device_probes *probes);

#ifdef __cplusplus
}
#endif
#endif
