// SPDX-License-Identifier: Apache-2.0
// What the host and the gemm kernels agree on: arguments and tile sizes.
#ifndef NC_DEVICE_GEMM_SHAPE_H
#define NC_DEVICE_GEMM_SHAPE_H

#include "../../src/core/dialect/dialect.h"

// Element (i, j) of a matrix lies at offset + i*row_stride + j*column_stride.
typedef struct gemm_place {
    nc_i64 offset, row_stride, column_stride;
} gemm_place;
NC_ASSERT_SIZE(gemm_place, 24);

typedef struct gemm_shape {
    nc_i64 m, n, k;
} gemm_shape;
NC_ASSERT_SIZE(gemm_shape, 24);

// A group of 16 x 16 lanes computes one tile of C. The wide tile reuses each loaded value most; the narrow one spreads a small C
// over more groups. The buffers of both operands fit the 32 KiB of local memory that every OpenCL device has. Which one runs
// changes no bit: every element is one chain of its own. Rows and columns: GEMM_<kind>_<dtype>.
#define GEMM_SIDE 16u // lanes along either side of a tile
#define GEMM_DEPTH 8u // values of k between two barriers

#define GEMM_WIDE_ROWS_F32 128u
#define GEMM_WIDE_COLUMNS_F32 128u
#define GEMM_WIDE_ROWS_F64 128u
#define GEMM_WIDE_COLUMNS_F64 64u
#define GEMM_NARROW_ROWS 32u
#define GEMM_NARROW_COLUMNS 32u

#endif
