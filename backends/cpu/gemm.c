// SPDX-License-Identifier: Apache-2.0
// gemm on the calling thread: workspace and pointers; the arithmetic is gemm_body.h's.
#include "../../src/core/host/environment.h"
#include "cpu.h"

#include <stdlib.h>

#define ALIGNMENT ((size_t)64)

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Room for `rows` x `columns` elements, each rounded up to whole tiles of any instruction set. A tile is narrower than the margin,
// so adding it is enough; sizes stay multiples of the alignment.
static size_t padded_bytes(size_t rows, size_t columns, size_t size)
{
    return (rows + CPU_GEMM_TILE_MAX) * (columns + CPU_GEMM_TILE_MAX) * size / ALIGNMENT * ALIGNMENT + ALIGNMENT;
}

static cpu_matrix matrix_at(be_matrix matrix, size_t size)
{
    return (cpu_matrix){matrix.buffer->memory + (size_t)matrix.offset * size, matrix.row_stride, matrix.column_stride};
}

nc_status be_gemm(be_device *device, nc_dtype dtype, int64_t m, int64_t n, int64_t k, const void *alpha, be_matrix a, be_matrix b,
                  const void *beta, be_matrix c)
{
    size_t size = dtype == NC_F32 ? sizeof(float) : sizeof(double);
    cpu_gemm gemm = {(size_t)m, (size_t)n, (size_t)k, alpha, beta, matrix_at(a, size), matrix_at(b, size), matrix_at(c, size)};
    size_t depth = smaller(gemm.k, CPU_GEMM_BLOCK_K), columns = smaller(gemm.n, CPU_GEMM_BLOCK_N);
    size_t a_bytes = padded_bytes(smaller(gemm.m, CPU_GEMM_PIECE_M), depth, size);
    size_t b_bytes = padded_bytes(depth, columns, size);
    size_t sums_bytes = padded_bytes(smaller(gemm.m, CPU_GEMM_BLOCK_M), columns, size);
    size_t workspace_bytes = a_bytes + b_bytes + sums_bytes;
    void *memory = NULL;
    if (posix_memalign(&memory, ALIGNMENT, workspace_bytes) != 0) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for gemm's workspace of %zu bytes", workspace_bytes);
    }
    unsigned char *bytes = memory;
    cpu_gemm_workspace workspace = {bytes, bytes + a_bytes, bytes + a_bytes + b_bytes};
    cpu_memory_take(device, workspace_bytes);
    nc_environment saved = nc_environment_enter();
    device->variant->gemm[dtype == NC_F64](&gemm, &workspace);
    nc_environment_leave(saved);
    free(memory);
    cpu_memory_give(device, workspace_bytes);
    ++device->counters.kernels_launched;
    return NC_OK;
}
