// SPDX-License-Identifier: Apache-2.0
// Uniforms and normals: four float32 uniforms or two of any other element from a Philox block.
// Body: include once per real type.
#include "normal.h"
#include "rng_fill.h"

#define NC_RNG_KERNEL(name, per_block, element_of)                                                                                 \
    NC_KERNEL6(NC_N(name), nc_u64, seed, nc_u64, stream, nc_u64, first, NC_GLOBAL NC_REAL *, out, nc_layout, out_layout, nc_u64,   \
               count)                                                                                                              \
    NC_RNG_FILL(NC_REAL, per_block, element_of)

#define NC_RNG_UNIFORM_F64(block, place) nc_uniform_f64(NC_RNG_WORD0(block, place), NC_RNG_WORD1(block, place))
#define NC_RNG_NORMAL(block, place) (NC_REAL) nc_normal_quantile(normal_table, NC_RNG_UNIFORM_F64(block, place))

#ifdef NC_REAL_IS_F32
#define NC_RNG_UNIFORM_F32(block, place) nc_uniform_f32(NC_RNG_WORD(block, place))
#define NC_RNG_CURAND_F32(block, place) nc_uniform_curand_f32(NC_RNG_WORD(block, place))
NC_RNG_KERNEL(rng_uniform, 4, NC_RNG_UNIFORM_F32)
NC_RNG_KERNEL(rng_uniform_curand, 4, NC_RNG_CURAND_F32)
#else
#define NC_RNG_CURAND_F64(block, place) nc_uniform_curand_f64(NC_RNG_WORD0(block, place), NC_RNG_WORD1(block, place))
NC_RNG_KERNEL(rng_uniform, 2, NC_RNG_UNIFORM_F64)
NC_RNG_KERNEL(rng_uniform_curand, 2, NC_RNG_CURAND_F64)
#endif

NC_KERNEL7(NC_N(rng_normal), nc_u64, seed, nc_u64, stream, nc_u64, first, NC_GLOBAL NC_REAL *, out, nc_layout, out_layout, nc_u64,
           count, NC_GLOBAL const nc_f64 *, normal_table)
NC_RNG_FILL(NC_REAL, 2, NC_RNG_NORMAL)

#undef NC_RNG_KERNEL
#undef NC_RNG_UNIFORM_F32
#undef NC_RNG_UNIFORM_F64
#undef NC_RNG_CURAND_F32
#undef NC_RNG_CURAND_F64
#undef NC_RNG_NORMAL
