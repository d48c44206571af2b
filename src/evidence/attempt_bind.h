// SPDX-License-Identifier: Apache-2.0
// What the parts of an attempt, each written by a process of its own, say of each other: times, durations, command lines, memory,
// sources and hashes. A value that only one file holds is held by the receipt's hashes and by signatures alone (docs/receipts.md).
// Internal to src/evidence.
#ifndef EVIDENCE_ATTEMPT_BIND_H
#define EVIDENCE_ATTEMPT_BIND_H

#include "attempt.h"
#include "plan.h"
#include "reasons.h"
#include "verdict.h"

// Everything the parts say; what is not there is null.
typedef struct evidence_parts {
    const char *directory; // of the attempt
    const json_t *attempt; // attempt.json
    const json_t *steps;   // evidence_steps_read
    const json_t *machine;
    const json_t *provenance;
    const cupel_plan *plan;
    const cupel_plan_profile *profile;
    const char *run; // run directory, "" when there is none
    bool is_copy;    // for publication: paths of the recording machine are placeholders
} evidence_parts;

// `finished` becomes the end of the last step: when it started and how long it took, in whole seconds, rounded up; the attempt's
// own start when it has no step. Adds a finding for each step that begins before what was recorded before it had ended, for indices
// that are not 1, 2, 3, ..., and for an attempt whose name is of another time than its start.
void evidence_times_judge(const evidence_parts *parts, char finished[24], cupel_findings *findings);

// {"fresh", "made_by"}: fresh is true when the steps "configure" and "build" of this attempt made the tree that ran; made_by is
// "attempt" then, else "earlier": the tree was there before the attempt. A new reference.
json_t *evidence_build_describe(const evidence_parts *parts);

// The steps of a fresh build, all or none of them: each has its own words, and what was configured is what the provenance read from
// the tree.
void evidence_build_judge(const evidence_parts *parts, cupel_findings *findings);

// The compiler, or CUDA's toolkit, that the device names as its runtime is the one that the provenance describes.
void evidence_toolchain_judge(const evidence_parts *parts, const json_t *device, cupel_findings *findings);

// Of the receipt's `files`, the plan must be the one that the provenance hashed, and every kept file of the build an executable or
// library that it names.
void evidence_hashes_judge(const json_t *files, const json_t *provenance, cupel_findings *findings);

// The commands of the steps that `cupel run` takes: each has its own words, lane and environment, and all began in one directory.
void evidence_commands_judge(const evidence_parts *parts, cupel_findings *findings);

// The run against the step that ran it, against the provenance, and against the two files that the run wrote of itself when it
// closed: its merged report and its own receipt. Says nothing of a run that does not pass: that has reasons of its own.
// `verdict_json` is the verdict as the receipt has it.
void evidence_run_judge(const evidence_parts *parts, const cupel_verdict *verdict, json_t *verdict_json, cupel_findings *findings);

// Writes the run's own receipt anew, which names the run's files by their hashes: a copy has other bytes than its original. Nothing
// is done for a run that does not pass. False with errno.
bool evidence_run_receipt_renew(const evidence_parts *parts, const cupel_verdict *verdict, json_t *verdict_json);

// ---- Parts of records, for the files that bind ----------------------------------------------------------------------------------

// The text of a member, "" when there is none.
const char *evidence_text_of(const json_t *object, const char *name);
// The step of that label, null when there is none.
const json_t *evidence_step_find(const json_t *steps, const char *label);
// How long it took; 0 for one that is unfinished.
double evidence_step_seconds(const json_t *step);
// How far the clock may be off what a duration says.
double evidence_clock_slack(double seconds);
// A name begins with the time at which the thing began.
void evidence_name_judge(const char *name, const char *subject, int64_t started, cupel_findings *findings);
// A member of a step's command, null when it cannot be read. A new reference.
json_t *evidence_command_member(const char *directory, const char *label, const char *name);

#endif
