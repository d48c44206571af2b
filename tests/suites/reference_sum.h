// SPDX-License-Identifier: Apache-2.0
// The arithmetic of docs/sums.md and docs of gemm written a second time, from the text and not from the core: plain loops over one
// element at a time. Numbers are doubles that hold values of the dtype. Built with contraction off.
#ifndef SUITE_REFERENCE_SUM_H
#define SUITE_REFERENCE_SUM_H

#include "cupel.h"

#include <math.h>

// One rounding to the dtype. The sum of two float32 numbers rounded to float64 and then to float32 is the sum rounded once
// (Figueroa, "When is double rounding innocuous?", SIGNUM 30(3), 1995); so is the product, which float64 holds exactly.
static inline double reference_add(nc_dtype dtype, double a, double b)
{
    return dtype == NC_F32 ? (double)(float)(a + b) : a + b;
}

static inline double reference_multiply(nc_dtype dtype, double a, double b)
{
    return dtype == NC_F32 ? (double)(float)(a * b) : a * b;
}

static inline double reference_fma(nc_dtype dtype, double a, double b, double c)
{
    return dtype == NC_F32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
}

// Reads element `index` of what is summed.
typedef double (*reference_reader)(const void *values, size_t index);

// One chunk, `first` to `last` - 1. `y` null: a sum.
static inline double reference_chunk(nc_dtype dtype, reference_reader read, const void *x, const void *y, size_t first, size_t last)
{
    double lane[256];
    for (size_t l = 0; l < 256; ++l) {
        lane[l] = y == NULL ? -0.0 : 0.0;
        for (size_t i = first + l; i < last; i += 256) {
            lane[l] = y == NULL ? reference_add(dtype, lane[l], read(x, i)) : reference_fma(dtype, read(x, i), read(y, i), lane[l]);
        }
    }
    for (size_t s = 128; s >= 1; s /= 2) {
        for (size_t i = 0; i < s; ++i) {
            lane[i] = reference_add(dtype, lane[i], lane[i + s]);
        }
    }
    return lane[0];
}

static inline double reference_read_double(const void *values, size_t index)
{
    return ((const double *)values)[index];
}

// The sum of `count` elements of x, or with y the dot product.
static inline double reference_sum(cupel_context *context, nc_dtype dtype, reference_reader read, const void *x, const void *y,
                                   size_t count)
{
    size_t chunks = (count + 4095) / 4096;
    double *results = cupel_alloc(context, chunks * sizeof *results);
    if (count == 0) {
        return 0.0;
    }
    for (size_t c = 0; c < chunks; ++c) {
        size_t last = 4096 * (c + 1) < count ? 4096 * (c + 1) : count;
        results[c] = reference_chunk(dtype, read, x, y, 4096 * c, last);
    }
    return chunks == 1 ? results[0] : reference_sum(context, dtype, reference_read_double, results, NULL, chunks);
}

static inline double reference_read_f32(const void *values, size_t index)
{
    return (double)((const float *)values)[index];
}

static inline reference_reader reference_reader_of(nc_dtype dtype)
{
    return dtype == NC_F32 ? reference_read_f32 : reference_read_double;
}

#endif
