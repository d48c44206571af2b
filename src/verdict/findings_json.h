// SPDX-License-Identifier: Apache-2.0
#ifndef CUPEL_FINDINGS_JSON_H
#define CUPEL_FINDINGS_JSON_H

#include "reasons.h"

#include <jansson.h>

// [{"code","status","subject","text","sentence","action"}], for every machine-readable output. A new reference.
json_t *cupel_findings_to_json(const cupel_findings *findings);

#endif
