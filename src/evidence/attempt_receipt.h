// SPDX-License-Identifier: Apache-2.0
// The receipt of an attempt is a function of the attempt's files: made once when the attempt ends, made again by every check.
//
// <attempt>/plan.json, manifest.cases     copies, so that the run can be judged anywhere
// <attempt>/run/<profile>/<run>/          the run directory
// <attempt>/build/                        executables and libraries, when they were to be kept
// <attempt>/receipt.json                  an in-toto Statement v1 (receipt.h), written last but for
// <attempt>/receipt.sha256                the receipt's own hash in the form of sha256sum
#ifndef EVIDENCE_ATTEMPT_RECEIPT_H
#define EVIDENCE_ATTEMPT_RECEIPT_H

#include "evidence_file.h"
#include "reasons.h"

#include <jansson.h>

#define EVIDENCE_ATTEMPT_RECORD "attempt.json"
#define EVIDENCE_PLAN_COPY "plan.json"
#define EVIDENCE_MANIFEST_COPY "manifest.cases"
#define EVIDENCE_BUILD_KEPT "build"
#define EVIDENCE_RECEIPT "receipt.json"
#define EVIDENCE_RECEIPT_HASH "receipt.sha256"
#define EVIDENCE_RECEIPT_FORM (JSON_INDENT(1) | JSON_SORT_KEYS) // how Jansson writes it

// Steps that an attempt needs; `run` is the lane itself.
#define EVIDENCE_STEP_SOURCE "source"
#define EVIDENCE_STEP_BEFORE "machine-before"
#define EVIDENCE_STEP_CONFIGURE "configure" // of a fresh build only
#define EVIDENCE_STEP_BUILD "build"
#define EVIDENCE_STEP_REMOVE "remove-build"
#define EVIDENCE_STEP_PROVENANCE "provenance"
#define EVIDENCE_STEP_RUN "run"
#define EVIDENCE_STEP_AFTER "machine-after"
#define EVIDENCE_STEP_PROVENANCE_AFTER "provenance-after"

// Makes the receipt of the attempt in `directory` from its files and from nothing else: its `finished` is the end of the last step.
// Every reason not to qualify is added to `findings`. Null only when the attempt cannot be read at all; `findings` then says why.
json_t *evidence_attempt_receipt(const char *directory, cupel_findings *findings);

// Writes the receipt that the run of an attempt made of itself anew, for a copy whose files have other bytes. False when it cannot
// be made; `findings` may say why.
bool evidence_attempt_renew_run(const char *directory, cupel_findings *findings);

// Writes receipt.json, then receipt.sha256. False with errno.
bool evidence_receipt_write(const char *directory, const json_t *receipt);

// Closes the attempt: makes its receipt and writes receipt.json, then receipt.sha256. A new reference to the receipt, null when
// it could not be made or written; `findings` has the reasons of the verdict and of the attempt.
json_t *evidence_attempt_seal(const char *directory, cupel_findings *findings);

// Reads an attempt offline, makes its receipt again and holds the stored one against it: byte by byte, and where they differ file
// by file and member by member. The receipt as stored (a new reference, null when it cannot be read); `findings` has every
// difference and the reasons of the receipt.
json_t *evidence_attempt_check(const char *directory, cupel_findings *findings);

#endif
