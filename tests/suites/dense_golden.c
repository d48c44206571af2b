// SPDX-License-Identifier: Apache-2.0
// The committed answers of the module dense, on this device.
#include "dense.h"
#include "golden_cases.h"

static const cupel_case cases[] = {
#include "../../golden/operations/dense.def"
};
const cupel_table dense_golden_table = CUPEL_TABLE(cases);
