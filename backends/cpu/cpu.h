// SPDX-License-Identifier: Apache-2.0
// Insides of the CPU backend: one device, its buffers, and one table of compiled kernels for each instruction set.
#ifndef CPU_H
#define CPU_H

#include "../../src/core/backend.h"

// Upper triangle of A'B for `rows` rows of two packed row-major panels of `width` columns (a multiple of CPU_GRAM_WIDTH, zeros in
// the padding), each entry one fma chain in row order: out[i * columns + j], i <= j < columns; +0 below.
typedef void (*cpu_gram_chunk)(const double *a, const double *b, int64_t rows, int64_t width, int64_t columns, double *out);
#define CPU_GRAM_WIDTH 48 // a common multiple of every variant's tile

// The kernels as one instruction set has them. Every table returns the same bytes; only speed differs.
typedef struct cpu_variant {
    const char *name; // "x86-64-v3"
    const nc_thunk *kernels;
    // Gram chunk from packed panels; null where the single-source kernel is what there is.
    cpu_gram_chunk gram_chunk;
} cpu_variant;

extern const cpu_variant cpu_variant_base;
#if defined(__x86_64__)
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

struct be_buffer {
    unsigned char *memory;
    size_t bytes;
};

#endif
