// SPDX-License-Identifier: Apache-2.0
// The parts of the suite dense.
#ifndef SUITE_DENSE_H
#define SUITE_DENSE_H

#include "cupel.h"

extern const cupel_table dense_golden_table;
extern const cupel_table dense_system_table;

#endif
