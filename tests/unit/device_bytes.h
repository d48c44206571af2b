// SPDX-License-Identifier: Apache-2.0
// What the parts of device-bytes share.
#ifndef DEVICE_BYTES_H
#define DEVICE_BYTES_H

#include "nc.h"

// How the program gets its device: through the public interface (device_public.c), or past it (device_inside.c).
nc_status device_bytes_open(const char *selector, nc_device **device);
// Runs a kernel that writes one element past the end of its buffer.
nc_status device_bytes_fault(nc_device *device);

// Ends the program with the call and the library's words unless the status is NC_OK.
void device_bytes_require(nc_status status, const char *call);
#define REQUIRE(call) device_bytes_require((call), #call)

uint64_t device_bytes_random(uint64_t x); // splitmix64
nc_array *device_bytes_create(nc_dtype dtype, int32_t rank, const int64_t *shape);
nc_array *device_bytes_view(nc_array *base, int64_t offset, int32_t rank, const int64_t *shape, const int64_t *strides);
// Prints the line of one result and releases it.
void device_bytes_emit(const char *operation, const char *details, nc_array *array);

// device_bytes_systems.c
void device_bytes_systems(nc_dtype dtype, int small);

#endif
