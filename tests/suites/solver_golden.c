// SPDX-License-Identifier: Apache-2.0
// The committed answers of the module solver, on this device.
#include "golden_cases.h"
#include "solver.h"

static const cupel_case cases[] = {
#include "../../golden/operations/solver.def"
};
const cupel_table solver_golden_table = CUPEL_TABLE(cases);
