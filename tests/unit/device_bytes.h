// SPDX-License-Identifier: Apache-2.0
// How device_bytes.c gets its device: through the public interface (device_public.c), or past it (device_inside.c).
#ifndef DEVICE_BYTES_H
#define DEVICE_BYTES_H

#include "nc.h"

nc_status device_bytes_open(const char *selector, nc_device **device);
// Runs a kernel that writes one element past the end of its buffer.
nc_status device_bytes_fault(nc_device *device);

#endif
