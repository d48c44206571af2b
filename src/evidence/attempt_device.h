// SPDX-License-Identifier: Apache-2.0
// The device that ran, held against what the machine's drivers said of their devices: two processes that asked independently.
#ifndef EVIDENCE_ATTEMPT_DEVICE_H
#define EVIDENCE_ATTEMPT_DEVICE_H

#include "evidence_file.h"

#include <jansson.h>
#include <stdbool.h>

typedef enum evidence_device_match {
    EVIDENCE_DEVICE_DIFFERS,      // the machine's record has no such device, or says other things of it
    EVIDENCE_DEVICE_NOT_COMPARED, // the record tells no device
    EVIDENCE_DEVICE_BY_MODEL,     // a device of this model is there, and its drivers are the same
    EVIDENCE_DEVICE_BY_UUID       // this very device is there
} evidence_device_match;

// Looks in `machine` (output of the step machine-before) for the device of a run of `backend` ("cpu", "cuda", "opencl"). `listed`:
// the run said that NVML knows the device's UUID. `message` gets what differs, or why it was not compared by UUID, "" when it was.
evidence_device_match evidence_device_compare(const json_t *machine, const char *backend, const json_t *device, bool listed,
                                              char message[EVIDENCE_MESSAGE]);

#endif
