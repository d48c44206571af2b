// SPDX-License-Identifier: Apache-2.0
// The progress line of a run: suite, cases done of expected, elapsed time. Shown on a terminal only.
#ifndef CUPEL_PROGRESS_H
#define CUPEL_PROGRESS_H

#include "plan.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cupel_progress {
    const cupel_plan *plan;
    const cupel_plan_profile *profile;
    size_t *expected; // cases of each suite of the profile; null when the line is not shown
    double began;
    bool shown;
} cupel_progress;

// Reads the manifest for the numbers. Nothing will be shown when standard error is not a terminal.
void cupel_progress_begin(cupel_progress *progress, const cupel_plan *plan, const cupel_plan_profile *profile);
// Reads the ledgers of the open run and rewrites the line. Takes a cupel_progress, as evidence_process_spec.tick does.
void cupel_progress_tick(void *progress);
// Clears the line.
void cupel_progress_end(cupel_progress *progress);

#endif
