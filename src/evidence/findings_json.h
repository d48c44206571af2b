// SPDX-License-Identifier: Apache-2.0
// Findings as the tools print them and receipts keep them.
#ifndef EVIDENCE_FINDINGS_JSON_H
#define EVIDENCE_FINDINGS_JSON_H

#include "reasons.h"

#include <jansson.h>

// [{"code", "subject", "text"}]. A new reference.
json_t *evidence_findings_to_json(const cupel_findings *findings);

#endif
