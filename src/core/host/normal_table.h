// SPDX-License-Identifier: Apache-2.0
// The table that kernels/normal.h reads.
#ifndef NC_HOST_NORMAL_TABLE_H
#define NC_HOST_NORMAL_TABLE_H

#include "../kernels/normal.h"

extern const double nc_normal_table[NC_NORMAL_TABLE_SIZE];

#endif
