// SPDX-License-Identifier: Apache-2.0
// C = alpha A B + beta C with each element one fma chain in ascending k. Body: include once per real type.
#include "gemm_shape.h"

#include "gemm_panel.h"

#define GEMM_NAME NC_N(gemm_wide)
#if defined(NC_REAL_IS_F32)
#define GEMM_ROWS GEMM_WIDE_ROWS_F32
#define GEMM_COLUMNS GEMM_WIDE_COLUMNS_F32
#else
#define GEMM_ROWS GEMM_WIDE_ROWS_F64
#define GEMM_COLUMNS GEMM_WIDE_COLUMNS_F64
#endif
#define GEMM_VECTOR (16u / (nc_u32)sizeof(NC_REAL))
#include "gemm_tile.h"

#define GEMM_NAME NC_N(gemm_narrow)
#define GEMM_ROWS GEMM_NARROW_ROWS
#define GEMM_COLUMNS GEMM_NARROW_COLUMNS
#define GEMM_VECTOR 2u
#include "gemm_tile.h"
