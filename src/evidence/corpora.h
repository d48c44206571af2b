// SPDX-License-Identifier: Apache-2.0
// Golden corpora in evidence: how many rows the tree's corpora have, and how much of each the suites of a run compared.
#ifndef EVIDENCE_CORPORA_H
#define EVIDENCE_CORPORA_H

#include "reasons.h"

#include <jansson.h>

// {"linalg.f32": 1234, ...}: the rows that the first line of each golden/corpora/<module>.<dtype>.golden states. Empty where the
// source tree has no corpora. A new reference.
json_t *evidence_corpora_describe(const char *source);

// [{"corpus","test","rows","values","bytes_compared","differing_bits"}, ...]: what each suite executable of the corpus's module
// compared with it, from the cases "<module>.golden.<operation>.<dtype>" of a verdict as JSON. Every suite must have compared every
// row of its module's corpora; what is missing is a finding unless the run does not pass anyway. Which suites a profile has is the
// plan's business. A new reference.
json_t *evidence_corpora_account(const json_t *described, const json_t *verdict, cupel_findings *findings);

#endif
