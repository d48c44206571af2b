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

// Configures the source of `plan` in a new temporary folder, with every entry of the tree's own cache that was set, and builds what
// the profile needs, or everything: steps "configure" and "build". False when a step did not pass, which the attempt records, or
// after a sentence in `message`. End it with cupel_fresh_build_end in any case.
bool cupel_fresh_build_make(const evidence_attempt *attempt, const cupel_plan *plan, const char *profile, bool everything,
                            cupel_fresh_build *fresh, char message[EVIDENCE_MESSAGE]);
// Removes the folder: step "remove-build". False as above.
bool cupel_fresh_build_end(const evidence_attempt *attempt, cupel_fresh_build *fresh, char message[EVIDENCE_MESSAGE]);

// Copies the profile's executables and the libraries of the build that they load into <attempt>/build. False with errno.
bool cupel_build_keep(const evidence_attempt *attempt, const cupel_plan *plan, const cupel_plan_profile *profile);

#endif
