// SPDX-License-Identifier: Apache-2.0
// The suite laws: what must hold between answers of one device, whatever the right answers are. A mistake that the reference and a
// device share is seen here.
#include "laws.h"

static const cupel_table *const tables[] = {&laws_sum_table,   &laws_linalg_table, &laws_rng_table,  &laws_dense_table,
                                            &laws_huber_table, &laws_solver_table, &laws_stats_table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("laws", tables);
