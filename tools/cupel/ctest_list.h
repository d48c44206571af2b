// SPDX-License-Identifier: Apache-2.0
// ctest's own list of a build tree's tests, read and held against the plan.
#ifndef CUPEL_CTEST_LIST_H
#define CUPEL_CTEST_LIST_H

#include "plan.h"
#include "reasons.h"

// Asks ctest for its tests and lints those of `profile`, or of all profiles when it is null (src/verdict/lint.h).
void cupel_ctest_lint(const cupel_plan *plan, const cupel_plan_profile *profile, cupel_findings *findings);

#endif
