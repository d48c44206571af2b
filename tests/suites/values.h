// SPDX-License-Identifier: Apache-2.0
// Test data that any reader can make again: bits from SplitMix64 (Steele, Lea, Flood, OOPSLA'14) at an address.
#ifndef SUITE_VALUES_H
#define SUITE_VALUES_H

#include "cupel.h"

#include <math.h>
#include <string.h>

static inline uint64_t value_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// A signed number with a full significand of the dtype and an exponent from -`spread` to `spread`: sums of such numbers round.
static inline double value_wide(nc_dtype dtype, uint64_t seed, uint64_t index, int spread)
{
    uint64_t bits = value_bits(seed, index);
    int exponent = (int)((bits >> 54) % (uint64_t)(2 * spread + 1)) - spread;
    double significand = 1.0 + ldexp((double)(bits & 0xfffffffffffffu), -52);
    double value = ldexp(bits >> 63 != 0 ? -significand : significand, exponent);
    return dtype == NC_F32 ? (double)(float)value : value;
}

static inline void *values_wide(cupel_context *context, nc_dtype dtype, uint64_t seed, size_t count)
{
    void *values = cupel_alloc(context, count * nc_dtype_size(dtype));
    for (size_t i = 0; i < count; ++i) {
        cupel_set_real(dtype, values, i, value_wide(dtype, seed, i, 8));
    }
    return values;
}

// Small integers, whose sums and products stay exact: -`limit` to `limit`.
static inline void *values_integers(cupel_context *context, nc_dtype dtype, uint64_t seed, size_t count, int limit)
{
    void *values = cupel_alloc(context, count * nc_dtype_size(dtype));
    for (size_t i = 0; i < count; ++i) {
        cupel_set_real(dtype, values, i, (double)(int)(value_bits(seed, i) % (uint64_t)(2 * limit + 1)) - limit);
    }
    return values;
}

// A position of 0..count-1.
static inline size_t value_index(uint64_t seed, uint64_t index, size_t count)
{
    return (size_t)(value_bits(seed, index) % count);
}

#endif
