// SPDX-License-Identifier: Apache-2.0
// The committed answers of the module stats, on this device. Each sampler has a row of 8192 draws, whose bytes a hash locks.
#include "golden_cases.h"
#include "stats.h"

static const cupel_case cases[] = {
#include "../../golden/operations/stats.def"
};
const cupel_table stats_golden_table = CUPEL_TABLE(cases);
