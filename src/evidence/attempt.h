// SPDX-License-Identifier: Apache-2.0
// An attempt: one directory that keeps every command of one qualification with its output, status and duration (docs/receipts.md).
//
// <evidence>/<attempt>/attempt.json            written first
// <evidence>/<attempt>/steps/<label>/command   JSON: label, lane, index, words, directory, start
//                                   /stdout /stderr
//                                   /status    "exit 0", "signal 9", "timeout 30" or "not started: reason", written last
//                                   /seconds   wall time
//                                   /peak_rss_bytes  largest resident set of the command or a descendant it waited for
// Nothing is ever overwritten: a label is used once, and a crash leaves a step without a status.
#ifndef EVIDENCE_ATTEMPT_H
#define EVIDENCE_ATTEMPT_H

#include "evidence_file.h"
#include "evidence_process.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define EVIDENCE_ATTEMPT_SCHEMA "cupel-attempt 1"
#define EVIDENCE_STEP_SCHEMA "cupel-step 1"

#define EVIDENCE_PROFILE_RECORD "record" // stands for a profile in attempts of `cupel record`

enum { EVIDENCE_LABEL_MAX = 60 };

typedef struct evidence_attempt {
    char path[PATH_MAX];
    int lock; // descriptor that holds the attempt's lock while it is open here
} evidence_attempt;

// Makes <evidence>/<UTC stamp>-<profile>-<8 hex> exclusively and writes attempt.json with the members of `description` beside its
// own (schema, attempt, profile, started, earlier: the attempts of the profile that are there already; recorder: account, home and
// host, which copies for publication leave out wherever they stand). `message` gets one sentence on failure.
bool evidence_attempt_create(const char *evidence, const char *profile, const json_t *description, evidence_attempt *attempt,
                             char message[EVIDENCE_MESSAGE]);

// True for "<UTC stamp>-<profile>-<8 hex>".
bool evidence_attempt_name_is_of(const char *name, const char *profile);

// Opens an attempt that has no receipt yet, for one process at a time.
bool evidence_attempt_open(const char *path, evidence_attempt *attempt, char message[EVIDENCE_MESSAGE]);
void evidence_attempt_close(evidence_attempt *attempt);

typedef enum evidence_outcome {
    EVIDENCE_STEP_PASSED,  // recorded, exit status 0, nothing left behind
    EVIDENCE_STEP_FAILED,  // recorded, any other end
    EVIDENCE_STEP_REFUSED, // not run: label used, lane stopped, bad label
    EVIDENCE_STEP_BROKEN   // could not be recorded; what exists says that it is incomplete
} evidence_outcome;

typedef struct evidence_step {
    const char *label;             // [a-z0-9._-], at most EVIDENCE_LABEL_MAX
    const char *lane;              // steps of one lane run only while none of it has failed
    evidence_process_spec process; // its descriptors are set by the recorder
} evidence_step;

// Runs one step. `message` gets one sentence unless the step passed. `result` is valid after PASSED and FAILED.
evidence_outcome evidence_step_run(const evidence_attempt *attempt, const evidence_step *step, evidence_process_result *result,
                                   char message[EVIDENCE_MESSAGE]);

// True for a label that can name a step.
bool evidence_label_is_valid(const char *label);

// Now as "YYYY-MM-DDTHH:MM:SSZ".
void evidence_utc_now(char text[24]);

#endif
