// SPDX-License-Identifier: Apache-2.0
// What this machine has: system, processor, tools, libraries, drivers and devices. `cupel doctor` shows it and an attempt records
// it.
#ifndef EVIDENCE_MACHINE_H
#define EVIDENCE_MACHINE_H

#include <jansson.h>

// Member of a device of NVML that may change from one moment to the next though nobody touches the device: not compared.
#define EVIDENCE_MACHINE_MOMENTARY "now"

// {"system": {...}, "processor": {...}, "tools": {name: version or null}, "libraries": {name: version or null},
//  "environment": {device masks: value or null}}. Null when memory ran out.
json_t *evidence_machine_describe(void);

// {"cuda": {"library", "error", "driver", "devices": [...]}, "nvml": (machine_nvml.h), "opencl": {"library", "error", "icds":
// [...], "platforms": [...]}}, asked of the drivers in this very process, which a broken driver may end. Null when memory ran out.
json_t *evidence_machine_devices(void);

// The same, asked by `executable doctor --devices` in a process of its own under a time limit. A probe that crashed or hung gives
// {"error": sentence}. Null when memory ran out.
json_t *evidence_machine_devices_apart(const char *executable);

#endif
