// SPDX-License-Identifier: Apache-2.0
// The suite model: compartment networks given as data (nc_model.h).
#include "model.h"

static const cupel_table *const tables[] = {&model_contract_table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("model", tables);
