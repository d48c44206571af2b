// SPDX-License-Identifier: Apache-2.0
// What a GPU's management library (NVML, opened at run time) says of the device that runs the cases.
#ifndef CUPEL_MANAGEMENT_H
#define CUPEL_MANAGEMENT_H

#include "nc.h"

#include <jansson.h>

// The "management" object of device.json and of a ledger's close event (docs/formats.md); JSON null for a device that NVML does not
// manage or where it cannot be asked. A new reference.
json_t *cupel_management_json(const nc_device_info *info);

#endif
