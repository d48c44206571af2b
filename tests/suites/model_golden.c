// SPDX-License-Identifier: Apache-2.0
// The committed answers of the module model, on this device.
#include "golden_cases.h"
#include "model.h"

static const cupel_case cases[] = {
#include "../../golden/operations/model.def"
};
const cupel_table model_golden_table = CUPEL_TABLE(cases);
