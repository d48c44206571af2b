// SPDX-License-Identifier: Apache-2.0
// The suite dense: Gram matrices and linear systems (nc_linalg.h).
#include "dense.h"

static const cupel_table *const tables[] = {&dense_golden_table, &dense_system_table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("dense", tables);
