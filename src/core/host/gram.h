// SPDX-License-Identifier: Apache-2.0
// Sums over rows for the modules that need them on buffers: X' diag(w) X and X' v in float64, in the order of row_order.h.
#ifndef NC_HOST_GRAM_H
#define NC_HOST_GRAM_H

#include "host.h"

// A rows x columns matrix of `dtype` (strides in elements) and `weights` (contiguous float64, one a row).
typedef struct nc_row_sum {
    nc_device *device;
    nc_dtype dtype;
    be_matrix x;
    int64_t rows;
    int64_t columns;
    be_buffer *weights;
} nc_row_sum;

// Gram matrix into `out` (columns x columns, contiguous, float64), symmetric. rows may be 0: all +0.
nc_status nc_gram_f64(const nc_row_sum *sum, be_buffer *out);
// Column sums X' weights into `out` (columns, contiguous, float64).
nc_status nc_column_sums_f64(const nc_row_sum *sum, be_buffer *out);

#endif
