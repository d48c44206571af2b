// SPDX-License-Identifier: Apache-2.0
// The end of a run: its verdict, written down.
#ifndef CUPEL_FINISH_H
#define CUPEL_FINISH_H

#include "plan.h"
#include "verdict.h"

// Evaluates the run in `directory` and writes junit.xml and receipt.json into it, the receipt last. What cannot be written is
// added to the verdict, which then refuses. Release with cupel_verdict_free.
void cupel_finish(const cupel_plan *plan, const cupel_plan_profile *profile, const char *directory, cupel_verdict *verdict);

#endif
