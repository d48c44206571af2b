// SPDX-License-Identifier: Apache-2.0
// A build of the same configuration in a fresh directory, as recorded steps of an attempt.
#ifndef CUPEL_FRESH_BUILD_H
#define CUPEL_FRESH_BUILD_H

#include "attempt.h"
#include "plan.h"

#include <limits.h>

typedef struct cupel_fresh_build {
    char folder[PATH_MAX]; // "" when there is none
    cupel_plan plan;
    const cupel_plan_profile *profile;
} cupel_fresh_build;

// Configures and builds the source of `plan` in a new temporary folder with the plan's own configuration: steps "configure" and
// "build". False when a step did not pass, which the attempt records. Release with cupel_fresh_build_end in any case.
bool cupel_fresh_build_make(const evidence_attempt *attempt, const cupel_plan *plan, const char *profile, cupel_fresh_build *fresh);
// Removes the folder.
void cupel_fresh_build_end(cupel_fresh_build *fresh);

// Copies the profile's executables and the libraries of the build that they load into <attempt>/build. False with errno.
bool cupel_build_keep(const evidence_attempt *attempt, const cupel_plan *plan, const cupel_plan_profile *profile);

#endif
