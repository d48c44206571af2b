// SPDX-License-Identifier: Apache-2.0
// The receipt of one run: an in-toto Statement v1 whose subjects are the executables that ran.
//
// Predicate type: https://in-toto.io/attestation/test-result/v0.1, whose "result", "configuration", "passedTests" and "failedTests"
// any reader of that predicate understands; Cupel's own members stand in "cupel" (docs/receipts.md, docs/receipt.schema.json).
#ifndef EVIDENCE_RECEIPT_H
#define EVIDENCE_RECEIPT_H

#include "verdict.h"

#include <jansson.h>

#define EVIDENCE_STATEMENT_TYPE "https://in-toto.io/Statement/v1"
#define EVIDENCE_PREDICATE_TYPE "https://in-toto.io/attestation/test-result/v0.1"
#define EVIDENCE_RECEIPT_SCHEMA "cupel-receipt 1"

// {"configuration", "passedTests", "failedTests"} of the predicate. A new reference.
json_t *evidence_receipt_tests(const cupel_verdict *verdict);

// What a receipt of a verdict is made of beside it.
typedef struct evidence_receipt_parts {
    json_t *subjects; // the executables as in-toto resources
    json_t *verdict;  // the verdict as JSON
    const char *tool;
    const char *finished;
} evidence_receipt_parts;

// Makes the receipt of a verdict from these parts, which keep their owners. A new reference.
json_t *evidence_receipt_of(const cupel_verdict *verdict, const evidence_receipt_parts *parts);

// Makes the receipt of a verdict. `executables` are hashed now. A new reference; null when memory ran out.
json_t *evidence_receipt_make(const cupel_verdict *verdict, const char *tool_version);

#endif
