// SPDX-License-Identifier: Apache-2.0
// A manifest made anew from what the executables report, the committed lines and the newest run.
#ifndef CUPEL_MANIFEST_WRITE_H
#define CUPEL_MANIFEST_WRITE_H

#include "case_list.h"

// Replaces `manifest`. Comment lines at its head stay. A case keeps its line; a new one gets `run values=N`, where N is what the
// newest run of `profile` compared, or 1 when no run has it. A floor rises to what that run compared and never falls. Lines of
// cases that no executable has go. `lists` are of the suites of `profile`. *written says whether the file changed. False after a
// finding.
bool cupel_manifest_write(const cupel_plan *plan, const cupel_plan_profile *profile, const char *manifest,
                          const cupel_case_list *lists, bool *written, cupel_findings *findings);

#endif
