// SPDX-License-Identifier: Apache-2.0
// The committed answers of the module rng, on this device.
#include "golden_cases.h"
#include "rng.h"

static const cupel_case cases[] = {
#include "../../golden/operations/rng.def"
};
const cupel_table rng_golden_table = CUPEL_TABLE(cases);
