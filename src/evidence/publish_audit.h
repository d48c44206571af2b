// SPDX-License-Identifier: Apache-2.0
// The scan of a written copy. Internal to src/evidence.
#ifndef EVIDENCE_PUBLISH_AUDIT_H
#define EVIDENCE_PUBLISH_AUDIT_H

#include "evidence_file.h"
#include "sanitize_audit.h"

// Scans all that was written, as it lies on the disk: names of files, their texts, and what was made from them (receipts and
// published.json). False after a sentence that names file, line and JSON member.
bool evidence_copy_audit(const char *output, const evidence_audit *audit, char message[EVIDENCE_MESSAGE]);

#endif
