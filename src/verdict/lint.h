// SPDX-License-Identifier: Apache-2.0
// Lint of ctest's own list of tests (`ctest --show-only=json-v1`): nothing in it may drop, skip, invert or wrap a profile's tests.
#ifndef CUPEL_LINT_H
#define CUPEL_LINT_H

#include "plan.h"
#include "reasons.h"

#include <jansson.h>

// `list` is the parsed output of ctest for the plan's build tree. Adds every fault of the tests of `profile`, or of all profiles
// and of the labels of all tests when it is null.
void cupel_lint(const json_t *list, const cupel_plan *plan, const cupel_plan_profile *profile, cupel_findings *findings);

// Labels that a test outside every profile may carry; ended by a null pointer.
extern const char *const cupel_lint_kinds[];

#endif
