// SPDX-License-Identifier: Apache-2.0
// The device as every user opens it. The public interface checks every range, so it has no faulty kernel to run.
#include "device_bytes.h"

nc_status device_bytes_open(const char *selector, nc_device **device)
{
    return nc_device_open(selector, device);
}

nc_status device_bytes_fault(nc_device *device)
{
    (void)device;
    return NC_UNSUPPORTED;
}
