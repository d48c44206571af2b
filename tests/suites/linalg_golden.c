// SPDX-License-Identifier: Apache-2.0
// The committed answers of the module linalg, on this device.
#include "golden_cases.h"
#include "linalg.h"

static const cupel_case cases[] = {
#include "../../golden/operations/linalg.def"
};
const cupel_table linalg_golden_table = CUPEL_TABLE(cases);
