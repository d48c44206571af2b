// SPDX-License-Identifier: Apache-2.0
// Lint of ctest's own plan: is there a way in which this build tree could report a profile as passed without proof?
#ifndef CUPEL_LINT_H
#define CUPEL_LINT_H

#include "plan.h"
#include "reasons.h"

#include <jansson.h>

// Judges the text that `ctest --show-only=json-v1` prints, for one profile of the build plan: each test of the plan exists, is
// started directly with the plan's executable, uses the profile's fixture and no property beyond those that cannot hide a
// failure, has a lock, a time limit and the profile's name as its only label; no other test is selected by that label. `build` is
// the build tree that the tests must name; null: not compared.
void cupel_lint_profile(const cupel_plan_profile *profile, const char *build, const char *tests, size_t length,
                        cupel_findings *findings);

// The same, and the custom files of the tree, for ctest's answer as JSON (null: it gave none). A null `profile` means all of the
// plan and the labels of every test.
void cupel_lint(const json_t *list, const cupel_plan *plan, const cupel_plan_profile *profile, cupel_findings *findings);

// The rule of labels for a whole project: each test carries exactly one label, a profile's name or one of cupel_lint_kinds, so
// that no label contains another profile's name; a test outside of profiles has no property that skips or inverts.
void cupel_lint_labels(const cupel_plan *plan, const char *tests, size_t length, cupel_findings *findings);

// Labels that a test outside every profile may carry; ended by a null pointer.
extern const char *const cupel_lint_kinds[];

// CTestCustom files of the build tree, which ctest obeys in silence.
void cupel_lint_custom_files(const char *build, cupel_findings *findings);

#endif
