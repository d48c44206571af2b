// SPDX-License-Identifier: Apache-2.0
// The suite linalg: sums, products and extrema with one answer (nc_linalg.h, docs/sums.md).
#include "linalg.h"

static const cupel_table *const tables[] = {&linalg_axpy_table, &linalg_dot_table, &linalg_extrema_table,
                                            &linalg_gemm_table, &linalg_sum_table, &linalg_golden_table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("linalg", tables);
