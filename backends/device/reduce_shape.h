// SPDX-License-Identifier: Apache-2.0
// What the host and the kernels of reduce.h agree on.
#ifndef NC_DEVICE_REDUCE_SHAPE_H
#define NC_DEVICE_REDUCE_SHAPE_H

#include "../../src/core/row_order.h"

#define NC_FOLD_ENTRIES 8u // entries of all lanes that one group of fold_rows holds in local memory: 16 KiB of float64

#endif
