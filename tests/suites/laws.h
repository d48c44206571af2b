// SPDX-License-Identifier: Apache-2.0
// The parts of the suite laws.
#ifndef SUITE_LAWS_H
#define SUITE_LAWS_H

#include "cupel.h"

extern const cupel_table laws_dense_table;
extern const cupel_table laws_huber_table;
extern const cupel_table laws_linalg_table;
extern const cupel_table laws_rng_table;
extern const cupel_table laws_solver_table;
extern const cupel_table laws_stats_table;
extern const cupel_table laws_sum_table;

#endif
