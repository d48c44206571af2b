// SPDX-License-Identifier: Apache-2.0
// The suite model: compartment networks given as data (nc_model.h).
#include "model.h"

static const cupel_table *const tables[] = {&model_contract_table,  &model_derivative_table, &model_golden_table,
                                            &model_groups_table,    &model_laws_table,       &model_reaction_table,
                                            &model_reduction_table, &model_refusal_table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("model", tables);
