// SPDX-License-Identifier: Apache-2.0
// The parts of the suite linalg.
#ifndef SUITE_LINALG_H
#define SUITE_LINALG_H

#include "cupel.h"

extern const cupel_table linalg_axpy_table;
extern const cupel_table linalg_dot_table;
extern const cupel_table linalg_extrema_table;
extern const cupel_table linalg_gemm_table;
extern const cupel_table linalg_golden_table;
extern const cupel_table linalg_sum_table;

#endif
