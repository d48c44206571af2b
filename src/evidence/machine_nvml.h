// SPDX-License-Identifier: Apache-2.0
// Internal to src/evidence.
#ifndef EVIDENCE_MACHINE_NVML_H
#define EVIDENCE_MACHINE_NVML_H

#include <jansson.h>

// {"library": bool, "error": sentence or null, "driver": version or null, "devices": [{"index", "name", "uuid", "vbios", "ecc",
//  "partitions", "compute_mode", "persistence", "power_limit_mw", "uncorrected_errors", "clocks", "clients": [{"pid"}], "not_told":
//  [sentences], "now": {what changes from moment to moment}}]}.
json_t *evidence_machine_nvml(void);

#endif
