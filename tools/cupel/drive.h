// SPDX-License-Identifier: Apache-2.0
// One run of one profile through ctest, from the plan check to the verdict.
#ifndef CUPEL_DRIVE_H
#define CUPEL_DRIVE_H

#include "attempt.h"
#include "plan.h"
#include "verdict.h"

#include <limits.h>

typedef struct cupel_drive_request {
    const cupel_plan *plan;
    const cupel_plan_profile *profile;
    const char *device;              // selector, null: the harness's own rule
    const evidence_attempt *attempt; // records ctest as its step "run" and holds the run directory, null: the build tree does
} cupel_drive_request;

typedef struct cupel_drive_result {
    cupel_status status;
    char directory[PATH_MAX]; // of the run, "" when none was opened
    cupel_verdict verdict;    // of the run; when none was opened it has only findings
    double seconds;           // wall time of ctest
    double processor_seconds; // user and system time of ctest and all that it started
} cupel_drive_result;

// Checks plan and build, starts ctest in a process group of its own with a hard time limit, judges the run anew from its files and
// holds the receipt and ctest's own status against that. Release with cupel_verdict_free(&result->verdict).
void cupel_drive(const cupel_drive_request *request, cupel_drive_result *result);

#endif
