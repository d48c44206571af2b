// SPDX-License-Identifier: Apache-2.0
// The suite solver: ensembles of trajectories (nc_solver.h).
#include "solver.h"

static const cupel_table *const tables[] = {&solver_core_table,   &solver_adaptive_table, &solver_ensemble_table,
                                            &solver_golden_table, &solver_grid_table,     &solver_order_table,
                                            &solver_status_table, &solver_value_table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("solver", tables);
