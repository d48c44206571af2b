// SPDX-License-Identifier: Apache-2.0
// Whether a profile's executables were built from the sources that the tree holds now.
#ifndef CUPEL_FRESHNESS_H
#define CUPEL_FRESHNESS_H

#include "plan.h"
#include "reasons.h"

// Adds CUPEL_REASON_EXECUTABLE_MISSING for each executable that was not built and CUPEL_REASON_PLAN_STALE when a source file
// differs from <build>/cupel/sources.sha256, which every build writes. (That the executables were built from that list is what the
// source id in their ledgers shows.)
void cupel_freshness_check(const cupel_plan *plan, const cupel_plan_profile *profile, cupel_findings *findings);

#endif
