// SPDX-License-Identifier: Apache-2.0
// The parts of an attempt as its receipt needs them. Internal to src/evidence.
#ifndef EVIDENCE_ATTEMPT_FILES_H
#define EVIDENCE_ATTEMPT_FILES_H

#include "evidence_file.h"
#include "reasons.h"

#include <jansson.h>

// Reads a JSON object with member "schema" of that value and no member but those of `known`, which ends with a null pointer. Null
// after a finding about `name`.
json_t *evidence_record_read(const char *directory, const char *name, const char *schema, const char *const *known,
                             cupel_findings *findings);

// The first member of an object that is not one of `known`, which ends with a null pointer; null when there is none.
const char *evidence_member_unknown(const json_t *object, const char *const *known);

// [{"label", "lane", "index", "started", "status", "seconds", "host_peak_rss_bytes"}] in the order of the indices. Adds a finding
// for a step that did not pass (the lane itself excepted: the verdict speaks of it), that is unfinished or malformed, and for each
// needed step that is absent.
json_t *evidence_steps_read(const char *directory, cupel_findings *findings);

// True for the labels of the steps that the procedure takes by itself.
bool evidence_step_is_of_procedure(const char *label);

// The JSON object that a step wrote to its standard output; JSON null when it has none.
json_t *evidence_step_output(const char *directory, const char *label);

// {path: {"bytes", "sha256"}} of every file but the receipt, its hash and signatures. Adds a finding for each link or other thing
// that is no plain file. Null when the directory cannot be read; then there is a finding.
json_t *evidence_files_describe(const char *directory, cupel_findings *findings);

// True for the receipt itself, its hash file and its signatures.
bool evidence_is_receipt_file(const char *name);

// Adds a finding for each of these files that no attempt of the profile has: nothing would read it.
void evidence_files_judge(const json_t *files, const char *profile, cupel_findings *findings);

// Adds a finding for each folder that holds nothing and that no attempt of the profile leaves.
void evidence_folders_judge(const char *directory, const char *profile, cupel_findings *findings);

// True when the document, written in the form of receipts, is this very text. No second text or document is made for it: an attempt
// has many cases. *same is how many bytes from the beginning are alike.
bool evidence_json_is_written_as(const json_t *document, const cupel_file *stored, size_t *same);

// Writes to `path` where two JSON values first differ, as "a.b[2]". False when they are equal.
bool evidence_json_difference(const json_t *a, const json_t *b, char path[EVIDENCE_MESSAGE]);

#endif
