// SPDX-License-Identifier: Apache-2.0
// Insides of the CPU backend: one device, its buffers, and one table of compiled kernels for each instruction set.
#ifndef CPU_H
#define CPU_H

#include "../../src/core/backend.h"

// Upper triangle of A'B for `rows` rows of two packed row-major panels of `width` columns (a multiple of CPU_GRAM_WIDTH, zeros in
// the padding), each entry one fma chain in row order: out[i * columns + j], i <= j < columns; +0 below.
typedef void (*cpu_gram_chunk)(const double *a, const double *b, int64_t rows, int64_t width, int64_t columns, double *out);
#define CPU_GRAM_WIDTH 48 // a common multiple of every variant's tile

// Folds one chunk of contiguous elements (1 .. NC_SUM_CHUNK) to one value. y is null except for BE_DOT.
typedef void (*cpu_fold)(const void *x, const void *y, size_t count, void *out);
#define CPU_FOLDS 4 // one for each be_reduction

// One gemm on plain memory. `data` points to element (0, 0); strides count elements.
typedef struct cpu_matrix {
    void *data;
    int64_t row_stride, column_stride;
} cpu_matrix;
typedef struct cpu_gemm {
    size_t m, n, k;
    const void *alpha, *beta;
    cpu_matrix a, b, c;
} cpu_gemm;
// Blocks of C whose accumulators are kept while k advances, and the pieces of A and B that are packed for them.
#define CPU_GEMM_BLOCK_M ((size_t)512)
#define CPU_GEMM_BLOCK_N ((size_t)384)
#define CPU_GEMM_BLOCK_K ((size_t)256)
#define CPU_GEMM_PIECE_M ((size_t)128)
#define CPU_GEMM_TILE_MAX ((size_t)64) // rows or columns of a tile
typedef struct cpu_gemm_workspace {
    void *a;    // PIECE_M x BLOCK_K elements
    void *b;    // BLOCK_K x BLOCK_N
    void *sums; // BLOCK_M x BLOCK_N
} cpu_gemm_workspace;
typedef void (*cpu_gemm_function)(const cpu_gemm *gemm, const cpu_gemm_workspace *workspace);

// The kernels as one instruction set has them. Every table returns the same bytes; only speed differs.
typedef struct cpu_variant {
    const char *name; // "x86-64-v3"
    const nc_thunk *kernels;
    // Gram chunk from packed panels; null where the single-source kernel is what there is.
    cpu_gram_chunk gram_chunk;
    cpu_fold folds[CPU_FOLDS][2]; // [be_reduction][0: f32, 1: f64]
    cpu_gemm_function gemm[2];    // [0: f32, 1: f64]
} cpu_variant;

extern const cpu_variant cpu_variant_base;
// Levels above the base. A test that builds everything with flags of its own leaves them out (CPU_BASE_ONLY).
#if defined(__x86_64__) && !defined(CPU_BASE_ONLY)
#define CPU_HAS_LEVELS
extern const cpu_variant cpu_variant_v3;
extern const cpu_variant cpu_variant_v4;
#endif

#define CPU_VARIANTS_MAX 3
// The variants that this processor can run, slowest first. Returns how many.
int32_t cpu_variants(const cpu_variant *variants[CPU_VARIANTS_MAX]);

struct be_device {
    const cpu_variant *variant; // the fastest; a test may set any other of cpu_variants
    nc_device_counters counters;
};

// Counts `bytes` of host memory that the device holds from now on: buffers, and work space until cpu_memory_give.
void cpu_memory_take(be_device *device, size_t bytes);
void cpu_memory_give(be_device *device, size_t bytes);

struct be_buffer {
    unsigned char *memory;
    size_t bytes;
};

#endif
