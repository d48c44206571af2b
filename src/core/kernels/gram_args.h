// SPDX-License-Identifier: Apache-2.0
// What the kernels of sums over rows take by value.
#ifndef NC_KERNELS_GRAM_ARGS_H
#define NC_KERNELS_GRAM_ARGS_H

#include "../dialect/dialect.h"
#include "../row_order.h"

// Rows first .. first + chunks * NC_ROW_CHUNK - 1 of a matrix, cut at `rows`.
typedef struct nc_row_slab {
    nc_i64 offset, row_stride, column_stride;
    nc_i64 rows;
    nc_i64 columns;
    nc_i64 first;
    nc_i64 chunks;
} nc_row_slab;
NC_ASSERT_SIZE(nc_row_slab, 56);

#endif
