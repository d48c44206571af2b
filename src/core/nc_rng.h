// SPDX-License-Identifier: Apache-2.0
// Addressed random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC'11, doi:10.1145/2063384.2063405).
//
// A draw is a function of (seed, stream, index) alone: no state exists, so any order, chunking or device gives the same bytes.
// Word j of (seed, stream) is word j & 3 of the block with counter {lo(j/4), hi(j/4), lo(stream), hi(stream)} and key
// {lo(seed), hi(seed)}; it equals curand_init(seed, stream, j). Element e of an output (C order) has index `first` + e.
// A range that runs past the last index is refused (NC_OUT_OF_RANGE), never wrapped into the next stream.
#ifndef NC_RNG_H
#define NC_RNG_H

#include "nc_array.h"

#ifdef __cplusplus
extern "C" {
#endif

// Words at indices first.. (u32). All 2^64 indices exist.
NC_API nc_status nc_rng_words(uint64_t seed, uint64_t stream, uint64_t first, nc_array *out);

// Uniforms strictly inside (0,1). f64: (k + 1/2) 2^-52, k = (w0 << 20) | (w1 >> 12), words 2i and 2i+1 (i < 2^63).
// f32: (k + 1/2) 2^-23, k = w >> 9, word i.
NC_API nc_status nc_rng_uniform(uint64_t seed, uint64_t stream, uint64_t first, nc_array *out);

// cuRAND's mapping onto (0,1]. f32: curand_uniform, word i: w rounded to float32, times 2^-32, plus 2^-33, rounded again.
// f64: curand_uniform2_double, words 2i and 2i+1: (w0 ^ (w1 << 21)) 2^-53 + 2^-54, rounded once.
NC_API nc_status nc_rng_uniform_curand(uint64_t seed, uint64_t stream, uint64_t first, nc_array *out);

// Standard normals by inverse distribution function of the float64 uniform i (words 2i, 2i+1); a float32 normal is the float64
// one rounded once. See docs/rng.md for the approximation and its error.
NC_API nc_status nc_rng_normal(uint64_t seed, uint64_t stream, uint64_t first, nc_array *out);

#ifdef __cplusplus
}
#endif
#endif
