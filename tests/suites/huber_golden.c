// SPDX-License-Identifier: Apache-2.0
// The committed answers of the module huber, on this device.
#include "golden_cases.h"
#include "huber.h"

static const cupel_case cases[] = {
#include "../../golden/operations/huber.def"
};
const cupel_table huber_golden_table = CUPEL_TABLE(cases);
