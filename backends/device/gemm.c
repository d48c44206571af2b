// SPDX-License-Identifier: Apache-2.0
// Host side of gemm.h: chooses the tile. Every choice gives the same bytes.
#include "gemm_shape.h"
#include "groups.h"

#include <inttypes.h>

typedef struct gemm_tile {
    be_group_kernel kernel;
    uint64_t rows, columns;
} gemm_tile;

static uint64_t tiles_in(const gemm_tile *tile, int64_t m, int64_t n, uint64_t *down, uint64_t *across)
{
    *down = ((uint64_t)m + tile->rows - 1) / tile->rows;
    *across = ((uint64_t)n + tile->columns - 1) / tile->columns;
    return *down <= UINT64_MAX / *across ? *down * *across : UINT64_MAX;
}

static gemm_place place_of(be_matrix matrix)
{
    return (gemm_place){matrix.offset, matrix.row_stride, matrix.column_stride};
}

nc_status be_gemm(be_device *device, nc_dtype dtype, int64_t m, int64_t n, int64_t k, const void *alpha, be_matrix a, be_matrix b,
                  const void *beta, be_matrix c)
{
    static const gemm_tile wide[] = {{BE_GROUP_gemm_wide_f32, GEMM_WIDE_ROWS_F32, GEMM_WIDE_COLUMNS_F32},
                                     {BE_GROUP_gemm_wide_f64, GEMM_WIDE_ROWS_F64, GEMM_WIDE_COLUMNS_F64}};
    static const gemm_tile narrow[] = {{BE_GROUP_gemm_narrow_f32, GEMM_NARROW_ROWS, GEMM_NARROW_COLUMNS},
                                       {BE_GROUP_gemm_narrow_f64, GEMM_NARROW_ROWS, GEMM_NARROW_COLUMNS}};
    size_t precision = dtype == NC_F32 ? 0 : 1;
    const gemm_tile *tile = &wide[precision];
    uint64_t down = 0, across = 0;
    if (tiles_in(tile, m, n, &down, &across) < be_device_units(device)) {
        tile = &narrow[precision]; // wide tiles would leave compute units idle
    }
    uint64_t tiles = tiles_in(tile, m, n, &down, &across);
    if (tiles > INT32_MAX) {
        return be_fail(NC_UNSUPPORTED, "gemm with m=%" PRId64 ", n=%" PRId64 " needs more work groups than one launch has", m, n);
    }
    gemm_place a_place = place_of(a), b_place = place_of(b), c_place = place_of(c);
    gemm_shape shape = {m, n, k};
    be_arg args[] = {
        {NULL, alpha, nc_dtype_size(dtype)}, BE_BUFFER(a.buffer), BE_VALUE(a_place), BE_BUFFER(b.buffer), BE_VALUE(b_place),
        {NULL, beta, nc_dtype_size(dtype)},  BE_BUFFER(c.buffer), BE_VALUE(c_place), BE_VALUE(shape)};
    return be_group_launch(device, tile->kernel, tiles, args, 9);
}
